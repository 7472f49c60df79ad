package forensic

import (
	"context"
	"log/slog"

	"github.com/svc-platform/svc/host/fault"
	"github.com/svc-platform/svc/host/route"
)

// Content is the body of /services/forensic/analyze.
type Content struct {
	Content   string   `json:"content" doc:"what is to be scored"`
	Functions []string `json:"functions,omitempty" maxItems:"100" doc:"names of scoring functions; all of them if left out"`
}

// Analysis is the answer of /services/forensic/analyze.
type Analysis struct {
	Bytes  int     `json:"bytes" doc:"length of the content in UTF-8"`
	Total  int     `json:"total"`
	Scores []Score `json:"scores" doc:"in the order in which they were asked for"`
}

type contentIn struct {
	Body Content
}

// Register adds the route. Failures of scorers that are no word of the guest's
// own go to the log.
func Register(r *route.Router, scorers Scorers, log *slog.Logger) {
	op := route.Op{ID: "forensic-analyze", Summary: "Score content; one failing function never fails the request", Area: "forensic", Auth: route.NoKey}
	route.Post(r, "/services/forensic/analyze", op, func(ctx context.Context, in *contentIn) (Analysis, error) {
		return analyze(ctx, scorers, log, in.Body)
	})
}

func analyze(ctx context.Context, scorers Scorers, log *slog.Logger, c Content) (Analysis, error) {
	if c.Content == "" {
		return Analysis{}, fault.New(fault.Invalid, "content is empty: send the text that is to be scored")
	}
	chosen, err := choose(scorers.List(), c.Functions)
	if err != nil {
		return Analysis{}, err
	}
	content := []byte(c.Content)
	a := Analysis{Bytes: len(content), Total: len(chosen), Scores: []Score{}}
	for _, s := range chosen {
		score, err := run(ctx, scorers, s, content)
		if err != nil {
			return Analysis{}, err
		}
		if score.Status != statusOK && score.Status != statusInsufficient {
			log.WarnContext(ctx, "scorer failed", "function", s.Name, "status", score.Status, "message", score.Message)
		}
		a.Scores = append(a.Scores, score)
	}
	return a, nil
}

// Package forensic has content scored: how random it is, what patterns and
// anomalies it shows. Each scoring function is a guest behind the sandbox's
// walls, and one that fails never fails the request.
package forensic

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/svc-platform/svc/host/fault"
	"github.com/svc-platform/svc/sandbox"
)

// Scorer describes a scoring function.
type Scorer struct {
	Name        string
	Group       string // entropy, pattern, anomaly, AI detection or metadata
	Description string
}

// Scorers runs scoring functions under limits.
type Scorers interface {
	// List gives all there are, in the order in which they are to run.
	List() []Scorer
	// Score runs one of them and gives its answer, which ought to be a JSON
	// object. What it used is told also when it fails. A scorer that declines
	// by its own word is a *Refusal; one that hit a wall is a *sandbox.Trap.
	Score(ctx context.Context, name string, content []byte) ([]byte, sandbox.Usage, error)
}

// Refusal is a scorer's own error.
type Refusal struct {
	Code    string // "insufficient": the content is too little to judge
	Message string
}

func (r *Refusal) Error() string { return r.Code + ": " + r.Message }

// Insufficient is the code of a scorer that has too little to judge.
const Insufficient = "insufficient"

// How the run of one scorer ended.
const (
	statusOK           = "ok"
	statusInsufficient = "insufficient"
	statusOutOfFuel    = "out_of_fuel"
	statusOutOfMemory  = "out_of_memory"
	statusTrap         = "trap"
	statusBadOutput    = "bad_output"
)

// Score is what one function said.
type Score struct {
	Name       string          `json:"name"`
	Group      string          `json:"group"`
	Status     string          `json:"status" enum:"ok,insufficient,out_of_fuel,out_of_memory,trap,bad_output"`
	Output     json.RawMessage `json:"output,omitempty" doc:"the function's own object; only where the status is ok"`
	Message    string          `json:"message,omitempty" doc:"why there is no output"`
	FuelUsed   uint64          `json:"fuel_used"`
	PeakMemory uint64          `json:"peak_memory" doc:"bytes"`
	DurationMS float64         `json:"duration_ms"`
}

// choose gives the named functions, each once, or all where none is named.
func choose(all []Scorer, names []string) ([]Scorer, error) {
	if len(names) == 0 {
		return all, nil
	}
	var chosen []Scorer
	var unknown []fault.Detail
	for _, name := range names {
		i := slices.IndexFunc(all, func(s Scorer) bool { return s.Name == name })
		if i < 0 {
			unknown = append(unknown, fault.Detail{Field: "body.functions", Message: "there is no function " + name})
		} else if !slices.Contains(chosen, all[i]) {
			chosen = append(chosen, all[i])
		}
	}
	if len(unknown) == 0 {
		return chosen, nil
	}
	known := make([]string, len(all))
	for i, s := range all {
		known[i] = s.Name
	}
	f := fault.New(fault.Invalid, "%s; the functions are: %s", unknown[0].Message, strings.Join(known, ", ")).WithCode("unknown_function")
	f.Details = unknown
	return nil, f
}

// run has one function score the content. The error is the host's own: it
// cannot serve now.
func run(ctx context.Context, scorers Scorers, s Scorer, content []byte) (Score, error) {
	output, used, err := scorers.Score(ctx, s.Name, content)
	if err != nil && fault.KindOf(err) == fault.Unavailable {
		return Score{}, err
	}
	score := Score{
		Name: s.Name, Group: s.Group,
		FuelUsed: used.Fuel, PeakMemory: used.PeakMemory, DurationMS: float64(used.Duration.Microseconds()) / 1000,
	}
	if err != nil {
		score.Status, score.Message = failure(err)
		return score, nil
	}
	var object map[string]json.RawMessage
	if json.Unmarshal(output, &object) != nil || object == nil {
		score.Status, score.Message = statusBadOutput, "the function did not answer with a JSON object"
		return score, nil
	}
	score.Status, score.Output = statusOK, output
	return score, nil
}

// failure names the wall that the scorer ran into, in words that are safe to show.
func failure(err error) (status, message string) {
	var refusal *Refusal
	if errors.As(err, &refusal) {
		if refusal.Code == Insufficient {
			return statusInsufficient, refusal.Message
		}
		return statusTrap, refusal.Error()
	}
	var trap *sandbox.Trap
	if !errors.As(err, &trap) {
		return statusTrap, "the function could not be run"
	}
	switch trap.Kind {
	case sandbox.OutOfFuel, sandbox.OutOfTime:
		return statusOutOfFuel, trap.Message
	case sandbox.OutOfMemory:
		return statusOutOfMemory, trap.Message
	default:
		return statusTrap, trap.Message
	}
}

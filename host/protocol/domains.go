package protocol

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/svc-platform/svc/host/state"
)

// ranked is the result of the second step: the question and the categories
// that its words speak of.
type ranked struct {
	question
	index   *index
	said    map[string]bool    // every stem of the question, those of quantities included
	hinted  map[string]bool    // categories that the request names
	kinds   [][]string         // for each given, the quantities that its label may mean
	slows   bool               // accelerations that it gives are decelerations
	changes []string           // words that ask for another relation, without those that are taken back
	domains []domain           // best first
	score   map[string]float64 // of the domains
}

type domain struct {
	name     string
	evidence float64 // in [0, 1]
}

const (
	kindEvidence = 0.3 // an operator that computes the kind of quantity that is asked for
	keptShare    = 0.3 // domains with less than this share of the best evidence are left out
	hintEvidence = 0.5

	negationReach = 3 // words that "without" takes back
)

// checkHints bounds the hints. A hint that names no category is only a word.
func checkHints(hints []string) error {
	if len(hints) > maxHints {
		return &InvalidError{Field: "domain_hints", Message: fmt.Sprintf("%d hints are given: at most %d are read", len(hints), maxHints)}
	}
	for _, hint := range hints {
		if len(hint) > maxHint || !utf8.ValidString(hint) {
			return &InvalidError{Field: "domain_hints", Message: fmt.Sprintf("a hint must be valid UTF-8 of at most %d bytes", maxHint)}
		}
	}
	return nil
}

// domains weighs the categories by the words of the question.
func domains(x *index, q question, hints []string) ranked {
	r := ranked{question: q, index: x, said: map[string]bool{}, hinted: map[string]bool{}, score: map[string]float64{}}
	add(r.said, q.words, q.asked.core, q.asked.owner)
	for _, hint := range q.asked.hints {
		add(r.said, []string{stem(hint)})
	}
	for _, kind := range q.asked.kinds {
		add(r.said, stems(strings.ReplaceAll(kind, "_", " ")))
	}
	for i := range q.givens {
		add(r.said, q.givens[i].label, q.givens[i].context)
		r.kinds = append(r.kinds, x.labelKinds(&q.givens[i]))
	}
	r.changes = q.changes()
	r.slows = slices.ContainsFunc(r.changes, isSlowing)
	for _, hint := range hints {
		name := strings.Join(strings.Fields(strings.ToLower(strings.NewReplacer("_", " ", "-", " ").Replace(hint))), "_")
		r.hinted[name] = true
		add(r.said, stems(hint))
	}
	for _, e := range x.entries {
		evidence := x.nameShare(e, r.said, nil)
		if slices.Contains(q.asked.kinds, e.op.Output.Quantity.Name) || q.asked.symbol != "" && plainSymbol(q.asked.symbol) == plainSymbol(e.op.Output.Symbol) {
			evidence = max(evidence, kindEvidence)
		}
		if r.hinted[e.op.Category] {
			evidence = max(evidence, hintEvidence)
		}
		r.score[e.op.Category] = max(r.score[e.op.Category], evidence)
	}
	r.rank(x)
	return r
}

// rank keeps the categories with evidence, best first.
func (r *ranked) rank(x *index) {
	best := 0.0
	for _, name := range x.categories {
		best = max(best, r.score[name])
	}
	for _, name := range x.categories {
		if evidence := r.score[name]; evidence > 0 && evidence >= keptShare*best || r.hinted[name] {
			r.domains = append(r.domains, domain{name, evidence})
		}
	}
	slices.SortStableFunc(r.domains, func(a, b domain) int { return cmp.Compare(b.evidence, a.evidence) })
}

// changes finds the words that make a question one about another relation,
// but for those that it takes back: "without friction".
func (q *question) changes() []string {
	var found []string
	negated := 0
	for _, t := range q.tokens {
		word := stem(t.text)
		switch {
		case t.kind != wordToken:
			negated = 0
		case negates(word):
			negated = negationReach
		case negated > 0:
			negated--
		case changesRelation(word) && !slices.Contains(found, word):
			found = append(found, word)
		}
	}
	return found
}

// nameShare is the largest part of one of an operator's names that was said,
// each word weighed by how much it tells.
func (x *index) nameShare(e *entry, said, also map[string]bool) float64 {
	best := 0.0
	for _, name := range e.names {
		spoken, whole := 0.0, 0.0
		for _, s := range name {
			w := x.weight(s)
			whole += w
			if said[s] || also[s] {
				spoken += w
			}
		}
		if whole > 0 {
			best = max(best, spoken/whole)
		}
	}
	return best
}

func (r *ranked) step() state.Step {
	step := state.Step{Name: "domains", Summary: "no category fits the words", Facts: []state.Fact{}}
	if len(r.domains) > 0 {
		step.Summary = fmt.Sprintf("categories that may hold the answer: %d", len(r.domains))
	}
	for _, d := range r.domains {
		step.Facts = append(step.Facts, fact(d.name, fmt.Sprintf("%.2f", d.evidence)))
	}
	return step
}

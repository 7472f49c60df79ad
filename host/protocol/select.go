package protocol

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/svc-platform/svc/host/state"
	"github.com/svc-platform/svc/operators-wasm/language"
	"github.com/svc-platform/svc/operators-wasm/units"
)

const (
	sureNames     = 0.62 // share of a name that must be said for an operator to be meant by it
	fairNames     = 0.50 // the same where a word of the name is rare
	likelyNames   = 0.30 // the same where dimensions leave no other choice
	specificNames = 3    // operators that may share a rare word

	directBonus = 0.3  // the phrase that is asked for is a name of the operator
	hintBonus   = 0.2  // the request names its category
	symbolBonus = 0.5  // every given is assigned to a symbol of the operator
	strayCost   = 0.12 // a word speaks of other operators

	tieMargin     = 0.12 // scores nearer than this count as equal
	unusedMargin  = 0.12 // by which one that has no use for a given quantity has to score better still
	missMargin    = 0.03 // an operator that is not feasible and scores better by this much is the one that was meant
	sameAnswer    = 1e-9 // relative difference below which two relations agree
	maxNearMisses = 5
)

// candidate is an operator that could answer.
type candidate struct {
	entry    *entry
	match    matching
	named    float64 // share of its best name that the question says
	direct   bool    // it is asked for by name
	symbolic bool    // every given is assigned to the symbol of an input
	score    float64
}

// selection is the result of the third step.
type selection struct {
	ranked
	candidates []candidate // feasible, best first
	chosen     *candidate  // nil for a refusal
	misses     []nearMiss  // asked for, but not feasible
	near       []state.Alternative
	reason     string // of a refusal
}

// selectOperator chooses the operator that the question means: those that are
// feasible by dimensions, then by words. It refuses where two remain.
func selectOperator(x *index, r ranked) selection {
	s := selection{ranked: r}
	if len(r.problems) > 0 {
		s.reason = strings.Join(r.problems, "; ")
		return s
	}
	if !r.asked.known() {
		s.reason = "it was not understood which quantity is asked for: name it, e.g. \"kinetic energy of …\""
		return s
	}
	for _, e := range x.entries {
		if _, kept := r.score[e.op.Category]; !kept || !s.inDomains(e) {
			continue
		}
		s.consider(x, e)
	}
	slices.SortStableFunc(s.candidates, func(a, b candidate) int { return cmp.Compare(b.score, a.score) })
	s.choose()
	return s
}

func (s *selection) inDomains(e *entry) bool {
	return slices.ContainsFunc(s.domains, func(d domain) bool { return d.name == e.op.Category })
}

// consider adds an operator to the candidates, or to the near misses.
func (s *selection) consider(x *index, e *entry) {
	fits, direct := s.computes(e)
	if !fits {
		return
	}
	c := candidate{entry: e, named: x.nameShare(e, s.said, s.givenKinds(e)), direct: direct}
	stray := s.strays(x, e)
	c.score = c.named - strayCost*float64(len(stray))
	if direct {
		c.score += directBonus
	}
	if s.hinted[e.op.Category] {
		c.score += hintBonus
	}
	if word, changed := s.changed(e); changed {
		s.miss(e, c.score-1, fmt.Sprintf("it does not account for %q", word), false)
		return
	}
	c.match = match(e, &s.ranked)
	if len(c.match.best) == 0 {
		s.miss(e, c.score, s.gapText(e, c.match), len(c.match.unused) > 0)
		return
	}
	if reason := outside(e.op, c.match.best[0].values); reason != "" {
		s.misses = append(s.misses, nearMiss{alternative(e, reason), c.score, false, true})
		return
	}
	if c.match.best[0].symbols >= 2 && c.match.best[0].symbols == len(s.givens) {
		c.symbolic = true
		c.score += symbolBonus
	}
	s.candidates = append(s.candidates, c)
}

// choose takes the best candidate if it is good enough by itself and no other
// with another answer comes near.
func (s *selection) choose() {
	s.sortNear()
	if len(s.candidates) == 0 {
		s.reason = s.refusal()
		return
	}
	best := &s.candidates[0]
	if s.missed() > best.score+missMargin && !best.symbolic && !s.replaces(best) {
		s.reason = s.refusal()
		s.addCandidates("it fits the given quantities, but the words name another operator")
		return
	}
	if !s.convinces(best) {
		s.reason = fmt.Sprintf("no operator is clearly meant; the nearest is %s (%s): say more about the situation",
			best.entry.op.Name, best.entry.op.ID)
		s.addCandidates("it fits the given quantities, but the words do not name it")
		return
	}
	for i := range s.candidates[1:] {
		rival := &s.candidates[i+1]
		if rival.score > best.score-tieMargin && !agree(best, rival) {
			s.reason = fmt.Sprintf("the question fits both %s (%s) and %s (%s): say which is meant",
				best.entry.op.Name, best.entry.op.ID, rival.entry.op.Name, rival.entry.op.ID)
			s.addCandidates("it fits equally well")
			return
		}
	}
	s.chosen = best
	misses := s.near
	s.near = nil
	for i := range s.candidates[1:] {
		rival := &s.candidates[i+1]
		s.near = append(s.near, alternative(rival.entry, "it fits the given quantities, but the words fit it less"))
	}
	s.near = append(s.near, misses...)
	s.near = s.near[:min(len(s.near), maxNearMisses)]
}

// convinces says that a candidate is meant: by its name, or because it is the
// only one that takes exactly what is given and gives what is asked.
func (s *selection) convinces(c *candidate) bool {
	switch {
	case c.symbolic, c.named >= sureNames && c.score > sureNames-2*strayCost:
		return true
	case len(s.strays(s.index, c.entry)) > 0:
		return false
	case c.named >= fairNames && s.saysSpecific(c.entry):
		return true
	case s.replaces(c):
		return true
	}
	return len(s.candidates) == 1 && c.named >= likelyNames && len(s.asked.kinds) > 0 && !s.hasImplied() && s.takesAll(c)
}

// saysSpecific says that the question uses a word that few operators share
// with this one.
func (s *selection) saysSpecific(e *entry) bool {
	for _, name := range e.names {
		for _, word := range name {
			if s.said[word] && !isEveryday(word) && !s.index.isQuantityWord(word) && s.index.frequency[word] <= specificNames {
				return true
			}
		}
	}
	return false
}

// takesAll says that an operator takes given quantities of at least two
// dimensions and needs nothing else, but for terms that are usually zero.
func (s *selection) takesAll(c *candidate) bool {
	dims := map[units.Dimension]bool{}
	for j, g := range c.match.best[0].givens {
		switch {
		case g >= 0:
			dims[s.givens[g].unit.Dim] = true
		case c.match.best[0].values[j] != 0:
			return false
		}
	}
	return len(dims) >= 2
}

// hasImplied says that words state a speed: "from rest".
func (s *selection) hasImplied() bool {
	return slices.ContainsFunc(s.givens, func(g given) bool { return g.role != noRole && g.implied != "" })
}

// agree says that two candidates compute the same, so that it does not matter
// which is taken.
func agree(a, b *candidate) bool {
	x, errX := language.Eval(a.entry.op, a.match.best[0].values)
	y, errY := language.Eval(b.entry.op, b.match.best[0].values)
	return errX == nil && errY == nil && math.Abs(x-y) <= sameAnswer*max(math.Abs(x), math.Abs(y)) &&
		a.entry.op.Output.Quantity.Name == b.entry.op.Output.Quantity.Name
}

func (s *selection) step() state.Step {
	step := state.Step{Name: "select", Summary: s.reason, Facts: []state.Fact{}}
	if s.chosen != nil {
		step.Summary = fmt.Sprintf("%s (%s)", s.chosen.entry.op.Name, s.chosen.entry.op.ID)
	}
	for _, c := range s.candidates {
		step.Facts = append(step.Facts, fact(c.entry.op.ID, fmt.Sprintf("%s: words %.2f, score %.2f", c.entry.op.Name, c.named, c.score)))
	}
	return step
}

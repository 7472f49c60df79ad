package protocol

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/svc-platform/svc/host/state"
)

// nearMiss is an operator that is asked for and that does not fit what is given.
type nearMiss struct {
	state.Alternative
	score   float64
	unused  bool // it has no use for something that is given
	invalid bool // it takes what is given, but does not hold for the values
}

func alternative(e *entry, reason string) state.Alternative {
	return state.Alternative{Operator: e.op.ID, Name: e.op.Name, Reason: reason}
}

func (s *selection) miss(e *entry, score float64, reason string, unused bool) {
	s.misses = append(s.misses, nearMiss{alternative(e, reason), score, unused, false})
}

// sortNear keeps the near misses that the words speak for.
func (s *selection) sortNear() {
	slices.SortStableFunc(s.misses, func(a, b nearMiss) int { return cmp.Compare(b.score, a.score) })
	if len(s.asked.kinds) == 0 && s.asked.symbol == "" {
		s.misses = slices.DeleteFunc(s.misses, func(m nearMiss) bool { return m.score < sureNames+directBonus })
	}
	for _, m := range s.misses {
		if len(s.near) < maxNearMisses && m.score > 0 {
			s.near = append(s.near, m.Alternative)
		}
	}
}

func (s *selection) addCandidates(reason string) {
	var list []state.Alternative
	for _, c := range s.candidates {
		list = append(list, alternative(c.entry, reason))
	}
	s.near = append(list, s.near...)
	s.near = s.near[:min(len(s.near), maxNearMisses)]
}

// refusal says why nothing fits.
func (s *selection) refusal() string {
	if len(s.misses) > 0 && s.misses[0].score > 0 {
		nearest := &s.misses[0]
		if nearest.invalid {
			return nearest.Reason
		}
		return fmt.Sprintf("%s does not follow from what is stated. %s (%s): %s",
			s.askedText(), nearest.Name, nearest.Operator, nearest.Reason)
	}
	return fmt.Sprintf("no operator of the catalogue gives %s from what is stated", s.askedText())
}

func (s *selection) askedText() string {
	if s.asked.text == "" {
		return "what is asked"
	}
	return fmt.Sprintf("%q", s.asked.text)
}

// gapText says what an operator lacks and what it has no use for.
func (s *selection) gapText(e *entry, m matching) string {
	var parts []string
	for _, j := range m.missing {
		in := &e.op.Inputs[j]
		parts = append(parts, fmt.Sprintf("it needs the %s (%s, in %s)", in.Description, in.Symbol, unitSymbolOf(in.Unit)))
	}
	for _, i := range m.unused {
		g := &s.givens[i]
		if g.bare {
			parts = append(parts, fmt.Sprintf("it has no use for %s, which has no unit", g.text))
			continue
		}
		parts = append(parts, fmt.Sprintf("it has no use for %s", g.text))
	}
	if len(parts) == 0 {
		return "the given quantities do not fit its inputs one to one"
	}
	return strings.Join(parts, "; ")
}

// missed is the best score among the operators that lack something.
func (s *selection) missed() float64 {
	best := 0.0
	for _, m := range s.misses {
		switch {
		case m.invalid:
		case m.unused:
			best = max(best, m.score-unusedMargin)
		default:
			best = max(best, m.score)
		}
	}
	return best
}

// replaces says that a better named operator does not hold for the values and
// that this one, the only other of that name, does: the relativistic energy at high speed.
func (s *selection) replaces(c *candidate) bool {
	if !c.direct || len(s.asked.core) < 2 {
		return false
	}
	for i := range s.candidates {
		if other := &s.candidates[i]; other != c && other.direct {
			return false
		}
	}
	return slices.ContainsFunc(s.misses, func(m nearMiss) bool { return m.invalid && m.score >= c.score })
}

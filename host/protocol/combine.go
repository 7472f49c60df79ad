package protocol

import (
	"fmt"
	"math"
	"slices"

	"github.com/svc-platform/svc/host/state"
	"github.com/svc-platform/svc/operators-wasm/language"
)

// combination is the result of the sixth step.
type combination struct {
	execution
	tolerance float64 // relative
	sum       float64 // weighted over the operators that give the answer
	tension   float64 // bounded by a tenth of the tolerance
	coherence float64
}

// combine sums up the operators that give the answer, in the order of their
// ids, and measures how far they agree. The tension enters masterSum alone.
func combine(e execution, tolerance float64) combination {
	c := combination{execution: e, tolerance: tolerance}
	ordered := slices.Clone(e.outcomes)
	slices.SortStableFunc(ordered, func(a, b outcome) int { return language.CompareIDs(a.op.ID, b.op.ID) })
	total := neumaier(ordered, func(o outcome) float64 { return o.weight })
	if total > 0 {
		c.sum = neumaier(ordered, func(o outcome) float64 { return o.weight / total * o.value })
		c.coherence = coherence(ordered, total, c.sum)
	}
	if tension := e.tension.value; !math.IsNaN(tension) {
		c.tension = min(max(tension, -tolerance/10), tolerance/10)
	}
	return c
}

// masterSum is the answer with the tension of the moment.
func (c *combination) masterSum() float64 { return c.sum * (1 + c.tension) }

// neumaier adds terms up without losing the small ones.
func neumaier(outcomes []outcome, term func(outcome) float64) float64 {
	sum, lost := 0.0, 0.0
	for _, o := range outcomes {
		t := term(o)
		next := sum + t
		if math.Abs(sum) >= math.Abs(t) {
			lost += (sum - next) + t
		} else {
			lost += (t - next) + sum
		}
		sum = next
	}
	return sum + lost
}

// coherence is |sum w exp(i*theta)|: 1 where independent routes agree.
func coherence(outcomes []outcome, total, sum float64) float64 {
	re := neumaier(outcomes, func(o outcome) float64 { return o.weight / total * math.Cos(angle(o.value, sum)) })
	im := neumaier(outcomes, func(o outcome) float64 { return o.weight / total * math.Sin(angle(o.value, sum)) })
	return min(math.Hypot(re, im), 1)
}

// angle places a value against the sum: 0 where they agree, pi where they are
// a factor of ten or more apart.
func angle(value, sum float64) float64 {
	if value == sum {
		return 0
	}
	ratio := math.Log10(math.Abs(value) / math.Abs(sum))
	if math.IsNaN(ratio) {
		return math.Pi
	}
	return math.Pi * min(max(ratio, -1), 1)
}

func (c *combination) step() state.Step {
	return state.Step{
		Name: "combine", Summary: fmt.Sprintf("weighted sum over the operators that give the answer: %d", len(c.outcomes)),
		Facts: []state.Fact{fact("tension", fmt.Sprint(c.tension)), fact("phase_coherence", fmt.Sprint(c.coherence))},
	}
}

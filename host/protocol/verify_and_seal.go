package protocol

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/svc-platform/svc/host/state"
	"github.com/svc-platform/svc/operators-wasm/language"
)

// verdict is what the last step found out about the answer.
type verdict struct {
	met      bool
	rejected bool    // the value must not be shown
	bound    float64 // absolute error bound of the answer
	reason   string  // why the precision is not met
}

// verifyAndSeal checks the answer against an independent evaluation and writes
// the state.
func verifyAndSeal(c combination, request Request) state.State {
	v := verify(&c)
	s := state.State{
		Query:             request.Query,
		Domains:           c.domainNames(),
		SelectedOperators: []string{tensionID},
		Svcond:            request.At.Svcond,
		Phase:             request.At.Phase,
		PrecisionMet:      v.met,
		Result: state.Result{
			Bound: c.bound, Assumed: c.assumed, Alternatives: c.near, Reason: v.reason,
		},
	}
	if len(c.outcomes) > 0 && !v.rejected && finite(c.sum) {
		seal(&s, &c, v)
	}
	s.OperatorCount = len(s.SelectedOperators)
	s.Steps = []state.Step{
		c.question.step(), c.ranked.step(), c.selection.step(), c.plan.step(), c.execution.step(), c.step(), v.step(&c),
	}
	return s.Normal()
}

// seal writes the answer into the state.
func seal(s *state.State, c *combination, v verdict) {
	for _, o := range c.outcomes {
		s.SelectedOperators = append(s.SelectedOperators, o.op.ID)
	}
	slices.SortFunc(s.SelectedOperators, language.CompareIDs)
	s.MasterSum, s.PhaseCoherence = c.masterSum(), c.coherence
	out := &c.outcomes[len(c.outcomes)-1].op.Output
	value := c.sum
	r := &s.Result
	r.Value, r.Unit, r.Symbol, r.Digits = &value, out.Quantity.Unit.Symbol, out.Symbol, c.leastDigits()
	if finite(v.bound) {
		r.ErrorBound = &v.bound
	}
	display := out.Unit
	if c.wanted != nil {
		display = *c.wanted
	}
	if converted, err := out.Quantity.Accepts(display); err == nil {
		r.Display = &state.Quantity{Value: converted.FromSI(value), Unit: display.Symbol}
	}
}

// verify compares every executed operator with an evaluation in Go and its
// error bound with the tolerance.
func verify(c *combination) verdict {
	if len(c.outcomes) == 0 {
		return verdict{reason: c.refused}
	}
	v := verdict{met: true}
	for _, o := range c.outcomes {
		e := estimateOf(o.op, o.args)
		v.bound = max(v.bound, e.bound)
		switch {
		case !finite(o.value):
			return verdict{rejected: true, reason: fmt.Sprintf("%s has no finite value for what is given", o.op.ID)}
		case math.IsNaN(e.value) || math.Abs(o.value-e.value) > 2*e.bound:
			return verdict{rejected: true, reason: fmt.Sprintf("an independent evaluation of %s gives %v, which differs by more than its error bound", o.op.ID, e.value)}
		case outside(o.op, o.args) != "":
			return verdict{rejected: true, reason: outside(o.op, o.args)}
		case !(e.bound <= c.tolerance*math.Abs(o.value)):
			v.met = false
			v.reason = fmt.Sprintf("rounding may change the value by %.2g, which is more than the precision asked for", e.bound)
		}
	}
	return v
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// domainNames lists the categories of the answer, or those that came near.
func (c *combination) domainNames() []string {
	names := []string{}
	for _, o := range c.outcomes {
		if !slices.Contains(names, o.op.Category) {
			names = append(names, o.op.Category)
		}
	}
	if len(names) > 0 {
		return names
	}
	for _, d := range c.domains[:min(len(c.domains), maxNearMisses)] {
		names = append(names, d.name)
	}
	return names
}

// leastDigits is the fewest significant digits among the given quantities.
func (c *combination) leastDigits() int {
	digits := 0
	for _, g := range c.givens {
		if g.implied == "" && (digits == 0 || g.digits < digits) {
			digits = g.digits
		}
	}
	return digits
}

func (v *verdict) step(c *combination) state.Step {
	step := state.Step{Name: "verify_and_seal", Summary: "an independent evaluation agrees, dimensions and ranges hold", Facts: []state.Fact{}}
	if v.reason != "" {
		step.Summary = "not met: " + v.reason
	}
	if finite(v.bound) && len(c.outcomes) > 0 {
		step.Facts = append(step.Facts, fact("error bound", strconv.FormatFloat(v.bound, 'g', 3, 64)),
			fact("relative tolerance", strconv.FormatFloat(c.tolerance, 'g', 3, 64)))
	}
	return step
}

package protocol

import (
	"fmt"
	"math"
	"strings"

	"github.com/svc-platform/svc/host/state"
	"github.com/svc-platform/svc/operators-wasm/language"
	"github.com/svc-platform/svc/operators-wasm/units"
)

// plan is the result of the fourth step: what is to be run. A plan without
// links is a refusal.
type plan struct {
	selection
	links   []link // in the order of execution
	bound   []state.Bound
	assumed []state.Assumed
	refused string // why, if the fourth step refuses
}

// link is one operator with its arguments in coherent SI.
type link struct {
	op     *language.Operator
	args   []float64
	weight float64
}

// bind gives every input of the chosen operator its value, and refuses where it
// is not clear which quantity is which. The values are inside the operator's
// validity, or it had not been chosen.
func bind(s selection) plan {
	p := plan{selection: s}
	if s.chosen == nil {
		p.refused = s.reason
		return p
	}
	op, m := s.chosen.entry.op, s.chosen.match
	if m.exhausted {
		p.refused = "the quantities fit the inputs in too many ways: assign them, e.g. m = 2 kg"
		return p
	}
	for _, other := range m.best[1:] {
		if !interchangeable(op, m.best[0].values, other.values) {
			p.refused = p.ambiguity(m.best[0], other)
			return p
		}
	}
	values := m.best[0].values
	p.links = []link{{op: op, args: values, weight: 1}}
	p.record(op, m.best[0])
	return p
}

// interchangeable says that two ways to bind give the same answer, as with two
// resistors in series.
func interchangeable(op *language.Operator, a, b []float64) bool {
	x, errX := language.Eval(op, a)
	y, errY := language.Eval(op, b)
	return errX == nil && errY == nil && math.Abs(x-y) <= 1e-12*max(math.Abs(x), math.Abs(y))
}

func (p *plan) ambiguity(a, b assignment) string {
	op := p.chosen.entry.op
	for j := range a.givens {
		if a.givens[j] != b.givens[j] && a.givens[j] >= 0 {
			in := &op.Inputs[j]
			return fmt.Sprintf("it is not clear whether %s is the %s: write %s = %s", p.givens[a.givens[j]].text,
				in.Description, in.Symbol, p.givens[a.givens[j]].text)
		}
	}
	return "it is not clear which quantity is which: assign them, e.g. m = 2 kg"
}

// outside says which input or condition a set of arguments breaks, "" if none.
func outside(op *language.Operator, args []float64) string {
	for j := range op.Inputs {
		in := &op.Inputs[j]
		if !in.Contains(args[j]) {
			return fmt.Sprintf("%s (%s) only holds for %s: %s = %s %s is outside", op.Name, op.ID, rangeText(in),
				in.Symbol, units.FormatValue(args[j]), in.Quantity.Unit.Symbol)
		}
	}
	for i := range op.Require {
		if !op.Require[i].Holds(args) {
			return fmt.Sprintf("%s (%s) only holds where %s. %s", op.Name, op.ID, op.Require[i].Text, op.Validity)
		}
	}
	return ""
}

func rangeText(v *language.Variable) string {
	open, end := "[", "]"
	if v.MinOpen || math.IsInf(v.Min, -1) {
		open = "("
	}
	if v.MaxOpen || math.IsInf(v.Max, 1) {
		end = ")"
	}
	return fmt.Sprintf("%s in %s%s, %s%s %s", v.Symbol, open, units.FormatValue(v.Min), units.FormatValue(v.Max), end, v.Quantity.Unit.Symbol)
}

// record writes down what was bound and what was assumed.
func (p *plan) record(op *language.Operator, a assignment) {
	for j := range op.Inputs {
		in, unit := &op.Inputs[j], op.Inputs[j].Quantity.Unit.Symbol
		if a.givens[j] < 0 {
			p.assumed = append(p.assumed, state.Assumed{Symbol: in.Symbol, Value: a.values[j], Unit: unit, Why: "not stated: the usual value of the " + in.Description})
			continue
		}
		g := &p.givens[a.givens[j]]
		p.bound = append(p.bound, state.Bound{
			Operator: op.ID, Symbol: in.Symbol, Description: in.Description, Value: a.values[j], Unit: unit, From: g.text,
		})
		if g.si() > 0 && a.values[j] < 0 {
			p.assumed = append(p.assumed, state.Assumed{
				Symbol: in.Symbol, Value: a.values[j], Unit: unit, Why: "the body slows down, so the acceleration counts as negative",
			})
		}
	}
	for _, c := range p.chosen.entry.used {
		if c.Uncertainty > 0 {
			p.assumed = append(p.assumed, state.Assumed{
				Symbol: c.Symbol, Value: c.Value, Unit: c.Unit.Symbol,
				Why: fmt.Sprintf("CODATA 2022 value, known to %.1g", c.Uncertainty/math.Abs(c.Value)),
			})
		}
	}
}

func (p *plan) step() state.Step {
	step := state.Step{Name: "bind", Summary: "nothing to bind", Facts: []state.Fact{}}
	if p.chosen != nil {
		step.Summary = p.refused
	}
	if len(p.links) > 0 {
		step.Summary = p.links[0].op.Equation
	}
	for _, b := range p.bound {
		step.Facts = append(step.Facts, fact(b.Symbol, strings.TrimSpace(units.FormatValue(b.Value)+" "+b.Unit+" from \""+b.From+"\"")))
	}
	for _, a := range p.assumed {
		step.Facts = append(step.Facts, fact(a.Symbol, strings.TrimSpace(units.FormatValue(a.Value)+" "+a.Unit)+", assumed: "+a.Why))
	}
	return step
}

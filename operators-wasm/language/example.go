package language

import (
	"math"
	"strconv"
	"strings"

	"github.com/svc-platform/svc/operators-wasm/units"
)

// An example agrees with its equation within these.
const (
	exampleRelative = 1e-9
	exampleAbsolute = 1e-300
)

// example reads: symbol = value unit, ... -> output = value unit, and computes it.
func (r *reporter) example(op *Operator, f *field) {
	before := len(r.list)
	given, stated, ok := strings.Cut(f.text, "->")
	if !ok {
		r.add(f.at(0), "write: x = 1 m, ... -> y = 2 s", `the example has no "->" with a result`)
		return
	}
	e := Example{Inputs: map[string]float64{}, Text: f.text, Pos: f.at(0)}
	offset := 0
	for _, part := range strings.Split(given, ",") {
		r.exampleInput(op, f, &e, part, offset)
		offset += len(part) + 1
	}
	output := r.assignment(f, stated, len(given)+len("->"))
	if output.symbol != "" && output.symbol != op.Output.Symbol {
		r.add(output.pos, "", "the example computes %q, the output is %s", output.symbol, op.Output.Symbol)
	}
	if len(r.list) > before {
		return
	}
	unit, ok := r.exampleUnit(&op.Output, output)
	if !ok {
		return
	}
	e.Output = unit.ToSI(output.value)
	for i := range op.Inputs {
		in := &op.Inputs[i]
		if _, given := e.Inputs[in.Symbol]; !given && in.Default != nil {
			e.Inputs[in.Symbol] = *in.Default
		} else if !given {
			r.add(e.Pos, "", "the example does not give %s", in.Symbol)
		}
	}
	if len(r.list) == before {
		r.compute(op, &e, unit)
		op.Examples = append(op.Examples, e)
	}
}

// assignment is one "symbol = value unit" of an example.
type assignment struct {
	symbol, unit string
	value        float64
	pos, unitPos Position
}

// assignment reads text, which starts at offset of the field.
func (r *reporter) assignment(f *field, text string, offset int) assignment {
	part := &field{key: f.key, text: text, pos: f.at(offset), from: []origin{{0, f.at(offset)}}}
	s := newScanner(part)
	a := assignment{symbol: s.tok.text, pos: f.at(offset + s.tok.offset)}
	if !r.expect(s, 'i', "a symbol") {
		return assignment{}
	}
	if !r.expect(s, '=', `"="`) {
		return assignment{}
	}
	sign := 1.0
	if s.accept('-') {
		sign = -1
	}
	tok := s.tok
	if tok.kind != 'n' {
		r.expect(s, 'n', "a number")
		return assignment{}
	}
	value, ok := parseNumber(tok.text)
	if !ok {
		r.add(f.at(offset+tok.offset), "", "the number %s is out of range", tok.text)
		return assignment{}
	}
	a.value = sign * value
	a.unit = text[tok.offset+len(tok.text):]
	a.unitPos = f.at(offset + tok.offset + len(tok.text) + prefixLength(a.unit, func(c byte) bool { return c == ' ' }))
	a.unit = strings.TrimSpace(a.unit)
	return a
}

func (r *reporter) exampleInput(op *Operator, f *field, e *Example, part string, offset int) {
	a := r.assignment(f, part, offset)
	if a.symbol == "" {
		return
	}
	var names []string
	for i := range op.Inputs {
		in := &op.Inputs[i]
		names = append(names, in.Symbol)
		if in.Symbol != a.symbol {
			continue
		}
		if _, twice := e.Inputs[a.symbol]; twice {
			r.add(a.pos, "keep one of them", "the example gives %s twice", a.symbol)
			return
		}
		unit, ok := r.exampleUnit(in, a)
		if !ok {
			return
		}
		e.Inputs[a.symbol] = unit.ToSI(a.value)
		if !in.Contains(e.Inputs[a.symbol]) {
			r.add(a.pos, "", "the example is out of range: %s = %s %s is outside %s", a.symbol, units.FormatValue(a.value), a.unit, in.rangeText())
		}
		return
	}
	r.add(a.pos, didYouMean(units.Nearest(a.symbol, names)), "the example gives %q, which is not an input", a.symbol)
}

func (r *reporter) exampleUnit(v *Variable, a assignment) (units.Unit, bool) {
	unit, err := units.Parse(a.unit)
	if err == nil {
		unit, err = v.Quantity.Accepts(unit)
	}
	if err != nil {
		r.add(a.unitPos, "", "%s: %v", v.Symbol, err)
		return unit, false
	}
	return unit, true
}

// compute compares the stated with the computed result and the result with its
// range.
func (r *reporter) compute(op *Operator, e *Example, unit units.Unit) {
	args, err := op.Arguments(e.Inputs)
	if err != nil {
		r.add(e.Pos, "", "%v", err)
		return
	}
	for i := range op.Require {
		if !op.Require[i].Holds(args) {
			r.add(e.Pos, "", "the example is out of range: it does not hold that %s", op.Require[i].Text)
			return
		}
	}
	computed := evaluate(op.Expr, args)
	difference := math.Abs(computed - e.Output)
	if !(difference <= max(exampleAbsolute, exampleRelative*math.Abs(e.Output))) {
		r.add(e.Pos, "", "the example does not compute: it states %s = %s, the equation gives %s",
			op.Output.Symbol, inUnit(e.Output, unit), inUnit(computed, unit))
		return
	}
	if !op.Output.Contains(e.Output) {
		r.add(e.Pos, "", "the example is out of range: %s = %s is outside %s", op.Output.Symbol, inUnit(e.Output, unit), op.Output.rangeText())
	}
}

// inUnit writes a value to twelve digits in a unit.
func inUnit(value float64, unit units.Unit) string {
	text := strconv.FormatFloat(unit.FromSI(value), 'g', 12, 64)
	if unit.Symbol == "1" {
		return text
	}
	return text + " " + unit.Symbol
}

// rangeText writes the range in the variable's own unit.
func (v *Variable) rangeText() string {
	left, right := "[", "]"
	if v.MinOpen {
		left = "("
	}
	if v.MaxOpen {
		right = ")"
	}
	bound := func(x float64) string {
		if math.IsInf(x, 0) {
			return strings.TrimPrefix(strings.ToLower(strconv.FormatFloat(x, 'g', -1, 64)), "+")
		}
		return strconv.FormatFloat(v.Unit.FromSI(x), 'g', 12, 64)
	}
	text := left + bound(v.Min) + ", " + bound(v.Max) + right
	if v.Unit.Symbol == "1" {
		return text
	}
	return text + " " + v.Unit.Symbol
}

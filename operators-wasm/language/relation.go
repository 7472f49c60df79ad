package language

import (
	"fmt"
	"strings"
)

// equation reads: output = expression
func (r *reporter) equation(op *Operator, f *field) {
	op.Equation = f.text
	p := &expressionParser{scanner: newScanner(f), op: op}
	err := p.guard(func() {
		if p.tok.kind != 'i' || p.tok.text != op.Output.Symbol {
			p.fail(p.pos(), fmt.Sprintf("write: %s = ...", op.Output.Symbol), "the equation does not start with the output %s", op.Output.Symbol)
		}
		p.advance()
		if !p.accept('=') {
			p.fail(p.pos(), "", `"=" is expected after %s`, op.Output.Symbol)
		}
		op.Expr = p.sum()
		p.end()
	})
	if err != nil {
		r.list = append(r.list, err)
		return
	}
	r.unused(op)
	d := dimensions{reporter: r, op: op}
	if got, ok := d.of(op.Expr); ok && !got.fits(op.Output.Quantity.Unit.Dim) {
		r.add(f.at(strings.IndexByte(f.text, '=')), "", "dimensions differ: %s is %s, the right side is %s",
			op.Output.Symbol, op.Output.Quantity.Unit.Dim.Describe(), got.dim.Describe())
	}
}

// end refuses what stands behind a complete expression.
func (p *expressionParser) end() {
	switch p.tok.kind {
	case 0:
	case 'i', 'n', '(':
		p.fail(p.pos(), "write * between factors", "unexpected %q after the expression", p.tok.text)
	default:
		p.fail(p.pos(), "", "unexpected %q after the expression", p.tok.text)
	}
}

// unused reports inputs that the equation does not contain.
func (r *reporter) unused(op *Operator) {
	used := make([]bool, len(op.Inputs))
	Walk(op.Expr, func(e Expr) {
		if s, ok := e.(*Symbol); ok {
			used[s.Index] = true
		}
	})
	for i, v := range op.Inputs {
		if !used[i] {
			r.add(v.Pos, "drop it or use it", "the input %s is not used in the equation", v.Symbol)
		}
	}
}

// comparisons are the signs of conditions by token kind.
var comparisons = map[byte]string{'<': "<", '>': ">", lessEqual: "<=", greaterEqual: ">=", notEqual: "!="}

// condition reads: expression sign expression
func (r *reporter) condition(op *Operator, f *field) {
	c := Condition{Text: f.text, Pos: f.at(0)}
	p := &expressionParser{scanner: newScanner(f), op: op}
	var signPos Position
	err := p.guard(func() {
		c.Left = p.sum()
		signPos = p.pos()
		c.Op = comparisons[p.tok.kind]
		if c.Op == "" {
			p.fail(signPos, "", "one of < <= > >= != is expected")
		}
		p.advance()
		c.Right = p.sum()
		p.end()
	})
	if err != nil {
		r.list = append(r.list, err)
		return
	}
	d := dimensions{reporter: r, op: op}
	left, ok1 := d.of(c.Left)
	right, ok2 := d.of(c.Right)
	if ok1 && ok2 && !left.any && !right.fits(left.dim) {
		r.add(signPos, "", "dimensions differ: the left side is %s, the right side is %s", left.dim.Describe(), right.dim.Describe())
	}
	op.Require = append(op.Require, c)
}

package language

import (
	"fmt"
	"math"

	"github.com/svc-platform/svc/operators-wasm/units"
)

const (
	maxDepth = 64   // nested parentheses, calls, signs and powers
	maxNodes = 2000 // of one expression
)

// expressionParser is a recursive descent parser for equations and conditions.
// It stops at the first mistake.
type expressionParser struct {
	*scanner
	op    *Operator // whose inputs are the symbols
	depth int
	nodes int
}

// fail is what the parser panics with inside; parse turns it into a value.
// The panic never leaves this file.
type fail struct{ err *Error }

func (p *expressionParser) fail(pos Position, suggestion, format string, args ...any) {
	panic(fail{&Error{Pos: pos, Message: fmt.Sprintf(format, args...), Suggestion: suggestion}})
}

// guard runs a parse and gives back the mistake it stopped at.
func (p *expressionParser) guard(parse func()) (err *Error) {
	defer func() {
		if r := recover(); r != nil {
			f, ok := r.(fail)
			if !ok {
				panic(r)
			}
			err = f.err
		}
	}()
	parse()
	return nil
}

// enter counts a level of nesting and a node.
func (p *expressionParser) enter() {
	if p.depth++; p.depth > maxDepth {
		p.fail(p.pos(), "split the operator", "the expression is nested deeper than %d", maxDepth)
	}
}

func (p *expressionParser) count() {
	if p.nodes++; p.nodes > maxNodes {
		p.fail(p.pos(), "split the operator", "the expression has more than %d parts", maxNodes)
	}
}

// sum reads terms joined by + and -.
func (p *expressionParser) sum() Expr {
	left := p.negated(p.product)
	for p.tok.kind == '+' || p.tok.kind == '-' {
		left = p.infix(left, p.product)
	}
	return left
}

// product reads factors joined by * and /.
func (p *expressionParser) product() Expr {
	left := p.signed()
	for p.tok.kind == '*' || p.tok.kind == '/' {
		left = p.infix(left, p.signed)
	}
	return left
}

// infix reads the current sign and, with right, what follows it.
func (p *expressionParser) infix(left Expr, right func() Expr) Expr {
	p.count()
	n := &Binary{Op: p.tok.kind, X: left, Pos: p.pos()}
	p.advance()
	n.Y = right()
	return n
}

// signed reads a factor with its minus: -x^2 is -(x^2).
func (p *expressionParser) signed() Expr { return p.negated(p.power) }

// negated reads any number of minus signs and, with inner, what they stand
// before.
func (p *expressionParser) negated(inner func() Expr) Expr {
	if p.tok.kind != '-' {
		return inner()
	}
	p.enter()
	p.count()
	n := &Negate{Pos: p.pos()}
	p.advance()
	n.X = p.negated(inner)
	p.depth--
	return n
}

// power reads a value with its exponent; powers group from the right.
func (p *expressionParser) power() Expr {
	base := p.value()
	if p.tok.kind != '^' {
		return base
	}
	p.enter()
	n := p.infix(base, p.signed)
	p.depth--
	return n
}

// value reads a number, a symbol, a call or a parenthesis.
func (p *expressionParser) value() Expr {
	p.count()
	tok, pos := p.tok, p.pos()
	switch tok.kind {
	case 'n':
		return p.number()
	case 'i':
		p.advance()
		if p.tok.kind == '(' {
			return p.call(tok.text, pos)
		}
		return p.symbol(tok.text, pos)
	case '(':
		p.enter()
		p.advance()
		inner := p.sum()
		p.close(pos)
		p.depth--
		return inner
	case 0:
		p.fail(pos, "", "the expression ends where a value is expected")
	}
	p.fail(pos, "", "unexpected %q where a value is expected", tok.text)
	return nil
}

// close reads the closing parenthesis of the one at open.
func (p *expressionParser) close(open Position) {
	if !p.accept(')') {
		p.fail(p.pos(), "", "a closing parenthesis is missing for the one in column %d", open.Column)
	}
}

// number reads a literal with the unit that may follow it.
func (p *expressionParser) number() Expr {
	n := &Number{Text: p.tok.text, Pos: p.pos()}
	value, ok := parseNumber(n.Text)
	if !ok {
		p.fail(n.Pos, "", "the number %s is out of range", n.Text)
	}
	n.Value = value
	p.advance()
	if p.tok.kind != '[' {
		return n
	}
	pos := p.pos()
	raw, ok := p.bracket()
	if !ok {
		p.fail(pos, "", "the closing ] of the unit is missing")
	}
	unit, unitErr := units.Parse(raw)
	if unitErr != nil {
		p.fail(pos, "", "%v", unitErr)
	}
	n.Unit, n.Value = &unit, unit.ToSI(value)
	if math.IsInf(n.Value, 0) {
		p.fail(n.Pos, "", "the number %s [%s] is out of range", n.Text, raw)
	}
	return n
}

// call reads the arguments of a function.
func (p *expressionParser) call(name string, pos Position) Expr {
	n := &Call{Func: functionByName(name), Pos: pos}
	if n.Func == nil {
		p.fail(pos, didYouMean(units.Nearest(name, FunctionNames())), "unknown function %q", name)
	}
	open := p.pos()
	p.enter()
	p.advance()
	for p.tok.kind != ')' {
		n.Args = append(n.Args, p.sum())
		if !p.accept(',') {
			break
		}
	}
	p.close(open)
	p.depth--
	if len(n.Args) < n.Func.MinArgs || len(n.Args) > n.Func.MaxArgs {
		p.fail(pos, "", "%s takes %s, not %d", name, n.Func.arity(), len(n.Args))
	}
	return n
}

func (f *Function) arity() string {
	switch {
	case f.MinArgs != f.MaxArgs:
		return fmt.Sprintf("%d to %d arguments", f.MinArgs, f.MaxArgs)
	case f.MinArgs == 1:
		return "1 argument"
	}
	return fmt.Sprintf("%d arguments", f.MinArgs)
}

// symbol finds out what a name stands for.
func (p *expressionParser) symbol(name string, pos Position) Expr {
	for i := range p.op.Inputs {
		if p.op.Inputs[i].Symbol == name {
			return &Symbol{Name: name, Index: i, Pos: pos}
		}
	}
	if c, ok := units.ConstantBySymbol(name); ok {
		return &Constant{Constant: c, Pos: pos}
	}
	if name == p.op.Output.Symbol {
		p.fail(pos, "solve the equation for "+name, "the output %s is used on the right side", name)
	}
	if functionByName(name) != nil {
		p.fail(pos, fmt.Sprintf("write %s(...)", name), "the function %s needs its arguments", name)
	}
	p.fail(pos, p.suggest(name), "unknown symbol %q", name)
	return nil
}

func (p *expressionParser) suggest(name string) string {
	if name == "e" {
		return "write exp(1) for Euler's number or e_charge for the elementary charge"
	}
	var known []string
	for i := range p.op.Inputs {
		known = append(known, p.op.Inputs[i].Symbol)
	}
	for _, c := range units.Constants() {
		known = append(known, c.Symbol)
	}
	if near := units.Nearest(name, known); near != "" {
		return didYouMean(near)
	}
	return "declare it as an input"
}

package language

import (
	"math/big"
	"strings"

	"github.com/svc-platform/svc/operators-wasm/units"
)

// Expr is a node of the syntax tree: *Number, *Symbol, *Constant, *Negate,
// *Binary or *Call.
type Expr interface{ expr() Position }

// Number is a literal; with a unit its Value is converted to coherent SI.
type Number struct {
	Value float64
	Text  string      // as written, without the unit
	Unit  *units.Unit // nil for a plain number
	Pos   Position
}

// Symbol is an input of the operator.
type Symbol struct {
	Name  string
	Index int // into Operator.Inputs
	Pos   Position
}

// Constant is a named physical constant.
type Constant struct {
	Constant units.Constant
	Pos      Position
}

// Negate is a unary minus.
type Negate struct {
	X   Expr
	Pos Position
}

// Binary is X Op Y with Op one of + - * / ^.
type Binary struct {
	Op   byte
	X, Y Expr
	Pos  Position // of the operator sign
}

// Call is a function with its arguments.
type Call struct {
	Func *Function
	Args []Expr
	Pos  Position
}

func (n *Number) expr() Position   { return n.Pos }
func (s *Symbol) expr() Position   { return s.Pos }
func (c *Constant) expr() Position { return c.Pos }
func (n *Negate) expr() Position   { return n.Pos }
func (b *Binary) expr() Position   { return b.Pos }
func (c *Call) expr() Position     { return c.Pos }

// Walk visits the node and all below it, parents first.
func Walk(e Expr, visit func(Expr)) {
	visit(e)
	switch n := e.(type) {
	case *Negate:
		Walk(n.X, visit)
	case *Binary:
		Walk(n.X, visit)
		Walk(n.Y, visit)
	case *Call:
		for _, arg := range n.Args {
			Walk(arg, visit)
		}
	}
}

// maxRatio bounds numerator and denominator of a rational exponent.
const maxRatio = 1000

// Ratio is the value of an expression of plain literals as a fraction in
// lowest terms: 2, -1, 1/2, 0.25. It is how exponents are understood.
func Ratio(e Expr) (num, den int, ok bool) {
	r := ratio(e)
	if r == nil || !r.Num().IsInt64() || !r.Denom().IsInt64() {
		return 0, 0, false
	}
	n, d := r.Num().Int64(), r.Denom().Int64()
	if max(n, -n) > maxRatio || d > maxRatio {
		return 0, 0, false
	}
	return int(n), int(d), true
}

func ratio(e Expr) *big.Rat {
	switch n := e.(type) {
	case *Number:
		if n.Unit != nil || len(n.Text) > 8 || strings.ContainsAny(n.Text, "eE") {
			return nil
		}
		if r, ok := new(big.Rat).SetString(n.Text); ok {
			return r
		}
	case *Negate:
		if x := ratio(n.X); x != nil {
			return x.Neg(x)
		}
	case *Binary:
		x, y := ratio(n.X), ratio(n.Y)
		if x == nil || y == nil || bitLength(x)+bitLength(y) > 128 {
			return nil
		}
		switch {
		case n.Op == '+':
			return x.Add(x, y)
		case n.Op == '-':
			return x.Sub(x, y)
		case n.Op == '*':
			return x.Mul(x, y)
		case n.Op == '/' && y.Sign() != 0:
			return x.Quo(x, y)
		}
	}
	return nil
}

func bitLength(r *big.Rat) int { return r.Num().BitLen() + r.Denom().BitLen() }

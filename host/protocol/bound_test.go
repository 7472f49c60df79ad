package protocol

import (
	"math"
	"math/big"
	"testing"

	"github.com/svc-platform/svc/operators-wasm/language"
)

// TestBoundHoldsTheTruth compares Go's result with 200-bit arithmetic where a
// formula needs nothing but the four operations and roots.
func TestBoundHoldsTheTruth(t *testing.T) {
	x := &language.Symbol{Name: "x", Index: 0}
	y := &language.Symbol{Name: "y", Index: 1}
	op := func(sign byte, a, b language.Expr) language.Expr { return &language.Binary{Op: sign, X: a, Y: b} }
	tests := []struct {
		name string
		expr language.Expr
		args []float64
	}{
		{"product", op('*', x, y), []float64{0.1, 0.3}},
		{"quotient", op('/', x, y), []float64{0.1, 0.3}},
		{"cancellation", op('-', op('+', x, y), x), []float64{1e10, 0.1}},
		{"difference of squares", op('-', op('*', x, x), op('*', y, y)), []float64{1.1, 1.1000000001}},
		{"sum", op('+', op('*', x, y), op('/', x, y)), []float64{7.7, -3.3}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			e := estimateOf(&language.Operator{Expr: test.expr}, test.args)
			truth, _ := exact(test.expr, test.args).Float64()
			if deviation := math.Abs(e.value - truth); deviation > e.bound || e.bound > 1e-5*math.Abs(truth)+1e-5 {
				t.Errorf("value %v, bound %v, truth %v", e.value, e.bound, truth)
			}
		})
	}
}

func exact(e language.Expr, args []float64) *big.Float {
	switch n := e.(type) {
	case *language.Symbol:
		return new(big.Float).SetPrec(200).SetFloat64(args[n.Index])
	case *language.Binary:
		x, y, z := exact(n.X, args), exact(n.Y, args), new(big.Float).SetPrec(200)
		switch n.Op {
		case '+':
			return z.Add(x, y)
		case '-':
			return z.Sub(x, y)
		case '*':
			return z.Mul(x, y)
		case '/':
			return z.Quo(x, y)
		}
	}
	panic("not a formula of this test")
}

func TestBoundAtTheEdges(t *testing.T) {
	x := &language.Symbol{Index: 0}
	third := &language.Binary{Op: '/', X: &language.Number{Value: 1}, Y: &language.Number{Value: 3}}
	zero := &language.Binary{Op: '-', X: third, Y: x} // zero within its bound for x = 1/3
	overZero := &language.Binary{Op: '/', X: &language.Number{Value: 1}, Y: zero}
	if e := estimateOf(&language.Operator{Expr: overZero}, []float64{1.0 / 3}); !math.IsInf(e.bound, 1) {
		t.Errorf("one over something that may be zero has the bound %v", e.bound)
	}
	whole := &language.Binary{Op: '*', X: x, Y: &language.Number{Value: 3}}
	if e := estimateOf(&language.Operator{Expr: whole}, []float64{14}); e != (estimate{42, 0}) {
		t.Errorf("whole numbers are exact: %+v", e)
	}
}

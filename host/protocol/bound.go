package protocol

import (
	"math"

	"github.com/svc-platform/svc/operators-wasm/language"
)

const (
	roundoff = 0x1p-53 // relative error of one rounding
	funcUlps = 8       // roundings that an elementary function may cost
)

// estimate is a value with a bound of its absolute error.
type estimate struct{ value, bound float64 }

// estimateOf evaluates an operator beside the WebAssembly, and follows how
// rounding errors grow on the way. The inputs may carry one rounding each, of
// their conversion to SI.
func estimateOf(op *language.Operator, args []float64) estimate {
	return evaluator{args}.node(op.Expr)
}

type evaluator struct{ args []float64 }

func (v evaluator) node(e language.Expr) estimate {
	switch n := e.(type) {
	case *language.Number:
		return rounded(n.Value, 0)
	case *language.Symbol:
		return rounded(v.args[n.Index], 0)
	case *language.Constant:
		return rounded(n.Constant.Value, 0)
	case *language.Negate:
		x := v.node(n.X)
		return estimate{-x.value, x.bound}
	case *language.Binary:
		return v.binary(n)
	case *language.Call:
		return v.call(n)
	}
	return estimate{math.NaN(), math.Inf(1)}
}

// rounded adds one rounding to a bound. Small whole numbers are exact.
func rounded(value, bound float64) estimate {
	if bound == 0 && value == math.Trunc(value) && math.Abs(value) < 1<<53 {
		return estimate{value, 0}
	}
	return estimate{value, bound + roundoff*math.Abs(value)}
}

func (v evaluator) binary(n *language.Binary) estimate {
	x, y := v.node(n.X), v.node(n.Y)
	switch n.Op {
	case '+':
		return rounded(x.value+y.value, x.bound+y.bound)
	case '-':
		return rounded(x.value-y.value, x.bound+y.bound)
	case '*':
		return rounded(x.value*y.value, math.Abs(x.value)*y.bound+math.Abs(y.value)*x.bound+x.bound*y.bound)
	case '/':
		least := math.Abs(y.value) - y.bound
		if least <= 0 {
			return estimate{x.value / y.value, math.Inf(1)}
		}
		quotient := x.value / y.value
		return rounded(quotient, (x.bound+math.Abs(quotient)*y.bound)/least)
	}
	return power(x, y)
}

// power bounds x^y by its corners, which hold its extremes where x keeps its sign.
func power(x, y estimate) estimate {
	value := math.Pow(x.value, y.value)
	spread := 0.0
	for _, dx := range [...]float64{-x.bound, x.bound} {
		for _, dy := range [...]float64{-y.bound, y.bound} {
			spread = widen(spread, math.Pow(x.value+dx, y.value+dy)-value)
		}
	}
	if x.bound > 0 && math.Abs(x.value) <= x.bound && y.value < 0 {
		spread = math.Inf(1)
	}
	return estimate{value, spread + funcUlps*roundoff*math.Abs(value)}
}

// widen is the larger of a spread and a deviation; an undefined one is infinite.
func widen(spread, deviation float64) float64 {
	if math.IsNaN(deviation) {
		return math.Inf(1)
	}
	return max(spread, math.Abs(deviation))
}

// call bounds a function by its values at the ends of each argument's interval
// and by its slope there.
func (v evaluator) call(n *language.Call) estimate {
	args, bounds := make([]float64, len(n.Args)), make([]float64, len(n.Args))
	for i, arg := range n.Args {
		x := v.node(arg)
		args[i], bounds[i] = x.value, x.bound
	}
	if n.Func.Name == "sqrt" && args[0] < 0 && -args[0] <= bounds[0] {
		return estimate{0, math.Sqrt(bounds[0] - args[0])} // a zero that rounding made negative
	}
	value := apply(n.Func, args)
	total := 0.0
	for i := range args {
		if bounds[i] == 0 {
			continue
		}
		spread, at := 0.0, args[i]
		for _, d := range [...]float64{-bounds[i], bounds[i]} {
			args[i] = at + d
			if n.Func.Name == "sqrt" {
				args[i] = max(args[i], 0)
			}
			spread = widen(spread, apply(n.Func, args)-value)
		}
		args[i] = at
		total += spread
	}
	return estimate{value, total + funcUlps*roundoff*math.Abs(value)}
}

// apply calls a function of the language in Go.
func apply(f *language.Function, args []float64) float64 {
	symbols := make([]language.Expr, len(args))
	for i := range args {
		symbols[i] = &language.Symbol{Index: i}
	}
	value, err := language.Eval(&language.Operator{Inputs: make([]language.Variable, len(args)), Expr: &language.Call{Func: f, Args: symbols}}, args)
	if err != nil {
		return math.NaN()
	}
	return value
}

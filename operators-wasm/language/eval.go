package language

import (
	"fmt"
	"math"
)

// Eval computes the operator in Go, with inputs in the order of op.Inputs and
// in coherent SI. It serves the checks at build time: of examples, of
// duplicates, of the compiler. At run time the compiled wasm computes.
func Eval(op *Operator, inputs []float64) (float64, error) {
	if len(inputs) != len(op.Inputs) {
		return 0, fmt.Errorf("%s takes %d inputs, not %d", op.ID, len(op.Inputs), len(inputs))
	}
	return evaluate(op.Expr, inputs), nil
}

func evaluate(e Expr, inputs []float64) float64 {
	switch n := e.(type) {
	case *Number:
		return n.Value
	case *Symbol:
		return inputs[n.Index]
	case *Constant:
		return n.Constant.Value
	case *Negate:
		return -evaluate(n.X, inputs)
	case *Binary:
		return arithmetic(n, evaluate(n.X, inputs), evaluate(n.Y, inputs))
	case *Call:
		args := make([]float64, len(n.Args))
		for i, arg := range n.Args {
			args[i] = evaluate(arg, inputs)
		}
		return n.Func.evaluate(args)
	}
	return math.NaN()
}

func arithmetic(n *Binary, x, y float64) float64 {
	switch n.Op {
	case '+':
		return x + y
	case '-':
		return x - y
	case '*':
		return x * y
	case '/':
		return x / y
	}
	return math.Pow(x, y)
}

// Holds says whether the condition is true for inputs in the order of the
// operator's, in coherent SI. A value that is not a number holds for nothing.
func (c *Condition) Holds(inputs []float64) bool {
	left, right := evaluate(c.Left, inputs), evaluate(c.Right, inputs)
	switch c.Op {
	case "<":
		return left < right
	case "<=":
		return left <= right
	case ">":
		return left > right
	case ">=":
		return left >= right
	}
	return left < right || left > right
}

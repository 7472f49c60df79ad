package language

import "math"

// dimensionRule says which dimensions a function takes and gives.
type dimensionRule int

const (
	pure   dimensionRule = iota // dimensionless in, dimensionless out
	same                        // arguments alike, the result like them
	ratioA                      // arguments alike, the result an angle
	root2                       // square root of the dimension
	root3                       // cube root of the dimension
)

// Function is a function that equations may call.
type Function struct {
	Name     string
	MinArgs  int
	MaxArgs  int
	rule     dimensionRule
	evaluate func(args []float64) float64
}

// maxArguments bounds min and max, which take any number.
const maxArguments = 16

// functions are all functions of the language. The Go functions serve the
// checks at build time; at run time the ones of compile/libm compute.
var functions = []Function{
	{"sqrt", 1, 1, root2, unary(math.Sqrt)},
	{"cbrt", 1, 1, root3, unary(math.Cbrt)},
	{"exp", 1, 1, pure, unary(math.Exp)},
	{"ln", 1, 1, pure, unary(math.Log)},
	{"log10", 1, 1, pure, unary(math.Log10)},
	{"log2", 1, 1, pure, unary(math.Log2)},
	{"sin", 1, 1, pure, unary(math.Sin)},
	{"cos", 1, 1, pure, unary(math.Cos)},
	{"tan", 1, 1, pure, unary(math.Tan)},
	{"asin", 1, 1, pure, unary(math.Asin)},
	{"acos", 1, 1, pure, unary(math.Acos)},
	{"atan", 1, 1, pure, unary(math.Atan)},
	{"atan2", 2, 2, ratioA, binary(math.Atan2)},
	{"sinh", 1, 1, pure, unary(math.Sinh)},
	{"cosh", 1, 1, pure, unary(math.Cosh)},
	{"tanh", 1, 1, pure, unary(math.Tanh)},
	{"asinh", 1, 1, pure, unary(math.Asinh)},
	{"acosh", 1, 1, pure, unary(math.Acosh)},
	{"atanh", 1, 1, pure, unary(math.Atanh)},
	{"abs", 1, 1, same, unary(math.Abs)},
	{"min", 2, maxArguments, same, fold(math.Min)},
	{"max", 2, maxArguments, same, fold(math.Max)},
	{"floor", 1, 1, pure, unary(math.Floor)},
	{"frac", 1, 1, pure, unary(func(x float64) float64 { return x - math.Floor(x) })},
	{"hypot", 2, 2, same, binary(math.Hypot)},
}

func unary(f func(float64) float64) func([]float64) float64 {
	return func(args []float64) float64 { return f(args[0]) }
}

func binary(f func(x, y float64) float64) func([]float64) float64 {
	return func(args []float64) float64 { return f(args[0], args[1]) }
}

func fold(f func(x, y float64) float64) func([]float64) float64 {
	return func(args []float64) float64 {
		result := args[0]
		for _, arg := range args[1:] {
			result = f(result, arg)
		}
		return result
	}
}

func functionByName(name string) *Function {
	for i := range functions {
		if functions[i].Name == name {
			return &functions[i]
		}
	}
	return nil
}

// FunctionNames lists the functions of the language.
func FunctionNames() []string {
	names := make([]string, len(functions))
	for i := range functions {
		names[i] = functions[i].Name
	}
	return names
}

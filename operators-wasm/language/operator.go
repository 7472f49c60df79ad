// Package language reads the definition language of operators: one text block
// for each operator, checked for dimensions, printed as LaTeX. README.md beside
// this file holds the grammar.
package language

import "github.com/svc-platform/svc/operators-wasm/units"

// File is one catalogue file: the operators of one category.
type File struct {
	Name      string // of the file, as given to Parse
	Category  string // snake_case
	Title     string // of the category, in words
	Operators []*Operator
}

// Operator is one physical relation, as its block in a catalogue file defines it.
type Operator struct {
	ID          string // canonical, e.g. "KO42"
	Name        string
	Aliases     []string
	Category    string
	Description string
	Output      Variable
	Inputs      []Variable // in the order of the compiled function's parameters
	Equation    string     // as written, e.g. "E = m*v^2/2"
	Expr        Expr       // its right side
	Validity    string     // in words
	Require     []Condition
	Reference   string
	Examples    []Example
	Pos         Position
}

// Variable is one symbol of an operator.
type Variable struct {
	Symbol      string
	Quantity    units.Quantity
	Unit        units.Unit // the unit it is usually given in
	Description string
	Min, Max    float64 // range in coherent SI units; infinities where open ended
	MinOpen     bool    // the bound itself is outside
	MaxOpen     bool
	Default     *float64 // coherent SI, for inputs that a question may leave out
	Pos         Position
}

// Contains says whether a value in coherent SI is inside the variable's range.
func (v *Variable) Contains(value float64) bool {
	above := value > v.Min || (value == v.Min && !v.MinOpen)
	below := value < v.Max || (value == v.Max && !v.MaxOpen)
	return above && below
}

// Condition is a validity condition that can be checked: Left Op Right.
type Condition struct {
	Left, Right Expr
	Op          string // "<", "<=", ">", ">=", "!="
	Text        string // as written
	Pos         Position
}

// Example is a worked example; values are in coherent SI units.
type Example struct {
	Inputs map[string]float64 // by symbol; defaults are filled in
	Output float64
	Text   string
	Pos    Position
}

// Arguments puts inputs given by symbol, in coherent SI, into the order of the
// parameters and fills in defaults. The error names an input that is missing
// or that the operator does not have.
func (o *Operator) Arguments(bySymbol map[string]float64) ([]float64, error) {
	arguments := make([]float64, len(o.Inputs))
	known := 0
	for i := range o.Inputs {
		in := &o.Inputs[i]
		value, given := bySymbol[in.Symbol]
		switch {
		case given:
			known++
		case in.Default != nil:
			value = *in.Default
		default:
			return nil, &Error{Pos: o.Pos, Message: "the input " + in.Symbol + " is missing"}
		}
		arguments[i] = value
	}
	if known < len(bySymbol) {
		return nil, &Error{Pos: o.Pos, Message: "an input is given that " + o.ID + " does not have"}
	}
	return arguments, nil
}

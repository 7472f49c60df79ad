package main

import (
	"fmt"
	"io"
	"math"
	"unicode/utf8"

	"github.com/svc-platform/svc/operators-wasm/language"
	"github.com/svc-platform/svc/operators-wasm/units"
	"github.com/svc-platform/svc/plugins/abi/op1"
	"github.com/svc-platform/svc/plugins/registry"
)

// operatorView is an operator as svc op prints it.
type operatorView struct {
	ID            string         `json:"id"`
	Name          string         `json:"name"`
	Category      string         `json:"category"`
	Description   string         `json:"description"`
	Aliases       []string       `json:"aliases,omitempty"`
	Equation      string         `json:"equation"`
	EquationLaTeX string         `json:"equationLaTeX"`
	Output        variableView   `json:"output"`
	Inputs        []variableView `json:"inputs"`
	Validity      string         `json:"validity"`
	Require       []string       `json:"require,omitempty"`
	Reference     string         `json:"reference"`
	Examples      []string       `json:"examples"`
}

// variableView is a variable; its default and range are in its unit.
type variableView struct {
	Symbol      string   `json:"symbol"`
	Quantity    string   `json:"quantity"`
	Unit        string   `json:"unit"`
	Description string   `json:"description"`
	Range       string   `json:"range,omitempty"`
	Default     *float64 `json:"default,omitempty"`
}

func viewVariable(v *language.Variable) variableView {
	view := variableView{Symbol: v.Symbol, Quantity: v.Quantity.Name, Unit: v.Unit.Symbol, Description: v.Description, Range: rangeOf(v)}
	if v.Default != nil {
		value := v.Unit.FromSI(*v.Default)
		view.Default = &value
	}
	return view
}

// rangeOf writes the range of a variable in its unit, like [0, inf); "" if it
// has none.
func rangeOf(v *language.Variable) string {
	if math.IsInf(v.Min, -1) && math.IsInf(v.Max, 1) {
		return ""
	}
	bound := func(value float64) string {
		switch {
		case math.IsInf(value, 1):
			return "inf"
		case math.IsInf(value, -1):
			return "-inf"
		}
		return units.FormatValue(v.Unit.FromSI(value))
	}
	left, right := "[", "]"
	if v.MinOpen || math.IsInf(v.Min, 0) {
		left = "("
	}
	if v.MaxOpen || math.IsInf(v.Max, 0) {
		right = ")"
	}
	return left + bound(v.Min) + ", " + bound(v.Max) + right
}

func viewOperator(op *op1.Operator) operatorView {
	v := operatorView{
		ID: op.ID, Name: op.Name, Category: op.Category, Description: op.Description, Aliases: op.Aliases,
		Equation: op.Equation, EquationLaTeX: op.LaTeX(), Output: viewVariable(&op.Output),
		Validity: op.Validity, Reference: op.Reference, Inputs: []variableView{}, Examples: []string{},
	}
	for i := range op.Inputs {
		v.Inputs = append(v.Inputs, viewVariable(&op.Inputs[i]))
	}
	for _, r := range op.Require {
		v.Require = append(v.Require, r.Text)
	}
	for _, e := range op.Examples {
		v.Examples = append(v.Examples, e.Text)
	}
	return v
}

func showOperator(w io.Writer, v operatorView) {
	fmt.Fprintf(w, "%s  %s  (%s)\n%s\n\n  %s\n  %s\n\n", v.ID, v.Name, v.Category, v.Description, v.Equation, v.EquationLaTeX)
	for _, x := range append([]variableView{v.Output}, v.Inputs...) {
		fmt.Fprintf(w, "  %-8s %s [%s]", x.Symbol, x.Description, x.Unit)
		if x.Range != "" {
			fmt.Fprintf(w, " in %s", x.Range)
		}
		if x.Default != nil {
			fmt.Fprintf(w, ", %s unless given", units.FormatValue(*x.Default))
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintf(w, "\nvalid:     %s\n", v.Validity)
	for _, r := range v.Require {
		fmt.Fprintf(w, "only for:  %s\n", r)
	}
	fmt.Fprintf(w, "reference: %s\n", v.Reference)
	for _, e := range v.Examples {
		fmt.Fprintf(w, "example:   %s\n", e)
	}
}

// categoryView is a category with its operators.
type categoryView struct {
	name, title string
	operators   []operatorView
}

// viewCategories groups the operators, in the order of the first of each group.
func viewCategories(r *registry.Registry) []categoryView {
	titles := map[string]string{}
	for _, p := range r.Plugins() {
		if g, ok := p.Guest.(*op1.Guest); ok {
			name, title := g.Category()
			titles[name] = title
		}
	}
	at := map[string]int{}
	var list []categoryView
	for _, op := range r.Operators() {
		i, ok := at[op.Category]
		if !ok {
			i = len(list)
			at[op.Category] = i
			list = append(list, categoryView{name: op.Category, title: titles[op.Category]})
		}
		list[i].operators = append(list[i].operators, viewOperator(op))
	}
	return list
}

func operatorsOf(categories []categoryView) []operatorView {
	list := []operatorView{}
	for _, c := range categories {
		list = append(list, c.operators...)
	}
	return list
}

// showCategories prints a line for each operator; all columns are aligned.
func showCategories(w io.Writer, categories []categoryView) {
	id, name, total := 0, 0, 0
	for _, op := range operatorsOf(categories) {
		id, name, total = max(id, len(op.ID)), max(name, utf8.RuneCountInString(op.Name)), total+1
	}
	for _, c := range categories {
		fmt.Fprintf(w, "%s: %s (%d)\n", c.name, c.title, len(c.operators))
		for _, op := range c.operators {
			fmt.Fprintf(w, "  %-*s  %-*s  %s\n", id, op.ID, name, op.Name, op.Equation)
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintf(w, "operators: %d, categories: %d\n", total, len(categories))
}

package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/svc-platform/svc/host"
	"github.com/svc-platform/svc/operators-wasm/units"
	"github.com/svc-platform/svc/plugins/abi/op1"
	"github.com/svc-platform/svc/sandbox"
)

func opCommand(a *app) *cobra.Command {
	return group("op", "List, show and evaluate operators",
		opListCommand(a), opShowCommand(a), opEvalCommand(a))
}

// operators opens a core with the catalogue alone.
func (a *app) operators(ctx context.Context) (*host.Core, func(), error) {
	return a.core(ctx, host.CoreConfig{Plugin: host.OnlyOperators, Language: host.Nothing})
}

func opListCommand(a *app) *cobra.Command {
	var category string
	c := &cobra.Command{
		Use: "list", Short: "List the operators", Args: cobra.NoArgs,
		Example: "  svc op list --category kinematic",
		RunE: func(c *cobra.Command, _ []string) error {
			core, done, err := a.operators(c.Context())
			if err != nil {
				return err
			}
			defer done()
			categories := viewCategories(core.Registry)
			if c.Flags().Changed("category") {
				if categories, err = only(categories, category); err != nil {
					return err
				}
			}
			return a.print(operatorsOf(categories), func(w io.Writer) { showCategories(w, categories) })
		},
	}
	c.Flags().StringVar(&category, "category", "", "only this category")
	completeFlag(c, "category", completeCategory)
	return c
}

// only picks one category by its name.
func only(categories []categoryView, name string) ([]categoryView, error) {
	var names []string
	for _, c := range categories {
		if strings.EqualFold(c.name, name) {
			return []categoryView{c}, nil
		}
		names = append(names, c.name)
	}
	slices.Sort(names)
	return nil, unknownWord("category", name, names, "there are "+strings.Join(names, ", "))
}

func opShowCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "show ID", Short: "Show an operator", Args: cobra.ExactArgs(1),
		Example:           "  svc op show KO84",
		ValidArgsFunction: completeOperator,
		RunE: func(c *cobra.Command, ids []string) error {
			core, done, err := a.operators(c.Context())
			if err != nil {
				return err
			}
			defer done()
			op, err := operator(core, ids[0])
			if err != nil {
				return err
			}
			v := viewOperator(op)
			return a.print(v, func(w io.Writer) { showOperator(w, v) })
		},
	}
}

// operator finds an operator by its id, without regard to case.
func operator(core *host.Core, id string) (*op1.Operator, error) {
	for _, op := range core.Registry.Operators() {
		if strings.EqualFold(op.ID, id) {
			return op, nil
		}
	}
	return nil, fmt.Errorf("there is no operator %q: %s", id, lookAlike(core, id))
}

// lookAlike says which operator may be meant by what is no id, or how to find it.
func lookAlike(core *host.Core, word string) string {
	var names, ids []string
	for _, op := range core.Registry.Operators() {
		for _, name := range append([]string{op.Name}, op.Aliases...) {
			names, ids = append(names, name), append(ids, op.ID)
		}
	}
	if near := units.Nearest(word, names); near != "" {
		return fmt.Sprintf("did you mean %s (%s)?", ids[slices.Index(names, near)], near)
	}
	return "'svc op list' shows them all"
}

// evaluation is the answer of svc op eval.
type evaluation struct {
	Operator string        `json:"operator"`
	Symbol   string        `json:"symbol"`
	Value    float64       `json:"value"` // in coherent SI
	Unit     string        `json:"unit"`
	Usage    sandbox.Usage `json:"usage"`
}

func opEvalCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "eval ID SYMBOL=VALUE...", Short: "Evaluate an operator", Args: cobra.MinimumNArgs(1),
		Long: `Evaluate an operator. A value is a number with an optional unit; without one it
is in the unit that 'svc op show' states. The result is in coherent SI units.`,
		Example:           `  svc op eval KO84 m=2kg v="10.8 km/h"`,
		ValidArgsFunction: completeEval,
		RunE: func(c *cobra.Command, words []string) error {
			core, done, err := a.operators(c.Context())
			if err != nil {
				return err
			}
			defer done()
			op, err := operator(core, words[0])
			if err != nil {
				return err
			}
			v, err := evaluate(c.Context(), op, words[1:])
			if err != nil {
				return err
			}
			return a.print(v, func(w io.Writer) { fmt.Fprintf(w, "%s = %s\n", v.Symbol, quantity(v.Value, v.Unit)) })
		},
	}
}

func evaluate(ctx context.Context, op *op1.Operator, words []string) (evaluation, error) {
	values, err := bind(op.Operator, words)
	if err != nil {
		return evaluation{}, err
	}
	got, usage, err := op.Call(ctx, values)
	switch {
	case err != nil:
		return evaluation{}, fmt.Errorf("%s: %w", op.ID, err)
	case math.IsNaN(got) || math.IsInf(got, 0):
		return evaluation{}, fmt.Errorf("%s has no finite value for what is given: it computes to %v", op.ID, got)
	}
	return evaluation{Operator: op.ID, Symbol: op.Output.Symbol, Value: got, Unit: op.Output.Quantity.Unit.Symbol, Usage: usage}, nil
}

// quantity writes a value with its unit, where it has one.
func quantity(value float64, unit string) string {
	if unit == "1" || unit == "" {
		return units.FormatValue(value)
	}
	return units.FormatValue(value) + " " + unit
}

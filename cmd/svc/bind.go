package main

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/svc-platform/svc/operators-wasm/language"
	"github.com/svc-platform/svc/operators-wasm/units"
)

// bind reads SYMBOL=VALUE words into the operator's arguments in coherent SI,
// within the ranges in which it is valid. Words that make no sense are usage
// errors, values at which it is not valid are not.
func bind(op *language.Operator, words []string) ([]float64, error) {
	given := map[string]float64{}
	for _, word := range words {
		symbol, text, ok := strings.Cut(word, "=")
		if !ok {
			return nil, usagef("%q is not SYMBOL=VALUE, like m=2kg", word)
		}
		symbol = strings.TrimSpace(symbol)
		if _, twice := given[symbol]; twice {
			return nil, usagef("%s is given twice: give it once", symbol)
		}
		value, err := bindOne(op, symbol, strings.TrimSpace(text))
		if err != nil {
			return nil, err
		}
		given[symbol] = value
	}
	if missing := missingInputs(op, given); len(missing) > 0 {
		return nil, usagef("%s also needs %s", op.ID, strings.Join(missing, ", "))
	}
	values, err := op.Arguments(given)
	if err != nil {
		return nil, err
	}
	for _, r := range op.Require {
		if !r.Holds(values) {
			return nil, fmt.Errorf("%s is valid only for %s, which does not hold for what is given", op.ID, r.Text)
		}
	}
	return values, nil
}

// missingInputs describes the inputs that have no value and no default.
func missingInputs(op *language.Operator, given map[string]float64) []string {
	var missing []string
	for i := range op.Inputs {
		in := &op.Inputs[i]
		if _, ok := given[in.Symbol]; !ok && in.Default == nil {
			missing = append(missing, fmt.Sprintf("%s (%s, in %s)", in.Symbol, in.Description, in.Unit.Symbol))
		}
	}
	return missing
}

// bindOne reads the value of one input.
func bindOne(op *language.Operator, symbol, text string) (float64, error) {
	i := slices.IndexFunc(op.Inputs, func(v language.Variable) bool { return v.Symbol == symbol })
	if i < 0 {
		return 0, usageError{noInput(op, symbol)}
	}
	in := &op.Inputs[i]
	value, rest, err := parseValue(text)
	if err != nil {
		return 0, usagef("%s: %w", symbol, err)
	}
	unit := in.Unit
	if rest != "" {
		if unit, err = units.Parse(rest); err != nil {
			return 0, usagef("%s: %w", symbol, err)
		}
		if unit, err = in.Quantity.Accepts(unit); err != nil {
			return 0, usagef("%s is a %s: %w", symbol, in.Quantity.Name, err)
		}
	}
	si := unit.ToSI(value)
	switch {
	case math.IsInf(si, 0):
		return 0, usagef("%s: %q is too large to compute with", symbol, text)
	case !in.Contains(si):
		return 0, fmt.Errorf("%s = %s is outside the range in which %s is valid: %s must be in %s, in %s",
			symbol, quantity(value, unit.Symbol), op.ID, symbol, rangeOf(in), in.Unit.Symbol)
	}
	return si, nil
}

func noInput(op *language.Operator, symbol string) error {
	var symbols []string
	for i := range op.Inputs {
		symbols = append(symbols, op.Inputs[i].Symbol)
	}
	return fmt.Errorf("%s has no input %q: it takes %s", op.ID, symbol, strings.Join(symbols, ", "))
}

// number is a decimal number. An e belongs to it only if digits follow, so
// that 3eV is three electronvolts.
var number = regexp.MustCompile(`^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?`)

// parseValue splits a value into its number and what follows, the unit. A
// number that float64 cannot hold is an error, never infinity or zero.
func parseValue(text string) (value float64, unit string, err error) {
	digits := number.FindString(text)
	if digits == "" {
		return 0, "", fmt.Errorf("%q does not begin with a number like 2, -0.5 or 6.02e23", text)
	}
	value, err = strconv.ParseFloat(digits, 64)
	mantissa, _, _ := strings.Cut(strings.ToLower(digits), "e")
	switch {
	case errors.Is(err, strconv.ErrRange):
		return 0, "", fmt.Errorf("%s is too large to compute with", digits)
	case err != nil:
		return 0, "", fmt.Errorf("%s is not a number", digits)
	case value == 0 && strings.ContainsAny(mantissa, "123456789"):
		return 0, "", fmt.Errorf("%s is too small to compute with", digits)
	}
	return value, strings.TrimSpace(text[len(digits):]), nil
}

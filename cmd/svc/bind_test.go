package main

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/svc-platform/svc/operators-wasm/language"
	"github.com/svc-platform/svc/operators-wasm/units"
)

func TestParseValue(t *testing.T) {
	for _, c := range []struct {
		name, text string
		value      float64
		unit       string
		err        string // part of it
	}{
		{"a whole number", "2", 2, "", ""},
		{"a unit behind it", "2kg", 2, "kg", ""},
		{"a unit after a space", "10.8 km/h", 10.8, "km/h", ""},
		{"signs", "-0.5m", -0.5, "m", ""},
		{"a plus", "+3", 3, "", ""},
		{"no digit before the point", ".5m", 0.5, "m", ""},
		{"no digit after the point", "5.m", 5, "m", ""},
		{"an exponent", "6.02e23 1/mol", 6.02e23, "1/mol", ""},
		{"a capital exponent with its sign", "1.6E-19C", 1.6e-19, "C", ""},
		{"a unit that begins with e", "3eV", 3, "eV", ""},
		{"a unit that begins with E", "3EHz", 3, "EHz", ""},
		{"an exponent, then a unit that begins with e", "3e5eV", 3e5, "eV", ""},
		{"an e alone is a unit, known or not", "3e", 3, "e", ""},
		{"an e with nothing but a sign", "3e+", 3, "e+", ""},
		{"a degree sign", "20°C", 20, "°C", ""},
		{"zero", "0", 0, "", ""},
		{"zero with a large exponent", "0e999", 0, "", ""},
		{"a decimal comma is no number", "1,5kg", 1, ",5kg", ""},
		{"hexadecimal is no number", "0x10", 0, "x10", ""},
		{"nor are underscores", "1_000", 1, "_000", ""},
		{"two points", "1.2.3", 1.2, ".3", ""},
		{"two signs", "--3", 0, "", "does not begin with a number"},
		{"a sign alone", "-", 0, "", "does not begin with a number"},
		{"a point alone", ".", 0, "", "does not begin with a number"},
		{"nothing", "", 0, "", "does not begin with a number"},
		{"a word", "two", 0, "", "does not begin with a number"},
		{"infinity", "inf", 0, "", "does not begin with a number"},
		{"not a number", "NaN", 0, "", "does not begin with a number"},
		{"an exponent alone", "e5", 0, "", "does not begin with a number"},
		{"too large", "1e309kg", 0, "", "too large"},
		{"too small", "1e-330", 0, "", "too small"},
		{"too small, with zeros", "0.00010e-330m", 0, "", "too small"},
	} {
		t.Run(c.name, func(t *testing.T) {
			value, unit, err := parseValue(c.text)
			if c.err != "" {
				if err == nil || !strings.Contains(err.Error(), c.err) {
					t.Fatalf("%q: error %v, want one with %q", c.text, err, c.err)
				}
				return
			}
			if err != nil || value != c.value || unit != c.unit {
				t.Errorf("%q: %v %q %v, want %v %q", c.text, value, unit, err, c.value, c.unit)
			}
		})
	}
}

// FuzzParseValue: what is accepted is finite, loses no text, and means the
// same when it is written out again.
func FuzzParseValue(f *testing.F) {
	for _, seed := range []string{"2kg", "-.5 m/s", "6.02e23", "3eV", "1e999", "1e-999", "", "e", "+", "1,5", "0x10", "5e", "\xff", "1\u00a0m"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		value, unit, err := parseValue(text)
		if err != nil {
			if value != 0 || unit != "" {
				t.Fatalf("%q: %v %q beside the error %v", text, value, unit, err)
			}
			return
		}
		if math.IsNaN(value) || math.IsInf(value, 0) {
			t.Fatalf("%q: %v", text, value)
		}
		if !strings.HasSuffix(strings.TrimSpace(text), unit) {
			t.Fatalf("%q: the unit %q is not its end", text, unit)
		}
		again, rest, err := parseValue(units.FormatValue(value))
		if err != nil || again != value || rest != "" {
			t.Fatalf("%q: %v is read back as %v %q %v", text, value, again, rest, err)
		}
	})
}

// fallen is an operator with a range, a default and a condition.
func fallen(t *testing.T) *language.Operator {
	t.Helper()
	file, err := language.Parse("test.op", []byte(`category kinematic "Test"

operator KO6
  name         Free-fall speed
  description  Speed after a fall.
  output       v : velocity [m/s] "speed"
  input        z : length [m] "height" in [0, inf)
  input        g : acceleration [m/s^2] "gravity" = 10 in (0, 1000]
  equation     v = sqrt(2*g*z)
  validity     No air.
  require      2*g*z < (0.1*c)^2
  reference    A textbook
  example      z = 5 m, g = 10 m/s^2 -> v = 10 m/s
`))
	if err != nil {
		t.Fatal(err)
	}
	return file.Operators[0]
}

func TestBind(t *testing.T) {
	op := fallen(t)
	for _, c := range []struct {
		name  string
		words string // separated by |
		want  []float64
		err   string
		usage bool
	}{
		{"the operator's own unit", "z=5|g=2", []float64{5, 2}, "", false},
		{"another unit", "z=500 cm|g=2", []float64{5, 2}, "", false},
		{"any order", "g=2|z=5", []float64{5, 2}, "", false},
		{"spaces", " z = 5 m |g=2", []float64{5, 2}, "", false},
		{"a default", "z=5", []float64{5, 10}, "", false},
		{"the end of a closed range", "z=0|g=1000", []float64{0, 1000}, "", false},
		{"the end of an open range", "z=5|g=0", nil, "g = 0 m/s^2 is outside the range in which KO6 is valid: g must be in (0, 1000], in m/s^2", false},
		{"out of range, in another unit", "z=-3 km", nil, "z = -3 km is outside the range in which KO6 is valid: z must be in [0, inf), in m", false},
		{"a condition that does not hold", "z=1e20", nil, "KO6 is valid only for 2*g*z < (0.1*c)^2", false},
		{"overflow by the unit", "z=1e308 km", nil, "too large to compute with", true},
		{"missing", "g=2", nil, "KO6 also needs z (height, in m)", true},
		{"twice", "z=5|z=5", nil, "z is given twice", true},
		{"twice, with spaces", "z=5| z =6", nil, "z is given twice", true},
		{"unknown symbol", "z=5|m=2", nil, `KO6 has no input "m": it takes z, g`, true},
		{"symbols have a case", "Z=5", nil, `KO6 has no input "Z"`, true},
		{"no sign", "z", nil, `"z" is not SYMBOL=VALUE`, true},
		{"no symbol", "=5", nil, `KO6 has no input ""`, true},
		{"no value", "z=", nil, `z: "" does not begin with a number`, true},
		{"unknown unit", "z=5 metrr", nil, `z: unknown unit "metrr"`, true},
		{"wrong dimension", "z=5 kg", nil, "z is a length: dimensions differ: kg (mass) is not m (length)", true},
		{"two quantities", "z=6 ft 9 in", nil, "z: unit", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := bind(op, strings.Split(c.words, "|"))
			if c.err == "" {
				if err != nil || !slices.Equal(got, c.want) {
					t.Fatalf("%v %v, want %v", got, err, c.want)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Fatalf("error %v, want one with %q", err, c.err)
			}
			var usage usageError
			if errors.As(err, &usage) != c.usage {
				t.Errorf("%v: a usage error: %t, want %t", err, !c.usage, c.usage)
			}
		})
	}
}

func TestRangesAndDefaultsAreShownInTheUnitOfTheVariable(t *testing.T) {
	op := fallen(t)
	ten := 10.0
	want := []variableView{
		{Symbol: "z", Quantity: "length", Unit: "m", Description: "height", Range: "[0, inf)"},
		{Symbol: "g", Quantity: "acceleration", Unit: "m/s^2", Description: "gravity", Range: "(0, 1000]", Default: &ten},
	}
	got := []variableView{viewVariable(&op.Inputs[0]), viewVariable(&op.Inputs[1])}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if got := rangeOf(&op.Output); got != "" {
		t.Errorf("the output has no range, shown is %s", got)
	}
}

package language

import (
	"errors"
	"flag"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden compares got with a file of testdata, or rewrites it.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s differs (-want +got), rewrite it with -update:\n%s", path, diff)
	}
}

// TestWrongFiles: every file in testdata/wrong is refused with exactly the
// errors of testdata/wrong.golden.
func TestWrongFiles(t *testing.T) {
	paths, err := filepath.Glob("testdata/wrong/*.op")
	if err != nil || len(paths) < 20 {
		t.Fatalf("%d files, %v", len(paths), err)
	}
	var all strings.Builder
	for _, path := range paths {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		file, err := Parse(filepath.Base(path), src)
		if err == nil {
			err = Check(file)
		}
		var list Errors
		if !errors.As(err, &list) || len(list) == 0 {
			t.Errorf("%s: error %v, want Errors", path, err)
			continue
		}
		all.WriteString(list.Error() + "\n")
	}
	golden(t, "wrong.golden", all.String())
}

// parse reads one operator whose lines are given in short form.
func parse(t *testing.T, lines ...string) *Operator {
	t.Helper()
	file, err := Parse("t.op", []byte(block1(lines...)))
	if err != nil {
		t.Fatal(err)
	}
	return file.Operators[0]
}

// block1 completes lines to a file with one operator.
func block1(lines ...string) string {
	return "category test \"Test\"\noperator KO1\n name n\n description d\n validity v\n reference r\n " + strings.Join(lines, "\n ") + "\n"
}

func TestParse(t *testing.T) {
	src := `
# a comment
category kinematic "Motion along a line"   # and another

operator KO1
  name         One-dimensional position
  alias        displacement under constant acceleration; position after a time
  description  Position of a body
               after a time.
  output       x : length [km] "position"
  input        x0 : length [km] "starting position" = 2
  input        v0 : velocity [km/h] "starting velocity" in (-1080, 1080]
  input        a : acceleration [m/s^2] "acceleration"
  input        t : time [s] "elapsed time" in [0, inf)
  equation     x = x0 + v0*t
                 + a*t^2/2
  validity     Constant acceleration.
  require      abs(v0 + a*t) < 3e7 [m/s]
  reference    Author, Title
  example      x0 = 0 m, v0 = 36 km/h, a = 2 m/s^2, t = 3 s -> x = 39 m
  example      v0 = 36 km/h, a = 2 m/s^2, t = 0.05 min -> x = 2.039 km
`
	file, err := Parse("kinematic.op", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	op := file.Operators[0]
	if file.Category != "kinematic" || file.Title != "Motion along a line" || op.Category != "kinematic" {
		t.Errorf("category %q, title %q, the operator's %q", file.Category, file.Title, op.Category)
	}
	want := []string{
		"One-dimensional position", "displacement under constant acceleration", "position after a time",
		"Position of a body after a time.", "x = x0 + v0*t + a*t^2/2", "Constant acceleration.", "Author, Title",
	}
	got := []string{op.Name, op.Aliases[0], op.Aliases[1], op.Description, op.Equation, op.Validity, op.Reference}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("texts (-want +got):\n%s", diff)
	}
	if in := op.Inputs[0]; in.Default == nil || *in.Default != 2000 || in.Unit.Symbol != "km" {
		t.Errorf("x0: default %v, unit %v", in.Default, in.Unit)
	}
	if in := op.Inputs[1]; in.Min != -300 || !in.MinOpen || in.Max != 300 || in.MaxOpen {
		t.Errorf("v0: range %v %v %v %v", in.Min, in.MinOpen, in.Max, in.MaxOpen)
	}
	if in := op.Inputs[3]; !in.Contains(0) || in.Contains(-1e-300) || in.Contains(math.Inf(1)) || in.Contains(math.NaN()) {
		t.Errorf("t: range %v to %v", in.Min, in.Max)
	}
	wantInputs := map[string]float64{"x0": 2000, "v0": 10, "a": 2, "t": 3}
	if diff := cmp.Diff(wantInputs, op.Examples[1].Inputs); diff != "" || math.Abs(op.Examples[1].Output-2039) > 1e-9 {
		t.Errorf("example: output %v, inputs (-want +got):\n%s", op.Examples[1].Output, diff)
	}
	if op.Pos != (Position{"kinematic.op", 5, 1}) || op.Examples[0].Pos != (Position{"kinematic.op", 20, 16}) {
		t.Errorf("positions %v, %v", op.Pos, op.Examples[0].Pos)
	}
}

// TestEval: what an expression is worth, by the language's own rules.
func TestEval(t *testing.T) {
	tests := []struct {
		expression string
		want       float64
	}{
		{"x", 3},
		{"1 - 2 - x", -4},
		{"12/2/x", 2},
		{"-x^2", -9},
		{"2^-x", 0.125},
		{"2^x^0.5*0 + 2^3^2", 512 * 1},
		{"-2*-x", 6},
		{"x*1e3 + .5", 3000.5},
		{"x*5 [km/h]/(1 [m/s])", 3 * 5 / 3.6},
		{"x + (20 [degC])/(1 [K])", 296.15},
		{"x*c/c", 3},
		{"x*max(1, 4, 2) - min(x, 5)", 9},
		{"frac(-x/4) + floor(-x/4)", -0.75},
		{"hypot(x, 4) + abs(-x) + sqrt(x*x) + cbrt(27)", 14},
		{"atan2(x, 0)/pi", 0.5},
		{"ln(exp(x)) + log10(1000) + log2(8)", 9},
		{"max(0, x - 5)", 0},
	}
	for _, test := range tests {
		t.Run(test.expression, func(t *testing.T) {
			op := parse(t, `output y : number [1] "y"`, `input x : number [1] "x"`, "equation y = "+test.expression,
				"example x = 3 -> y = "+text(test.want))
			got, err := Eval(op, []float64{3})
			if err != nil || math.Abs(got-test.want) > 1e-12*math.Abs(test.want) {
				t.Errorf("got %v, %v, want %v", got, err, test.want)
			}
		})
	}
}

func TestArguments(t *testing.T) {
	op := parse(t, `output y : number [1] "y"`, `input a : number [1] "a"`, `input b : number [1] "b" = 7`,
		"equation y = a + b", "example a = 1 -> y = 8")
	tests := []struct {
		name  string
		given map[string]float64
		want  []float64
		err   string
	}{
		{"all", map[string]float64{"a": 1, "b": 2}, []float64{1, 2}, ""},
		{"default", map[string]float64{"a": 1}, []float64{1, 7}, ""},
		{"missing", map[string]float64{"b": 1}, nil, "the input a is missing"},
		{"unknown", map[string]float64{"a": 1, "z": 2}, nil, "an input is given that KO1 does not have"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := op.Arguments(test.given)
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if (err == nil) != (test.err == "") || (err != nil && !strings.Contains(err.Error(), test.err)) {
				t.Errorf("error %v, want %q", err, test.err)
			}
		})
	}
	if _, err := Eval(op, []float64{1}); err == nil {
		t.Error("one argument for two inputs is accepted")
	}
}

// TestLimits: sizes beyond the limits are refused, not computed.
func TestLimits(t *testing.T) {
	equation := func(expression string) string {
		return block1(`output y : number [1] "y"`, `input x : number [1] "x"`, "equation y = "+expression, "example x = 1 -> y = 1")
	}
	tests := []struct{ name, src, want string }{
		{"file", strings.Repeat("#", maxSource+1), "the file is larger than 1048576 bytes"},
		{"utf8", "category \xff", "the file is not valid UTF-8"},
		{"nesting", equation(strings.Repeat("(", 65) + "x" + strings.Repeat(")", 65)), "nested deeper than 64"},
		{"minus", equation(strings.Repeat("-", 65) + "x"), "nested deeper than 64"},
		{"power", equation(strings.Repeat("x^", 65) + "x"), "nested deeper than 64"},
		{"parts", equation("x" + strings.Repeat("+x", 1001)), "more than 2000 parts"},
		{"field", equation("x" + strings.Repeat(" ", 9000) + "+x"), "the field equation is longer than 8192 bytes"},
		{"repeats", equation("x") + strings.Repeat(" require x > 0\n", 65), "the field require is there more than 64 times"},
		{"aliases", equation("x") + " alias " + strings.Repeat("a", 8192/2) + "\n alias " + manyAliases(65), "more than 64 aliases"},
		{"errors", strings.Repeat("oops\n", 1) + "", `"oops" stands before the category`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := Parse("t.op", []byte(test.src))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %.200v, want %q", err, test.want)
			}
		})
	}
	_, err := Parse("t.op", []byte("category a \"A\"\n"+strings.Repeat("oops\n", 1000)))
	var list Errors
	if !errors.As(err, &list) || len(list) != maxErrors {
		t.Errorf("%d errors, want %d", len(list), maxErrors)
	}
}

func manyAliases(n int) string {
	aliases := make([]string, n)
	for i := range aliases {
		aliases[i] = strings.Repeat("b", i+1)
	}
	return strings.Join(aliases, ";")
}

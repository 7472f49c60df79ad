package language

import (
	"fmt"
	"strings"
	"testing"
)

// TestDuplicates: which pairs of equations are one relation.
func TestDuplicates(t *testing.T) {
	const lengths = "output y : length [m] \"y\"\n input a : length [m] \"a\"\n input b : length [m] \"b\"\n input n : number [1] \"n\""
	tests := []struct {
		name, one, two string
		want           string // "" for two relations, else how they are one
	}{
		{"the same", "y = a + n*b", "y = a + n*b", "renaming"},
		{"renamed", "y = a + n*b", "y = b + n*a", "renaming"},
		{"reordered", "y = n*(a - b)", "y = (-a + b)*n", "renaming"},
		{"factor taken out", "y = (2*a + 2*b)*n", "y = n*2*(b + a)", "renaming"},
		{"quotient as power", "y = n*a*b/(a + b)", "y = n*b*a*(b + a)^-1", "renaming"},
		{"root as power", "y = n*sqrt(a*b)", "y = n*(a*b)^(1/2)", "renaming"},
		{"hypot", "y = n*hypot(a, b)", "y = n*sqrt(a^2 + b^2)", "renaming"},
		{"sum of reciprocals", "y = n/(1/a + 1/b)", "y = n*a*b/(a + b)", "value"},
		{"expanded", "y = n*(a + b)^2/a", "y = n*(a + 2*b + b^2/a)", "value"},
		{"named numbers", "y = n*(a + b)*pi", "y = n*(a + b)*3.141592653589793", "renaming"},
		{"another factor", "y = n*(a + b)", "y = n*(a + b)/2", ""},
		{"another sign", "y = a + n*b", "y = a - n*b", ""},
		{"equal only for small n", "y = n*(a + b)", "y = sin(n)*(a + b)", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var src strings.Builder
			src.WriteString("category test \"Test\"\n")
			for i, equation := range []string{test.one, test.two} {
				fmt.Fprintf(&src, "operator KO%d\n name n%d\n description d\n validity v\n reference r\n %s\n equation %s\n", i, i, lengths, equation)
				fmt.Fprintf(&src, " example a = 0 m, b = 0 m, n = 0 -> y = 0 m\n")
			}
			got := ""
			if err := Check(parseLoosely(t, src.String())); err != nil {
				got = err.Error()
			}
			if (got == "") != (test.want == "") || !strings.Contains(got, test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// parseLoosely reads operators without computing their examples.
func parseLoosely(t *testing.T, src string) *File {
	t.Helper()
	r := &reporter{}
	file := &File{}
	for _, b := range r.blocks("t.op", src)[1:] {
		op := &Operator{ID: b.head.text, Pos: b.head.pos}
		byKey := r.collect(b)
		r.texts(op, byKey)
		r.variables(op, byKey)
		r.equation(op, byKey["equation"][0])
		file.Operators = append(file.Operators, op)
	}
	if err := r.err(); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestSignature: torque and work are computed alike and stay apart.
func TestSignature(t *testing.T) {
	file := func(id, quantity string) *File {
		src := strings.Replace(block1("output y : "+quantity+` [N*m] "y"`, `input F1 : force [N] "force"`, `input r : length [m] "arm"`,
			"equation y = F1*r", "example F1 = 2 N, r = 3 m -> y = 6 N*m"), "KO1\n name n", "KO"+id+"\n name n"+id, 1)
		f, err := Parse("t.op", []byte(src))
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	if err := Check(file("1", "torque"), file("2", "energy")); err != nil {
		t.Error(err)
	}
	if err := Check(file("1", "torque"), file("2", "torque")); err == nil {
		t.Error("two torques are accepted")
	}
}

package language

import (
	"strconv"
	"strings"
	"testing"
)

func text(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// TestLaTeX prints expressions over inputs of dimension one.
func TestLaTeX(t *testing.T) {
	expressions := []string{
		"a + b - x1", "a - (b - x1)", "a - (b + x1)", "a + (b - x1)", "a + -b", "-a*b", "-(a + b)", "a*-b", "a - (-b)*x1",
		"(a + b)*x1", "a*(b*x1)", "a/b", "a/b/x1", "a/(b/x1)", "(a/b)^2", "(a*b)^2", "(-a)^2", "-a^2", "a^b^x1", "(a^b)^x1",
		"a^(1/2)", "a^0.5", "(a + b)^(1/3)", "a^(2/3)", "a^-1", "a^-1.5", "a^(b/x1)", "2*3*a", "a*2", "2*10^3*a",
		"sqrt(a/b)", "cbrt(a)", "sqrt(a)^2", "sin(a)^2", "sin(a)^-1", "sin(a)*b", "exp(-a/b)", "ln(a)", "log10(a)", "log2(a)", "abs(a - b)^2",
		"floor(a)", "frac(a)", "hypot(a, b + x1)", "atan2(a, b)", "asin(a)", "asinh(a)", "min(a, b, x1)", "max(0, a)",
		"1.5e-9*a", "1e-9*a", "1e+03*a", "1E-07*a", "a*1e5", "a + 0.777 [s]/(2 [m/s])*1 [m/s^2]", "20 [degC]/(1 [K])",
		"pi*alpha^2", "hbar/hbar*k_B/k_B", "eps0/eps0", "x_max + x_1_2 + m1_in + omega0 + omega_0 + rho_f + Delta_T + dt + dlambda + mdot + phi_i + Re + eps + d1 + d_1",
	}
	var out strings.Builder
	for _, expression := range expressions {
		op := &Operator{}
		for _, symbol := range strings.Fields("a b x1 alpha x_max x_1_2 m1_in omega0 omega_0 rho_f Delta_T dt dlambda mdot phi_i Re eps d1 d_1") {
			op.Inputs = append(op.Inputs, Variable{Symbol: symbol})
		}
		p := &expressionParser{scanner: newScanner(&field{text: expression, from: []origin{{}}}), op: op}
		if err := p.guard(func() { op.Expr = p.sum(); p.end() }); err != nil {
			t.Fatal(err)
		}
		out.WriteString(expression + "\n    " + latex(op.Expr).text + "\n")
	}
	golden(t, "latex.golden", out.String())
}

func TestLaTeXOfRelation(t *testing.T) {
	op := parse(t, `output E_kin : energy [J] "energy"`, `input m : mass [kg] "mass"`, `input v : velocity [m/s] "velocity"`,
		"equation E_kin = m*v^2/2", "require v != 0", "require v <= 0.1*c", "example m = 2 kg, v = 3 m/s -> E_kin = 9 J")
	if got, want := op.LaTeX(), `E_{\mathrm{kin}} = \frac{m \, v^{2}}{2}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := op.Require[0].LaTeX()+"; "+op.Require[1].LaTeX(), `v \ne 0; v \le 0.1 \, c`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

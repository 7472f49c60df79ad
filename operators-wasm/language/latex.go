package language

import (
	"strconv"
	"strings"
)

// How tightly a piece of LaTeX holds together.
const (
	bindSum = iota + 1
	bindProduct
	bindPower
	bindAtom
)

// piece is LaTeX with what must be known to put it into more.
type piece struct {
	text string
	bind int
}

// in gives the text, in parentheses if it binds less than needed.
func (p piece) in(need int) string {
	if p.bind < need {
		return parenthesized(p.text)
	}
	return p.text
}

func parenthesized(s string) string { return `\left(` + s + `\right)` }

// LaTeX writes the equation, derived from the syntax tree.
func (o *Operator) LaTeX() string {
	return symbolLaTeX(o.Output.Symbol) + " = " + latex(o.Expr).text
}

// LaTeX writes the condition, derived from the syntax tree.
func (c *Condition) LaTeX() string {
	sign := map[string]string{"<=": `\le`, ">=": `\ge`, "!=": `\ne`}[c.Op]
	if sign == "" {
		sign = c.Op
	}
	return latex(c.Left).text + " " + sign + " " + latex(c.Right).text
}

func latex(e Expr) piece {
	switch n := e.(type) {
	case *Number:
		return numberLaTeX(n)
	case *Symbol:
		return piece{symbolLaTeX(n.Name), bindAtom}
	case *Constant:
		return piece{n.Constant.LaTeX, bindAtom}
	case *Negate:
		return piece{"-" + latex(n.X).in(bindProduct), bindSum}
	case *Binary:
		return binaryLaTeX(n)
	case *Call:
		return callLaTeX(n)
	}
	return piece{}
}

func binaryLaTeX(n *Binary) piece {
	switch n.Op {
	case '+':
		return piece{latex(n.X).text + " + " + rightTerm(n.Y, bindSum), bindSum}
	case '-':
		return piece{latex(n.X).text + " - " + rightTerm(n.Y, bindProduct), bindSum}
	case '*':
		return productLaTeX(latex(n.X).in(bindProduct), latex(n.Y).in(bindProduct))
	case '/':
		return piece{`\frac{` + latex(n.X).text + "}{" + latex(n.Y).text + "}", bindProduct}
	}
	return powerLaTeX(n)
}

// rightTerm puts a term that starts with a minus into parentheses.
func rightTerm(e Expr, need int) string {
	p := latex(e)
	if strings.HasPrefix(p.text, "-") {
		return parenthesized(p.text)
	}
	return p.in(need)
}

// productLaTeX joins two factors: a thin space, or a dot before a digit.
func productLaTeX(x, y string) piece {
	if y != "" && isDigit(y[0]) {
		return piece{x + ` \cdot ` + y, bindProduct}
	}
	return piece{x + ` \, ` + y, bindProduct}
}

func powerLaTeX(n *Binary) piece {
	num, den, rational := Ratio(n.Y)
	if rational && den > 1 && num == 1 && den <= 3 {
		return rootLaTeX(den, n.X)
	}
	exponent := latex(n.Y).text
	if rational {
		exponent = strconv.Itoa(num)
		if den > 1 {
			exponent += "/" + strconv.Itoa(den)
		}
	}
	if call, ok := n.X.(*Call); ok && rational && den == 1 && num > 0 {
		if name, ok := commands[call.Func.Name]; ok {
			return piece{name + "^{" + exponent + "}" + arguments(call), bindAtom}
		}
	}
	return piece{latex(n.X).in(bindAtom) + "^{" + exponent + "}", bindPower}
}

func rootLaTeX(degree int, radicand Expr) piece {
	if degree == 2 {
		return piece{`\sqrt{` + latex(radicand).text + "}", bindAtom}
	}
	return piece{`\sqrt[` + strconv.Itoa(degree) + "]{" + latex(radicand).text + "}", bindAtom}
}

// commands are the functions that LaTeX writes as a name before parentheses.
var commands = map[string]string{
	"exp": `\exp`, "ln": `\ln`, "log10": `\log_{10}`, "log2": `\log_{2}`,
	"sin": `\sin`, "cos": `\cos`, "tan": `\tan`, "asin": `\arcsin`, "acos": `\arccos`, "atan": `\arctan`,
	"atan2": `\operatorname{atan2}`, "sinh": `\sinh`, "cosh": `\cosh`, "tanh": `\tanh`,
	"asinh": `\operatorname{arsinh}`, "acosh": `\operatorname{arcosh}`, "atanh": `\operatorname{artanh}`,
	"min": `\min`, "max": `\max`, "frac": `\operatorname{frac}`,
}

func callLaTeX(n *Call) piece {
	switch n.Func.Name {
	case "sqrt":
		return rootLaTeX(2, n.Args[0])
	case "cbrt":
		return rootLaTeX(3, n.Args[0])
	case "abs":
		return piece{`\left|` + latex(n.Args[0]).text + `\right|`, bindAtom}
	case "floor":
		return piece{`\left\lfloor ` + latex(n.Args[0]).text + ` \right\rfloor`, bindAtom}
	case "hypot":
		return piece{`\sqrt{` + latex(n.Args[0]).in(bindAtom) + "^{2} + " + latex(n.Args[1]).in(bindAtom) + "^{2}}", bindAtom}
	}
	return piece{commands[n.Func.Name] + arguments(n), bindPower}
}

func arguments(n *Call) string {
	texts := make([]string, len(n.Args))
	for i, arg := range n.Args {
		texts[i] = latex(arg).text
	}
	return parenthesized(strings.Join(texts, ", "))
}

// numberLaTeX writes 1.5e-9 as 1.5 x 10^{-9} and adds the unit upright.
func numberLaTeX(n *Number) piece {
	mantissa, exponent, scientific := strings.Cut(strings.ToLower(n.Text), "e")
	p := piece{n.Text, bindAtom}
	if ten, err := strconv.Atoi(exponent); scientific && err == nil {
		power := "10^{" + strconv.Itoa(ten) + "}"
		if p = (piece{mantissa + ` \times ` + power, bindProduct}); mantissa == "1" {
			p = piece{power, bindPower}
		}
	}
	if n.Unit != nil && n.Unit.Symbol != "1" {
		p = piece{p.text + `\,\mathrm{` + unitLaTeX(n.Unit.Symbol) + "}", bindProduct}
	}
	return p
}

func unitLaTeX(symbol string) string {
	return strings.NewReplacer("*", `\,`, " ", `\,`, "%", `\%`, "°", `{}^{\circ}`, "^2", "^{2}", "^3", "^{3}", "^4", "^{4}",
		"^-1", "^{-1}", "^-2", "^{-2}", "^-3", "^{-3}", "ohm", `\Omega`, "Ω", `\Omega`, "_", `\_`).Replace(symbol)
}

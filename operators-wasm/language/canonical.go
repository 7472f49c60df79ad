package language

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/svc-platform/svc/operators-wasm/units"
)

// canonical is the operator's right side in a form that does not depend on the
// names of its inputs, the order of commutative parts, or whether a division
// is written as a power: two operators with the same form are one relation.
func (o *Operator) canonical() string {
	best := ""
	for _, slots := range o.assignments() {
		names := make([]string, len(slots))
		for input, slot := range slots {
			names[input] = fmt.Sprintf("$%d", slot)
		}
		n := normalizer{names: names, sums: map[string]map[string]float64{}, products: map[string]product{}}
		if form := n.of(o.Expr).String(); best == "" || form < best {
			best = form
		}
	}
	return best
}

// signature is what two operators must share to be compared: the quantity of
// the output and the dimensions of the inputs. Torque and work stay apart.
func (o *Operator) signature() string {
	dims := make([]string, len(o.Inputs))
	for i := range o.Inputs {
		dims[i] = o.Inputs[i].Quantity.Unit.Dim.String()
	}
	slices.Sort(dims)
	return o.Output.Quantity.Name + " = f(" + strings.Join(dims, ", ") + ")"
}

// maxAssignments bounds the ways to rename: six inputs of one dimension.
const maxAssignments = 720

// assignments lists the ways to give the inputs numbers such that inputs of
// equal dimension share a range of numbers, the same for every operator of the
// same signature. Each way holds the number of every input.
func (o *Operator) assignments() [][]int {
	order := make([]int, len(o.Inputs)) // slot -> input of the slot's dimension
	for i := range order {
		order[i] = i
	}
	dim := func(i int) string { return o.Inputs[i].Quantity.Unit.Dim.String() }
	slices.SortStableFunc(order, func(a, b int) int { return strings.Compare(dim(a), dim(b)) })
	var all [][]int
	slots := make([]int, len(order))
	taken := make([]bool, len(order))
	var place func(slot int)
	place = func(slot int) {
		if len(all) == maxAssignments {
			return
		}
		if slot == len(order) {
			all = append(all, slices.Clone(slots))
			return
		}
		for i := range order {
			if !taken[i] && dim(i) == dim(order[slot]) {
				taken[i], slots[i] = true, slot
				place(slot + 1)
				taken[i] = false
			}
		}
	}
	place(0)
	return all
}

// product is a number times powers of parts, each part by its text.
type product struct {
	factor float64
	powers map[string]float64
}

func (p product) String() string {
	return fmt.Sprintf("%.12g", p.factor) + p.key()
}

// key is the text of the powers alone.
func (p product) key() string {
	var text strings.Builder
	for _, part := range slices.Sorted(maps.Keys(p.powers)) {
		fmt.Fprintf(&text, "*%s^%.12g", part, p.powers[part])
	}
	return text.String()
}

func (p product) times(other product) product {
	result := product{factor: p.factor * other.factor, powers: maps.Clone(p.powers)}
	for part, exponent := range other.powers {
		if result.powers == nil {
			result.powers = map[string]float64{}
		}
		result.powers[part] += exponent
		if result.powers[part] == 0 {
			delete(result.powers, part)
		}
	}
	return result
}

func (p product) to(exponent float64) product {
	if p.factor < 0 && exponent != math.Trunc(exponent) {
		return part("(" + p.String() + ")").to(exponent)
	}
	result := product{factor: math.Pow(p.factor, exponent), powers: map[string]float64{}}
	for part, e := range p.powers {
		if exponent != 0 {
			result.powers[part] = e * exponent
		}
	}
	return result
}

func part(text string) product { return product{factor: 1, powers: map[string]float64{text: 1}} }

// normalizer brings an expression into the form of a product whose parts may
// be sums, which are kept by their text so that sums of sums can be merged.
type normalizer struct {
	names    []string
	sums     map[string]map[string]float64
	products map[string]product
}

func (n *normalizer) of(e Expr) product {
	switch e := e.(type) {
	case *Number:
		return product{factor: e.Value}
	case *Symbol:
		return part(n.names[e.Index])
	case *Constant:
		if e.Constant.Unit.Dim == (units.Dimension{}) {
			return product{factor: e.Constant.Value}
		}
		return part(e.Constant.Symbol)
	case *Negate:
		return n.of(e.X).times(product{factor: -1})
	case *Binary:
		return n.binary(e)
	case *Call:
		return n.call(e)
	}
	return product{}
}

func (n *normalizer) binary(e *Binary) product {
	x, y := n.of(e.X), n.of(e.Y)
	switch e.Op {
	case '*':
		return x.times(y)
	case '/':
		return x.times(y.to(-1))
	case '+':
		return n.sum(x, y)
	case '-':
		return n.sum(x, y.times(product{factor: -1}))
	}
	if len(y.powers) == 0 {
		return x.to(y.factor)
	}
	return part("(" + x.String() + ")^(" + y.String() + ")")
}

// sum merges like terms and divides by the factor of the first, so that
// 2*a + 2*b and 2*(a + b) are alike.
func (n *normalizer) sum(x, y product) product {
	terms := map[string]float64{}
	for _, p := range [...]product{x, y} {
		key := p.key()
		inner, isSum := n.sums[key]
		if !isSum {
			n.products[key] = product{factor: 1, powers: p.powers}
			inner = map[string]float64{key: 1}
		}
		for term, factor := range inner {
			if terms[term] += factor * p.factor; terms[term] == 0 {
				delete(terms, term)
			}
		}
	}
	keys := slices.Sorted(maps.Keys(terms))
	switch len(keys) {
	case 0:
		return product{}
	case 1:
		return n.products[keys[0]].times(product{factor: terms[keys[0]]})
	}
	lead := terms[keys[0]]
	var text strings.Builder
	for _, key := range keys {
		terms[key] /= lead
		fmt.Fprintf(&text, "+%.12g%s", terms[key], key)
	}
	result := part("[" + text.String() + "]")
	n.sums[result.key()] = terms
	result.factor = lead
	return result
}

func (n *normalizer) call(e *Call) product {
	args := make([]product, len(e.Args))
	texts := make([]string, len(e.Args))
	for i, arg := range e.Args {
		args[i] = n.of(arg)
		texts[i] = args[i].String()
	}
	switch e.Func.Name {
	case "sqrt":
		return args[0].to(0.5)
	case "cbrt":
		return args[0].to(1.0 / 3)
	case "hypot":
		return n.sum(args[0].to(2), args[1].to(2)).to(0.5)
	case "min", "max":
		slices.Sort(texts)
	}
	return part(e.Func.Name + "(" + strings.Join(texts, ",") + ")")
}

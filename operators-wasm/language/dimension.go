package language

import "github.com/svc-platform/svc/operators-wasm/units"

// dimension is what the check knows of a part of an expression. A plain 0 has
// any dimension, so that max(0, x) and x > 0 can be written.
type dimension struct {
	dim units.Dimension
	any bool
}

func (d dimension) fits(dim units.Dimension) bool { return d.any || d.dim == dim }

// dimensions derives and checks the dimensions of an operator's expressions.
type dimensions struct {
	*reporter
	op *Operator
}

// of is the dimension of an expression; false if a mistake was reported.
func (d dimensions) of(e Expr) (dimension, bool) {
	switch n := e.(type) {
	case *Number:
		if n.Unit != nil {
			return dimension{dim: n.Unit.Dim}, true
		}
		return dimension{any: n.Value == 0}, true
	case *Symbol:
		return dimension{dim: d.op.Inputs[n.Index].Quantity.Unit.Dim}, true
	case *Constant:
		return dimension{dim: n.Constant.Unit.Dim}, true
	case *Negate:
		return d.of(n.X)
	case *Binary:
		return d.binary(n)
	case *Call:
		return d.call(n)
	}
	return dimension{}, false
}

func (d dimensions) binary(n *Binary) (dimension, bool) {
	x, ok1 := d.of(n.X)
	y, ok2 := d.of(n.Y)
	if !ok1 || !ok2 {
		return dimension{}, false
	}
	switch n.Op {
	case '*':
		return dimension{dim: x.dim.Mul(y.dim), any: x.any || y.any}, true
	case '/':
		return dimension{dim: x.dim.Div(y.dim), any: x.any}, true
	case '^':
		return d.power(n, x, y)
	}
	if x.any {
		return y, true
	}
	if !y.fits(x.dim) {
		d.add(n.Pos, "", "dimensions differ: the left of %q is %s, the right is %s", n.Op, x.dim.Describe(), y.dim.Describe())
		return dimension{}, false
	}
	return x, true
}

func (d dimensions) power(n *Binary, base, exponent dimension) (dimension, bool) {
	if !exponent.dim.IsOne() {
		d.add(n.Pos, "divide it by a reference value", "the exponent has the dimension %s", exponent.dim.Describe())
		return dimension{}, false
	}
	if base.dim.IsOne() {
		return dimension{}, true
	}
	num, den, ok := Ratio(n.Y)
	if !ok {
		d.add(n.Pos, "use a plain number such as 2 or (1/2), or divide the base by a reference value",
			"a value in %s is raised to a power that is not a constant", base.dim.Describe())
		return dimension{}, false
	}
	dim, err := base.dim.Pow(num, den)
	if err != nil {
		d.add(n.Pos, "", "%v", err)
		return dimension{}, false
	}
	return dimension{dim: dim}, true
}

func (d dimensions) call(n *Call) (dimension, bool) {
	args := make([]dimension, len(n.Args))
	for i, arg := range n.Args {
		var ok bool
		if args[i], ok = d.of(arg); !ok {
			return dimension{}, false
		}
	}
	switch n.Func.rule {
	case pure:
		if !args[0].dim.IsOne() {
			d.add(n.Args[0].expr(), "make its argument dimensionless, or an angle", "%s of a value in %s", n.Func.Name, args[0].dim.Describe())
			return dimension{}, false
		}
		return dimension{}, true
	case root2, root3:
		den := 2
		if n.Func.rule == root3 {
			den = 3
		}
		dim, err := args[0].dim.Pow(1, den)
		if err != nil {
			d.add(n.Pos, "", "%s: %v", n.Func.Name, err)
		}
		return dimension{dim: dim}, err == nil
	}
	return d.alike(n, args)
}

// alike checks that all arguments have one dimension.
func (d dimensions) alike(n *Call, args []dimension) (dimension, bool) {
	common := args[0]
	for i, arg := range args[1:] {
		if common.any {
			common = arg
			continue
		}
		if !arg.fits(common.dim) {
			d.add(n.Args[i+1].expr(), "", "dimensions differ: the arguments of %s are %s and %s",
				n.Func.Name, common.dim.Describe(), arg.dim.Describe())
			return dimension{}, false
		}
	}
	if n.Func.rule == ratioA {
		return dimension{}, true
	}
	return common, true
}

package language

import (
	"math"
	"math/rand/v2"
	"strings"
)

// Check finds mistakes that only show across operators: an id, a name or an
// alias that is there twice, and two operators that are one relation. The
// error is of type Errors.
func Check(files ...*File) error {
	r := &reporter{}
	ids, names := map[string]*Operator{}, map[string]*Operator{}
	bySignature := map[string][]*candidate{}
	for _, file := range files {
		for _, op := range file.Operators {
			r.unique(ids, op, op.ID, "the id")
			r.unique(names, op, op.Name, "the name")
			for _, alias := range op.Aliases {
				r.unique(names, op, alias, "the alias")
			}
			c := &candidate{op: op, form: op.canonical(), assignments: op.assignments()}
			signature := op.signature()
			for _, other := range bySignature[signature] {
				if how := c.equals(other); how != "" {
					r.add(op.Pos, "drop one, or say what sets them apart", "%s is a duplicate of %s (%s): %s", op.ID, other.op.ID, other.op.Pos, how)
					break
				}
			}
			bySignature[signature] = append(bySignature[signature], c)
		}
	}
	return r.err()
}

func (r *reporter) unique(seen map[string]*Operator, op *Operator, text, what string) {
	key := strings.ToLower(text)
	if other, twice := seen[key]; twice {
		r.add(op.Pos, "choose another", "%s %q of %s belongs to %s (%s)", what, text, op.ID, other.ID, other.Pos)
		return
	}
	seen[key] = op
}

// candidate is an operator ready to be compared with others of its signature.
type candidate struct {
	op          *Operator
	form        string
	assignments [][]int
}

// equals says how two operators are the same relation, or "".
func (c *candidate) equals(other *candidate) string {
	if c.form == other.form {
		return "equal after renaming the inputs"
	}
	fixed := c.assignments[0]
	for _, slots := range other.assignments {
		if sameValues(c.op, other.op, fixed, slots) {
			return "equal values at every point that was tried"
		}
	}
	return ""
}

const (
	randomPoints = 64
	needFinite   = 16   // points at which both have a value
	sameWithin   = 1e-9 // relative
)

// sameValues compares two operators under a renaming: at their own examples,
// where the physics of both is at home, and at pseudo-random points, always
// the same, spread over many orders of magnitude.
func sameValues(a, b *Operator, slotsA, slotsB []int) bool {
	values := make([]float64, len(slotsA))
	inA, inB := make([]float64, len(slotsA)), make([]float64, len(slotsB))
	finite := 0
	same := func() bool {
		for i, slot := range slotsA {
			inA[i] = values[slot]
		}
		for i, slot := range slotsB {
			inB[i] = values[slot]
		}
		x, y := evaluate(a.Expr, inA), evaluate(b.Expr, inB)
		okX, okY := !math.IsNaN(x) && !math.IsInf(x, 0), !math.IsNaN(y) && !math.IsInf(y, 0)
		if okX && okY {
			finite++
		}
		return okX == okY && (!okX || math.Abs(x-y) <= sameWithin*max(math.Abs(x), math.Abs(y)))
	}
	for i, op := range [...]*Operator{a, b} {
		slots := [...][]int{slotsA, slotsB}[i]
		for _, e := range op.Examples {
			for input, slot := range slots {
				values[slot] = e.Inputs[op.Inputs[input].Symbol]
			}
			if !same() {
				return false
			}
		}
	}
	low, high := bounds(a, b, slotsA, slotsB)
	random := rand.New(rand.NewPCG(0x777, 1287))
	for point := range randomPoints {
		for slot := range values {
			values[slot] = draw(random, low[slot], high[slot], point%2 == 0)
		}
		if !same() {
			return false
		}
	}
	return finite >= needFinite
}

// bounds are the ranges that two operators share, by slot.
func bounds(a, b *Operator, slotsA, slotsB []int) (low, high []float64) {
	low, high = make([]float64, len(slotsA)), make([]float64, len(slotsA))
	for i, slot := range slotsA {
		low[slot], high[slot] = a.Inputs[i].Min, a.Inputs[i].Max
	}
	for i, slot := range slotsB {
		low[slot], high[slot] = max(low[slot], b.Inputs[i].Min), min(high[slot], b.Inputs[i].Max)
	}
	return low, high
}

// draw picks a value in a range: spread evenly, or over orders of magnitude.
func draw(random *rand.Rand, low, high float64, wide bool) float64 {
	u, sign := random.Float64(), 1.0
	if low < 0 && random.IntN(2) == 0 {
		sign = -1
	}
	if !wide && !math.IsInf(low, 0) && !math.IsInf(high, 0) {
		return low + u*(high-low)
	}
	exponent := 24*u - 12
	if !wide {
		exponent = 2*u - 1
	}
	return min(max(sign*math.Pow(10, exponent), low), high)
}

package units

import (
	"fmt"
	"strings"
)

// Dimension holds the exponents of length, mass, time, electric current,
// temperature, amount of substance and luminous intensity, in twelfths, so
// that square, cube and fourth roots stay exact.
type Dimension [7]int16

// Twelfths is the exponent 1 in a Dimension.
const Twelfths = 12

// maxExponent bounds every exponent of a dimension. Physics stops well below.
const maxExponent = 100 * Twelfths

// baseSymbols are the coherent units of the seven base quantities in the order
// in which a product of them is usually written, with their index.
var baseSymbols = [...]struct {
	symbol string
	index  int
}{{"kg", 1}, {"m", 0}, {"s", 2}, {"A", 3}, {"K", 4}, {"mol", 5}, {"cd", 6}}

// IsOne says that the dimension is one, that is, a plain number.
func (d Dimension) IsOne() bool { return d == Dimension{} }

// Mul is the dimension of a product.
func (d Dimension) Mul(other Dimension) Dimension {
	for i := range d {
		d[i] = clampExponent(int(d[i]) + int(other[i]))
	}
	return d
}

// Div is the dimension of a quotient.
func (d Dimension) Div(other Dimension) Dimension {
	for i := range d {
		d[i] = clampExponent(int(d[i]) - int(other[i]))
	}
	return d
}

// Pow is the dimension of a power with the exponent num/den. It is an error
// if an exponent does not fall on a twelfth or is absurdly large.
func (d Dimension) Pow(num, den int) (Dimension, error) {
	if d.IsOne() {
		return d, nil
	}
	if den == 0 || max(num, -num, den, -den) > maxExponent {
		return d, fmt.Errorf("exponent %d/%d is out of range", num, den)
	}
	for i := range d {
		product := int(d[i]) * num
		if product%den != 0 {
			return d, fmt.Errorf("the power %d/%d of %s has no usable dimension", num, den, d)
		}
		if e := product / den; e > maxExponent || e < -maxExponent {
			return d, fmt.Errorf("exponent %d/%d is out of range", num, den)
		}
		d[i] = int16(product / den)
	}
	return d, nil
}

// clampExponent keeps a sum of exponents inside int16; a clamped dimension is
// absurd and equals no dimension that has a meaning.
func clampExponent(e int) int16 {
	return int16(min(max(e, -maxExponent), maxExponent))
}

// String writes the coherent SI unit in base units, e.g. "kg*m/s^2".
// Dimension one is "1".
func (d Dimension) String() string {
	var over, under []string
	for _, base := range baseSymbols {
		switch e := d[base.index]; {
		case e > 0:
			over = append(over, base.symbol+exponentText(e))
		case e < 0:
			under = append(under, base.symbol+exponentText(-e))
		}
	}
	numerator, denominator := strings.Join(over, "*"), strings.Join(under, "*")
	if numerator == "" {
		numerator = "1"
	}
	switch len(under) {
	case 0:
		return numerator
	case 1:
		return numerator + "/" + denominator
	}
	return numerator + "/(" + denominator + ")"
}

func exponentText(e int16) string {
	if e == Twelfths {
		return ""
	}
	if e%Twelfths == 0 {
		return fmt.Sprintf("^%d", e/Twelfths)
	}
	num, den := int(e), Twelfths
	for _, p := range [...]int{2, 2, 3} {
		if num%p == 0 && den%p == 0 {
			num, den = num/p, den/p
		}
	}
	return fmt.Sprintf("^(%d/%d)", num, den)
}

// Coherent is the coherent SI unit of the dimension, named where SI has a
// name: N rather than kg*m/s^2.
func (d Dimension) Coherent() Unit {
	if symbol, ok := tables().coherent[d]; ok {
		return Unit{Symbol: symbol, Dim: d, Scale: 1}
	}
	return Unit{Symbol: d.String(), Dim: d, Scale: 1}
}

// Describe names the dimension for a message: its coherent unit and, where the
// catalogue knows one, a quantity that has it: "m/s (velocity)".
func (d Dimension) Describe() string {
	if d.IsOne() {
		return "1 (dimensionless)"
	}
	symbol := d.Coherent().Symbol
	for _, q := range tables().quantities {
		if q.Unit.Dim == d {
			return symbol + " (" + q.Name + ")"
		}
	}
	return symbol
}

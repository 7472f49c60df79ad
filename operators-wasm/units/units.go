// Package units knows SI: dimensions, units with prefixes and powers, the
// kinds of quantity that the catalogue speaks of, and the CODATA constants.
package units

import (
	"fmt"
	"math"
	"strconv"
)

// Unit is a unit of measure: value_SI = value*Scale + Offset.
type Unit struct {
	Symbol string // as written
	Dim    Dimension
	Scale  float64
	Offset float64 // not zero only for degC and degF as temperatures
	// Angle is the exponent of the radian, which has dimension one: rad/s and
	// rpm have 1, Hz has 0.
	Angle int
	// over and under are the scale as an exact fraction, where it is a small
	// one: 72 km/h is 20 m/s and not one bit beside it. They count only while
	// their quotient is Scale.
	over, under float64
}

// fraction is the scale as an exact fraction; ok is false where there is none.
func (u Unit) fraction() (over, under float64, ok bool) {
	return u.over, u.under, u.under != 0 && u.over/u.under == u.Scale
}

// Difference is the unit for a difference of values: the same without offset.
// A rise of 5 degC is a rise of 5 K.
func (u Unit) Difference() Unit {
	u.Offset = 0
	return u
}

// ToSI converts a value in this unit to the coherent SI unit.
func (u Unit) ToSI(value float64) float64 {
	if over, under, ok := u.fraction(); ok {
		return float64(value*over)/under + u.Offset
	}
	return float64(value*u.Scale) + u.Offset
}

// FromSI converts a value in the coherent SI unit to this unit.
func (u Unit) FromSI(value float64) float64 {
	value -= u.Offset
	if over, under, ok := u.fraction(); ok {
		return float64(value*under) / over
	}
	return value / u.Scale
}

// Convert expresses a value given in one unit in another. Both must have the
// same dimension, else the error is a *MismatchError.
func Convert(value float64, from, to Unit) (float64, error) {
	if from.Dim != to.Dim {
		return 0, &MismatchError{From: from.Dim, To: to.Dim}
	}
	if from == to {
		return value, nil
	}
	return to.FromSI(from.ToSI(value)), nil
}

// MismatchError says that two dimensions differ where they must be equal.
type MismatchError struct{ From, To Dimension }

func (e *MismatchError) Error() string {
	return fmt.Sprintf("dimensions differ: %s is not %s", e.From.Describe(), e.To.Describe())
}

// FormatValue writes a number as short as it can be read back exactly.
func FormatValue(value float64) string {
	if a := math.Abs(value); a != 0 && (a < 1e-4 || a >= 1e9) {
		return strconv.FormatFloat(value, 'e', -1, 64)
	}
	return strconv.FormatFloat(value, 'f', -1, 64)
}

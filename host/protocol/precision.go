package protocol

import (
	"fmt"
	"math"
)

const (
	defaultTolerance = 1e-9
	maxDigits        = 15 // significant digits that a request may ask for
)

// toleranceOf turns the precision of a request into a relative tolerance: a
// number between 0 and 1 is one, a whole number from 1 to 15 counts
// significant digits. Anything else is an *InvalidError.
func toleranceOf(precision *float64) (float64, error) {
	switch {
	case precision == nil:
		return defaultTolerance, nil
	case *precision > 0 && *precision < 1:
		return *precision, nil
	case *precision >= 1 && *precision <= maxDigits && *precision == math.Trunc(*precision):
		return 0.5 * math.Pow(10, 1-*precision), nil
	}
	return 0, &InvalidError{Field: "precision", Message: fmt.Sprintf(
		"the precision %v is neither a relative tolerance between 0 and 1 nor a whole number of significant digits from 1 to %d", *precision, maxDigits)}
}

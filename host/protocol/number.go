package protocol

import (
	"math"
	"strconv"
	"strings"
)

// numberReader reads one number in figures: 12, 1,000, 10 000, 3.2e5,
// 3.2×10^5, 3.2 x 10⁵, 10^5, 1/4, 1 1/2.
type numberReader struct {
	text string
	at   int
}

// readNumber fills t from the number at start. A writing that could be read in
// two ways leaves a problem, so that nobody computes with half of it.
func readNumber(text string, start int, t token) token {
	r := &numberReader{text: text, at: start}
	t.kind = numberToken
	mantissa, whole := r.mantissa()
	t.digits, t.exact = significant(mantissa), whole
	exponent := ""
	switch {
	case r.decimalComma():
		t.problem = "a comma before fewer or more than three digits can be read in two ways: write 3.2 or 3, 2"
	case r.secondPoint():
		t.problem = "a number with two points can be read in two ways: write 1000.5"
	default:
		exponent = r.exponent()
	}
	t.value = decimal(mantissa, exponent)
	t.exact = t.exact && exponent == ""
	if exponent == "" && whole {
		r.powerOrFraction(&t)
	}
	if t.problem == "" && math.IsInf(t.value, 0) {
		t.problem = "a number is too large"
	}
	t.end = r.at
	return t
}

func decimal(mantissa, exponent string) float64 {
	if exponent != "" {
		mantissa += "e" + exponent
	}
	value, _ := strconv.ParseFloat(mantissa, 64) // only a range error is possible: the value is then an infinity
	return value
}

// figures reads digits and returns them.
func (r *numberReader) figures() string {
	start := r.at
	for r.at < len(r.text) && isDigit(rune(r.text[r.at])) {
		r.at++
	}
	return r.text[start:r.at]
}

// peek returns the byte at an offset from here, 0 past the end.
func (r *numberReader) peek(offset int) byte {
	if r.at+offset < len(r.text) {
		return r.text[r.at+offset]
	}
	return 0
}

func (r *numberReader) digitAt(offset int) bool { return isDigit(rune(r.peek(offset))) }

// mantissa reads digits with groups of three and a fraction.
func (r *numberReader) mantissa() (text string, whole bool) {
	text, whole = r.figures(), true
	if len(text) >= 1 && len(text) <= 3 && text[0] != '0' {
		for _, separator := range [...]byte{',', ' '} {
			for r.group(separator) {
				text += r.text[r.at+1 : r.at+4]
				r.at += 4
			}
		}
	}
	if r.peek(0) == '.' && r.digitAt(1) {
		r.at++
		text, whole = text+"."+r.figures(), false
	}
	return text, whole
}

// group says that a separator and exactly three digits follow.
func (r *numberReader) group(separator byte) bool {
	return r.peek(0) == separator && r.digitAt(1) && r.digitAt(2) && r.digitAt(3) && !r.digitAt(4)
}

func (r *numberReader) decimalComma() bool { return r.peek(0) == ',' && r.digitAt(1) }

func (r *numberReader) secondPoint() bool { return r.peek(0) == '.' && r.digitAt(1) }

// exponent reads e5, E-5, ×10^5, x 10⁵, *10^-5 and returns the digits with
// their sign, or "".
func (r *numberReader) exponent() string {
	if c := r.peek(0); c == 'e' || c == 'E' {
		sign := 0
		if next := r.peek(1); next == '-' || next == '+' {
			sign = 1
		}
		if r.digitAt(1 + sign) {
			start := r.at + 1
			r.at += 1 + sign
			r.figures()
			return r.text[start:r.at]
		}
	}
	rest := strings.TrimLeft(r.text[r.at:], " ")
	for _, times := range [...]string{"×", "x", "X", "*", "·", "⋅"} {
		after, found := strings.CutPrefix(rest, times)
		if !found {
			continue
		}
		after = strings.TrimLeft(after, " ")
		if power, found := strings.CutPrefix(after, "10"); found {
			if digits, length := powerText(power); digits != "" {
				r.at = len(r.text) - len(power) + length
				return digits
			}
		}
	}
	return ""
}

// powerText reads ^5, ^-5, ^(5), **5 or ⁻⁵ at the start of s and returns the
// number in plain digits and its length in bytes.
func powerText(s string) (digits string, length int) {
	if small := leading(s, raised); small != "" {
		return wholeNumber(raisedDigits.Replace(small), len(small))
	}
	rest, found := strings.CutPrefix(s, "^")
	if !found {
		rest, found = strings.CutPrefix(s, "**")
	}
	if !found {
		return "", 0
	}
	body, bracketed := strings.CutPrefix(rest, "(")
	number := leading(body, "+-0123456789")
	length = len(s) - len(body) + len(number)
	if bracketed && !strings.HasPrefix(body[len(number):], ")") {
		return "", 0
	}
	if bracketed {
		length++
	}
	return wholeNumber(number, length)
}

// wholeNumber passes a number on if it is whole.
func wholeNumber(digits string, length int) (string, int) {
	if _, err := strconv.Atoi(digits); err != nil {
		return "", 0
	}
	return digits, length
}

// raised are the characters of a power that is written small.
const raised = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺"

var raisedDigits = strings.NewReplacer("⁰", "0", "¹", "1", "²", "2", "³", "3", "⁴", "4", "⁵", "5", "⁶", "6",
	"⁷", "7", "⁸", "8", "⁹", "9", "⁻", "-", "⁺", "+")

// leading is the longest start of s that is made of the characters in set.
func leading(s, set string) string {
	return s[:len(s)-len(strings.TrimLeft(s, set))]
}

// powerOrFraction goes on after a whole number: 10^5, 2³, 1/4, 1 1/2.
func (r *numberReader) powerOrFraction(t *token) {
	if digits, length := powerText(r.text[r.at:]); digits != "" {
		r.at += length
		t.exact = false
		if t.value == 10 {
			t.value = decimal("1", digits)
			return
		}
		power, _ := strconv.Atoi(digits)
		t.value = math.Pow(t.value, float64(power))
		return
	}
	if value, length := fraction(r.text[r.at:], t.value); length > 0 {
		t.value, t.exact = value, false
		r.at += length
		return
	}
	rest, spaced := strings.CutPrefix(r.text[r.at:], " ")
	if over := leading(rest, "0123456789"); spaced && over != "" && len(over) < 3 {
		numerator, _ := strconv.ParseFloat(over, 64)
		if part, length := fraction(rest[len(over):], numerator); length > 0 && part < 1 {
			t.value, t.exact = t.value+part, false
			r.at += 1 + len(over) + length
		}
	}
}

// fraction reads /4 after a numerator. A denominator of zero or one that goes
// on as a decimal number is no fraction.
func fraction(rest string, numerator float64) (value float64, length int) {
	under, found := strings.CutPrefix(rest, "/")
	digits := leading(under, "0123456789")
	if !found || digits == "" || strings.HasPrefix(under[len(digits):], ".") || strings.HasPrefix(under[len(digits):], "/") {
		return 0, 0
	}
	denominator, err := strconv.ParseFloat(digits, 64)
	if err != nil || denominator == 0 {
		return 0, 0
	}
	return numerator / denominator, 1 + len(digits)
}

// significant counts the significant digits of a mantissa.
func significant(mantissa string) int {
	digits := strings.TrimLeft(strings.ReplaceAll(mantissa, ".", ""), "0")
	return max(len(digits), 1)
}

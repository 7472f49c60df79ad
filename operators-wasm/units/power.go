package units

import (
	"fmt"
	"strconv"
	"strings"
)

// superscripts maps the raised digits and signs to plain ones.
var superscripts = strings.NewReplacer("⁰", "0", "¹", "1", "²", "2", "³", "3", "⁴", "4",
	"⁵", "5", "⁶", "6", "⁷", "7", "⁸", "8", "⁹", "9", "⁻", "-", "⁺", "")

// power reads the exponent after a unit, 1/1 if there is none: ^2, ^-1,
// ^(1/2), **2, ², -1 directly after the unit, " squared", " cubed".
func (p *unitParser) power() (num, den int, err error) {
	rest := p.text[p.at:]
	switch {
	case strings.HasPrefix(rest, "^("):
		end := strings.IndexByte(rest, ')')
		if end < 0 {
			return 1, 1, fmt.Errorf("unit %q: a closing parenthesis is missing", p.text)
		}
		p.at += end + 1
		return p.fraction(rest[2:end])
	case strings.HasPrefix(rest, "^"):
		digits := signedDigits(rest[1:])
		p.at += 1 + len(digits)
		return p.fraction(digits)
	case strings.HasPrefix(rest, "**"):
		digits := signedDigits(rest[2:])
		p.at += 2 + len(digits)
		return p.fraction(digits)
	case strings.HasPrefix(rest, "-") || strings.HasPrefix(rest, "−"):
		digits := signedDigits(rest)
		p.at += len(digits)
		return p.fraction(digits)
	case strings.HasPrefix(rest, " squared"):
		p.at += len(" squared")
		return 2, 1, nil
	case strings.HasPrefix(rest, " cubed"):
		p.at += len(" cubed")
		return 3, 1, nil
	}
	raised := 0
	for _, r := range rest {
		if !strings.ContainsRune("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", r) {
			break
		}
		raised += len(string(r))
	}
	if raised == 0 {
		return 1, 1, nil
	}
	p.at += raised
	return p.fraction(superscripts.Replace(rest[:raised]))
}

// signedDigits is the integer with an optional minus at the start of s.
func signedDigits(s string) string {
	end := 0
	for _, minus := range [...]string{"-", "−"} {
		if strings.HasPrefix(s, minus) {
			end = len(minus)
		}
	}
	for end < len(s) && s[end] >= '0' && s[end] <= '9' {
		end++
	}
	return s[:end]
}

func (p *unitParser) fraction(s string) (num, den int, err error) {
	over, under, isFraction := strings.Cut(strings.ReplaceAll(s, "−", "-"), "/")
	num, err = strconv.Atoi(strings.TrimSpace(over))
	den = 1
	if err == nil && isFraction {
		den, err = strconv.Atoi(strings.TrimSpace(under))
	}
	if err != nil || den < 1 || den > Twelfths || num == 0 || num > maxUnitPower || num < -maxUnitPower {
		return 1, 1, fmt.Errorf("unit %q: %q is not an exponent; write a whole number or (1/2)", p.text, s)
	}
	return num, den, nil
}

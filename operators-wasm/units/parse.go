package units

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	maxUnitText    = 128 // bytes of a unit expression
	maxUnitDepth   = 8   // nested parentheses
	maxUnitPower   = 24  // absolute value of one exponent
	maxScaleDigits = 4096
)

// UnknownUnitError names a unit that Parse does not know.
type UnknownUnitError struct {
	Name       string
	Suggestion string // a known unit that looks alike, or ""
}

func (e *UnknownUnitError) Error() string {
	if e.Suggestion == "" {
		return fmt.Sprintf("unknown unit %q", e.Name)
	}
	return fmt.Sprintf("unknown unit %q: did you mean %q?", e.Name, e.Suggestion)
}

// Parse reads a unit expression: products with *, ·, × or a space, quotients
// with / or "per", powers as ^2, ^(1/2), ² or a trailing 2, parentheses, SI
// prefixes, symbols and English names. "1" and "" are the dimensionless unit.
// A unit with an offset (degC, degF) keeps it only where it stands alone.
func Parse(s string) (Unit, error) {
	if len(s) > maxUnitText {
		return Unit{}, fmt.Errorf("unit is longer than %d bytes", maxUnitText)
	}
	if !utf8.ValidString(s) {
		return Unit{}, errors.New("unit is not valid UTF-8")
	}
	text := strings.TrimSpace(s)
	if text == "" {
		return Unit{Symbol: "1", Scale: 1}, nil
	}
	p := &unitParser{text: text, lookup: tables().lookup}
	v, err := p.whole()
	if err != nil {
		return Unit{}, err
	}
	scale, _ := v.scale.Float64()
	if scale == 0 || math.IsInf(scale, 0) {
		return Unit{}, fmt.Errorf("unit %q is too large or too small", s)
	}
	u := Unit{Symbol: text, Dim: v.dim, Scale: scale, Offset: v.offset, Angle: v.angle}
	if scale != 1 && v.scale.Num().BitLen() <= exactBits && v.scale.Denom().BitLen() <= exactBits {
		u.over, _ = new(big.Float).SetInt(v.scale.Num()).Float64()
		u.under, _ = new(big.Float).SetInt(v.scale.Denom()).Float64()
	}
	return u, nil
}

// exactBits is how large a whole number a float64 holds with room for a few
// digits of a value: the product of the two is then exact.
const exactBits = 40

// measure is a unit with an exact scale, so that mm^3 is 1e-9 and not one bit
// beside it.
type measure struct {
	dim    Dimension
	scale  *big.Rat
	offset float64
	angle  int
}

func one() measure { return measure{scale: big.NewRat(1, 1)} }

func (m measure) mul(other measure) measure {
	return measure{
		dim: m.dim.Mul(other.dim), scale: new(big.Rat).Mul(m.scale, other.scale), angle: m.angle + other.angle,
	}
}

func (m measure) div(other measure) measure {
	return measure{
		dim: m.dim.Div(other.dim), scale: new(big.Rat).Quo(m.scale, other.scale), angle: m.angle - other.angle,
	}
}

func (m measure) pow(num, den int) (measure, error) {
	dim, err := m.dim.Pow(num, den)
	if err != nil {
		return m, err
	}
	result := measure{dim: dim, scale: big.NewRat(1, 1), angle: m.angle * num / den}
	if num == 1 && den == 1 {
		return m, nil
	}
	if den != 1 {
		scale, _ := m.scale.Float64()
		if result.scale.SetFloat64(math.Pow(scale, float64(num)/float64(den))) == nil || result.scale.Sign() == 0 {
			return m, errors.New("unit is too large or too small")
		}
		return result, nil
	}
	factor := m.scale
	if num < 0 {
		factor, num = new(big.Rat).Inv(m.scale), -num
	}
	if num*(factor.Num().BitLen()+factor.Denom().BitLen()) > 4*maxScaleDigits {
		return m, errors.New("unit is too large or too small")
	}
	for range num {
		result.scale.Mul(result.scale, factor)
	}
	return result, nil
}

// unitParser is a recursive descent parser over one unit expression.
type unitParser struct {
	text    string
	at      int
	depth   int
	numbers bool // plain numbers are factors: only in the table of units
	lookup  func(name string) (measure, error)
}

func (p *unitParser) whole() (measure, error) {
	v, err := p.product()
	if err != nil {
		return v, err
	}
	if p.at < len(p.text) {
		return v, fmt.Errorf("unit %q: unexpected %q", p.text, p.text[p.at:])
	}
	return v, nil
}

// product reads factors joined by signs. "J/mol K" is refused: nobody can say
// whether K stands above or below.
func (p *unitParser) product() (measure, error) {
	result, err := p.factor()
	if err != nil {
		return result, err
	}
	divided := false
	for {
		sign := p.sign()
		if sign == 0 {
			return result, nil
		}
		next, err := p.factor()
		if err != nil {
			return result, err
		}
		switch {
		case sign == '/':
			result, divided = result.div(next), true
		case divided && sign == ' ':
			return result, fmt.Errorf("unit %q is ambiguous: put the part below the line in parentheses", p.text)
		default:
			result = result.mul(next)
		}
		if result.scale.Num().BitLen()+result.scale.Denom().BitLen() > 4*maxScaleDigits {
			return result, errors.New("unit is too large or too small")
		}
	}
}

// sign reads what stands between two factors: '*', '/', ' ' for nothing but
// space, or 0 at the end.
func (p *unitParser) sign() rune {
	spaced := p.space()
	if p.at >= len(p.text) {
		return 0
	}
	r, size := utf8.DecodeRuneInString(p.text[p.at:])
	switch {
	case strings.ContainsRune("*·⋅×", r):
		p.at += size
		return '*'
	case r == '/' || r == '∕':
		p.at += size
		return '/'
	case r == ')':
		return 0
	case strings.HasPrefix(p.text[p.at:], "per ") && spaced:
		p.at += len("per ")
		return '/'
	case spaced || r == '(':
		return ' '
	}
	return 0
}

func (p *unitParser) space() bool {
	start := p.at
	for p.at < len(p.text) {
		r, size := utf8.DecodeRuneInString(p.text[p.at:])
		if !unicode.IsSpace(r) {
			break
		}
		p.at += size
	}
	return p.at > start
}

// factor reads a unit, a number or a parenthesis with its power.
func (p *unitParser) factor() (measure, error) {
	p.space()
	base, num, den := one(), 1, 1
	var err error
	switch {
	case p.at >= len(p.text):
		return base, fmt.Errorf("unit %q: a unit is missing at the end", p.text)
	case p.text[p.at] == '(':
		base, err = p.group()
	case p.text[p.at] >= '0' && p.text[p.at] <= '9':
		base, err = p.number()
	default:
		base, num, err = p.named()
	}
	if err != nil {
		return base, err
	}
	if num == 1 {
		if num, den, err = p.power(); err != nil {
			return base, err
		}
	}
	return base.pow(num, den)
}

func (p *unitParser) group() (measure, error) {
	if p.depth++; p.depth > maxUnitDepth {
		return one(), fmt.Errorf("unit is nested deeper than %d", maxUnitDepth)
	}
	p.at++
	v, err := p.product()
	if err != nil {
		return v, err
	}
	p.space()
	if p.at >= len(p.text) || p.text[p.at] != ')' {
		return v, fmt.Errorf("unit %q: a closing parenthesis is missing", p.text)
	}
	p.at++
	p.depth--
	return v.mul(one()), nil // inside parentheses degC is a difference
}

func (p *unitParser) number() (measure, error) {
	start := p.at
	for p.at < len(p.text) && strings.IndexByte("0123456789.", p.text[p.at]) >= 0 {
		p.at++
	}
	if p.numbers && strings.HasPrefix(p.text[p.at:], "e") {
		for p.at++; p.at < len(p.text) && strings.IndexByte("0123456789-", p.text[p.at]) >= 0; p.at++ {
		}
	}
	text := p.text[start:p.at]
	v := one()
	if _, ok := v.scale.SetString(text); !ok || (!p.numbers && text != "1") {
		return v, fmt.Errorf("unit %q: the number %s is not a unit; only 1 may stand alone, as in 1/s", p.text, text)
	}
	return v, nil
}

// named reads a unit name with the digits that may follow it directly (m2).
func (p *unitParser) named() (measure, int, error) {
	name := p.word()
	if name == "" {
		r, _ := utf8.DecodeRuneInString(p.text[p.at:])
		return one(), 1, fmt.Errorf("unit %q: unexpected %q", p.text, r)
	}
	switch name {
	case "square", "sq", "cubic":
		p.space()
		base, err := p.lookup(p.word())
		if name == "cubic" {
			return base, 3, err
		}
		return base, 2, err
	}
	base, err := p.lookup(name)
	if err == nil {
		return base, 1, nil
	}
	stem := strings.TrimRight(name, "0123456789")
	if stem == name || stem == "" {
		return one(), 1, err
	}
	num, atoiErr := strconv.Atoi(name[len(stem):])
	if atoiErr != nil || num > maxUnitPower || num == 0 {
		return one(), 1, fmt.Errorf("unit %q: the exponent of %q is out of range", p.text, stem)
	}
	if base, err = p.lookup(stem); err != nil {
		return one(), 1, err
	}
	return base, num, nil
}

func (p *unitParser) word() string {
	start := p.at
	for p.at < len(p.text) {
		r, size := utf8.DecodeRuneInString(p.text[p.at:])
		if !unicode.IsLetter(r) && !strings.ContainsRune("°%‰'\"′″_", r) && (r < '0' || r > '9') {
			break
		}
		p.at += size
	}
	return p.text[start:p.at]
}

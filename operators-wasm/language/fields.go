package language

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/svc-platform/svc/operators-wasm/units"
)

// maxName bounds symbols, ids and category names.
const maxName = 64

var categoryName = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)

// reserved are words that a range needs for itself.
var reserved = []string{"in", "inf"}

// variable reads: symbol : quantity [unit] "description" = default in [min, max]
func (r *reporter) variable(f *field) (Variable, bool) {
	v := Variable{Min: math.Inf(-1), Max: math.Inf(1), MinOpen: true, MaxOpen: true}
	s := newScanner(f)
	v.Pos = s.pos()
	v.Symbol = s.tok.text
	if !r.expect(s, 'i', "a symbol") || !r.symbolAllowed(&v) || !r.expect(s, ':', `":" and a quantity`) {
		return v, false
	}
	pos, name := s.pos(), s.tok.text
	if !r.expect(s, 'i', "a quantity") {
		return v, false
	}
	quantity, err := units.QuantityByName(name)
	if err != nil {
		r.add(pos, "", "%v", err)
		return v, false
	}
	v.Quantity = quantity
	if !r.variableUnit(s, &v) {
		return v, false
	}
	v.Description = trimQuotes(s.tok.text)
	if !r.expect(s, '"', `a description in "quotes"`) {
		return v, false
	}
	return v, r.variableOptions(s, &v)
}

// expect moves over a token of the kind or reports what is missing.
func (r *reporter) expect(s *scanner, kind byte, what string) bool {
	if s.tok.kind == kind {
		s.advance()
		return true
	}
	if s.tok.kind == 0 {
		r.add(s.pos(), "", "%s is missing at the end of the %s", what, s.key)
	} else {
		r.add(s.pos(), "", "%s is expected in the %s, not %q", what, s.key, s.tok.text)
	}
	return false
}

func trimQuotes(s string) string {
	if len(s) >= 2 {
		return s[1 : len(s)-1]
	}
	return s
}

func (r *reporter) symbolAllowed(v *Variable) bool {
	c, isConstant := units.ConstantBySymbol(v.Symbol)
	switch {
	case isConstant:
		r.add(v.Pos, "choose another symbol", "%s is the name of a constant (%s)", v.Symbol, c.Name)
	case functionByName(v.Symbol) != nil || slices.Contains(reserved, v.Symbol):
		r.add(v.Pos, "choose another symbol", "%s is a word of the language", v.Symbol)
	case len(v.Symbol) > maxName:
		r.add(v.Pos, "", "the symbol is longer than %d letters", maxName)
	default:
		return true
	}
	return false
}

func (r *reporter) variableUnit(s *scanner, v *Variable) bool {
	pos := s.pos()
	if s.tok.kind != '[' {
		return r.expect(s, '[', "a unit in [brackets]")
	}
	raw, ok := s.bracket()
	if !ok {
		r.add(pos, "", "the closing ] of the unit is missing")
		return false
	}
	unit, err := units.Parse(raw)
	if err != nil {
		r.add(pos, "", "%v", err)
		return false
	}
	accepted, err := v.Quantity.Accepts(unit)
	if err != nil {
		r.add(pos, "", "the unit [%s] does not measure %s: %v", raw, v.Quantity.Name, err)
		return false
	}
	v.Unit = accepted
	return true
}

// variableOptions reads "= default" and "in range" in either order.
func (r *reporter) variableOptions(s *scanner, v *Variable) bool {
	var defaultPos Position
	ranged := false
	for s.tok.kind != 0 {
		pos := s.pos()
		switch {
		case s.tok.kind == '=' && v.Default == nil && s.key == "input":
			s.advance()
			defaultPos = s.pos()
			value, ok := r.signedNumber(s, false)
			if !ok {
				return false
			}
			value = v.Unit.ToSI(value)
			v.Default = &value
		case s.tok.kind == 'i' && s.tok.text == "in" && !ranged:
			ranged = true
			s.advance()
			if !r.interval(s, v) {
				return false
			}
		default:
			r.add(pos, `write: symbol : quantity [unit] "description" = default in [min, max]`, "unexpected %q in the %s", s.tok.text, s.key)
			return false
		}
	}
	if v.Default != nil && !v.Contains(*v.Default) {
		r.add(defaultPos, "", "the default of %s is outside its range", v.Symbol)
		return false
	}
	return true
}

// interval reads (min, max] with a round bracket where the bound is outside.
func (r *reporter) interval(s *scanner, v *Variable) bool {
	pos := s.pos()
	v.MinOpen = s.tok.kind == '('
	if !v.MinOpen && s.tok.kind != '[' {
		return r.expect(s, '[', "a range such as [0, inf)")
	}
	s.advance()
	low, ok := r.signedNumber(s, true)
	if !ok || !r.expect(s, ',', "a comma") {
		return false
	}
	high, ok := r.signedNumber(s, true)
	if !ok {
		return false
	}
	v.MaxOpen = s.tok.kind == ')'
	if !v.MaxOpen && s.tok.kind != ']' {
		return r.expect(s, ']', "the closing ] or ) of the range")
	}
	s.advance()
	v.Min, v.Max = v.Unit.ToSI(low), v.Unit.ToSI(high)
	v.MinOpen, v.MaxOpen = v.MinOpen || math.IsInf(v.Min, 0), v.MaxOpen || math.IsInf(v.Max, 0)
	if v.Min > v.Max || (v.Min == v.Max && (v.MinOpen || v.MaxOpen)) {
		r.add(pos, "", "the range of %s is empty", v.Symbol)
		return false
	}
	return true
}

// signedNumber reads a number with its sign; "inf" where allowed.
func (r *reporter) signedNumber(s *scanner, infinite bool) (float64, bool) {
	sign := 1.0
	if s.accept('-') {
		sign = -1
	}
	tok, pos := s.tok, s.pos()
	if infinite && tok.kind == 'i' && tok.text == "inf" {
		s.advance()
		return math.Inf(int(sign)), true
	}
	if !r.expect(s, 'n', "a number") {
		return 0, false
	}
	value, ok := parseNumber(tok.text)
	if !ok {
		r.add(pos, "", "the number %s is out of range", tok.text)
	}
	return sign * value, ok
}

// parseNumber reads a literal; false if it overflows or vanishes in an f64.
func parseNumber(text string) (float64, bool) {
	value, err := strconv.ParseFloat(text, 64)
	digits, _, _ := strings.Cut(strings.ToLower(text), "e")
	return value, err == nil && (value != 0 || strings.Trim(digits, "0.") == "")
}

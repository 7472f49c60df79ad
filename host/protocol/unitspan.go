package protocol

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/svc-platform/svc/operators-wasm/units"
)

const maxUnitTokens = 16 // tokens of one unit expression

// unitAfter reads the unit that follows a number, and returns the token after
// it. Without a unit the given stays bare.
func (p *parser) unitAfter(i int, g *given) int {
	start := i
	if p.at(i).text == "-" && !p.at(i).spaced && !p.at(i+1).spaced && p.at(i+1).kind == wordToken {
		start++ // a 2-kg ball
	}
	if one := p.at(i); one.text == "1" && one.spaced && p.at(i+1).text == "/" && !p.at(i+1).spaced {
		start++ // 0.004 1/K
	}
	if unit, end := p.light(start); end > start {
		g.unit, g.count = unit, false
		return end
	}
	unit, end := p.unitAt(start, p.at(start).spaced)
	if end == start {
		unit, end = p.perUnit(start)
	}
	if end == start {
		g.unit, g.bare = units.Unit{Symbol: "1", Scale: 1}, true
		return i
	}
	g.unit, g.count = unit, false
	if unit.Symbol == "%" || unit.Symbol == "percent" {
		if light := p.lightEnd(p.skip(end, "of")); light > p.skip(end, "of") {
			g.unit = lightSpeed(unit.Scale)
			return light
		}
	}
	return end
}

// perUnit reads "electrons per cubic metre" after a number: a count per unit.
func (p *parser) perUnit(i int) (units.Unit, int) {
	t := p.at(i)
	if t.kind != wordToken || !t.spaced || !p.at(i+1).is("per") {
		return units.Unit{}, i
	}
	below, end := p.unitAt(i+2, true)
	if end == i+2 || below.Offset != 0 {
		return units.Unit{}, i
	}
	below.Dim, below.Scale, below.Angle = units.Dimension{}.Div(below.Dim), 1/below.Scale, -below.Angle
	below.Symbol = "1/(" + below.Symbol + ")"
	return below, end
}

// skip steps over one word if it is there.
func (p *parser) skip(i int, word string) int {
	if p.at(i).is(word) {
		return i + 1
	}
	return i
}

// light reads the speed of light as a unit: "0.8c", "0.8 times the speed of light".
func (p *parser) light(i int) (units.Unit, int) {
	if t := p.at(i); t.text == "c" && p.at(i+1).text != "=" && p.at(i+1).text != "/" && p.at(i+1).text != "^" {
		return lightSpeed(1), i + 1
	}
	if end := p.lightEnd(p.skip(i, "times")); end > p.skip(i, "times") {
		return lightSpeed(1), end
	}
	return units.Unit{}, i
}

// lightEnd is the token after "the speed of light" or "c", i if it is not there.
func (p *parser) lightEnd(i int) int {
	start := p.skip(i, "the")
	switch {
	case p.follows(start, "speed", "of", "light"), p.follows(start, "velocity", "of", "light"):
		return start + 3
	case p.follows(start, "light", "speed"):
		return start + 2
	case p.at(start).text == "c" && p.at(start+1).text != "=":
		return start + 1
	}
	return i
}

// lightSpeed is the speed of light times a factor, as a unit.
func lightSpeed(factor float64) units.Unit {
	c, _ := units.ConstantBySymbol("c")
	u := c.Unit
	u.Symbol, u.Scale = "c", factor*c.Value
	return u
}

// unitAt reads the longest unit that starts at token i, and returns i if none
// does. A unit that is not whole, as W/m K, is a problem.
func (p *parser) unitAt(i int, spaced bool) (units.Unit, int) {
	if t := p.at(i); t.kind != wordToken && t.text != "/" || spaced && p.plainWord(i) {
		return units.Unit{}, i
	}
	limit := p.unitLimit(i)
	for end := limit; end > i; end-- {
		text := p.span(i, end)
		if strings.HasPrefix(text, "/") {
			text = "1" + text
		}
		unit, err := p.parseUnit(text)
		if err != nil {
			continue
		}
		if end < limit {
			p.problem("the unit %q can be read in two ways: use parentheses, as in J/(kg K)", p.span(i, limit))
		}
		return unit, end
	}
	return units.Unit{}, i
}

// parseUnit adds to the units of the catalogue the masses and momenta that
// particle physics writes with c: MeV/c^2.
func (p *parser) parseUnit(text string) (units.Unit, error) {
	for power, suffix := range [...]string{"/c", "/c^2", "/c²"} {
		energy, found := strings.CutSuffix(text, suffix)
		if !found || !strings.HasSuffix(energy, "eV") {
			continue
		}
		unit, err := units.Parse(energy)
		if err != nil {
			return unit, err
		}
		for range min(power, 1) + 1 {
			c := lightSpeed(1)
			unit.Dim, unit.Scale = unit.Dim.Div(c.Dim), unit.Scale/c.Scale
		}
		unit.Symbol = text
		return unit, nil
	}
	return units.Parse(unitHyphens.ReplaceAllString(strings.ReplaceAll(text, " per ", "/"), "*$1"))
}

// unitHyphens finds a hyphen before a unit, as in newton-metres.
var unitHyphens = regexp.MustCompile(`-(\pL)`)

// unitLimit is the token after everything from i on that can belong to a unit.
func (p *parser) unitLimit(i int) int {
	end, open, last := i, 0, i // last: after the last token at which a unit may end
	for end < len(p.tokens) && end < i+maxUnitTokens {
		t, before := p.at(end), p.at(end-1)
		switch {
		case t.kind == wordToken && p.joinsUnit(i, end):
			last = end + 1
			if connector(t.lower()) {
				last = max(last-1, i)
			}
			if t.is("squared") || t.is("cubed") {
				last = end + 1
			}
		case t.kind == numberToken && (before.text == "^" || before.text == "-" || before.text == "(" && p.at(end-2).text == "^") && t.exact && end > i:
			last = end + 1
		case t.kind == markToken && end > i && strings.ContainsAny(t.text, "*/·⋅^") && p.continues(end):
		case t.kind == markToken && end == i && t.text == "/" && !p.at(end+1).spaced:
		case t.text == "(" && end > i && strings.ContainsAny(before.text, "*/·^"):
			open++
		case t.text == ")" && open > 0:
			open, last = open-1, end+1
		case t.text == "-" && end > i && (p.powerMinus(end) || p.unitHyphen(end)):
		case t.kind == markToken && end > i && strings.ContainsAny(t.text, raised) && !t.spaced:
			last = end + 1
		default:
			return last
		}
		end++
	}
	return last
}

// continues says that a sign between units is followed by a unit or an exponent.
func (p *parser) continues(i int) bool {
	next := p.at(i + 1)
	switch {
	case p.at(i).text == "^" || next.text == "(":
		return true
	case next.kind == wordToken:
		return p.isUnitWord(next.text) || next.text == "c"
	}
	return false
}

// powerMinus says that a minus belongs to an exponent: s-1, s^-1, s^(-1).
func (p *parser) powerMinus(i int) bool {
	before, next := p.at(i-1), p.at(i+1)
	if p.at(i).spaced || next.spaced || next.kind != numberToken || !next.exact {
		return false
	}
	return before.text == "^" || before.text == "(" || before.kind == wordToken && next.value < 10
}

// unitHyphen says that a hyphen joins two units: newton-metres.
func (p *parser) unitHyphen(i int) bool {
	next := p.at(i + 1)
	return !p.at(i).spaced && !next.spaced && next.kind == wordToken && p.isUnitWord(next.text) && p.at(i-1).kind == wordToken
}

// joinsUnit says that the word at i belongs to the unit that starts at first.
func (p *parser) joinsUnit(first, i int) bool {
	t, before := p.at(i), p.at(i-1)
	word := t.lower()
	switch {
	case p.at(i+1).text == "=":
		return false // the next assignment: "v = 3 m/s t = 2 s"
	case word == "per":
		return i > first && p.isUnitWord(p.at(i+1).text) || i > first && connector(p.at(i+1).lower())
	case word == "squared" || word == "cubed":
		return i > first && before.kind == wordToken
	case connector(word):
		return p.isUnitWord(p.at(i + 1).text)
	case t.text == "c":
		return before.text == "/" && strings.HasSuffix(p.at(i-2).text, "eV")
	case i == first || before.kind == markToken && !strings.ContainsAny(before.text, ")⁰¹²³⁴⁵⁶⁷⁸⁹") || connector(before.lower()):
		return p.isUnitWord(t.text)
	}
	return p.factorAfterSpace(before.lower(), t.text) && p.isUnitWord(t.text)
}

func connector(word string) bool {
	switch word {
	case "per", "square", "cubic", "sq", "squared", "cubed":
		return true
	}
	return false
}

// factorAfterSpace says that a word may be the next factor of a product that is
// written with a space: "N m", "pascal seconds". Everything else after a
// unit is a word of the sentence, even if a unit has its name (bar, stone, in).
func (p *parser) factorAfterSpace(before, word string) bool {
	stem := strings.TrimRight(word, "0123456789")
	switch strings.ToLower(stem) {
	case "meter", "metre", "meters", "metres", "seconds", "hour", "hours", "kelvin", "kelvins", "ampere", "amperes",
		"pounds", "kilogram", "kilograms", "celsius":
		return true
	case "second": // but "5 V second resistor" is a sentence
		return hasAnySuffix(before, "pascal", "newton", "joule", "watt", "volt", "ampere", "coulomb")
	}
	switch stem {
	case "m", "cm", "mm", "km", "nm", "s", "ms", "K", "mol", "kg", "g", "N", "Pa", "J", "W", "V", "C", "T", "A", "h",
		"rad", "Hz", "sr", "ohm", "Ω", "F", "H", "L":
		return true
	}
	return false
}

// isUnitWord says that a word is a unit by itself.
func (p *parser) isUnitWord(word string) bool {
	if word == "" || len(word) > 24 || utf8.RuneCountInString(word) > 20 {
		return false
	}
	if known, seen := p.unitWords[word]; seen {
		return known
	}
	_, err := units.Parse(word)
	p.unitWords[word] = err == nil
	return err == nil
}

// plainWord says that the word at i, standing after a number and a space, is a
// word of the sentence though a unit has its name.
func (p *parser) plainWord(i int) bool {
	switch t := p.at(i); t.text {
	case "a", "as", "at", "an", "are", "no", "on", "to", "is", "turns", "turn", "cup", "point", "points", "mil":
		return !p.at(i + 1).is("per")
	case "degrees", "degree":
		return p.follows(i+1, "of", "freedom")
	case "in":
		return !p.inches(i)
	}
	return false
}

// inches says that "in" after a number is the unit.
func (p *parser) inches(i int) bool {
	if before := p.at(i - 2); before.is("ft") || before.is("feet") || before.is("foot") || before.text == "'" {
		return true
	}
	next := p.at(i + 1)
	if next.kind == markToken {
		return true
	}
	switch next.lower() {
	case "diameter", "long", "wide", "tall", "high", "deep", "thick", "radius", "pipe", "of", "by", "and":
		return true
	}
	return false
}

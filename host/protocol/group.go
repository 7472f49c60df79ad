package protocol

import (
	"slices"

	"github.com/svc-platform/svc/operators-wasm/units"
)

// shareUnits hands the unit of the last of "10, 20 and 30 ohm" and of "from 5
// to 10 m/s" to those before it.
func (p *parser) shareUnits() {
	for i := len(p.givens) - 2; i >= 0; i-- {
		g, next := &p.givens[i], &p.givens[i+1]
		if !g.bare || next.bare || g.symbol != "" || next.symbol != "" || p.at(g.first).kind == wordToken {
			continue
		}
		if p.listed(g.end, next.first) || p.follows(g.end, "to") && g.end+1 == next.first && p.at(g.first-1).is("from") {
			g.unit, g.bare, g.count = next.unit, false, false
			g.text = g.text + " " + next.unit.Symbol
		}
	}
}

// listed says that nothing but commas and "and" stands between two tokens.
func (p *parser) listed(from, to int) bool {
	for i := from; i < to; i++ {
		if t := p.at(i); t.text != "," && t.text != "&" && !t.is("and") && !t.is("or") {
			return false
		}
	}
	return from < to
}

// compoundUnits are the pairs of units that are written one after the other
// and added: 6 ft 9 in, 2 h 30 min.
var compoundUnits = [...][2]string{
	{"ft", "in"},
	{"yd", "ft"},
	{"mi", "yd"},
	{"lb", "oz"},
	{"m", "cm"},
	{"km", "m"},
	{"m", "mm"},
	{"cm", "mm"},
	{"kg", "g"},
	{"h", "min"},
	{"min", "s"},
	{"h", "s"},
	{"d", "h"},
	{"yr", "d"},
	{"deg", "arcmin"},
	{"arcmin", "arcsec"},
}

// addCompounds adds up "6 ft 9 in" and "1 hour and 30 minutes".
func (p *parser) addCompounds() {
	merged := p.givens[:0]
	for _, g := range p.givens {
		if last := len(merged) - 1; last >= 0 && p.isCompound(merged[last], g) {
			whole := &merged[last]
			whole.value += g.value * g.unit.Scale / whole.unit.Scale
			whole.end, whole.digits = g.end, max(whole.digits, g.digits)
			whole.text = p.span(whole.first, whole.end)
			p.take(whole.first, whole.end)
			continue
		}
		merged = append(merged, g)
	}
	p.givens = merged
}

func (p *parser) isCompound(whole, part given) bool {
	if whole.bare || part.bare || part.symbol != "" || part.value < 0 || whole.unit.Dim != part.unit.Dim {
		return false
	}
	byAnd := whole.end+1 == part.first && p.at(whole.end).is("and") && sameUnit(part.unit, "min", "s", "h")
	if whole.end != part.first && !byAnd {
		return false
	}
	for _, pair := range compoundUnits {
		if sameUnit(part.unit, pair[1]) && (sameUnit(whole.unit, pair[0]) || endsIn(p, whole, pair[0])) {
			return true
		}
	}
	return false
}

// endsIn says that the last unit of a compound so far is the one named.
func endsIn(p *parser, whole given, name string) bool {
	last := p.at(whole.end - 1)
	if last.kind != wordToken {
		return false
	}
	unit, err := units.Parse(last.text)
	return err == nil && sameUnit(unit, name)
}

// sameUnit says that a unit is one of those named, whatever its spelling.
func sameUnit(u units.Unit, names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		named, err := units.Parse(name)
		return err == nil && named.Dim == u.Dim && named.Scale == u.Scale && named.Angle == u.Angle
	})
}

// maxRepeat bounds how often "eight 10 ohm resistors" repeats a quantity.
const maxRepeat = 8

// repeatCounted understands counts of things: "two 10 ohm resistors" states
// 10 ohm twice, and "two resistors of 10 ohm and 20 ohm" states two values. A
// count that is not explained stays a given, which some input must take up.
func (p *parser) repeatCounted() {
	var result []given
	for i := 0; i < len(p.givens); i++ {
		g := p.givens[i]
		if !p.counts(g) || i+1 == len(p.givens) {
			result = append(result, g)
			continue
		}
		n, next := int(g.value), p.givens[i+1]
		switch {
		case next.bare || next.symbol != "":
			result = append(result, g)
		case p.alike(g.end, next.first) || p.at(next.end).is("each") || p.at(next.end+1).is("each"):
			for range n {
				result = append(result, next)
			}
			i++
		case p.statesTimes(n, i+1):
		default:
			result = append(result, g)
		}
	}
	p.givens = result
}

func (p *parser) counts(g given) bool {
	return g.count && g.bare && g.symbol == "" && g.value >= 2 && g.value <= maxRepeat
}

// alike says that between two tokens stand only words such as "identical".
func (p *parser) alike(from, to int) bool {
	for i := from; i < to; i++ {
		switch p.at(i).lower() {
		case "identical", "equal", "similar", "same", "separate":
		default:
			return false
		}
	}
	return p.at(to).spaced
}

// statesTimes says that some kind of quantity is stated n times from given i on.
func (p *parser) statesTimes(n, i int) bool {
	return slices.ContainsFunc(p.givens[i:], func(first given) bool {
		alike := 0
		for _, g := range p.givens[i:] {
			if !g.bare && g.unit.Dim == first.unit.Dim {
				alike++
			}
		}
		return alike == n && !first.bare
	})
}

package protocol

import (
	"math"
	"strings"

	"github.com/svc-platform/svc/operators-wasm/units"
)

// readGivens finds every number of the query with its unit.
func (p *parser) readGivens() {
	for i := 0; i < len(p.tokens) && len(p.givens) <= maxQuantities; {
		if next := p.skipPrecision(i); next > i {
			i = next
			continue
		}
		g, end := p.quantityAt(i)
		if end == i {
			p.checkSign(i)
			i++
			continue
		}
		if g.end > g.first { // else it only looked like a quantity: "one of them", "2nd"
			p.givens = append(p.givens, g)
			p.take(g.first, g.end)
		}
		i = end
	}
}

// checkSign notes signs that change what a number means and that are not read.
func (p *parser) checkSign(i int) {
	t := p.at(i)
	if t.kind == markToken && (t.text == "±" || p.follows(i, "+", "/", "-")) {
		p.problem("a value with a tolerance (±) is not read: give the value alone")
	}
}

// skipPrecision steps over "to 3 significant figures" and its like.
func (p *parser) skipPrecision(i int) int {
	n := p.at(i)
	if n.kind != numberToken && spelled(n.lower()) < 0 {
		return i
	}
	next := i + 1
	if p.at(next).text == "-" {
		next++
	}
	switch p.at(next).lower() {
	case "significant", "sig", "decimal", "decimals", "digits", "sf", "dp":
		p.take(i, next+1)
		return next + 1
	}
	return i
}

// quantityAt reads the quantity that starts at token i. It returns end == i if
// none does, and an empty given if the tokens should be stepped over.
func (p *parser) quantityAt(i int) (given, int) {
	start, negative := i, false
	if t := p.at(i); t.text == "-" && p.at(i+1).kind == numberToken && !p.at(i+1).spaced && p.opensNumber(i) {
		i, negative = i+1, true
	}
	g := given{first: start}
	end := p.numberAt(i, &g)
	if end == i {
		return given{}, start
	}
	if negative {
		g.value, g.count = -g.value, false
	}
	if p.ordinal(end) {
		return given{}, end + 1
	}
	end = p.unitAfter(end, &g)
	g.end = end
	if g.bare && g.value == 1 && p.at(start).kind == wordToken && p.at(start-1).text != "=" {
		return given{}, end // "one": a pronoun or an article
	}
	p.readSymbol(start, &g)
	p.checkNeighbours(start, end)
	g.text = p.span(start, end)
	if math.IsInf(g.value, 0) || math.IsNaN(g.value) {
		p.problem("%q is too large a number", g.text)
		g.value = 0
	}
	return g, end
}

// opensNumber says that a minus at i is a sign and not a dash between words.
func (p *parser) opensNumber(i int) bool {
	before := p.at(i - 1)
	return p.at(i).spaced || i == 0 || before.kind == markToken && strings.ContainsAny(before.text, "(=,:;")
}

// ordinal says that the letters glued to a number make a word of it: 2nd, 3D.
func (p *parser) ordinal(i int) bool {
	t := p.at(i)
	if t.kind != wordToken || t.spaced {
		return false
	}
	switch t.lower() {
	case "st", "nd", "rd", "th", "d":
		return t.text != "d"
	}
	return false
}

// readSymbol reads the left side of "m = 2 kg". A long word is a name and
// stays for the labels.
func (p *parser) readSymbol(first int, g *given) {
	name := p.at(first - 2)
	if p.at(first-1).text != "=" || name.kind != wordToken {
		return
	}
	if p.index.isQuantityWord(stem(name.text)) && len(name.text) > 2 {
		return
	}
	g.symbol, g.count = name.text, false
	p.take(first-2, first)
	if before := p.at(first - 3); before.is("delta") || before.text == "Δ" {
		g.difference = true
		p.take(first-3, first-2)
	}
	if strings.HasPrefix(g.symbol, "Δ") || strings.HasPrefix(g.symbol, "delta_") {
		g.difference = true
	}
}

// checkNeighbours notes arithmetic and ranges around a quantity, which would
// give it another value.
func (p *parser) checkNeighbours(first, end int) {
	next, after := p.at(end), p.at(end+1)
	switch {
	case next.kind == wordToken && !next.spaced:
		p.problem("%q is not a unit that is known", next.text)
	case next.kind == numberToken && !next.spaced:
		p.problem("%q can be read in two ways", p.span(first, end+1))
	case strings.ContainsAny(next.text, "*×·⋅^/+") && next.kind == markToken, next.is("x") && after.kind == numberToken:
		p.problem("arithmetic such as %q is not read: give each quantity by itself", p.span(first, min(end+2, len(p.tokens))))
	case next.text == "-" && !next.spaced && after.kind == numberToken:
		p.problem("%q looks like a range: give one value", p.span(first, min(end+2, len(p.tokens))))
	case next.is("per") && !p.taken[min(end, len(p.taken)-1)]:
		p.problem("a quantity per %q is not read: give it in a unit", after.text)
	}
	if before := p.at(first - 1); before.kind == markToken && strings.ContainsAny(before.text, "*×·⋅^/<>≤≥√") {
		p.problem("arithmetic such as %q is not read: give each quantity by itself", p.span(first-1, end))
	}
	if t := p.at(first); t.kind == numberToken && t.problem != "" {
		p.problem("%q: %s", t.text, t.problem)
	}
}

// numberAt reads a number in figures or in words, with what multiplies it:
// "2 million", "2π", "half a", "π/4".
func (p *parser) numberAt(i int, g *given) int {
	end := i + 1
	switch t := p.at(i); {
	case t.kind == numberToken:
		g.value, g.digits, g.count = t.value, t.digits, t.exact
		if t.problem != "" {
			p.problem("%q: %s", t.text, t.problem)
		}
	case isPi(t) && (p.at(i+1).text == "/" || p.isUnit(i+1, "rad") || p.at(i-1).text == "="):
		g.value, g.digits = 1, 15
		return p.timesPi(i, g)
	case t.is("half") || t.is("quarter"):
		return p.part(i, g)
	default:
		if end = p.spelledAt(i, g); end == i {
			return i
		}
	}
	for ; scaleWord(p.at(end).lower()) > 0 && p.at(end).kind == wordToken; end++ {
		g.value *= scaleWord(p.at(end).lower())
		g.count = false
	}
	if isPi(p.at(end)) {
		return p.timesPi(end, g)
	}
	return end
}

func isPi(t token) bool { return t.kind == wordToken && (t.text == "π" || t.is("pi")) }

// timesPi multiplies by π at i and divides by a number that follows.
func (p *parser) timesPi(i int, g *given) int {
	g.value, g.count = g.value*math.Pi, false
	if under := p.at(i + 2); p.at(i+1).text == "/" && under.kind == numberToken && under.value != 0 {
		g.value /= under.value
		return i + 3
	}
	return i + 1
}

// part reads "half a" before a unit and "half the" before the speed of light.
func (p *parser) part(i int, g *given) int {
	g.value, g.digits = 0.5, 15
	if p.at(i).is("quarter") {
		g.value = 0.25
	}
	end := i + 1
	for p.at(end).is("a") || p.at(end).is("an") || p.at(end).is("of") {
		end++
	}
	if p.lightEnd(end) > end || end > i+1 && p.isUnitWord(p.at(end).text) {
		return end
	}
	return i
}

// isUnit says that the token is a unit with the same dimension and angle as
// the one named.
func (p *parser) isUnit(i int, name string) bool {
	t := p.at(i)
	if t.kind != wordToken {
		return false
	}
	got, err := units.Parse(t.text)
	want, wantErr := units.Parse(name)
	return err == nil && wantErr == nil && got.Dim == want.Dim && got.Angle == want.Angle
}

package protocol

import (
	"slices"
	"strings"

	"github.com/svc-platform/svc/operators-wasm/units"
)

const maxName = 12 // tokens of the name of what is asked

// readWanted finds the unit that the answer shall have: "in km/h".
func (p *parser) readWanted() {
	for i, t := range p.tokens {
		asksUnit := t.is("in") || t.is("to") && p.at(i-1).is("converted")
		if p.taken[i] || !asksUnit {
			continue
		}
		next := p.at(i + 1)
		if next.kind != wordToken || p.taken[i+1] || isArticle(next.lower()) {
			continue
		}
		unit, end := p.unitAt(i+1, true)
		if end == i+1 && next.text == "c" {
			unit, end = lightSpeed(1), i+2
		}
		if end == i+1 || !p.endsClause(end) {
			continue
		}
		if p.wanted != nil && *p.wanted != unit {
			p.problem("the answer is asked for in two units: %s and %s", p.wanted.Symbol, unit.Symbol)
		}
		p.wanted = &unit
		p.take(i, end)
	}
}

// endsClause says that no noun follows which the words before would belong to.
func (p *parser) endsClause(i int) bool {
	t := p.at(i)
	return t.kind != wordToken || i < len(p.taken) && p.taken[i] || endsPhrase(t.lower())
}

// phrase is what follows one word that asks.
type phrase struct {
	asked
	first, end int
	name       int // token after the core
}

// readAsked finds what the question asks for.
func (p *parser) readAsked() {
	if p.readAskedSymbol() {
		return
	}
	var found []phrase
	for i := 0; i < len(p.tokens); i++ {
		ph, ok := p.phraseAt(i)
		if !ok || !ph.known() {
			continue
		}
		found = append(found, ph)
		i = max(i, ph.end-1)
	}
	found = slices.CompactFunc(found, func(a, b phrase) bool { return slices.Equal(a.core, b.core) && slices.Equal(a.kinds, b.kinds) })
	if len(found) == 0 {
		found = p.bareRequest()
	}
	switch recognised := slices.DeleteFunc(slices.Clone(found), func(ph phrase) bool { return len(ph.kinds) == 0 && ph.unit == nil }); {
	case len(recognised) > 1:
		p.problem("more than one quantity is asked for (%s, %s): ask for one at a time", recognised[0].text, recognised[1].text)
	case len(recognised) == 1:
		p.asked = recognised[0].asked
		p.checkSecond(recognised[0])
	case len(found) > 0:
		p.asked = found[len(found)-1].asked
	}
	if p.asked.unit != nil && p.wanted == nil {
		p.wanted = p.asked.unit
	}
}

// readAskedSymbol reads "v = ?" and "solve for v".
func (p *parser) readAskedSymbol() bool {
	for i, t := range p.tokens {
		if t.kind != wordToken || p.taken[i] {
			continue
		}
		isTarget := p.at(i+1).text == "=" && (p.at(i+2).text == "?" || i+2 == len(p.tokens))
		if p.follows(i-2, "solve", "for") || p.at(i-1).is("find") && p.isSymbol(t) && p.endsClause(i+1) {
			isTarget = p.isSymbol(t)
		}
		if isTarget {
			p.asked.symbol, p.asked.text = t.text, t.text
			p.take(i, i+1)
			return true
		}
	}
	return false
}

// isSymbol says that a word looks like a symbol and not like a name.
func (p *parser) isSymbol(t token) bool {
	return len(greek.Replace(t.text)) <= 2 && !isFiller(stem(t.text)) || strings.ContainsAny(t.text, "_0123456789")
}

// phraseAt reads the phrase after a word that asks, if token i is one.
func (p *parser) phraseAt(i int) (phrase, bool) {
	t := p.at(i)
	if t.kind != wordToken || p.taken[i] {
		return phrase{}, false
	}
	switch word := t.lower(); word {
	case "what", "which", "whats", "what's":
		next := i + 1
		for isVerb(p.at(next).lower()) {
			next++
		}
		return p.namePhrase(next), true
	case "how":
		return p.howPhrase(i + 1), true
	case "find", "calculate", "compute", "determine", "give", "estimate", "evaluate", "derive", "tell", "obtain":
		next := i + 1
		if p.at(next).is("me") || p.at(next).is("out") {
			next++
		}
		if asks(p.at(next).lower()) {
			return phrase{}, false
		}
		return p.namePhrase(next), true
	case "work":
		if p.at(i+1).is("out") && !asks(p.at(i+2).lower()) {
			return p.namePhrase(i + 2), true
		}
	}
	return phrase{}, false
}

func asks(word string) bool { return word == "how" || word == "what" || word == "which" }

func isVerb(word string) bool {
	switch word {
	case "is", "are", "was", "were", "will", "would", "be", "should", "must", "can", "does", "do", "has", "s":
		return true
	}
	return false
}

// howPhrase reads what follows "how": an adjective, "much" with a name, or
// "many" with a unit or a name.
func (p *parser) howPhrase(i int) phrase {
	ph := phrase{first: i, end: i + 1}
	ph.text = p.span(i-1, min(i+1, len(p.tokens)))
	verb := isVerb(p.at(i + 1).lower())
	switch p.at(i).lower() {
	case "fast", "quick", "quickly":
		ph.kinds, ph.hints = []string{"velocity"}, []string{"speed"}
	case "far":
		ph.kinds, ph.hints = []string{"length"}, []string{"distance", "displacement", "position"}
	case "long":
		ph.kinds, ph.hints = []string{"time"}, []string{"time"}
		if p.at(i+1).is("is") || p.at(i+1).is("are") || p.at(i+1).is("was") {
			ph.kinds = []string{"length", "time"}
		}
	case "high", "tall", "deep", "wide", "thick":
		ph.kinds, ph.hints = []string{"length"}, []string{"height"}
		if name := p.namePhrase(p.afterVerb(i + 1)); verb && len(name.kinds) > 0 {
			return name
		}
	case "hot", "cold", "warm":
		ph.kinds, ph.hints = []string{"temperature"}, []string{"temperature"}
	case "heavy", "massive":
		ph.kinds, ph.hints = []string{"mass"}, []string{"mass"}
	case "often":
		ph.kinds = []string{"frequency"}
	case "large", "big", "great", "small", "strong", "low", "intense":
		return p.namePhrase(p.afterVerb(i + 1))
	case "much":
		return p.namePhrase(i + 1)
	case "many":
		if unit, end := p.unitAt(i+1, true); end > i+1 {
			ph.unit, ph.end = &unit, end
			ph.text = p.span(i-1, end)
			p.take(i+1, end)
			return ph
		}
		return p.namePhrase(i + 1)
	default:
		ph.text = ""
		return ph
	}
	p.take(i-1, i+1) // "fast" is no word about the thing
	return ph
}

func (p *parser) afterVerb(i int) int {
	for isVerb(p.at(i).lower()) {
		i++
	}
	return i
}

// namePhrase reads a name from token i on: its core up to "of" or the end of
// the phrase, and the owner after "of".
func (p *parser) namePhrase(i int) phrase {
	for isArticle(p.at(i).lower()) {
		i++
	}
	end := p.nameEnd(i)
	ph := phrase{first: i, name: end}
	for _, s := range p.stemsOf(i, end) {
		if !isEmptyHead(s) {
			ph.core = append(ph.core, s)
		}
	}
	textEnd := end
	for len(ph.owner) < maxName && (p.at(end).is("of") || p.at(end).is("in") && len(ph.core) > 0 && isSpread(ph.core[len(ph.core)-1])) {
		next := end + 1
		for isArticle(p.at(next).lower()) || p.at(next).is("one") {
			next++
		}
		ownerEnd := min(p.nameEnd(next), next+labelAfter)
		if len(ph.core) == 0 {
			ph.core = p.stemsOf(next, ownerEnd)
		} else {
			ph.owner = append(ph.owner, p.stemsOf(next, ownerEnd)...)
		}
		if ownerEnd == next {
			break
		}
		end, textEnd = ownerEnd, ownerEnd
	}
	ph.end = max(end, i+1)
	ph.text = p.span(i, min(textEnd, len(p.tokens)))
	ph.kinds = p.index.kindsOf(ph.core, ph.owner)
	return ph
}

func (p *parser) nameEnd(i int) int {
	for limit := min(i+maxName, len(p.tokens)); i < limit; i++ {
		t := p.tokens[i]
		if t.text == "-" && !t.spaced {
			continue
		}
		if t.kind != wordToken || p.taken[i] || endsPhrase(t.lower()) {
			break
		}
	}
	return i
}

func (p *parser) stemsOf(first, end int) []string {
	var result []string
	for i := first; i < end && i < len(p.tokens); i++ {
		if s := stem(p.tokens[i].text); p.tokens[i].kind == wordToken && !isFiller(s) {
			result = append(result, s)
		}
	}
	return result
}

// bareRequest reads a question without a word that asks: the name it starts
// with ("kinetic energy of …"), or the last name that belongs to no quantity
// ("2 kg at 3 m/s, kinetic energy?").
func (p *parser) bareRequest() []phrase {
	if ph := p.namePhrase(0); len(ph.core) > 0 && !p.labelsGiven(ph) && (len(ph.kinds) > 0 || p.index.namesAnswer(ph.core)) {
		return []phrase{ph}
	}
	for i := len(p.tokens) - 1; i > max(0, len(p.tokens)-maxName) && !p.taken[i]; i-- {
		before := p.tokens[i-1]
		if before.kind != markToken && !p.taken[i-1] {
			continue
		}
		if ph := p.namePhrase(i); len(ph.core) > 0 && (len(ph.kinds) > 0 || p.index.isName(ph.core)) {
			return []phrase{ph}
		}
	}
	if ph := p.namePhrase(0); len(ph.core) > 1 && p.index.namesAnswer(ph.core) {
		return []phrase{ph} // "parallel resistance of 10 ohm and 20 ohm"
	}
	return nil
}

// labelsGiven says that a name belongs to a quantity that follows it, "mass of
// 2 kg", and asks for nothing. In "energy of 2 kg" it asks.
func (p *parser) labelsGiven(ph phrase) bool {
	at := ph.name
	for isLink(p.at(at)) {
		at++
	}
	return slices.ContainsFunc(p.givens, func(g given) bool {
		return g.first == at && g.implied == "" && slices.ContainsFunc(ph.kinds, func(kind string) bool {
			q, err := units.QuantityByName(kind)
			return err == nil && q.Unit.Dim == g.unit.Dim
		})
	})
}

// checkSecond refuses "velocity and position": one answer is one quantity.
func (p *parser) checkSecond(ph phrase) {
	at := p.nameEnd(ph.first)
	if !p.at(at).is("and") && p.at(at).text != "," {
		return
	}
	second := p.namePhrase(at + 1)
	if len(second.kinds) > 0 && !p.labelsGiven(second) && !p.at(at).is(",") {
		p.problem("more than one quantity is asked for (%s and %s): ask for one at a time", ph.text, second.text)
	}
}

// unitSymbolOf is the symbol for a message.
func unitSymbolOf(u units.Unit) string {
	if u.Symbol == "" || u.Symbol == "1" {
		return "no unit"
	}
	return u.Symbol
}

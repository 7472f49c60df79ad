package protocol

import (
	"slices"

	"github.com/svc-platform/svc/operators-wasm/units"
)

const (
	labelBefore = 4 // words before a quantity that may name it
	labelAfter  = 3 // words after it
)

// readLabels finds the words that name each given: "mass of 2 kg", "2 kg
// mass", and those that stand near it: "starting at 5 m/s".
func (p *parser) readLabels() {
	claimed := make([]bool, len(p.tokens))
	for i := range p.givens {
		g := &p.givens[i]
		p.labelFromLeft(g, claimed)
		if i > 0 && len(g.label) == 0 && p.listed(p.givens[i-1].end, g.first) && g.unit.Dim == p.givens[i-1].unit.Dim {
			g.label, g.context = p.givens[i-1].label, p.givens[i-1].context
		}
	}
	for i := range p.givens {
		p.labelFromRight(&p.givens[i], claimed)
	}
	for i := range p.givens {
		p.assignRole(i)
	}
}

// labelFromLeft walks back from a given over "of", "is" and articles to the
// words that name it. A preposition turns names into mere neighbours.
func (p *parser) labelFromLeft(g *given, claimed []bool) {
	i := g.first - 1
	if g.symbol != "" {
		i -= 2
	}
	linked, article := false, false
	for ; i >= 0 && !p.taken[i] && g.symbol == ""; i-- {
		t := p.at(i)
		if isArticle(t.lower()) {
			article = true
		} else if !isLink(t) {
			break
		} else if !isHedge(t.lower()) {
			linked, article = true, false
		}
	}
	if i >= 0 && isPreposition(p.at(i).lower()) && !p.taken[i] {
		g.lead = p.at(i).lower()
		g.context = p.wordsBack(i-1, 2, nil)
		return
	}
	if article && !linked {
		g.context = p.wordsBack(i, 2, nil)
		return
	}
	g.label = p.wordsBack(i, labelBefore, claimed)
	if head := p.headBefore(i-len(g.label), g); len(head) > 0 {
		g.label = append(head, g.label...)
	}
	if linked || len(g.label) > 0 {
		before := i - len(g.label)
		for isArticle(p.at(before).lower()) {
			before--
		}
		if isPreposition(p.at(before).lower()) {
			g.lead = p.at(before).lower()
		}
	}
}

// headBefore reads the name in "radius of the sphere 2 cm", where i is the
// token before "sphere". It has to be a quantity of the value's dimension.
func (p *parser) headBefore(i int, g *given) []string {
	for isArticle(p.at(i).lower()) {
		i--
	}
	if !p.at(i).is("of") {
		return nil
	}
	head := p.wordsBack(i-1, labelBefore, nil)
	for start := range head {
		for _, kind := range p.index.exactKinds(head[start:]) {
			if q, err := units.QuantityByName(kind); err == nil && q.Unit.Dim == g.unit.Dim {
				return head
			}
		}
	}
	return nil
}

// wordsBack collects up to n stems that end at token i, nearest last, and
// stops at whatever ends a phrase.
func (p *parser) wordsBack(i, n int, claimed []bool) []string {
	var found []string
	for ; i >= 0 && n > 0; i, n = i-1, n-1 {
		t := p.at(i)
		if t.text == "-" && !t.spaced {
			continue
		}
		if t.kind != wordToken || p.taken[i] || endsPhrase(t.lower()) {
			break
		}
		found = append(found, stem(t.text))
		if claimed != nil {
			claimed[i] = true
		}
	}
	slices.Reverse(found)
	return found
}

// labelFromRight adds the words directly after a given that no other given
// claims: "2 kg ball", "20 m high", "5 m/s initial speed".
func (p *parser) labelFromRight(g *given, claimed []bool) {
	for i, n := g.end, labelAfter; i < len(p.tokens) && n > 0; i, n = i+1, n-1 {
		t := p.at(i)
		if t.text == "-" && !t.spaced {
			continue
		}
		if t.kind != wordToken || p.taken[i] || claimed[i] || endsPhrase(t.lower()) {
			return
		}
		g.label = append(g.label, stem(t.text))
	}
}

// assignRole tells the state before from the state after: "from 5 m/s to
// 10 m/s", "reaches 20 m/s", "initial speed".
func (p *parser) assignRole(i int) {
	g := &p.givens[i]
	near := append(slices.Clone(g.label), g.context...)
	before := g.lead
	if before == "" {
		before = p.at(g.first - 1).lower()
	}
	switch {
	case slices.Contains(near, "initial") || slices.Contains(near, "initially"):
		g.role = initialRole
	case slices.Contains(near, "final") || slices.ContainsFunc(near, isReaching) || before == "to" || before == "until":
		g.role = finalRole
	case before == "from" && i+1 < len(p.givens) && p.givens[i+1].lead == "to":
		g.role = initialRole
	case i > 0 && len(near) == 0 && p.listed(p.givens[i-1].end, g.first) && p.givens[i-1].unit.Dim != g.unit.Dim:
		g.role = p.givens[i-1].role
	}
	if slices.ContainsFunc(near, isChange) || before == "by" && g.unit.Dim == kelvin().Dim {
		g.difference = true
	}
}

func kelvin() units.Unit {
	q, _ := units.QuantityByName("temperature")
	return q.Unit
}

func isArticle(word string) bool {
	switch word {
	case "a", "an", "the", "its", "their", "this", "that", "his", "her", "my", "our", "each":
		return true
	}
	return false
}

// isLink says that a token joins a name to its value: "mass of", "mass =".
func isLink(t token) bool {
	switch t.lower() {
	case "of", "is", "are", "was", "were", "be", "being", "=", ":", "equals", "equal", "≈", "~":
		return true
	}
	return isHedge(t.lower())
}

// isHedge says that a word stands between a name and its value, or between an
// article and a value, and says nothing.
func isHedge(word string) bool {
	switch word {
	case "about", "approximately", "roughly", "around", "nearly", "exactly", "just", "only", "additional", "constant", "(", "≈", "~":
		return true
	}
	return false
}

func isPreposition(word string) bool {
	switch word {
	case "at", "with", "from", "to", "by", "for", "in", "on", "through", "across", "over", "after", "under", "within",
		"into", "between", "during", "above", "below", "until", "via", "along", "off", "onto", "against", "around", "upon":
		return true
	}
	return false
}

// endsPhrase says that a word cannot be inside a name.
func endsPhrase(word string) bool {
	switch word {
	case "of", "and", "or", "if", "when", "where", "which", "that", "what", "how", "is", "are", "was", "were", "has", "have",
		"had", "having", "does", "do", "did", "be", "will", "would", "then", "than", "but", "so", "find", "calculate",
		"given", "while", "as", "it", "per", "can", "must", "should", "s":
		return true
	}
	return isArticle(word) || isPreposition(word)
}

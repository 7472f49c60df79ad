package protocol

import (
	"math"
	"slices"
	"strings"

	"github.com/svc-platform/svc/operators-wasm/language"
	"github.com/svc-platform/svc/operators-wasm/units"
)

// isConstant recognises a constant that the equation has built in and that the
// question states anyway: "c = 3e8 m/s".
func (s *search) isConstant(g *given) bool {
	for _, c := range s.entry.used {
		if g.bare || c.Unit.Dim != g.unit.Dim || math.Abs(g.si()-c.Value) > 0.01*math.Abs(c.Value) {
			continue
		}
		symbol := strings.ReplaceAll(c.Symbol, "_", "")
		if strings.EqualFold(strings.ReplaceAll(g.symbol, "_", ""), symbol) && g.symbol != "" || containsAll(contentStems(c.Name), g.label) && len(g.label) > 0 {
			return true
		}
	}
	return false
}

// si is the given value in its coherent SI unit.
func (g *given) si() float64 { return g.unit.ToSI(g.value) }

// fit says whether input j may take given i, with which value, and how well
// the words agree.
func (s *search) fit(i, j int) fit {
	g, in, words := &s.ranked.givens[i], &s.entry.op.Inputs[j], &s.entry.inputs[j]
	unit, err := in.Quantity.Accepts(g.unit)
	if err != nil || unit.Angle != in.Quantity.Unit.Angle || !sameScale(g, &in.Quantity) {
		return fit{}
	}
	if g.implied != "" {
		return fitImplied(g, in, words, unit)
	}
	named := s.nameScore(i, in, words)
	if named < 0 || g.bare && named == 0 {
		return fit{} // a number without a unit needs a name
	}
	f := fit{value: unit.ToSI(g.value), score: named, ok: true, symbol: named >= ownSymbol}
	if g.role != noRole && words.role != noRole && !f.symbol {
		if g.role != words.role {
			return fit{}
		}
		f.score += 3
	}
	if in.Quantity.Name == "acceleration" && s.ranked.slows && g.value > 0 && !words.words["deceleration"] && !words.words["brake"] {
		if words.words["gravitational"] || in.Min >= 0 {
			return fit{}
		}
		f.value = -math.Abs(f.value)
	}
	return f
}

// fitImplied binds "from rest" to the speed before, "to a stop" to the speed
// after, the mass of an electron to the mass of a particle, and nothing else.
func fitImplied(g *given, in *language.Variable, words *inputWords, unit units.Unit) fit {
	f := fit{value: unit.ToSI(g.value), score: clearMargin, ok: true}
	if g.kind != "" {
		named := words.words["particl"] || words.words["rest"] || words.words["body"] || in.Quantity.Name == "charge"
		f.ok = in.Quantity.Name == g.kind && named
		return f
	}
	f.ok = g.role == words.role
	return f
}

// sameScale keeps apart what shares a dimension: a temperature and a
// difference of temperatures, energy in joule and torque.
func sameScale(g *given, q *units.Quantity) bool {
	switch q.Name {
	case "temperature":
		return !g.difference
	case "temperature_difference":
		return g.difference || g.unit.Offset == 0 && g.implied == ""
	case "torque":
		return !hasAnySuffix(g.unit.Symbol, "J", "joule", "joules", "eV", "cal", "Wh")
	case "frequency":
		return !hasAnySuffix(g.unit.Symbol, "Bq")
	case "activity":
		return !hasAnySuffix(g.unit.Symbol, "Hz")
	}
	return true
}

// nameScore compares the words and the symbol of a given with an input, -1 if
// they name different things.
func (s *search) nameScore(i int, in *language.Variable, words *inputWords) float64 {
	g, score := &s.ranked.givens[i], 0.0
	if g.symbol != "" {
		if score = s.symbolScore(g.symbol, in); score < 0 || score >= ownSymbol {
			return score
		}
	}
	kinds := s.ranked.kinds[i]
	shared := 0
	for _, word := range g.label {
		switch {
		case words.words[word] && !isFiller(word):
			shared++
			score += 2
		case isOrdinal(word) && slices.ContainsFunc(ordinals[:], func(other string) bool { return other != word && words.words[other] }):
			return -1
		case isDistinct(word) && (!s.entry.vocab[word] || s.otherInputHas(word, in)):
			return -1
		}
	}
	for _, word := range g.context {
		if words.words[word] && !isFiller(word) {
			score++
		}
	}
	if len(kinds) > 0 && shared == 0 && !slices.Contains(kinds, in.Quantity.Name) {
		return -1
	}
	if slices.Contains(kinds, in.Quantity.Name) {
		score++
	}
	if g.symbol == "" || score == 0 {
		for _, noun := range words.strict {
			if !s.named(noun, g) {
				return -1
			}
		}
	}
	return score
}

// otherInputHas says that a word names another input of the operator.
func (s *search) otherInputHas(word string, in *language.Variable) bool {
	for j := range s.entry.op.Inputs {
		if other := &s.entry.op.Inputs[j]; other != in && s.entry.inputs[j].words[word] && other.Quantity.Unit.Dim == in.Quantity.Unit.Dim {
			return true
		}
	}
	return false
}

// named says that a question uses a noun for a given, or a word that implies it.
func (s *search) named(noun string, g *given) bool {
	if slices.Contains(g.label, noun) || slices.Contains(g.context, noun) {
		return true
	}
	if noun == "wavelength" {
		return slices.ContainsFunc([]string{"photon", "light", "laser", "radiation", "ray"}, func(w string) bool { return s.ranked.said[w] })
	}
	return noun == "radius" && (s.ranked.said["circl"] || s.ranked.said["circular"]) && !slices.Contains(g.label, "diameter")
}

// containsRun says that run stands in list without a gap.
func containsRun(list, run []string) bool {
	for i := 0; i+len(run) <= len(list); i++ {
		if slices.Equal(list[i:i+len(run)], run) {
			return true
		}
	}
	return false
}

// symbolScore compares the symbol of an assignment with an input's: the same
// is certain, the same letter likely, and the symbol of another variable of
// the operator is a contradiction.
func (s *search) symbolScore(symbol string, in *language.Variable) float64 {
	op := s.entry.op
	own := plainSymbol(symbol)
	if own == plainSymbol(in.Symbol) {
		return ownSymbol
	}
	if own == plainSymbol(op.Output.Symbol) {
		return -1
	}
	for i := range op.Inputs {
		if own == plainSymbol(op.Inputs[i].Symbol) {
			return -1
		}
	}
	if baseLetter(own) == baseLetter(plainSymbol(in.Symbol)) {
		return 2
	}
	return 0
}

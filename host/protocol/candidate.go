package protocol

import (
	"slices"

	"github.com/svc-platform/svc/operators-wasm/language"
	"github.com/svc-platform/svc/operators-wasm/units"
)

// givenKinds are the words for the quantities that a question gives and an
// operator takes: 5 V speaks of a voltage.
func (s *selection) givenKinds(e *entry) map[string]bool {
	words := map[string]bool{}
	for i := range e.op.Inputs {
		in := &e.op.Inputs[i]
		for k := range s.givens {
			if g := &s.givens[k]; !g.bare && g.implied == "" && g.unit.Dim == in.Quantity.Unit.Dim && len(in.Quantity.Words) > 0 {
				add(words, contentStems(in.Quantity.Words[0]))
			}
		}
	}
	return words
}

// computes says whether an operator's output is what is asked for, and whether
// the question asks for it by name.
func (s *selection) computes(e *entry) (fits, direct bool) {
	out, asked := &e.op.Output, &s.asked
	if s.wanted != nil && (s.wanted.Dim != out.Quantity.Unit.Dim || s.wanted.Angle != out.Quantity.Unit.Angle) {
		return false, false
	}
	if asked.symbol != "" {
		return plainSymbol(asked.symbol) == plainSymbol(out.Symbol), false
	}
	direct = len(asked.core) > 0 && slices.ContainsFunc(e.names, func(name []string) bool {
		return containsRun(name, asked.core) || len(asked.core) > 1 && containsAll(name, asked.core)
	})
	if len(asked.core) == 0 && len(asked.kinds) == 0 {
		return asked.unit != nil, false
	}
	covered := s.covers(e)
	switch {
	case !covered:
		return false, false
	case slices.Contains(asked.kinds, out.Quantity.Name):
		return true, direct
	case slices.ContainsFunc(e.names, func(name []string) bool { return slices.Equal(name, asked.core) }) && s.sameDimension(out):
		return true, true
	case len(asked.kinds) == 0 || out.Quantity.Unit.Dim.IsOne():
		return direct, direct
	}
	return false, false
}

// sameDimension says that an output has the dimension of what is asked for: a
// mean free path is a length by another name.
func (s *selection) sameDimension(out *language.Variable) bool {
	return slices.ContainsFunc(s.asked.kinds, func(kind string) bool {
		q, err := units.QuantityByName(kind)
		return err == nil && q.Unit.Dim == out.Quantity.Unit.Dim && q.Unit.Angle == out.Quantity.Unit.Angle
	})
}

// covers says that an operator knows every word of the name that is asked for.
// Words after the name of a quantity that no operator knows are verbs: "what
// charge passes".
func (s *selection) covers(e *entry) bool {
	named := 0
	for n := len(s.asked.core); n > 0 && named == 0; n-- {
		if len(s.index.exactKinds(s.asked.core[:n])) > 0 {
			named = n
		}
	}
	for i, w := range s.asked.core {
		verb := named > 0 && i >= named && (isEveryday(w) || s.index.frequency[w] == 0 && !s.index.isQuantityWord(w) && !changesRelation(w))
		if !e.about[w] && !isSoft(w) && !verb {
			return false
		}
	}
	return true
}

// changed finds a word that makes the question one about another relation than
// the operator's.
func (s *selection) changed(e *entry) (string, bool) {
	for _, word := range s.changes {
		known := e.vocab[word] || isSlowing(word) && takesSign(e)
		if !known {
			return word, true
		}
	}
	return "", false
}

// takesSign says that an operator has an acceleration that may be negative, so
// that it holds for slowing down as well.
func takesSign(e *entry) bool {
	return slices.ContainsFunc(e.op.Inputs, func(in language.Variable) bool {
		return in.Quantity.Name == "acceleration" && in.Min < 0
	})
}

// strays are the words that other operators' names have and this one lacks
// everywhere.
func (s *selection) strays(x *index, e *entry) []string {
	var stray []string
	for _, word := range s.words {
		if x.frequency[word] > 0 && !e.vocab[word] && !isEveryday(word) && !isSoft(word) && !slices.Contains(stray, word) {
			stray = append(stray, word)
		}
	}
	return stray
}

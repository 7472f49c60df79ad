package protocol

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/svc-platform/svc/host/state"
	"github.com/svc-platform/svc/operators-wasm/units"
)

const (
	maxQuery      = 4096 // bytes of a query
	maxQuantities = 32   // quantities in a query
	maxHints      = 64   // domain hints of a request
	maxHint       = 128  // bytes of one hint
)

// question is what the first step understood.
type question struct {
	text     string // normalised: offsets of tokens count in it
	tokens   []token
	givens   []given
	asked    asked
	wanted   *units.Unit // the unit that the answer is to be given in
	words    []string    // stems of all words that belong to no quantity, in order
	problems []string    // what could be read in two ways; any problem means a refusal
}

// given is one quantity that the question states.
type given struct {
	text       string     // as written
	value      float64    // in unit
	unit       units.Unit // dimensionless if bare
	bare       bool       // a number without a unit
	count      bool       // a bare whole number that may merely count things: "two resistors"
	symbol     string     // of an assignment: "m" of "m = 2 kg"
	label      []string   // stems that name it: "initial velocity of"
	context    []string   // stems that stand near it: "starting at"
	lead       string     // the preposition before it: "at"
	role       role
	difference bool   // a change of a value, not a value: "heated by 20 °C"
	kind       string // the only quantity it may be bound to, "" for any
	implied    string // the words it was read from, where no number was written: "from rest"
	digits     int    // significant digits
	first, end int    // tokens[first:end]
}

// role tells a state before from a state after.
type role uint8

const (
	noRole role = iota
	initialRole
	finalRole
)

// asked is the quantity that the question asks for.
type asked struct {
	text   string      // as written
	core   []string    // stems of the phrase: "kinetic energy"
	hints  []string    // words for what "how far" and its like ask for
	owner  []string    // stems after "of" that belong to it
	kinds  []string    // names of the quantities that the phrase may mean
	symbol string      // "v" of "v = ?"
	unit   *units.Unit // of "how many joules"
}

// known says that something was recognised as asked for.
func (a asked) known() bool { return len(a.core)+len(a.kinds) > 0 || a.symbol != "" || a.unit != nil }

// parser holds the work of the first step.
type parser struct {
	question
	index     *index
	taken     []bool          // tokens that belong to a quantity, an assignment or the wanted unit
	unitWords map[string]bool // what units.Parse said about a word
}

// parse reads the query: its quantities, what is asked and in which unit. The
// error is an *InvalidError for a query that breaks a limit; what is merely
// hard to understand becomes a problem of the question.
func parse(x *index, query string) (question, error) {
	switch {
	case strings.TrimSpace(query) == "":
		return question{}, &InvalidError{Field: "query", Message: "the query is empty: ask for a quantity, e.g. \"kinetic energy of a 2 kg ball at 3 m/s\""}
	case len(query) > maxQuery:
		return question{}, &InvalidError{Field: "query", Message: fmt.Sprintf("the query has %d bytes: at most %d are read", len(query), maxQuery)}
	case !utf8.ValidString(query):
		return question{}, &InvalidError{Field: "query", Message: "the query is not valid UTF-8"}
	}
	p := &parser{index: x, unitWords: map[string]bool{}}
	p.text = plain(query)
	p.tokens = tokenize(p.text)
	p.taken = make([]bool, len(p.tokens))
	p.readGivens()
	if len(p.givens) > maxQuantities {
		return question{}, &InvalidError{Field: "query", Message: fmt.Sprintf("the query states more than %d quantities", maxQuantities)}
	}
	p.shareUnits()
	p.addCompounds()
	p.repeatCounted()
	if len(p.givens) > maxQuantities {
		return question{}, &InvalidError{Field: "query", Message: fmt.Sprintf("the query states more than %d quantities", maxQuantities)}
	}
	p.readWanted()
	p.readLabels()
	p.readImplied()
	p.readAsked()
	p.words = p.freeWords()
	return p.question, nil
}

// freeWords are the stems of the words that are not part of a quantity.
func (p *parser) freeWords() []string {
	var result []string
	for i, t := range p.tokens {
		if t.kind == wordToken && !p.taken[i] {
			if s := stem(t.text); !isFiller(s) {
				result = append(result, s)
			}
		}
	}
	return result
}

// problem notes, once, why the question cannot be read safely.
func (p *parser) problem(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	for _, known := range p.problems {
		if known == text {
			return
		}
	}
	p.problems = append(p.problems, text)
}

// at returns a token, or an empty mark outside the query.
func (p *parser) at(i int) token {
	if i >= 0 && i < len(p.tokens) {
		return p.tokens[i]
	}
	return token{kind: markToken}
}

// words compares the tokens from i on with words and says whether all agree.
func (p *parser) follows(i int, words ...string) bool {
	for k, word := range words {
		if !p.at(i + k).is(word) {
			return false
		}
	}
	return true
}

// span is the text of tokens[first:end].
func (p *parser) span(first, end int) string {
	if first >= end {
		return ""
	}
	return p.text[p.tokens[first].start:p.tokens[end-1].end]
}

func (p *parser) take(first, end int) {
	for i := first; i < end; i++ {
		p.taken[i] = true
	}
}

func (q *question) step() state.Step {
	step := state.Step{Name: "parse", Summary: "nothing was recognised as asked for", Facts: []state.Fact{}}
	if q.asked.known() {
		step.Summary = "asked: " + q.asked.text
	}
	if q.wanted != nil {
		step.Facts = append(step.Facts, fact("answer in", q.wanted.Symbol))
	}
	for i := range q.givens {
		g := &q.givens[i]
		step.Facts = append(step.Facts, fact("given", g.text+" = "+units.FormatValue(g.si())+" "+g.unit.Dim.Coherent().Symbol))
	}
	for _, problem := range q.problems {
		step.Facts = append(step.Facts, fact("problem", problem))
	}
	return step
}

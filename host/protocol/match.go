package protocol

import (
	"math"
	"slices"
)

const (
	maxMatchNodes = 5000 // partial assignments that a search looks at
	ownSymbol     = 10.0 // score of a given that is assigned to the input's own symbol
	clearMargin   = 1.0  // a better assignment by this much is the one that was meant
)

// assignment says for each input which given it takes, -1 for its default.
type assignment struct {
	givens  []int
	values  []float64 // coherent SI, in the order of the inputs
	score   float64
	symbols int // givens that are assigned to the very symbol of their input
}

// fit is one given taken by one input.
type fit struct {
	value  float64 // coherent SI
	score  float64
	symbol bool // the given is assigned to the input's own symbol
	ok     bool
}

// matching is what the search for assignments over one operator found.
type matching struct {
	best      []assignment // with the best score, or near it
	missing   []int        // inputs that no given fits, if there is no assignment
	unused    []int        // givens that fit no input, if there is no assignment
	exhausted bool         // the search was cut off
}

// match finds how the givens of a question fit the inputs of an operator:
// every stated quantity is taken up once, and every input has a value.
func match(e *entry, r *ranked) matching {
	s := &search{entry: e, ranked: r, fits: make([][]fit, len(r.givens))}
	for i := range r.givens {
		s.fits[i] = make([]fit, len(e.op.Inputs))
		for j := range e.op.Inputs {
			s.fits[i][j] = s.fit(i, j)
		}
	}
	s.current = assignment{givens: slices.Repeat([]int{-1}, len(e.op.Inputs)), values: make([]float64, len(e.op.Inputs))}
	if s.required() <= len(e.op.Inputs) {
		s.place(0)
	}
	m := matching{exhausted: s.nodes >= maxMatchNodes}
	top := math.Inf(-1)
	for _, a := range s.found {
		top = max(top, a.score)
	}
	for _, a := range s.found {
		if a.score > top-clearMargin {
			m.best = append(m.best, a)
		}
	}
	if len(m.best) == 0 {
		m.missing, m.unused = s.gaps()
	}
	return m
}

// search walks over the assignments of givens to inputs.
type search struct {
	entry   *entry
	ranked  *ranked
	fits    [][]fit // given, input
	current assignment
	found   []assignment
	nodes   int
}

// required counts the givens that must be taken up.
func (s *search) required() int {
	n := 0
	for i := range s.ranked.givens {
		if g := &s.ranked.givens[i]; g.implied == "" && !s.isConstant(g) {
			n++
		}
	}
	return n
}

// place puts given i and those after it. Implied givens may stay unused.
func (s *search) place(i int) {
	if s.nodes++; s.nodes >= maxMatchNodes {
		return
	}
	if i == len(s.ranked.givens) {
		s.finish()
		return
	}
	g := &s.ranked.givens[i]
	if g.implied != "" || s.isConstant(g) {
		s.place(i + 1)
	}
	for j, f := range s.fits[i] {
		if !f.ok || s.current.givens[j] >= 0 {
			continue
		}
		s.current.givens[j], s.current.values[j] = i, f.value
		s.current.score += f.score
		s.place(i + 1)
		s.current.score -= f.score
		s.current.givens[j] = -1
	}
}

// finish keeps an assignment in which every other input has a default that the
// question does not contradict.
func (s *search) finish() {
	a := assignment{givens: slices.Clone(s.current.givens), values: slices.Clone(s.current.values), score: s.current.score}
	for j, i := range a.givens {
		if i >= 0 {
			if s.fits[i][j].symbol {
				a.symbols++
			}
			if s.betterPlace(i, j) {
				return
			}
			continue
		}
		in := &s.entry.op.Inputs[j]
		if in.Default == nil || s.contradicted(j) {
			return
		}
		a.values[j] = *in.Default
	}
	s.found = append(s.found, a)
}

// betterPlace says that the words put given i to an input that was left to its
// default rather than to j: a reference temperature is not the temperature.
func (s *search) betterPlace(i, j int) bool {
	for k, f := range s.fits[i] {
		if f.ok && s.current.givens[k] < 0 && f.score >= s.fits[i][j].score+clearMargin {
			return true
		}
	}
	return false
}

// contradicted says that the question speaks of a place or a material for
// which the default of an input does not stand: g on the Moon.
func (s *search) contradicted(j int) bool {
	in := &s.entry.op.Inputs[j]
	if *in.Default == 0 || in.Quantity.Unit.Dim.IsOne() {
		return false
	}
	for _, word := range s.ranked.words {
		if isMedium(word) && !s.entry.inputs[j].words[word] {
			return true
		}
	}
	return false
}

// gaps says, for an operator that does not fit, which inputs lack a value and
// which givens it has no use for.
func (s *search) gaps() (missing, unused []int) {
	taken := make([]bool, len(s.entry.op.Inputs))
	for i := range s.ranked.givens {
		j := slices.IndexFunc(s.fits[i], func(f fit) bool { return f.ok })
		for j >= 0 && j < len(taken) && (taken[j] || !s.fits[i][j].ok) {
			j++
		}
		switch {
		case j >= 0 && j < len(taken):
			taken[j] = true
		case s.ranked.givens[i].implied == "" && !s.isConstant(&s.ranked.givens[i]):
			unused = append(unused, i)
		}
	}
	for j := range taken {
		if in := &s.entry.op.Inputs[j]; !taken[j] && (in.Default == nil || s.contradicted(j)) {
			missing = append(missing, j)
		}
	}
	return missing, unused
}

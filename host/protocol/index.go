package protocol

import (
	"math"
	"slices"
	"strings"

	"github.com/svc-platform/svc/operators-wasm/language"
	"github.com/svc-platform/svc/operators-wasm/units"
)

// tensionID is the operator that every run executes.
const tensionID = "KO42"

// entry is one operator with its words, ready to be compared with questions.
type entry struct {
	op     *language.Operator
	names  [][]string      // stems of the name, each alias and the output's description
	about  map[string]bool // stems that may describe what it computes: names, description, output
	vocab  map[string]bool // stems of everything that is said about it
	inputs []inputWords
	used   []units.Constant // constants in the equation
}

// inputWords are the words of one input.
type inputWords struct {
	words  map[string]bool // stems of the description and the quantity
	strict []string        // nouns that a question has to name before the input is meant: "radius"
	role   role
}

// index is the catalogue as the steps see it. It never changes.
type index struct {
	entries    []*entry // in the order of their ids, without KO42
	tension    *language.Operator
	phrases    map[string][]string // the names of quantities, stems with a space between, and what they name
	frequency  map[string]int      // in how many operators' names a stem occurs
	quantities map[string]bool
	categories []string // sorted
}

func newIndex(operators []*language.Operator) *index {
	x := &index{phrases: map[string][]string{}, frequency: map[string]int{}, quantities: map[string]bool{}}
	for _, q := range units.Quantities() {
		for _, word := range q.Words {
			if strings.HasPrefix(word, "how ") {
				continue
			}
			name := contentStems(word)
			if key := strings.Join(name, " "); !slices.Contains(x.phrases[key], q.Name) {
				x.phrases[key] = append(x.phrases[key], q.Name)
			}
			add(x.quantities, name)
		}
	}
	for _, op := range operators {
		if op.ID == tensionID {
			x.tension = op
			continue
		}
		e := newEntry(op)
		x.entries = append(x.entries, e)
		x.categories = append(x.categories, op.Category)
		seen := map[string]bool{}
		for _, name := range e.names {
			for _, s := range name {
				if !seen[s] {
					seen[s] = true
					x.frequency[s]++
				}
			}
		}
	}
	slices.SortFunc(x.entries, func(a, b *entry) int { return language.CompareIDs(a.op.ID, b.op.ID) })
	slices.Sort(x.categories)
	x.categories = slices.Compact(x.categories)
	return x
}

func newEntry(op *language.Operator) *entry {
	e := &entry{op: op, about: map[string]bool{}, vocab: map[string]bool{}}
	for _, name := range append([]string{op.Name}, op.Aliases...) {
		e.names = append(e.names, contentStems(name))
		e.names = append(e.names, eitherName(name)...)
	}
	for _, part := range strings.FieldsFunc(op.Output.Description, func(r rune) bool { return r == ',' || r == ';' }) {
		if name := contentStems(part); !containsAll(stems(strings.Join(op.Output.Quantity.Words, " ")), name) {
			e.names = append(e.names, name) // "speed" alone names every speed
		}
	}
	e.names = slices.DeleteFunc(e.names, func(name []string) bool { return len(name) == 0 })
	for _, name := range e.names {
		add(e.about, name)
	}
	add(e.about, stems(strings.ReplaceAll(op.Output.Quantity.Name, "_", " "))) // not its other words: heat is no work
	add(e.about, affirmed(op.Description))
	add(e.vocab, stems(strings.ReplaceAll(op.Category, "_", " ")))
	for s := range e.about {
		e.vocab[s] = true
	}
	for i := range op.Inputs {
		w := newInputWords(&op.Inputs[i])
		e.inputs = append(e.inputs, w)
		for s := range w.words {
			e.vocab[s] = true
		}
	}
	language.Walk(op.Expr, func(node language.Expr) {
		if c, ok := node.(*language.Constant); ok {
			e.used = append(e.used, c.Constant)
		}
	})
	return e
}

// eitherName splits "wavelength of an electron or neutron" into two names.
func eitherName(name string) [][]string {
	words := strings.Fields(name)
	at := slices.Index(words, "or")
	if at < 1 || at+1 >= len(words) {
		return nil
	}
	one, other := slices.Clone(words[:at]), slices.Clone(words[:at-1])
	return [][]string{
		contentStems(strings.Join(append(one, words[at+2:]...), " ")),
		contentStems(strings.Join(append(other, words[at+1:]...), " ")),
	}
}

// affirmed are the stems of a description without those that it excludes:
// "without air resistance".
func affirmed(description string) []string {
	var result []string
	for _, clause := range strings.FieldsFunc(description, func(r rune) bool { return r == ',' || r == ';' || r == '.' }) {
		words := stems(clause)
		if at := slices.IndexFunc(words, negates); at >= 0 {
			words = words[:at]
		}
		result = append(result, words...)
	}
	return result
}

func add(set map[string]bool, lists ...[]string) {
	for _, list := range lists {
		for _, s := range list {
			set[s] = true
		}
	}
}

func newInputWords(v *language.Variable) inputWords {
	w := inputWords{words: map[string]bool{}}
	described := stems(v.Description)
	if plain := plainSymbol(v.Symbol); len(plain) > 2 {
		w.words[stem(plain)] = true // people say gamma and omega
	}
	add(w.words, described, stems(strings.ReplaceAll(v.Quantity.Name, "_", " ")))
	head, _, _ := strings.Cut(v.Description, ",")
	head, _, _ = strings.Cut(head, ";")
	for _, s := range stems(head) {
		if isStrict(s) {
			w.strict = append(w.strict, s)
		}
	}
	w.role = roleOf(described)
	return w
}

// roleOf says whether a description speaks of the state before or after.
func roleOf(described []string) role {
	for _, s := range described {
		switch s {
		case "initial", "befor", "first":
			return initialRole
		case "final", "afterward", "after", "second":
			return finalRole
		}
	}
	return noRole
}

// everydayWeight is the weight of nouns such as body, which people replace by
// the thing that they have before them.
const everydayWeight = 0.2

// weight says how much a stem tells: one that few operators' names have tells more.
func (x *index) weight(s string) float64 {
	if isEveryday(s) {
		return everydayWeight
	}
	return math.Log(1+float64(len(x.entries))/float64(1+x.frequency[s])) + 0.1
}

// isQuantityWord says that a stem names some quantity.
func (x *index) isQuantityWord(s string) bool { return x.quantities[s] }

// kindsOf names the quantities that a phrase may mean: the longest name that
// reaches the end of the core, or goes over into the owner ("moment of
// inertia"), or else stands inside ("power dissipated").
func (x *index) kindsOf(core, owner []string) []string {
	if len(core) == 0 {
		return nil
	}
	whole := append(slices.Clone(core), owner...)
	for start := range core {
		for end := len(whole); end >= len(core); end-- {
			if kinds := x.exactKinds(whole[start:end]); len(kinds) > 0 {
				return kinds
			}
		}
	}
	if isSpread(core[len(core)-1]) && len(owner) > 0 {
		kinds := x.kindsOf(owner, nil)
		if slices.Contains(kinds, "temperature") {
			kinds = []string{"temperature_difference"}
		}
		return kinds
	}
	for length := len(core) - 1; length > 0; length-- {
		for start := 0; start+length <= len(core); start++ {
			if kinds := x.exactKinds(core[start : start+length]); len(kinds) > 0 {
				return kinds
			}
		}
	}
	return nil
}

// exactKinds names the quantities that are called exactly so. The caller must
// not change the list.
func (x *index) exactKinds(name []string) []string { return x.phrases[strings.Join(name, " ")] }

// labelKinds names the quantities that a label may mean, among those with the
// dimension of the value.
func (x *index) labelKinds(g *given) []string {
	var kinds []string
	for start := range g.label {
		for end := start + 1; end <= len(g.label); end++ {
			for _, kind := range x.exactKinds(g.label[start:end]) {
				q, err := units.QuantityByName(kind)
				if err == nil && q.Unit.Dim == g.unit.Dim && !slices.Contains(kinds, kind) {
					kinds = append(kinds, kind)
				}
			}
		}
	}
	return kinds
}

// namesAnswer says that some operator computes something called so.
func (x *index) namesAnswer(core []string) bool {
	return slices.ContainsFunc(x.entries, func(e *entry) bool {
		return slices.ContainsFunc(e.names, func(name []string) bool { return containsAll(name, core) })
	})
}

// isName says that some operator is called exactly so.
func (x *index) isName(core []string) bool {
	return slices.ContainsFunc(x.entries, func(e *entry) bool {
		return slices.ContainsFunc(e.names, func(name []string) bool { return slices.Equal(name, core) })
	})
}

func containsAll(set, wanted []string) bool {
	return !slices.ContainsFunc(wanted, func(s string) bool { return !slices.Contains(set, s) })
}

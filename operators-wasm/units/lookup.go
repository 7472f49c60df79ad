package units

import (
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"
	"sync"
)

// index is what the tables say, ready to be looked up in. It never changes
// once it is built.
type index struct {
	exact      map[string]measure // every symbol and word as it stands
	prefixable map[string]measure // symbols that take prefix symbols
	longNames  map[string]measure // words that take prefix words
	coherent   map[Dimension]string
	quantities []Quantity
	byName     map[string]int // into quantities
	constants  []Constant
	byConstant map[string]int // into constants
}

// tables builds the index once. The tables are part of the program, so a
// mistake in them is a programming error and panics: the first test finds it.
var tables = sync.OnceValue(func() *index {
	x := &index{
		exact: map[string]measure{}, prefixable: map[string]measure{}, longNames: map[string]measure{},
		coherent: map[Dimension]string{}, byName: map[string]int{}, byConstant: map[string]int{},
	}
	for _, row := range baseUnits {
		x.define(row.definition, measure{dim: row.dim, scale: big.NewRat(1, 1), angle: row.angle})
	}
	// SI's base unit of mass carries a prefix; the table builds on the gram.
	gram := measure{dim: Dimension{1: Twelfths}, scale: big.NewRat(1, 1000)}
	x.define(definition{"g", "gram,gramme", "", true}, gram)
	for _, row := range definitions {
		x.define(row, x.must(row.meaning))
	}
	for _, row := range offsets {
		m := x.must(row.degree)
		m.offset = row.zero
		for _, symbol := range strings.Fields(row.symbols) {
			x.exact[symbol] = m
		}
	}
	x.indexCoherent()
	x.indexQuantities()
	x.indexConstants()
	return x
})

// define enters one row under all its names.
func (x *index) define(row definition, m measure) {
	for _, symbol := range strings.Fields(row.symbols) {
		x.exact[symbol] = m
		if row.prefix {
			x.prefixable[symbol] = m
		}
	}
	for _, word := range strings.Split(row.words, ",") {
		if word == "" {
			continue
		}
		x.exact[word] = m
		x.longNames[word] = m
		if row.prefix {
			x.prefixable[word] = m
		}
	}
}

func (x *index) must(meaning string) measure {
	p := &unitParser{text: meaning, lookup: x.lookup, numbers: true}
	m, err := p.whole()
	if err != nil {
		panic(fmt.Sprintf("units: table row %q: %v", meaning, err))
	}
	return m
}

// indexCoherent names the dimensions that SI has a name for.
func (x *index) indexCoherent() {
	for _, symbol := range []string{"N", "J", "W", "Pa", "C", "V", "ohm", "S", "F", "Wb", "T", "H"} {
		x.coherent[x.exact[symbol].dim] = symbol
	}
}

// lookup finds a unit by symbol or English name, with or without a prefix.
func (x *index) lookup(name string) (measure, error) {
	name = strings.ReplaceAll(name, "\u2126", "Ω")
	if m, ok := x.exact[name]; ok {
		return m, nil
	}
	if m, ok := x.prefixed(name); ok {
		return m, nil
	}
	if len(name) > 3 { // English names may be capitalised and in the plural
		word := strings.ToLower(name)
		for _, singular := range []string{word, strings.TrimSuffix(word, "s")} {
			if m, ok := x.longNames[singular]; ok {
				return m, nil
			}
			if m, ok := x.prefixed(singular); ok && len(singular) > 4 {
				return m, nil
			}
		}
	}
	return measure{}, &UnknownUnitError{Name: name, Suggestion: x.suggestUnit(name)}
}

// prefixed splits off an SI prefix. A prefix symbol belongs to a unit symbol
// and a prefix word to a unit word.
func (x *index) prefixed(name string) (measure, bool) {
	for _, prefix := range prefixes {
		if rest, ok := strings.CutPrefix(name, prefix.word); ok {
			if m, ok := x.longNames[rest]; ok {
				return scaled(m, prefix.power), true
			}
		}
		for _, symbol := range strings.Fields(prefix.symbols) {
			rest, ok := strings.CutPrefix(name, symbol)
			if !ok || rest == "" {
				continue
			}
			if m, ok := x.prefixable[rest]; ok && !x.isWord(rest) {
				return scaled(m, prefix.power), true
			}
		}
	}
	return measure{}, false
}

func (x *index) isWord(name string) bool {
	_, ok := x.longNames[name]
	return ok && name != "ohm"
}

func scaled(m measure, power int) measure {
	ten := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(power, -power))), nil)
	factor := new(big.Rat).SetInt(ten)
	if power < 0 {
		factor.Inv(factor)
	}
	m.scale = factor.Mul(factor, m.scale)
	return m
}

// suggestUnit finds a known unit that differs little from an unknown one.
func (x *index) suggestUnit(name string) string {
	names := slices.Sorted(maps.Keys(x.exact))
	for _, known := range names {
		if strings.EqualFold(known, name) {
			return known
		}
	}
	if _, ok := x.prefixed(strings.ToLower(name)); ok {
		return strings.ToLower(name)
	}
	return Nearest(name, names)
}

// Nearest is the candidate with the smallest edit distance to name, or "" if
// all differ in more than a third of their letters. The candidates' order
// decides between equals.
func Nearest(name string, candidates []string) string {
	best, bestDistance := "", max(1, len(name)/3)+1
	if len(name) < 2 || len(name) > 64 {
		return ""
	}
	for _, candidate := range candidates {
		if d := editDistance(strings.ToLower(name), strings.ToLower(candidate), bestDistance); d < bestDistance {
			best, bestDistance = candidate, d
		}
	}
	return best
}

// editDistance counts the letters to insert, drop, replace or swap with a
// neighbour (optimal string alignment); limit or more is reported as limit.
func editDistance(a, b string, limit int) int {
	if max(len(a)-len(b), len(b)-len(a)) >= limit {
		return limit
	}
	before, row := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		next := make([]int, len(b)+1)
		next[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			next[j+1] = min(row[j]+cost, row[j+1]+1, next[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				next[j+1] = min(next[j+1], before[j-1]+1)
			}
		}
		before, row = row, next
	}
	return min(row[len(b)], limit)
}

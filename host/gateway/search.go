package gateway

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
)

// How much a word counts, by where it stands. A word that only begins another
// counts half.
const (
	inDescription = 1 << (2 * iota)
	inAlias
	inName
	inID
)

// exactMatch is added where the whole search is an id, a name or an alias.
const exactMatch = 1 << 12

// index finds operators by words. It is built once.
type index struct {
	operators []Operator
	words     []string         // sorted, each once
	places    map[string][]hit // where a word stands
	exact     map[string][]hit // whole ids, names and aliases, as words in order
}

type hit struct{ operator, weight int }

func newIndex(operators []Operator) *index {
	x := &index{operators: operators, places: map[string][]hit{}, exact: map[string][]hit{}}
	for n, op := range operators {
		x.add(n, inID, op.ID)
		x.add(n, inName, op.Name)
		for _, alias := range op.Aliases {
			x.add(n, inAlias, alias)
		}
		for _, w := range words(op.Description) {
			x.places[w] = append(x.places[w], hit{n, inDescription})
		}
	}
	for w := range x.places {
		x.words = append(x.words, w)
	}
	slices.Sort(x.words)
	return x
}

func (x *index) add(n, weight int, text string) {
	list := words(text)
	whole := strings.Join(list, " ")
	x.exact[whole] = append(x.exact[whole], hit{n, weight})
	for _, w := range list {
		x.places[w] = append(x.places[w], hit{n, weight})
	}
}

// search ranks the operators in which every word of q is found, at least as
// the beginning of a word. Equal ranks stay in the order of the catalogue.
func (x *index) search(q string) []int {
	asked := meaningful(words(q))
	var scores map[int]int
	for i, w := range asked {
		found := x.find(w)
		if i > 0 {
			for n := range scores {
				if found[n] == 0 {
					delete(scores, n)
				} else {
					scores[n] += found[n]
				}
			}
			continue
		}
		scores = found
	}
	for _, h := range x.exact[strings.Join(words(q), " ")] {
		if scores[h.operator] > 0 {
			scores[h.operator] += exactMatch * h.weight
		}
	}
	ranked := make([]int, 0, len(scores))
	for n := range scores {
		ranked = append(ranked, n)
	}
	slices.SortFunc(ranked, func(a, b int) int {
		return cmp.Or(cmp.Compare(scores[b], scores[a]), cmp.Compare(a, b))
	})
	return ranked
}

// find gives each operator the best weight that the word has in it.
func (x *index) find(word string) map[int]int {
	found := map[int]int{}
	at, _ := slices.BinarySearch(x.words, word)
	for ; at < len(x.words) && strings.HasPrefix(x.words[at], word); at++ {
		share := 1
		if x.words[at] == word {
			share = 2
		}
		for _, h := range x.places[x.words[at]] {
			found[h.operator] = max(found[h.operator], h.weight*share)
		}
	}
	return found
}

// words are the runs of letters and digits, in lower case.
func words(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
}

// meaningful drops the words that stand in every sentence, unless there are no
// others, and words said twice.
func meaningful(list []string) []string {
	const small = " a an and at by for from in is of on or the to with "
	var kept []string
	for _, w := range list {
		if !strings.Contains(small, " "+w+" ") && !slices.Contains(kept, w) {
			kept = append(kept, w)
		}
	}
	if len(kept) == 0 {
		return list
	}
	return kept
}

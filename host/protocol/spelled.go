package protocol

import (
	"math"
	"slices"
)

// spelledAt reads a number in words: "two", "twenty-five", "a hundred",
// "three hundred and fifty".
func (p *parser) spelledAt(i int, g *given) int {
	end, total, group, found := i, 0.0, 0.0, false
	for {
		t := p.at(end)
		if t.kind != wordToken {
			if found && t.text == "-" && spelled(p.at(end+1).lower()) > 0 && math.Mod(group, 100) >= 20 {
				end++
				continue
			}
			break
		}
		word := t.lower()
		scale, value := scaleWord(word), spelled(word)
		switch {
		case value >= 0:
			group, found = group+value, true
		case scale == 100 && found:
			group *= scale
		case scale > 100 && found:
			total, group = total+group*scale, 0
		case (word == "a" || word == "an") && !found && scaleWord(p.at(end+1).lower()) > 0:
			group, found = 1, true
		case word == "and" && found && math.Mod(group, 100) == 0 && group > 0 && spelled(p.at(end+1).lower()) > 0:
		default:
			return p.spelledEnd(i, end, found, total+group, g)
		}
		end++
	}
	return p.spelledEnd(i, end, found, total+group, g)
}

func (p *parser) spelledEnd(i, end int, found bool, value float64, g *given) int {
	if !found {
		return i
	}
	g.value, g.digits, g.count = value, 15, true
	return end
}

// spelled is the value of a small number word, -1 if it is none.
func spelled(word string) float64 {
	if i := slices.Index(smallNumbers[:], word); i >= 0 {
		return float64(i)
	}
	if i := slices.Index(tens[:], word); i >= 0 {
		return float64(10 * (i + 2))
	}
	return -1
}

var smallNumbers = [...]string{
	"zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
	"thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
}

var tens = [...]string{"twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"}

// scaleWord is the value of a word that multiplies the number before it, 0 if
// it is none.
func scaleWord(word string) float64 {
	switch word {
	case "hundred":
		return 100
	case "thousand":
		return 1e3
	case "million":
		return 1e6
	case "billion":
		return 1e9
	case "trillion":
		return 1e12
	}
	return 0
}

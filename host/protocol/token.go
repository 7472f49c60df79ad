package protocol

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// tokenKind says what a piece of the query is.
type tokenKind uint8

const (
	wordToken   tokenKind = iota // letters, with the digits that follow them: v0, metres, Ω, °C
	numberToken                  // a number in figures
	markToken                    // one sign of punctuation
)

// token is one piece of the normalised query, text[start:end].
type token struct {
	kind       tokenKind
	text       string
	start, end int
	spaced     bool    // white space stands before it
	value      float64 // of a number
	digits     int     // significant digits of a number
	exact      bool    // the number is written without a point or exponent
	problem    string  // why a number cannot be read safely
}

// lower is the word in lower case.
func (t token) lower() string { return strings.ToLower(t.text) }

// is says that the token is this sign or this word in any case.
func (t token) is(text string) bool {
	return t.kind != numberToken && strings.EqualFold(t.text, text)
}

// tokenize splits a normalised query. It never fails: what it does not know is
// a mark.
func tokenize(text string) []token {
	var tokens []token
	spaced := false
	for at := 0; at < len(text); {
		r, size := utf8.DecodeRuneInString(text[at:])
		if unicode.IsSpace(r) {
			spaced = true
			at += size
			continue
		}
		t := token{start: at, spaced: spaced}
		switch {
		case isDigit(r) || r == '.' && at+1 < len(text) && isDigit(rune(text[at+1])):
			t = readNumber(text, at, t)
		case isWordRune(r):
			t.kind, t.end = wordToken, wordEnd(text, at)
		default:
			t.kind, t.end = markToken, at+size
		}
		t.text = text[t.start:t.end]
		tokens = append(tokens, t)
		at, spaced = t.end, false
	}
	return tokens
}

func isDigit(r rune) bool { return r >= '0' && r <= '9' }

func isWordRune(r rune) bool { return unicode.IsLetter(r) || r == '°' || r == '%' || r == '∞' }

// wordEnd finds the end of a word that starts at start: letters, digits after
// a letter, an underscore or an apostrophe inside.
func wordEnd(text string, start int) int {
	at := start
	for at < len(text) {
		r, size := utf8.DecodeRuneInString(text[at:])
		inside := r == '_' || r == '\''
		if inside {
			next, _ := utf8.DecodeRuneInString(text[at+size:])
			inside = unicode.IsLetter(next) || isDigit(next)
		}
		if !isWordRune(r) && !isDigit(r) && !inside {
			break
		}
		at += size
	}
	return at
}

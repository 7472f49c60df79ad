package language

import (
	"strings"
	"unicode/utf8"
)

// field is one entry of a block: its keyword and its text, which may come from
// several lines.
type field struct {
	key  string
	pos  Position // of the keyword
	text string
	from []origin
}

// origin says where a stretch of a field's text stands in the file.
type origin struct {
	offset int // into text
	pos    Position
}

// at is the place in the file of an offset into the field's text.
func (f *field) at(offset int) Position {
	pos := f.pos
	for _, o := range f.from {
		if o.offset > offset && o.offset > 0 {
			break
		}
		pos = o.pos
		pos.Column += utf8.RuneCountInString(f.text[o.offset:min(max(offset, o.offset), len(f.text))])
	}
	return pos
}

// token is one word of a field's text.
type token struct {
	kind   byte // 'i' identifier, 'n' number, '"' string, 0 end, or the sign itself
	text   string
	offset int
}

// Two-character signs, by the byte that stands for them in token.kind.
const (
	lessEqual    = 'l'
	greaterEqual = 'g'
	notEqual     = 'x'
)

// scanner cuts a field's text into tokens.
type scanner struct {
	*field
	offset int
	tok    token // the one under the cursor
}

func newScanner(f *field) *scanner {
	s := &scanner{field: f}
	s.advance()
	return s
}

// pos is the place of the current token.
func (s *scanner) pos() Position { return s.at(s.tok.offset) }

// advance moves to the next token.
func (s *scanner) advance() {
	for s.offset < len(s.text) && (s.text[s.offset] == ' ' || s.text[s.offset] == '\t') {
		s.offset++
	}
	start := s.offset
	rest := s.text[start:]
	kind, size := byte(0), 0
	switch {
	case rest == "":
	case isLetter(rest[0]):
		kind, size = 'i', prefixLength(rest, func(c byte) bool { return isLetter(c) || isDigit(c) })
	case isDigit(rest[0]) || (rest[0] == '.' && len(rest) > 1 && isDigit(rest[1])):
		kind, size = 'n', numberLength(rest)
	case rest[0] == '"':
		kind, size = stringToken(rest)
	case strings.HasPrefix(rest, "<="):
		kind, size = lessEqual, 2
	case strings.HasPrefix(rest, ">="):
		kind, size = greaterEqual, 2
	case strings.HasPrefix(rest, "!="):
		kind, size = notEqual, 2
	case rest[0] < utf8.RuneSelf:
		kind, size = rest[0], 1
	default: // no sign of the language; the parser will refuse it
		_, size = utf8.DecodeRuneInString(rest)
		kind = '?'
	}
	s.offset += size
	s.tok = token{kind: kind, text: rest[:size], offset: start}
}

// accept moves on and says true if the current token is of the kind.
func (s *scanner) accept(kind byte) bool {
	if s.tok.kind != kind {
		return false
	}
	s.advance()
	return true
}

// bracket reads the raw text up to the closing bracket; the current token is
// the opening one. It moves behind the closing one.
func (s *scanner) bracket() (string, bool) {
	end := strings.IndexByte(s.text[s.offset:], ']')
	if end < 0 {
		return "", false
	}
	raw := s.text[s.offset : s.offset+end]
	s.offset += end + 1
	s.advance()
	return raw, true
}

func isLetter(c byte) bool {
	return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func prefixLength(s string, accept func(byte) bool) int {
	n := 0
	for n < len(s) && accept(s[n]) {
		n++
	}
	return n
}

// numberLength measures digits[.digits][e[+-]digits] at the start of s.
func numberLength(s string) int {
	n := prefixLength(s, isDigit)
	if n < len(s) && s[n] == '.' {
		n += 1 + prefixLength(s[n+1:], isDigit)
	}
	if n < len(s) && (s[n] == 'e' || s[n] == 'E') {
		exponent := n + 1
		if exponent < len(s) && (s[exponent] == '+' || s[exponent] == '-') {
			exponent++
		}
		if digits := prefixLength(s[exponent:], isDigit); digits > 0 {
			n = exponent + digits
		}
	}
	return n
}

// stringToken measures a quoted text, or reports a lone quote as a sign.
func stringToken(s string) (kind byte, size int) {
	if end := strings.IndexByte(s[1:], '"'); end >= 0 {
		return '"', end + 2
	}
	return '?', 1
}

package language

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/svc-platform/svc/operators-wasm/units"
)

// fieldNames are the keywords inside an operator, in their usual order.
var fieldNames = []string{
	"name", "alias", "description", "output", "input", "equation", "validity", "require", "reference", "example",
}

// repeatable are the fields that may stand more than once.
var repeatable = []string{"alias", "input", "require", "example"}

// block is the raw text of one operator, or of the category line.
type block struct {
	head   field // "category" or "operator" with the rest of its line
	fields []*field
	indent int // of the first field
}

// line is one line of source without its comment.
type line struct {
	text   string // without the indentation and trailing space
	indent int
	number int
}

// splitLines cuts the source into lines that say something.
func splitLines(src string) []line {
	var lines []line
	for i, raw := range strings.Split(src, "\n") {
		raw = strings.TrimRight(stripComment(raw), " \t\r")
		text := strings.TrimLeft(raw, " \t")
		if text != "" {
			lines = append(lines, line{text: text, indent: utf8.RuneCountInString(raw) - utf8.RuneCountInString(text), number: i + 1})
		}
	}
	return lines
}

// stripComment cuts a line at a # that stands first or after white space.
func stripComment(s string) string {
	for i := 0; i < len(s); i++ {
		if s[i] == '#' && (i == 0 || s[i-1] == ' ' || s[i-1] == '\t') {
			return s[:i]
		}
	}
	return s
}

// blocks groups the lines of a file by category and operator.
func (r *reporter) blocks(name, src string) []*block {
	var all []*block
	var current *block
	for _, l := range splitLines(src) {
		key, _, _ := strings.Cut(strings.ReplaceAll(l.text, "\t", " "), " ")
		pos := Position{File: name, Line: l.number, Column: l.indent + 1}
		switch {
		case key == "category" || key == "operator":
			current = &block{head: newField(key, l, pos)}
			all = append(all, current)
		case current == nil:
			r.add(pos, `start with: category <name> "<title>"`, "%q stands before the category", key)
			return all
		case slices.Contains(fieldNames, key) && current.head.key == "operator":
			f := newField(key, l, pos)
			if len(current.fields) == 0 {
				current.indent = l.indent
			}
			current.fields = append(current.fields, &f)
		case len(current.fields) > 0 && l.indent > current.indent:
			current.fields[len(current.fields)-1].extend(l, pos)
		case slices.Contains(fieldNames, key):
			r.add(pos, "start with: operator <id>", "the field %s stands before the operator", key)
			return all
		default:
			r.add(pos, didYouMean(units.Nearest(key, append([]string{"category", "operator"}, fieldNames...))), "unknown field %q", key)
		}
	}
	return all
}

// newField starts a field with the rest of its line.
func newField(key string, l line, pos Position) field {
	rest := l.text[len(key):]
	text := strings.TrimLeft(rest, " \t")
	start := pos
	start.Column += utf8.RuneCountInString(l.text) - utf8.RuneCountInString(text)
	return field{key: key, pos: pos, text: text, from: []origin{{0, start}}}
}

// extend joins a continuation line to the field.
func (f *field) extend(l line, pos Position) {
	if len(f.text) > maxField {
		return // refused already, for its length; nothing is gained by copying on
	}
	if f.text != "" {
		f.text += " "
	}
	f.from = append(f.from, origin{len(f.text), pos})
	f.text += l.text
}

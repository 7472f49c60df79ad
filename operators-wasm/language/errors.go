package language

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Position is a place in a catalogue file. Lines and columns count from 1,
// columns in characters.
type Position struct {
	File         string
	Line, Column int
}

func (p Position) String() string { return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column) }

// Error is one mistake in a catalogue file.
type Error struct {
	Pos        Position
	Message    string // what is wrong
	Suggestion string // what to write instead, or ""
}

func (e *Error) Error() string {
	if e.Suggestion == "" {
		return e.Pos.String() + ": " + e.Message
	}
	return e.Pos.String() + ": " + e.Message + "; " + e.Suggestion
}

// Errors are all mistakes that were found, in the order of their places.
type Errors []*Error

func (list Errors) Error() string {
	lines := make([]string, len(list))
	for i, e := range list {
		lines[i] = e.Error()
	}
	return strings.Join(lines, "\n")
}

// maxErrors bounds the list: after a hundred mistakes nobody reads on.
const maxErrors = 100

// reporter collects mistakes.
type reporter struct{ list Errors }

func (r *reporter) add(pos Position, suggestion, format string, args ...any) {
	if len(r.list) < maxErrors {
		r.list = append(r.list, &Error{Pos: pos, Message: fmt.Sprintf(format, args...), Suggestion: suggestion})
	}
}

// err is the list in order, or nil if nothing is wrong.
func (r *reporter) err() error {
	if len(r.list) == 0 {
		return nil
	}
	slices.SortStableFunc(r.list, func(a, b *Error) int {
		return cmp.Or(cmp.Compare(a.Pos.File, b.Pos.File), cmp.Compare(a.Pos.Line, b.Pos.Line),
			cmp.Compare(a.Pos.Column, b.Pos.Column))
	})
	return r.list
}

// didYouMean phrases a suggestion, or "" without a candidate.
func didYouMean(candidate string) string {
	if candidate == "" {
		return ""
	}
	return fmt.Sprintf("did you mean %q?", candidate)
}

// Package catalog holds the operators as text, one file per category, and
// nothing else.
package catalog

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/svc-platform/svc/operators-wasm/language"
)

//go:embed *.op
var files embed.FS

// Category is one category of the catalogue.
type Category struct {
	Name  string // snake_case, as in the file name
	Title string
	Count int // of its operators
}

// Load reads and checks the whole catalogue. The operators come in the order
// of the file names, then of the text. The error is of type language.Errors.
func Load() ([]*language.Operator, error) {
	parsed, err := parseAll()
	if err != nil {
		return nil, err
	}
	var all []*language.Operator
	for _, f := range parsed {
		all = append(all, f.Operators...)
	}
	return all, nil
}

// Categories lists the categories in the order of their names.
func Categories() ([]Category, error) {
	parsed, err := parseAll()
	if err != nil {
		return nil, err
	}
	list := make([]Category, len(parsed))
	for i, f := range parsed {
		list[i] = Category{Name: f.Category, Title: f.Title, Count: len(f.Operators)}
	}
	return list, nil
}

// Source is the text of a category's file. The error is fs.ErrNotExist for an
// unknown category.
func Source(category string) ([]byte, error) {
	src, err := files.ReadFile(category + ".op")
	if err != nil {
		return nil, fmt.Errorf("category %q: %w", category, fs.ErrNotExist)
	}
	return src, nil
}

// parseAll reads every file and then checks them together.
func parseAll() ([]*language.File, error) {
	names, err := fs.Glob(files, "*.op") // sorted
	if err != nil {
		return nil, err
	}
	var parsed []*language.File
	var mistakes language.Errors
	for _, name := range names {
		src, err := files.ReadFile(name)
		if err != nil {
			return nil, err
		}
		f, err := language.Parse(name, src)
		var list language.Errors
		switch {
		case errors.As(err, &list):
			mistakes = append(mistakes, list...)
		case f.Category != strings.TrimSuffix(name, ".op"):
			mistakes = append(mistakes, &language.Error{
				Pos:     language.Position{File: name, Line: 1, Column: 1},
				Message: fmt.Sprintf("the file holds the category %s", f.Category), Suggestion: "call it " + f.Category + ".op",
			})
		}
		parsed = append(parsed, f)
	}
	if len(mistakes) > 0 {
		return nil, mistakes
	}
	if err := language.Check(parsed...); err != nil {
		return nil, err
	}
	return parsed, nil
}

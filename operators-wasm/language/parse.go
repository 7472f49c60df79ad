package language

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	maxSource    = 1 << 20 // bytes of a file
	maxOperators = 2000    // of a file
	maxField     = 8 << 10 // bytes of a field
	maxRepeats   = 64      // of one repeatable field, and of aliases
)

var operatorID = regexp.MustCompile(`^[A-Z][A-Z0-9_]*$`)

// Parse reads one catalogue file and checks everything that can be checked
// inside it: syntax, symbols, units, dimensions and worked examples. The file
// name is only used in messages. The error is of type Errors; the file holds
// the operators without a mistake even then.
func Parse(name string, src []byte) (*File, error) {
	r := &reporter{}
	file := &File{Name: name}
	start := Position{File: name, Line: 1, Column: 1}
	switch {
	case len(src) > maxSource:
		r.add(start, "split the category", "the file is larger than %d bytes", maxSource)
		return file, r.err()
	case !utf8.Valid(src):
		r.add(start, "", "the file is not valid UTF-8")
		return file, r.err()
	}
	text := string(src)
	if i := strings.IndexFunc(text, isForbidden); i >= 0 {
		start.Line += strings.Count(text[:i], "\n")
		r.add(start, "", "the line holds a control character")
		return file, r.err()
	}
	for i, b := range r.blocks(name, text) {
		switch {
		case i == 0:
			r.category(file, b)
		case b.head.key == "category":
			r.add(b.head.pos, "one file holds one category", "a second category")
		case len(file.Operators) == maxOperators:
			r.add(b.head.pos, "split the category", "more than %d operators", maxOperators)
			return file, r.err()
		default:
			if op := r.operator(file.Category, b); op != nil {
				file.Operators = append(file.Operators, op)
			}
		}
	}
	if file.Category == "" && len(r.list) == 0 {
		r.add(start, `start with: category <name> "<title>"`, "the file has no category")
	}
	return file, r.err()
}

func isForbidden(c rune) bool {
	return unicode.IsControl(c) && c != '\n' && c != '\t' && c != '\r'
}

// category reads the first block: category name "Title".
func (r *reporter) category(file *File, b *block) {
	if b.head.key != "category" {
		r.add(b.head.pos, `start with: category <name> "<title>"`, "the operator stands before the category")
		return
	}
	s := newScanner(&b.head)
	if !categoryName.MatchString(s.tok.text) || len(s.tok.text) > maxName {
		r.add(s.pos(), "use small letters, digits and _", "%q is not a category name", s.tok.text)
		return
	}
	file.Category = s.tok.text
	s.advance()
	file.Title = trimQuotes(s.tok.text)
	if r.expect(s, '"', `a title in "quotes"`) && s.tok.kind != 0 {
		r.add(s.pos(), "", "unexpected %q after the title", s.tok.text)
	}
}

// operator reads one block; nil if anything is wrong with it.
func (r *reporter) operator(category string, b *block) *Operator {
	before := len(r.list)
	op := &Operator{Category: category, Pos: b.head.pos}
	op.ID = b.head.text
	if !operatorID.MatchString(op.ID) || len(op.ID) > maxName {
		r.add(b.head.at(0), "use up to 64 capital letters, digits and _, such as KO1", "%.80q is not an id", op.ID)
	}
	byKey := r.collect(b)
	if len(r.list) > before {
		return nil
	}
	r.texts(op, byKey)
	r.variables(op, byKey)
	if len(r.list) > before {
		return nil
	}
	r.equation(op, byKey["equation"][0])
	for _, f := range byKey["require"] {
		r.condition(op, f)
	}
	if len(r.list) > before {
		return nil
	}
	for _, f := range byKey["example"] {
		r.example(op, f)
	}
	if len(r.list) > before {
		return nil
	}
	return op
}

// collect groups the fields by keyword, and reports what is missing, empty or
// there twice.
func (r *reporter) collect(b *block) map[string][]*field {
	byKey := map[string][]*field{}
	for _, f := range b.fields {
		if strings.TrimSpace(f.text) == "" {
			r.add(f.pos, "", "the field %s is empty", f.key)
		}
		switch times := len(byKey[f.key]); {
		case len(f.text) > maxField:
			r.add(f.pos, "shorten it", "the field %s is longer than %d bytes", f.key, maxField)
		case times > 0 && !slices.Contains(repeatable, f.key):
			r.add(f.pos, "keep one of them", "the field %s is there twice", f.key)
		case times == maxRepeats:
			r.add(f.pos, "", "the field %s is there more than %d times", f.key, maxRepeats)
		}
		byKey[f.key] = append(byKey[f.key], f)
	}
	for _, key := range fieldNames {
		if len(byKey[key]) == 0 && key != "alias" && key != "require" {
			r.add(b.head.pos, "", "the operator %s has no %s", b.head.text, key)
		}
	}
	return byKey
}

// texts fills in the fields that are plain text.
func (r *reporter) texts(op *Operator, byKey map[string][]*field) {
	op.Name = byKey["name"][0].text
	op.Description = byKey["description"][0].text
	op.Validity = byKey["validity"][0].text
	op.Reference = byKey["reference"][0].text
	for _, f := range byKey["alias"] {
		offset := 0
		for _, part := range strings.Split(f.text, ";") {
			alias := strings.TrimSpace(part)
			pos := f.at(offset + strings.Index(part, alias))
			offset += len(part) + 1
			switch {
			case alias == "":
				r.add(pos, "separate aliases by one ;", "an alias is empty")
			case strings.EqualFold(alias, op.Name) || containsFold(op.Aliases, alias):
				r.add(pos, "keep one of them", "the alias %q is there twice", alias)
			case len(op.Aliases) == maxRepeats:
				r.add(pos, "", "more than %d aliases", maxRepeats)
				return
			default:
				op.Aliases = append(op.Aliases, alias)
			}
		}
	}
}

func containsFold(list []string, s string) bool {
	return slices.ContainsFunc(list, func(other string) bool { return strings.EqualFold(other, s) })
}

// variables reads the output and the inputs.
func (r *reporter) variables(op *Operator, byKey map[string][]*field) {
	if v, ok := r.variable(byKey["output"][0]); ok {
		op.Output = v
	}
	for _, f := range byKey["input"] {
		v, ok := r.variable(f)
		if !ok {
			continue
		}
		if v.Symbol == op.Output.Symbol || slices.ContainsFunc(op.Inputs, func(o Variable) bool { return o.Symbol == v.Symbol }) {
			r.add(v.Pos, "choose another symbol", "the variable %s is there twice", v.Symbol)
			continue
		}
		op.Inputs = append(op.Inputs, v)
	}
}

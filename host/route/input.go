package route

import (
	"fmt"
	"net/url"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gofiber/fiber/v2"

	"github.com/svc-platform/svc/host/fault"
)

// input knows how to fill an input struct from a request. It is made once, at
// registration.
type input struct {
	schemas huma.Registry
	params  []param
	body    *body
}

// param is a field that comes from the path, the query or a header.
type param struct {
	index    int
	in       string // path, query or header
	name     string
	where    string // both, for messages
	required bool
	schema   *huma.Schema
	doc      string
}

// body is the field that takes the JSON body.
type body struct {
	index    int
	schema   *huma.Schema
	optional bool // the field is a pointer
}

// newInput reads the tags of t. Mistakes are ours and panic at start.
func newInput(schemas huma.Registry, t reflect.Type, path string) *input {
	in := &input{schemas: schemas}
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Name == "Body" {
			in.body = &body{
				index:    i,
				schema:   schemas.Schema(f.Type, true, ""),
				optional: f.Type.Kind() == reflect.Pointer,
			}
			continue
		}
		in.params = append(in.params, newParam(schemas, f, i))
	}
	for _, segment := range strings.Split(path, "/") {
		if name, found := strings.CutPrefix(segment, "{"); found && !in.has("path", strings.TrimSuffix(name, "}")) {
			panic(fmt.Sprintf("route: %s: the input has no field for %s", path, segment))
		}
	}
	return in
}

func newParam(schemas huma.Registry, f reflect.StructField, index int) param {
	for _, in := range []string{"path", "query", "header"} {
		if name := f.Tag.Get(in); name != "" {
			s := huma.SchemaFromField(schemas, f, "")
			return param{
				index: index, in: in, name: name, where: in + "." + name, schema: s,
				required: in == "path" || f.Tag.Get("required") == "true", doc: f.Tag.Get("doc"),
			}
		}
	}
	panic("route: input field " + f.Name + " has no path, query or header tag")
}

func (in *input) has(place, name string) bool {
	for _, p := range in.params {
		if p.in == place && p.name == name {
			return true
		}
	}
	return false
}

// fill sets the fields of v from the request, or says everything that is wrong with it.
func (in *input) fill(c *fiber.Ctx, v reflect.Value) error {
	var wrong []fault.Detail
	for _, p := range in.params {
		wrong = append(wrong, in.fillParam(c, p, v.Field(p.index))...)
	}
	if len(wrong) == 0 && in.body != nil {
		return in.fillBody(c, v.Field(in.body.index))
	}
	return invalid(wrong)
}

// invalid is the fault for a list of things that are wrong, nil for none.
func invalid(wrong []fault.Detail) error {
	if len(wrong) == 0 {
		return nil
	}
	f := fault.New(fault.Invalid, "%s: %s", wrong[0].Field, wrong[0].Message)
	if len(wrong) > 1 {
		f.Message = fmt.Sprintf("%s (and %d more, see details)", f.Message, len(wrong)-1)
	}
	f.Details = wrong
	return f
}

func (in *input) fillParam(c *fiber.Ctx, p param, field reflect.Value) []fault.Detail {
	text, sent, err := p.read(c)
	switch {
	case err != nil:
		return []fault.Detail{{Field: p.where, Message: err.Error()}}
	case !sent && p.required:
		return []fault.Detail{{Field: p.where, Message: "is required"}}
	case !sent:
		return nil
	}
	value, err := setText(field, text)
	if err != nil {
		return []fault.Detail{{Field: p.where, Message: err.Error()}}
	}
	return check(in.schemas, p.schema, p.where, value)
}

// read finds the parameter in the request.
func (p param) read(c *fiber.Ctx) (text string, sent bool, err error) {
	switch p.in {
	case "path":
		text, err = url.PathUnescape(c.Params(p.name))
		if err != nil {
			return "", true, fmt.Errorf("is not properly percent-encoded")
		}
		sent = true
	case "query":
		args := c.Context().QueryArgs()
		text, sent = string(args.Peek(p.name)), args.Has(p.name)
	case "header":
		text = c.Get(p.name)
		sent = text != ""
	}
	if !utf8.ValidString(text) {
		return "", sent, fmt.Errorf("is not valid UTF-8")
	}
	return text, sent, nil
}

// setText sets a field from text and returns the value for validation.
func setText(field reflect.Value, text string) (any, error) {
	switch field.Kind() {
	case reflect.String:
		field.SetString(text)
		return text, nil
	case reflect.Bool:
		b, err := strconv.ParseBool(text)
		if err != nil {
			return nil, fmt.Errorf("must be true or false")
		}
		field.SetBool(b)
		return b, nil
	case reflect.Int, reflect.Int64:
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("must be a whole number")
		}
		field.SetInt(n)
		return n, nil
	case reflect.Float64:
		x, err := strconv.ParseFloat(text, 64)
		if err != nil || x-x != 0 { // infinities and NaN are no input
			return nil, fmt.Errorf("must be a number")
		}
		field.SetFloat(x)
		return x, nil
	default:
		panic("route: no way to read a " + field.Kind().String() + " from text")
	}
}

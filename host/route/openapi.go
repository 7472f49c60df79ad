package route

import (
	"net/http"
	"reflect"
	"strconv"
	"strings"
	"unicode"

	"github.com/danielgtaylor/huma/v2"
)

// The names of the two ways to send a key, in the document.
const (
	headerScheme = "apiKey"
	bearerScheme = "bearer"
)

func newSchemas() huma.Registry {
	return huma.NewMapRegistry("#/components/schemas/", schemaName)
}

// schemaName names a type of the document after its package too: two areas
// may both have a Result.
func schemaName(t reflect.Type, hint string) string {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Name() == "" {
		return hint
	}
	pkg := t.PkgPath()[strings.LastIndex(t.PkgPath(), "/")+1:]
	name := []rune(pkg)
	if len(name) > 0 {
		name[0] = unicode.ToUpper(name[0])
	}
	return string(name) + t.Name()
}

// document describes all routes as OpenAPI 3.1.
func (r *Router) document() ([]byte, error) {
	doc := &huma.OpenAPI{
		OpenAPI: "3.1.0",
		Info:    &huma.Info{Title: r.cfg.Title, Version: r.cfg.Version},
		Components: &huma.Components{
			Schemas: r.schemas,
			SecuritySchemes: map[string]*huma.SecurityScheme{
				headerScheme: {Type: "apiKey", In: "header", Name: "X-API-Key"},
				bearerScheme: {Type: "http", Scheme: "bearer"},
			},
		},
	}
	failure := r.schemas.Schema(reflect.TypeFor[Failure](), true, "")
	for _, e := range r.endpoints {
		doc.AddOperation(r.operation(e, failure))
	}
	for _, s := range r.schemas.Map() {
		tidy(s)
	}
	return marshal(doc)
}

// tidy says what is true of our answers: a list is never null.
func tidy(s *huma.Schema) {
	if s == nil {
		return
	}
	if s.Type == huma.TypeArray {
		s.Nullable = false
	}
	tidy(s.Items)
	for _, p := range s.Properties {
		tidy(p)
	}
	if extra, ok := s.AdditionalProperties.(*huma.Schema); ok {
		tidy(extra)
	}
}

func (r *Router) operation(e *endpoint, failure *huma.Schema) *huma.Operation {
	op := &huma.Operation{
		Method: e.Method, Path: e.Path, OperationID: e.ID,
		Summary: e.Summary, Description: e.Description, Tags: []string{e.Area},
		Security: security(e.Auth),
		Responses: map[string]*huma.Response{
			"200": {Description: "Success", Content: r.contentOf(e.output)},
		},
	}
	for _, p := range e.input.params {
		op.Parameters = append(op.Parameters, &huma.Param{
			Name: p.name, In: p.in, Required: p.required, Description: p.doc, Schema: p.schema,
		})
	}
	if b := e.input.body; b != nil {
		op.RequestBody = &huma.RequestBody{
			Required: !b.optional,
			Content:  map[string]*huma.MediaType{"application/json": {Schema: b.schema}},
		}
	}
	for _, status := range e.statuses() {
		op.Responses[strconv.Itoa(status)] = &huma.Response{
			Description: http.StatusText(status),
			Content:     map[string]*huma.MediaType{"application/json": {Schema: failure}},
		}
	}
	return op
}

// statuses are the errors that the route can answer with by its shape alone.
func (e *endpoint) statuses() []int {
	list := []int{http.StatusInternalServerError}
	if len(e.input.params) > 0 || e.input.body != nil {
		list = append(list, http.StatusBadRequest)
	}
	if e.Auth != NoKey {
		list = append(list, http.StatusUnauthorized)
	}
	if strings.Contains(e.Path, "{") {
		list = append(list, http.StatusNotFound)
	}
	if e.input.body != nil {
		list = append(list, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType)
	}
	return list
}

// contentOf describes the answer of a route.
func (r *Router) contentOf(out reflect.Type) map[string]*huma.MediaType {
	if out == reflect.TypeFor[Content]() {
		return map[string]*huma.MediaType{"*/*": {}}
	}
	if v, ok := reflect.Zero(out).Interface().(encoded); ok {
		out = v.shape()
	}
	schema := r.schemas.Schema(out, true, "")
	tidy(schema)
	return map[string]*huma.MediaType{"application/json": {Schema: schema}}
}

// security lists the ways to be let in.
func security(auth Auth) []map[string][]string {
	keys := []map[string][]string{{headerScheme: {}}, {bearerScheme: {}}}
	switch auth {
	case NoKey:
		return nil
	case OptionalKey:
		return append([]map[string][]string{{}}, keys...)
	default:
		return keys
	}
}

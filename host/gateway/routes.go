package gateway

import (
	"context"

	"github.com/svc-platform/svc/host/caller"
	"github.com/svc-platform/svc/host/fault"
	"github.com/svc-platform/svc/host/route"
	"github.com/svc-platform/svc/host/state"
)

// Version is the version that the gateway's status reports.
const Version = "6.3.0"

// Status is the answer of /api/v1/status.
type Status struct {
	Status     string `json:"status"`
	Operators  int    `json:"operators"`
	Categories int    `json:"categories"`
	Version    string `json:"version"`
	Pulse      Pulse  `json:"pulse"`
}

// Pulse is the time base. This is the one place where its key is zeqond.
type Pulse struct {
	Frequency float64 `json:"frequency" doc:"Hz"`
	Zeqond    float64 `json:"zeqond" doc:"seconds in a cycle"`
}

// View is an operator as it is shown.
type View struct {
	ID            string `json:"id"`
	Name          string `json:"name"`
	Category      string `json:"category"`
	Description   string `json:"description"`
	Equation      string `json:"equation,omitempty" doc:"only with a key"`
	EquationLaTeX string `json:"equationLaTeX,omitempty" doc:"only with a key"`
}

// Operators is the answer of /api/v1/operators/all.
type Operators struct {
	Total     int    `json:"total"`
	Operators []View `json:"operators"`
}

// CategoryOperators is the answer of /api/v1/operators/category/{category}.
type CategoryOperators struct {
	Category  string `json:"category"`
	Count     int    `json:"count"`
	Operators []View `json:"operators"`
}

// Categories is the answer of /api/v1/categories.
type Categories struct {
	Categories []Category `json:"categories"`
}

// Question is the body of /api/v1/process.
type Question struct {
	Query     string   `json:"query" minLength:"1" maxLength:"4096" doc:"a question of physics" example:"kinetic energy of a 2 kg ball at 3 m/s"`
	Hints     []string `json:"domain_hints,omitempty" maxItems:"64" maxLength:"100" doc:"categories that the question may belong to"`
	Precision *float64 `json:"precision,omitempty" doc:"in (0,1) a relative tolerance, from 1 to 15 significant digits"`
}

// Answer is the answer of /api/v1/process.
type Answer struct {
	State state.State `json:"state"`
}

// Register adds the gateway's routes. What they answer from the catalogue is
// marshalled here, once: a request only picks the bytes.
func Register(r *route.Router, c *Catalog, d *Desk) error {
	p, err := newPages(c)
	if err != nil {
		return err
	}
	op := func(id, summary string, auth route.Auth) route.Op {
		return route.Op{ID: id, Summary: summary, Area: "gateway", Auth: auth}
	}
	route.Get(r, "/api/v1/status", op("gateway-status", "What this gateway has loaded", route.NoKey), p.getStatus)
	route.Get(r, "/api/v1/operators/all", op("list-operators", "All operators; equations only with a key", route.OptionalKey), p.getAll)
	route.Get(r, "/api/v1/operators/category/{category}", op("list-category", "The operators of a category", route.RequiredKey), p.getCategory)
	route.Get(r, "/api/v1/operators/search", op("search-operators", "Operators that match every word, best first", route.RequiredKey), p.search)
	route.Get(r, "/api/v1/operators/{id}", op("get-operator", "One operator; the case of the id does not matter", route.RequiredKey), p.getOperator)
	route.Get(r, "/api/v1/categories", op("list-categories", "The categories and how many operators each has", route.RequiredKey), p.getCategories)
	route.Post(r, "/api/v1/process", op("process", "Answer a question of physics", route.RequiredKey), d.post)
	return nil
}

// pages are the answers from the catalogue, ready to be sent.
type pages struct {
	catalog     *Catalog
	status      route.Encoded[Status]
	all, public route.Encoded[Operators] // with and without equations
	categories  route.Encoded[Categories]
	operators   []route.Encoded[View] // as in the catalogue
	byCategory  map[string]route.Encoded[CategoryOperators]
}

// encoder remembers the first error, so that many answers can be marshalled
// without a check after each.
type encoder struct{ err error }

func encode[T any](e *encoder, v T) route.Encoded[T] {
	data, err := route.Encode(v)
	if err != nil && e.err == nil {
		e.err = err
	}
	return data
}

func newPages(c *Catalog) (*pages, error) {
	e := &encoder{}
	p := &pages{catalog: c, byCategory: map[string]route.Encoded[CategoryOperators]{}}
	p.status = encode(e, Status{
		Status: "operational", Operators: len(c.operators), Categories: len(c.categories), Version: Version,
		Pulse: Pulse{Frequency: 1.287, Zeqond: 0.777},
	})
	full := Operators{Total: len(c.operators), Operators: []View{}}
	bare := Operators{Total: len(c.operators), Operators: []View{}}
	for _, op := range c.operators {
		v := View{ID: op.ID, Name: op.Name, Category: op.Category, Description: op.Description}
		bare.Operators = append(bare.Operators, v)
		v.Equation, v.EquationLaTeX = op.Equation, op.EquationLaTeX
		full.Operators = append(full.Operators, v)
		p.operators = append(p.operators, encode(e, v))
	}
	p.all, p.public = encode(e, full), encode(e, bare)
	p.categories = encode(e, Categories{Categories: append([]Category{}, c.categories...)})
	for _, category := range c.categories {
		page := CategoryOperators{Category: category.Name, Count: category.Count}
		for _, n := range c.byCategory[fold(category.Name)] {
			page.Operators = append(page.Operators, full.Operators[n])
		}
		p.byCategory[fold(category.Name)] = encode(e, page)
	}
	return p, e.err
}

func (p *pages) getStatus(context.Context, *struct{}) (route.Encoded[Status], error) {
	return p.status, nil
}

func (p *pages) getAll(ctx context.Context, _ *struct{}) (route.Encoded[Operators], error) {
	if caller.From(ctx).Known() {
		return p.all, nil
	}
	return p.public, nil
}

func (p *pages) getCategories(context.Context, *struct{}) (route.Encoded[Categories], error) {
	return p.categories, nil
}

type categoryIn struct {
	Category string `path:"category" maxLength:"100" doc:"a name out of /api/v1/categories"`
}

func (p *pages) getCategory(_ context.Context, in *categoryIn) (route.Encoded[CategoryOperators], error) {
	page, ok := p.byCategory[fold(in.Category)]
	if !ok {
		return page, fault.New(fault.NotFound, "there is no category %q; GET /api/v1/categories lists them", in.Category).WithCode("unknown_category")
	}
	return page, nil
}

type operatorIn struct {
	ID string `path:"id" maxLength:"100" doc:"e.g. KO42"`
}

func (p *pages) getOperator(_ context.Context, in *operatorIn) (route.Encoded[View], error) {
	n, ok := p.catalog.byID[fold(in.ID)]
	if !ok {
		return route.Encoded[View]{}, fault.New(fault.NotFound, "there is no operator %q; GET /api/v1/operators/search?q= finds them", in.ID).WithCode("unknown_operator")
	}
	return p.operators[n], nil
}

type searchIn struct {
	Q string `query:"q" doc:"words, at most 200 characters"`
}

func (p *pages) search(_ context.Context, in *searchIn) (route.Encoded[[]View], error) {
	found, err := p.catalog.Search(in.Q)
	if err != nil {
		return route.Encoded[[]View]{}, err
	}
	views := make([]route.Encoded[View], len(found))
	for i, n := range found {
		views[i] = p.operators[n]
	}
	return route.EncodedList(views), nil
}

type questionIn struct {
	Body Question
}

func (d *Desk) post(ctx context.Context, in *questionIn) (Answer, error) {
	s, err := d.Process(ctx, Request{Query: in.Body.Query, Hints: in.Body.Hints, Precision: in.Body.Precision})
	return Answer{State: s}, err
}

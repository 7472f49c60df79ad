// Package route is the door of the host: typed routes in, HTTP and an OpenAPI
// 3.1 document out. It owns what every request shares (keys, request ids, one
// error body, limits, logs) and is the only room that knows fiber. Areas
// register plain functions:
//
//	route.Get(r, "/api/v1/operators/{id}", route.Op{...},
//		func(ctx context.Context, in *struct{ ID string `path:"id"` }) (Operator, error) {...})
//
// An input is a struct with fields tagged path, query or header and, for a
// JSON body, a field named Body. Constraints are tags too: required, minLength,
// maxLength, pattern, enum, minimum, maximum, maxItems, doc. They are checked
// before the function runs, and stand in the document.
package route

import (
	"context"
	"fmt"
	"log/slog"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gofiber/fiber/v2"

	"github.com/svc-platform/svc/host/caller"
)

// Auth says what a route does with keys.
type Auth int

// The three tiers of keys.
const (
	NoKey       Auth = iota // a key is not looked at
	OptionalKey             // no key is fine, a bad one is not
	RequiredKey
)

// String is the tier's name: none, optional or required.
func (a Auth) String() string { return [...]string{"none", "optional", "required"}[a] }

// Label is what the registry of endpoints calls the tier: "user" where a key
// is needed, else "public (no key)".
func (a Auth) Label() string {
	if a == RequiredKey {
		return "user"
	}
	return "public (no key)"
}

// Op describes an operation.
type Op struct {
	ID          string // unique, lower-case words with dashes
	Summary     string // one line
	Description string // optional, Markdown
	Area        string // the area that registers it
	Auth        Auth
}

// Route is one registered operation.
type Route struct {
	Op
	Method string
	Path   string // with {name} placeholders
}

// Keys checks the keys that callers send. An unknown key is an error of kind
// fault.Unauthenticated.
type Keys interface {
	Authenticate(ctx context.Context, secret string) (caller.Caller, error)
}

// Config is what a Router needs. Only Keys has no default.
type Config struct {
	Title     string // of the OpenAPI document
	Version   string
	BodyLimit int // bytes of a request body, default 1 MiB
	// ReadTimeout is the time a client has to send one request, default 30 s.
	ReadTimeout time.Duration
	// Grace is the time that requests in flight have at shutdown, default 10 s.
	Grace time.Duration
	Keys  Keys
	// Log takes a line for each request: failures of ours as errors, good
	// reads at the debug level, all else as information. Default discards.
	Log *slog.Logger
}

// Router collects routes and serves them. Register all before the first
// request: the router is sealed then, and a late registration panics.
type Router struct {
	cfg       Config
	app       *fiber.App
	schemas   huma.Registry
	endpoints []*endpoint
	base      context.Context // ends when requests in flight must stop
	stop      context.CancelFunc
	ids       *requestIDs
	headers   []header
	about     published
	seal      func()
	sealed    bool
}

// endpoint is a route with what is needed to run it.
type endpoint struct {
	Route
	input  *input
	output reflect.Type
	call   func(ctx context.Context, c *fiber.Ctx, in *input) (any, error)
}

// New makes a router that already serves its own description: /api/endpoints
// and /api-docs.
func New(cfg Config) *Router {
	if cfg.BodyLimit == 0 {
		cfg.BodyLimit = 1 << 20
	}
	if cfg.ReadTimeout == 0 {
		cfg.ReadTimeout = 30 * time.Second
	}
	if cfg.Grace == 0 {
		cfg.Grace = 10 * time.Second
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	r := &Router{cfg: cfg, schemas: newSchemas(), ids: newRequestIDs(), headers: securityHeaders()}
	r.base, r.stop = context.WithCancel(context.Background())
	r.app = r.newApp()
	r.seal = sync.OnceFunc(r.mount)
	registerEndpoints(r)
	registerDocs(r)
	return r
}

// Get registers a function for GET, and so for HEAD. In and Out give the
// shapes of the request and of the answer.
func Get[In, Out any](r *Router, path string, op Op, h func(context.Context, *In) (Out, error)) {
	add(r, fiber.MethodGet, path, op, h)
}

// Post registers a function for POST.
func Post[In, Out any](r *Router, path string, op Op, h func(context.Context, *In) (Out, error)) {
	add(r, fiber.MethodPost, path, op, h)
}

// Put registers a function for PUT.
func Put[In, Out any](r *Router, path string, op Op, h func(context.Context, *In) (Out, error)) {
	add(r, fiber.MethodPut, path, op, h)
}

// Delete registers a function for DELETE.
func Delete[In, Out any](r *Router, path string, op Op, h func(context.Context, *In) (Out, error)) {
	add(r, fiber.MethodDelete, path, op, h)
}

// add is the only generic step: it erases the types, so that a route costs
// bytes and not the 48 KB that an instantiated framework function takes.
func add[In, Out any](r *Router, method, path string, op Op, h func(context.Context, *In) (Out, error)) {
	r.register(&endpoint{
		Route:  Route{Op: op, Method: method, Path: path},
		input:  newInput(r.schemas, reflect.TypeFor[In](), path),
		output: reflect.TypeFor[Out](),
		call: func(ctx context.Context, c *fiber.Ctx, in *input) (any, error) {
			v := new(In)
			if err := in.fill(c, reflect.ValueOf(v).Elem()); err != nil {
				return nil, err
			}
			return h(ctx, v)
		},
	})
}

// register adds an endpoint; a bad one is a mistake in our own code and panics at start.
func (r *Router) register(e *endpoint) {
	switch {
	case r.sealed:
		panic("route: " + e.Path + " is registered after the first request")
	case e.ID == "" || e.Summary == "" || e.Area == "":
		panic("route: " + e.Method + " " + e.Path + " needs an id, a summary and an area")
	}
	for _, other := range r.endpoints {
		if other.ID == e.ID {
			panic("route: two operations have the id " + e.ID)
		}
		if other.Method == e.Method && shape(other.Path) == shape(e.Path) {
			panic(fmt.Sprintf("route: %s %s and %s are the same route", e.Method, other.Path, e.Path))
		}
	}
	r.endpoints = append(r.endpoints, e)
}

// Routes lists every route, sorted by path and method.
func (r *Router) Routes() []Route {
	list := make([]Route, len(r.endpoints))
	for i, e := range r.endpoints {
		list[i] = e.Route
	}
	slices.SortFunc(list, func(a, b Route) int {
		if c := strings.Compare(a.Path, b.Path); c != 0 {
			return c
		}
		return strings.Compare(a.Method, b.Method)
	})
	return list
}

// mount hands the routes to fiber, which takes the first that fits: a fixed
// segment must come before a placeholder in the same place.
func (r *Router) mount() {
	r.sealed = true
	ordered := slices.Clone(r.endpoints)
	slices.SortStableFunc(ordered, func(a, b *endpoint) int {
		return strings.Compare(precedence(a.Path), precedence(b.Path))
	})
	for _, e := range ordered {
		path := fiberPath(e.Path)
		if e.Method == fiber.MethodGet {
			r.app.Add(fiber.MethodHead, path, r.handler(e))
		}
		r.app.Add(e.Method, path, r.handler(e))
	}
	r.publish()
	r.app.Handler() // lets fiber build its tables, before there is anyone to race with
}

// handler runs one endpoint for a request.
func (r *Router) handler(e *endpoint) fiber.Handler {
	return func(c *fiber.Ctx) error {
		ctx, err := r.identify(c, e.Auth)
		if err != nil {
			return err
		}
		out, err := e.call(ctx, c, e.input)
		if err != nil {
			return err
		}
		return answer(c, out)
	}
}

// fiberPath turns /a/{b} into /a/:b.
func fiberPath(path string) string {
	return strings.NewReplacer("{", ":", "}", "").Replace(path)
}

// shape is the path without the names of its placeholders.
func shape(path string) string {
	segments := strings.Split(path, "/")
	for i, s := range segments {
		if strings.HasPrefix(s, "{") {
			segments[i] = "{}"
		}
	}
	return strings.Join(segments, "/")
}

// precedence sorts fixed segments before placeholders: '~' follows every
// character that a path of ours contains.
func precedence(path string) string { return strings.ReplaceAll(shape(path), "{}", "~") }

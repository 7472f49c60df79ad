package route_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/svc-platform/svc/host/caller"
	"github.com/svc-platform/svc/host/fault"
	"github.com/svc-platform/svc/host/route"
	"github.com/svc-platform/svc/host/route/routetest"
)

type note struct {
	Text   string   `json:"text" minLength:"1" maxLength:"20"`
	Tags   []string `json:"tags,omitempty" maxItems:"3"`
	Weight float64  `json:"weight,omitempty" minimum:"0"`
	Count  int64    `json:"count,omitempty"`
	Inner  struct {
		Deep string `json:"deep,omitempty"`
	} `json:"inner,omitzero"`
}

type noteIn struct {
	Body note
}

// build is a router with one route of every kind.
func build(t *testing.T, cfg route.Config) *route.Router {
	t.Helper()
	cfg.Title, cfg.Version, cfg.Keys = "test", "1", routetest.OneKey{}
	r := route.New(cfg)
	op := func(id string, auth route.Auth) route.Op {
		return route.Op{ID: id, Summary: id, Area: "test", Auth: auth}
	}
	who := func(ctx context.Context, _ *struct{}) (string, error) { return "<" + caller.From(ctx).KeyID + ">", nil }
	route.Get(r, "/open", op("open", route.NoKey), who)
	route.Get(r, "/maybe", op("maybe", route.OptionalKey), who)
	route.Get(r, "/closed", op("closed", route.RequiredKey), who)
	// The placeholder is registered first, and must still lose.
	route.Get(r, "/things/{id}", op("thing", route.NoKey),
		func(_ context.Context, in *struct {
			ID string `path:"id" maxLength:"10"`
		},
		) (string, error) {
			return "thing " + in.ID, nil
		})
	route.Get(r, "/things/all", op("things", route.NoKey),
		func(context.Context, *struct{}) (string, error) { return "all things", nil })
	route.Get(r, "/find", op("find", route.NoKey),
		func(_ context.Context, in *struct {
			Q     string  `query:"q" required:"true"`
			Limit int     `query:"limit" minimum:"1"`
			Exact bool    `query:"exact"`
			Ratio float64 `query:"ratio"`
		},
		) (string, error) {
			return fmt.Sprintf("%s %d %t %g", in.Q, in.Limit, in.Exact, in.Ratio), nil
		})
	route.Post(r, "/notes", op("note", route.NoKey),
		func(_ context.Context, in *noteIn) (note, error) { return in.Body, nil })
	route.Put(r, "/maybe-note", op("maybe-note", route.NoKey),
		func(_ context.Context, in *struct{ Body *note }) (bool, error) { return in.Body != nil, nil })
	route.Delete(r, "/fail/{how}", op("fail", route.NoKey), fail)
	return r
}

func fail(_ context.Context, in *struct {
	How string `path:"how"`
},
) (struct{}, error) {
	cause := errors.New("secret cause")
	switch in.How {
	case "panic":
		panic("secret cause")
	case "plain":
		return struct{}{}, cause
	case "coded":
		return struct{}{}, fault.New(fault.Forbidden, "subscribe first").WithCode("subscription_required").WithCause(cause)
	}
	return struct{}{}, fault.New(fault.Kind(in.How), "do something").WithCause(cause)
}

func TestRequests(t *testing.T) {
	r := build(t, route.Config{})
	post := func(name, body string, status int, code string, contains ...string) routetest.Scenario {
		return routetest.Scenario{Name: name, Method: "POST", URL: "/notes", Body: body, Status: status, Error: code, Contains: contains}
	}
	routetest.Run(t, r, []routetest.Scenario{
		{Name: "fixed segment wins", URL: "/things/all", Status: 200, Contains: []string{"all things"}},
		{Name: "placeholder", URL: "/things/a%20b", Status: 200, Contains: []string{"thing a b"}},
		{Name: "no HTML escapes", URL: "/things/%3Ca&b%3E", Status: 200, Contains: []string{"thing <a&b>"}},
		{Name: "path too long", URL: "/things/01234567890", Status: 400, Error: "invalid_request", Contains: []string{"path.id", "10"}},
		{Name: "path not UTF-8", URL: "/things/%ff", Status: 400, Error: "invalid_request", Contains: []string{"UTF-8"}},
		{Name: "path badly escaped", URL: "/things/%zz", Status: 400, Error: "invalid_request", Contains: []string{"percent"}},
		{Name: "HEAD on a GET route", Method: "HEAD", URL: "/things/all", Status: 200, Answers: map[string]string{"Content-Length": "12"}},
		{Name: "query", URL: "/find?q=caf%C3%A9&limit=7&exact=true&ratio=0.5", Status: 200, Contains: []string{"café 7 true 0.5"}},
		{Name: "query missing", URL: "/find", Status: 400, Error: "invalid_request", Contains: []string{"query.q", "required"}},
		{
			Name: "query wrong in three places", URL: "/find?limit=x&exact=7&ratio=NaN&q=%ff", Status: 400, Error: "invalid_request",
			Contains: []string{"query.limit", "query.exact", "query.ratio", "query.q", "3 more"},
		},
		{Name: "query below the minimum", URL: "/find?q=a&limit=0", Status: 400, Error: "invalid_request", Contains: []string{"query.limit"}},
		{Name: "unknown path", URL: "/nothing?secret=1", Status: 404, Error: "not_found", Contains: []string{"/api/endpoints"}, Lacks: []string{"secret"}},
		{Name: "wrong case of a path", URL: "/Things/all", Status: 404, Error: "not_found"},
		{Name: "wrong method", Method: "POST", URL: "/things/all", Body: "{}", Status: 405, Error: "method_not_allowed", Answers: map[string]string{"Allow": "GET, HEAD"}},
		{Name: "no HTTP method", Method: "BREW", URL: "/open", Status: 501, Error: "unknown_method"},
		post("body", `{"text":"<é&>","weight":1.5}`, 200, "", `{"text":"<é&>"`),
		post("an integer keeps all digits", `{"text":"a","count":9007199254740993}`, 200, "", "9007199254740993"),
		post("malformed", `{"text":`, 400, "invalid_request", "ends too early"),
		post("not JSON", `text=hello`, 400, "invalid_request", "not valid JSON near byte"),
		post("two values", `{"text":"a"}{"text":"b"}`, 400, "invalid_request", "after the JSON value"),
		post("blank body", "  ", 400, "invalid_request", "empty"),
		post("wrong type of the whole", `[]`, 400, "invalid_request", "object"),
		post("null", `null`, 400, "invalid_request", "object"),
		post("wrong type of a field", `{"text":7}`, 400, "invalid_request", "body.text", "string"),
		post("null for a list", `{"text":"a","tags":null}`, 200, ""),
		post("wrong type inside a list", `{"text":"a","tags":["b",1]}`, 400, "invalid_request", "body.tags[1]"),
		post("fraction for an integer", `{"text":"a","count":1.5}`, 400, "invalid_request", "body.count"),
		post("integer too large", `{"text":"a","count":1e30}`, 400, "invalid_request", "body.count"),
		post("number out of range", `{"text":"a","weight":1e999}`, 400, "invalid_request", "out of range"),
		post("unknown field", `{"text":"a","colour":"red"}`, 400, "invalid_request", "body.colour", "unknown field", "count, inner, tags, text, weight"),
		post("unknown field inside", `{"text":"a","inner":{"deeper":1}}`, 400, "invalid_request", "body.inner.deeper"),
		post("a field in another case", `{"Text":"a"}`, 400, "invalid_request", "body.Text", "unknown field"),
		post("the same field twice", `{"text":"a","text":"b"}`, 400, "invalid_request", "twice"),
		post("missing field", `{}`, 400, "invalid_request", "text"),
		post("too long", `{"text":"123456789012345678901"}`, 400, "invalid_request", "20"),
		post("several things wrong", `{"text":1,"tags":2,"x":3}`, 400, "invalid_request", "body.text", "body.tags", "body.x", "2 more"),
		post("invalid UTF-8", "{\"text\":\"\xff\"}", 400, "invalid_request", "UTF-8"),
		post("deep nesting", strings.Repeat("[", 100_000), 400, "invalid_request", "nests deeper"),
		{Name: "no body", Method: "POST", URL: "/notes", Headers: map[string]string{"Content-Type": "application/json"}, Status: 400, Error: "invalid_request", Contains: []string{"empty"}},
		{Name: "optional body left out", Method: "PUT", URL: "/maybe-note", Status: 200, Contains: []string{"false"}},
		{Name: "optional body sent", Method: "PUT", URL: "/maybe-note", Body: `{"text":"a"}`, Status: 200, Contains: []string{"true"}},
		{Name: "wrong media type", Method: "POST", URL: "/notes", Body: `{"text":"a"}`, Headers: map[string]string{"Content-Type": "text/plain"}, Status: 415, Error: "unsupported_media_type"},
		{Name: "wrong charset", Method: "POST", URL: "/notes", Body: `{"text":"a"}`, Headers: map[string]string{"Content-Type": "application/json; charset=latin1"}, Status: 415, Error: "unsupported_media_type"},
		{Name: "packed body", Method: "POST", URL: "/notes", Body: `{"text":"a"}`, Headers: map[string]string{"Content-Encoding": "gzip"}, Status: 415, Error: "unsupported_media_type"},
		{Name: "UTF-8 named", Method: "POST", URL: "/notes", Body: `{"text":"a"}`, Headers: map[string]string{"Content-Type": "Application/JSON; charset=UTF-8"}, Status: 200},
	})
}

func TestBodyLimit(t *testing.T) {
	text := strings.Repeat("x", 2000)
	routetest.Run(t, build(t, route.Config{BodyLimit: 1000}), []routetest.Scenario{
		{
			Name: "over the limit", Method: "POST", URL: "/notes", Body: `{"text":"` + text + `"}`, Status: 413, Error: "too_large",
			Contains: []string{"1000 bytes"}, Answers: map[string]string{"X-Content-Type-Options": "nosniff"},
		},
		{Name: "under the limit", Method: "POST", URL: "/notes", Body: `{"text":"a"}`, Status: 200},
	})
	routetest.Run(t, build(t, route.Config{}), []routetest.Scenario{
		{Name: "headers too large", URL: "/open", Headers: map[string]string{"X-Long": strings.Repeat("x", 20_000)}, Status: 431, Error: "headers_too_large"},
	})
}

func TestKeys(t *testing.T) {
	const refused = "Missing or invalid key"
	bearer := func(v string) map[string]string { return map[string]string{"Authorization": v} }
	header := func(v string) map[string]string { return map[string]string{"X-API-Key": v} }
	ask := map[string]string{"WWW-Authenticate": "Bearer"}
	denied := func(name, url string, headers map[string]string) routetest.Scenario {
		return routetest.Scenario{
			Name: name, URL: url, Headers: headers, Status: 401, Error: "unauthorized",
			Contains: []string{refused}, Lacks: []string{"bad-key"}, Answers: ask,
		}
	}
	routetest.Run(t, build(t, route.Config{}), []routetest.Scenario{
		{Name: "open ignores keys", URL: "/open", Headers: header("bad-key"), Status: 200, Contains: []string{`"<>"`}},
		{Name: "optional without", URL: "/maybe", Status: 200, Contains: []string{`"<>"`}},
		{Name: "optional with", URL: "/maybe", WithKey: true, Status: 200, Contains: []string{"key_test"}, Lacks: []string{routetest.Key}},
		denied("optional with a bad one", "/maybe", header("bad-key")),
		denied("required without", "/closed", nil),
		denied("required with a bad one", "/closed", header("bad-key")),
		denied("required with a bad bearer", "/closed", bearer("Bearer bad-key")),
		denied("another scheme", "/closed", bearer("Basic "+routetest.Key)),
		denied("a bearer of nothing", "/maybe", bearer("Bearer ")),
		denied("one good, one bad", "/closed", map[string]string{"X-API-Key": routetest.Key, "Authorization": "Bearer bad-key"}),
		{Name: "required with", URL: "/closed", WithKey: true, Status: 200, Contains: []string{"key_test"}},
		{Name: "required with bearer", URL: "/closed", Headers: bearer("bearer " + routetest.Key), Status: 200, Contains: []string{"key_test"}},
	})
}

func TestFaults(t *testing.T) {
	fails := func(how string, status int, code string, contains ...string) routetest.Scenario {
		return routetest.Scenario{
			Name: how, Method: "DELETE", URL: "/fail/" + how, Status: status, Error: code,
			Contains: contains, Lacks: []string{"secret", "goroutine"},
		}
	}
	var log strings.Builder
	r := build(t, route.Config{Log: newLog(&log, slog.LevelDebug)})
	routetest.Run(t, r, []routetest.Scenario{
		fails(string(fault.Invalid), 400, "invalid_request", "do something"),
		fails(string(fault.Unauthenticated), 401, "unauthorized"),
		fails(string(fault.Forbidden), 403, "forbidden"),
		fails(string(fault.NotFound), 404, "not_found"),
		fails(string(fault.Conflict), 409, "conflict"),
		fails(string(fault.TooLarge), 413, "too_large"),
		fails(string(fault.Unavailable), 503, "unavailable"),
		fails("coded", 403, "subscription_required", "subscribe first"),
	})
	if strings.Contains(log.String(), "ERROR") && !strings.Contains(log.String(), "status=503") {
		t.Error("a refusal was logged as a failure of ours")
	}
	log.Reset()
	routetest.Run(t, r, []routetest.Scenario{
		fails("plain", 500, "internal", "our side"),
		fails("panic", 500, "internal", "our side"),
		{Name: "the next request is served", URL: "/open", Status: 200},
	})
	if n := strings.Count(log.String(), "secret cause"); n != 2 {
		t.Errorf("the log names the cause %d times, want 2: %s", n, log.String())
	}
}

func TestDoor(t *testing.T) {
	var log strings.Builder
	r := build(t, route.Config{Log: newLog(&log, slog.LevelDebug)})
	for _, tt := range []struct {
		name, sent string
		kept       bool
	}{
		{"none", "", false},
		{"sane", "req-1.A_b", true},
		{"too long", strings.Repeat("a", 65), false},
		{"forging", `a"b level=ERROR`, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			log.Reset()
			res, _ := routetest.Send(t, r, routetest.Scenario{URL: "/open?token=hush", WithKey: true, Headers: map[string]string{"X-Request-Id": tt.sent}})
			id := res.Header.Get("X-Request-Id")
			if id == "" || (id == tt.sent) != tt.kept {
				t.Errorf("id %q for %q", id, tt.sent)
			}
			if !strings.Contains(log.String(), "id="+id) || !strings.Contains(log.String(), "path=/open") {
				t.Errorf("log: %s", log.String())
			}
			for _, never := range []string{"hush", routetest.Key} {
				if strings.Contains(log.String(), never) {
					t.Errorf("the log shows %q: %s", never, log.String())
				}
			}
			for name, want := range map[string]string{
				"X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY", "Referrer-Policy": "no-referrer",
				"Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'", "Cache-Control": "no-store", "Server": "",
			} {
				if got := res.Header.Get(name); got != want {
					t.Errorf("%s: %q, want %q", name, got, want)
				}
			}
		})
	}
}

// The router, the registry of endpoints and the document must agree, to the route.
func TestOneCatalogue(t *testing.T) {
	r := build(t, route.Config{})
	var routes []string
	for _, e := range r.Routes() {
		routes = append(routes, e.Method+" "+e.Path)
	}
	_, body := routetest.Send(t, r, routetest.Scenario{URL: "/api/endpoints"})
	var listed route.Endpoints
	if err := json.Unmarshal([]byte(body), &listed); err != nil {
		t.Fatal(err)
	}
	var endpoints []string
	for _, e := range listed.Endpoints {
		endpoints = append(endpoints, e.Method+" "+e.Path)
		if e.Tier == "" || e.Area == "" || (e.Key == "required") != (e.Auth == "user") {
			t.Errorf("labels of %s %s: %+v", e.Method, e.Path, e)
		}
	}
	if listed.Total != len(routes) {
		t.Errorf("total is %d of %d", listed.Total, len(routes))
	}
	slices.Sort(routes)
	slices.Sort(endpoints)
	if diff := cmp.Diff(routes, endpoints); diff != "" {
		t.Errorf("router and /api/endpoints differ:\n%s", diff)
	}
	if diff := cmp.Diff(routes, documented(t, r)); diff != "" {
		t.Errorf("router and document differ:\n%s", diff)
	}
	if diff := cmp.Diff(routes, mounted(r)); diff != "" {
		t.Errorf("router and what fiber serves differ:\n%s", diff)
	}
}

// documented are the operations of the OpenAPI document.
func documented(t *testing.T, r *route.Router) []string {
	t.Helper()
	_, body := routetest.Send(t, r, routetest.Scenario{URL: "/api-docs/openapi.json"})
	var doc struct {
		OpenAPI string
		Paths   map[string]map[string]any
	}
	if err := json.Unmarshal([]byte(body), &doc); err != nil {
		t.Fatal(err)
	}
	if doc.OpenAPI != "3.1.0" {
		t.Errorf("OpenAPI %q", doc.OpenAPI)
	}
	var list []string
	for path, item := range doc.Paths {
		for method := range item {
			list = append(list, strings.ToUpper(method)+" "+path)
		}
	}
	slices.Sort(list)
	return list
}

func TestBadRegistration(t *testing.T) {
	op := route.Op{ID: "a", Summary: "a", Area: "a"}
	h := func(context.Context, *struct{}) (string, error) { return "", nil }
	tests := []struct {
		name string
		do   func(r *route.Router)
	}{
		{"no id", func(r *route.Router) { route.Get(r, "/a", route.Op{Summary: "a", Area: "a"}, h) }},
		{"same id", func(r *route.Router) { route.Get(r, "/a", op, h); route.Get(r, "/b", op, h) }},
		{"same route", func(r *route.Router) {
			in := func(context.Context, *struct {
				X string `path:"x"`
				Y string `path:"y"`
			},
			) (string, error) {
				return "", nil
			}
			route.Get(r, "/a/{x}", op, in)
			route.Get(r, "/a/{y}", route.Op{ID: "b", Summary: "b", Area: "b"}, in)
		}},
		{"placeholder without a field", func(r *route.Router) { route.Get(r, "/a/{x}", op, h) }},
		{"field without a tag", func(r *route.Router) {
			route.Get(r, "/a", op, func(context.Context, *struct{ X string }) (string, error) { return "", nil })
		}},
		{"after the first request", func(r *route.Router) {
			routetest.Send(t, r, routetest.Scenario{URL: "/api/endpoints"})
			route.Get(r, "/a", op, h)
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			tt.do(routetest.New())
		})
	}
}

// A good read is logged for debugging only, everything else always.
func TestLogLevels(t *testing.T) {
	var log strings.Builder
	r := build(t, route.Config{Log: newLog(&log, slog.LevelInfo)})
	for _, tt := range []struct {
		s    routetest.Scenario
		want string
	}{
		{routetest.Scenario{URL: "/open"}, ""},
		{routetest.Scenario{Method: "HEAD", URL: "/open"}, ""},
		{routetest.Scenario{URL: "/closed"}, "level=INFO"},
		{routetest.Scenario{URL: "/nothing"}, "level=INFO"},
		{routetest.Scenario{Method: "POST", URL: "/notes", Body: `{"text":"a"}`}, "level=INFO"},
		{routetest.Scenario{Method: "DELETE", URL: "/fail/plain"}, "level=ERROR"},
	} {
		log.Reset()
		routetest.Send(t, r, tt.s)
		if got := log.String(); (got == "") != (tt.want == "") || !strings.Contains(got, tt.want) {
			t.Errorf("%s %s: %q, want %q", tt.s.Method, tt.s.URL, got, tt.want)
		}
	}
}

func TestHead(t *testing.T) {
	r := build(t, route.Config{})
	get, body := routetest.Send(t, r, routetest.Scenario{URL: "/things/all"})
	head, none := routetest.Send(t, r, routetest.Scenario{Method: http.MethodHead, URL: "/things/all"})
	if none != "" || body == "" || head.ContentLength != get.ContentLength {
		t.Errorf("HEAD gave %q of length %d, GET %q of length %d", none, head.ContentLength, body, get.ContentLength)
	}
}

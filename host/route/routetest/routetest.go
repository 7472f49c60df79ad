// Package routetest runs tables of HTTP scenarios against a router: what is
// sent, what must come back, and what must not.
package routetest

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/svc-platform/svc/host/caller"
	"github.com/svc-platform/svc/host/fault"
	"github.com/svc-platform/svc/host/route"
)

// Key is the one key that the routers of New accept.
const Key = "test-key"

// New is a router whose only key is Key.
func New() *route.Router {
	return route.New(route.Config{Title: "svc", Version: "test", Keys: OneKey{}})
}

// OneKey accepts Key and nothing else.
type OneKey struct{}

// Authenticate knows one key.
func (OneKey) Authenticate(_ context.Context, secret string) (caller.Caller, error) {
	if secret != Key {
		return caller.Caller{}, fault.New(fault.Unauthenticated, "no such key")
	}
	return caller.Caller{KeyID: "key_test", Name: "test"}, nil
}

// Scenario is one request and what must come back.
type Scenario struct {
	Name     string
	Method   string // default GET
	URL      string
	Headers  map[string]string
	WithKey  bool   // send Key
	Body     string // sent as application/json unless Headers say otherwise
	Status   int
	Contains []string
	Lacks    []string
	Error    string            // the stable code, where an error body must come back
	Answers  map[string]string // headers that must come back
}

// Run runs the scenarios, one subtest each.
func Run(t *testing.T, r *route.Router, scenarios []Scenario) {
	t.Helper()
	for _, s := range scenarios {
		t.Run(s.Name, func(t *testing.T) {
			res, body := Send(t, r, s)
			if res.StatusCode != s.Status {
				t.Fatalf("status %d, want %d; body: %.500s", res.StatusCode, s.Status, body)
			}
			for _, want := range s.Contains {
				if !strings.Contains(body, want) {
					t.Errorf("the body lacks %q: %.500s", want, body)
				}
			}
			for _, never := range s.Lacks {
				if strings.Contains(body, never) {
					t.Errorf("the body must not contain %q: %.500s", never, body)
				}
			}
			for name, want := range s.Answers {
				if got := res.Header.Get(name); got != want {
					t.Errorf("header %s is %q, want %q", name, got, want)
				}
			}
			checkErrorBody(t, s, res, body)
		})
	}
}

// Send sends one scenario's request and returns what came back.
func Send(t *testing.T, r *route.Router, s Scenario) (*http.Response, string) {
	t.Helper()
	method := s.Method
	if method == "" {
		method = http.MethodGet
	}
	var sent io.Reader
	if s.Body != "" {
		sent = strings.NewReader(s.Body)
	}
	req := httptest.NewRequest(method, "http://host.test/", sent)
	req.RequestURI, req.URL.Path, req.URL.Opaque = s.URL, "", s.URL // as written, with its own escapes
	if s.Body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	if s.WithKey {
		req.Header.Set("X-API-Key", Key)
	}
	for name, value := range s.Headers {
		req.Header.Set(name, value)
	}
	res, err := r.Do(req)
	if err != nil {
		t.Fatalf("%s %s: %v", method, s.URL, err)
	}
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	if err := res.Body.Close(); err != nil {
		t.Fatal(err)
	}
	return res, string(body)
}

// checkErrorBody: every error, wherever it comes from, has the one body.
func checkErrorBody(t *testing.T, s Scenario, res *http.Response, body string) {
	t.Helper()
	if res.Header.Get("X-Request-Id") == "" {
		t.Error("no request id came back")
	}
	if s.Status < 400 || s.Method == http.MethodHead {
		return
	}
	if got := res.Header.Get("Content-Type"); got != "application/json; charset=utf-8" {
		t.Errorf("the error's media type is %q", got)
	}
	dec := json.NewDecoder(strings.NewReader(body))
	dec.DisallowUnknownFields()
	var f route.Failure
	if err := dec.Decode(&f); err != nil {
		t.Fatalf("not the one error body: %v: %s", err, body)
	}
	if f.Message == "" || f.Error != s.Error {
		t.Errorf("error %q with message %q, want error %q", f.Error, f.Message, s.Error)
	}
}

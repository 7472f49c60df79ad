package inventory

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/svc-platform/svc/host/route"
)

// The comparison itself must notice every kind of dishonesty.
func TestCheckNotices(t *testing.T) {
	get := func(path string, auth route.Auth) route.Route {
		return route.Route{Op: route.Op{Auth: auth}, Method: "GET", Path: path}
	}
	promised := row{"A", "GET", "/a/:id?q=", "key"}
	tests := []struct {
		name   string
		lists  lists
		routes []route.Route
		want   []string
	}{
		{"done", lists{rows: []row{promised}}, []route.Route{get("/a/{x}", route.RequiredKey)}, nil},
		{"open", lists{rows: []row{promised}, open: []open{{"A", "*", "/a/*", "later"}}}, nil, nil},
		{"neither", lists{rows: []row{promised}}, nil, []string{"A GET /a/:id?q=: is neither served nor in open.tsv with a reason"}},
		{
			"both",
			lists{rows: []row{promised}, open: []open{{"A", "GET", "/a/{id}", "later"}}},
			[]route.Route{get("/a/{x}", route.RequiredKey)},
			[]string{"A GET /a/:id?q=: is done and still in open.tsv: take it out there"},
		},
		{
			"another tier",
			lists{rows: []row{promised}},
			[]route.Route{get("/a/{x}", route.NoKey)},
			[]string{"A GET /a/:id?q=: a key is none, by the list it is required"},
		},
		{
			"an excuse for nothing",
			lists{rows: []row{promised}, open: []open{{"B", "*", "*", "later"}}},
			[]route.Route{get("/a/{x}", route.RequiredKey)},
			[]string{"open.tsv: B * * covers no row"},
		},
		{"a route of our own", lists{}, []route.Route{get("/b", route.NoKey)}, []string{"GET /b is in no list: add it to extra.tsv with a reason"}},
		{"a route of our own, listed", lists{extra: []row{{method: "GET", path: "/b"}}}, []route.Route{get("/b", route.NoKey)}, nil},
		{"an extra that is not there", lists{extra: []row{{method: "GET", path: "/b"}}}, nil, []string{"extra.tsv: GET /b is not served"}},
		{
			"an extra that is promised",
			lists{rows: []row{promised}, extra: []row{{method: "GET", path: "/a/{x}"}}},
			[]route.Route{get("/a/{x}", route.RequiredKey)},
			[]string{"GET /a/{x} is promised: take it out of extra.tsv"},
		},
		{
			"another method",
			lists{rows: []row{{"A", "POST", "/b", "-"}}, open: []open{{"A", "POST", "/b", "later"}}},
			[]route.Route{get("/b", route.NoKey)},
			[]string{"GET /b is in no list: add it to extra.tsv with a reason"},
		},
		{"shown by a test", lists{rows: []row{{"S", "-", "sweep:x", "-"}}, shown: []Shown{{"sweep:x", "f", "T"}}}, nil, nil},
		{"a stream", lists{rows: []row{{"E", "SSE", "/e", "-"}, {"E", "WS", "/ws", "-"}, {"E", "ANY", "/s/<a>/<b>", "-"}}}, []route.Route{
			get("/e", route.NoKey), get("/ws", route.NoKey), get("/s/{x}/{y}", route.NoKey),
		}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, tt.lists.check(tt.routes).Problems); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Package inventory compares what the router serves with the list of all
// operations that the interface promises. Each one is either served, or open
// with a reason in the one list testdata/open.tsv; never both, never neither.
package inventory

import (
	"embed"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/svc-platform/svc/host/route"
)

//go:embed testdata/*.tsv
var tables embed.FS

// row is one operation of the interface.
type row struct{ area, method, path, auth string }

// open says why rows are not done yet. Method and path may be "*", a path may
// end with it.
type open struct{ area, method, path, reason string }

func (o open) covers(r row) bool {
	prefix, wild := strings.CutSuffix(o.path, "*")
	return o.area == r.area && (o.method == "*" || o.method == r.method) &&
		(normal(o.path) == normal(r.path) || wild && strings.HasPrefix(r.path, prefix))
}

// Shown names the test that shows a row which no route can show.
type Shown struct{ Sweep, File, Test string }

// Area counts the rows of one area.
type Area struct {
	Name        string
	Done, Total int
}

// Report is the comparison.
type Report struct {
	Areas    []Area
	Problems []string // empty where the lists are honest
	Shown    []Shown
}

func (r Report) String() string {
	var b strings.Builder
	done, total := 0, 0
	for _, a := range r.Areas {
		fmt.Fprintf(&b, "%-12s %3d of %3d rows done\n", a.Name, a.Done, a.Total)
		done, total = done+a.Done, total+a.Total
	}
	fmt.Fprintf(&b, "%-12s %3d of %3d rows done\n", "all", done, total)
	return b.String()
}

// Check compares the routes with the list.
func Check(routes []route.Route) (Report, error) {
	l, err := load(tables)
	if err != nil {
		return Report{}, err
	}
	return l.check(routes), nil
}

// lists are the four tables.
type lists struct {
	rows  []row
	open  []open
	shown []Shown
	extra []row
}

func (l lists) check(routes []route.Route) Report {
	report := Report{Shown: l.shown}
	covering := make([]bool, len(l.open))
	for _, r := range l.rows {
		problem, done := l.judge(r, routes, covering)
		report.count(r.area, done)
		if problem != "" {
			report.Problems = append(report.Problems, fmt.Sprintf("%s %s %s: %s", r.area, r.method, r.path, problem))
		}
	}
	for i, used := range covering {
		if !used {
			report.Problems = append(report.Problems, fmt.Sprintf("open.tsv: %s %s %s covers no row", l.open[i].area, l.open[i].method, l.open[i].path))
		}
	}
	report.Problems = append(report.Problems, l.unlisted(routes)...)
	return report
}

func (r *Report) count(area string, done bool) {
	i := slices.IndexFunc(r.Areas, func(a Area) bool { return a.Name == area })
	if i < 0 {
		i = len(r.Areas)
		r.Areas = append(r.Areas, Area{Name: area})
	}
	r.Areas[i].Total++
	if done {
		r.Areas[i].Done++
	}
}

// judge tells whether a row is done, and what is dishonest about it.
func (l lists) judge(r row, routes []route.Route, covering []bool) (problem string, done bool) {
	excused := false
	for i, o := range l.open {
		if o.covers(r) {
			excused, covering[i] = true, true
		}
	}
	found := slices.IndexFunc(routes, func(e route.Route) bool { return serves(e, r) })
	done = found >= 0 || slices.ContainsFunc(l.shown, func(s Shown) bool { return s.Sweep == r.path })
	switch {
	case done && excused:
		problem = "is done and still in open.tsv: take it out there"
	case !done && !excused:
		problem = "is neither served nor in open.tsv with a reason"
	case found >= 0 && routes[found].Auth != authOf(r.auth):
		problem = fmt.Sprintf("a key is %s, by the list it is %s", routes[found].Auth, authOf(r.auth))
	}
	return problem, done
}

// unlisted names the routes that are neither in the interface nor in extra.tsv,
// and what extra.tsv lists for nothing.
func (l lists) unlisted(routes []route.Route) []string {
	var problems []string
	for _, e := range routes {
		promised := slices.ContainsFunc(l.rows, func(r row) bool { return serves(e, r) })
		extra := slices.ContainsFunc(l.extra, func(r row) bool { return serves(e, r) })
		switch {
		case !promised && !extra:
			problems = append(problems, fmt.Sprintf("%s %s is in no list: add it to extra.tsv with a reason", e.Method, e.Path))
		case promised && extra:
			problems = append(problems, fmt.Sprintf("%s %s is promised: take it out of extra.tsv", e.Method, e.Path))
		}
	}
	for _, r := range l.extra {
		if !slices.ContainsFunc(routes, func(e route.Route) bool { return serves(e, r) }) {
			problems = append(problems, fmt.Sprintf("extra.tsv: %s %s is not served", r.method, r.path))
		}
	}
	return problems
}

// serves tells whether a route is the one that a row promises. WebSockets and
// event streams are opened with GET.
func serves(e route.Route, r row) bool {
	method := r.method
	switch method {
	case "WS", "SSE":
		method = "GET"
	case "ANY":
		method = e.Method
	}
	return method == e.Method && normal(r.path) == normal(e.Path)
}

// normal writes a path without query, fragment and closing slash, and with {}
// for :id, {id} and <id> alike.
func normal(p string) string {
	p, _, _ = strings.Cut(p, "?")
	p, _, _ = strings.Cut(p, "#")
	segments := strings.Split(strings.TrimSuffix(p, "/"), "/")
	for i, s := range segments {
		if s != "" && strings.ContainsRune(":{<", rune(s[0])) {
			segments[i] = "{}"
		}
	}
	return strings.Join(segments, "/")
}

// authOf reads the list's column of keys.
func authOf(label string) route.Auth {
	switch label {
	case "key", "B", "user key", "members", "owner":
		return route.RequiredKey
	case "optional key":
		return route.OptionalKey
	default:
		return route.NoKey
	}
}

func load(tables embed.FS) (lists, error) {
	var l lists
	for _, table := range []struct {
		name   string
		fields int
		add    func(f []string)
	}{
		{"inventory.tsv", 8, func(f []string) { l.rows = append(l.rows, row{f[0], f[1], f[2], f[3]}) }},
		{"open.tsv", 4, func(f []string) { l.open = append(l.open, open{f[0], f[1], f[2], f[3]}) }},
		{"shown.tsv", 3, func(f []string) { l.shown = append(l.shown, Shown{f[0], f[1], f[2]}) }},
		{"extra.tsv", 3, func(f []string) { l.extra = append(l.extra, row{method: f[0], path: f[1]}) }},
	} {
		text, err := tables.ReadFile(path.Join("testdata", table.name))
		if err != nil {
			return l, err
		}
		for i, line := range strings.Split(strings.TrimRight(string(text), "\n"), "\n") {
			fields := strings.Split(line, "\t")
			if len(fields) != table.fields || table.name != "inventory.tsv" && slices.Contains(fields, "") {
				return l, fmt.Errorf("%s:%d has %d fields or an empty one, want %d", table.name, i+1, len(fields), table.fields)
			}
			if i > 0 {
				table.add(fields)
			}
		}
	}
	return l, nil
}

package execute_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/svc-platform/svc/host/execute"
	"github.com/svc-platform/svc/host/fault"
	"github.com/svc-platform/svc/host/route/routetest"
	"github.com/svc-platform/svc/sandbox"
)

// runner knows two languages and ends as the code says.
type runner struct{ ran []execute.Program }

func (*runner) Languages() []string { return []string{"javascript", "lua"} }

func (r *runner) Run(_ context.Context, p execute.Program) (execute.Outcome, error) {
	r.ran = append(r.ran, p)
	o := execute.Outcome{Stdout: []byte("<hi>\n"), Usage: sandbox.Usage{Fuel: 7, PeakMemory: 65536, Duration: 2500 * time.Microsecond}}
	switch p.Code {
	case "fail":
		o.ExitCode, o.Stderr = 1, []byte("Error: no")
	case "loop":
		o.ExitCode, o.Reason = 124, "out_of_fuel"
	case "hog":
		o.ExitCode, o.Reason = 137, "out_of_memory"
	case "bytes":
		o.Stdout, o.StdoutTruncated = []byte("a\xff\xfeb"), true
	case "break":
		return o, errors.New("secret cause")
	case "busy":
		return o, fault.New(fault.Unavailable, "all workers are busy; try again")
	}
	return o, nil
}

func TestExecute(t *testing.T) {
	r, run, log := routetest.New(), &runner{}, &bytes.Buffer{}
	execute.Register(r, run, slog.New(slog.NewTextHandler(log, nil)))
	post := func(name, body string, status int, code string, contains ...string) routetest.Scenario {
		return routetest.Scenario{Name: name, Method: "POST", URL: "/services/sandbox/execute", Body: body, Status: status, Error: code, Contains: contains, Lacks: []string{"secret"}}
	}
	js := func(code string) string { return `{"language":"javascript","code":"` + code + `"}` }
	routetest.Run(t, r, []routetest.Scenario{
		post("success", js("ok"), 200, "", `{"ok":true,"exit_code":0,"stdout":"<hi>\n","stderr":"","truncated":{"stdout":false,"stderr":false},"reason":"",`+
			`"fuel_used":7,"peak_memory":65536,"duration_ms":2.5,"language":"javascript"}`),
		post("failure", js("fail"), 200, "", `"ok":false,"exit_code":1`, `"stderr":"Error: no"`),
		post("out of fuel", js("loop"), 200, "", `"ok":false,"exit_code":124`, `"reason":"out_of_fuel"`),
		post("out of memory", js("hog"), 200, "", `"ok":false,"exit_code":137`, `"reason":"out_of_memory"`),
		post("bytes that are no text", js("bytes"), 200, "", "\"stdout\":\"a\uFFFDb\"", `"truncated":{"stdout":true,"stderr":false}`),
		post("all fields", `{"language":"lua","code":"x","stdin":"in","argv":["a","b c"]}`, 200, "", `"language":"lua"`),
		post("could not be run", js("break"), 500, "internal"),
		post("busy", js("busy"), 503, "unavailable", "try again"),
	})
	want := execute.Program{Language: "lua", Code: "x", Stdin: "in", Argv: []string{"a", "b c"}}
	if diff := cmp.Diff(want, run.ran[5]); diff != "" {
		t.Error(diff)
	}
	if !strings.Contains(log.String(), "secret cause") {
		t.Errorf("the log does not say why: %s", log)
	}
	run.ran = nil
	refused := func(name, body string, contains ...string) routetest.Scenario {
		return post(name, body, 400, "invalid_request", contains...)
	}
	routetest.Run(t, r, []routetest.Scenario{
		post("unknown language", `{"language":"cobol","code":"x"}`, 400, "unknown_language", "cobol", "javascript, lua"),
		post("language in another case", `{"language":"JavaScript","code":"x"}`, 400, "unknown_language"),
		post("empty language", `{"language":"","code":"x"}`, 400, "unknown_language"),
		refused("no language", `{"code":"x"}`, "language"),
		refused("no code", `{"language":"lua"}`, "code"),
		refused("empty code", js(" \\n"), "code is empty"),
		refused("code of a wrong type", `{"language":"lua","code":1}`, "body.code"),
		refused("unknown field", `{"language":"lua","code":"x","timeout":9}`, "body.timeout"),
		refused("argv of a wrong type", `{"language":"lua","code":"x","argv":[1]}`, "body.argv[0]"),
		refused("NUL in argv", `{"language":"lua","code":"x","argv":["a\u0000b"]}`, "argv[0]"),
		refused("too many arguments", `{"language":"lua","code":"x","argv":[`+strings.Repeat(`"a",`, 64)+`"a"]}`, "64"),
		refused("malformed", `{"language"`, "not valid JSON"),
		refused("invalid UTF-8", "{\"language\":\"lua\",\"code\":\"\xff\"}", "UTF-8"),
		post("too much code", js(strings.Repeat("a", 256<<10+1)), 413, "too_large", "code", "262144"),
		post("too much input", `{"language":"lua","code":"x","stdin":"`+strings.Repeat("a", 512<<10+1)+`"}`, 413, "too_large", "stdin"),
		post("too long an argument", `{"language":"lua","code":"x","argv":["`+strings.Repeat("a", 4<<10+1)+`"]}`, 413, "too_large", "argv[0]"),
		post("over the body limit", js(strings.Repeat("a", 1<<20)), 413, "too_large", "1048576"),
	})
	if len(run.ran) != 0 {
		t.Errorf("%d refused programs were run", len(run.ran))
	}
}

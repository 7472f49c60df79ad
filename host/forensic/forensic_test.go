package forensic_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/svc-platform/svc/host/fault"
	"github.com/svc-platform/svc/host/forensic"
	"github.com/svc-platform/svc/host/route"
	"github.com/svc-platform/svc/host/route/routetest"
	"github.com/svc-platform/svc/sandbox"
)

// scorers has one function for each way to end.
type scorers struct{}

func (scorers) List() []forensic.Scorer {
	var list []forensic.Scorer
	for _, name := range []string{"shannon", "insufficient", "refuses", "fuel", "time", "memory", "trap", "text", "null", "broken"} {
		list = append(list, forensic.Scorer{Name: name, Group: "entropy"})
	}
	return list
}

func (scorers) Score(_ context.Context, name string, content []byte) ([]byte, sandbox.Usage, error) {
	used := sandbox.Usage{Fuel: 123, PeakMemory: 65536, Duration: 1500 * time.Microsecond}
	if string(content) == "busy" {
		return nil, sandbox.Usage{}, fault.New(fault.Unavailable, "try again")
	}
	switch name {
	case "insufficient":
		return nil, used, &forensic.Refusal{Code: forensic.Insufficient, Message: "needs 16 bytes"}
	case "refuses":
		return nil, used, &forensic.Refusal{Code: "no_text", Message: "this is no text"}
	case "fuel":
		return nil, used, sandbox.Trapf(sandbox.OutOfFuel, "all fuel is used up")
	case "time":
		return nil, used, sandbox.Trapf(sandbox.OutOfTime, "too slow")
	case "memory":
		return nil, used, fmt.Errorf("call: %w", sandbox.Trapf(sandbox.OutOfMemory, "too big"))
	case "trap":
		return nil, used, sandbox.Trapf(sandbox.GuestTrap, "unreachable")
	case "text":
		return []byte("7.9"), used, nil
	case "null":
		return []byte("null"), used, nil
	case "broken":
		return nil, used, errors.New("secret cause")
	}
	return fmt.Appendf(nil, `{"bits": 1.5, "bytes": %d}`, len(content)), used, nil
}

func build(t *testing.T) (*route.Router, *bytes.Buffer) {
	t.Helper()
	r, log := routetest.New(), &bytes.Buffer{}
	forensic.Register(r, scorers{}, slog.New(slog.NewTextHandler(log, nil)))
	return r, log
}

func TestAnalyze(t *testing.T) {
	r, _ := build(t)
	post := func(name, body string, contains ...string) routetest.Scenario {
		return routetest.Scenario{Name: name, Method: "POST", URL: "/services/forensic/analyze", Body: body, Status: 200, Contains: contains, Lacks: []string{"secret"}}
	}
	refused := func(name, body, code string, contains ...string) routetest.Scenario {
		s := post(name, body, contains...)
		s.Status, s.Error, s.Lacks = 400, code, []string{"scores"}
		return s
	}
	one := func(function, status, more string) routetest.Scenario {
		want := fmt.Sprintf(`"total":1,"scores":[{"name":%q,"group":"entropy","status":%q,%s`, function, status, more)
		return post(function, `{"content":"abc","functions":["`+function+`"]}`, want)
	}
	routetest.Run(t, r, []routetest.Scenario{
		post("one", `{"content":"né","functions":["shannon"]}`,
			`{"bytes":3,"total":1,"scores":[{"name":"shannon","group":"entropy","status":"ok","output":{"bits":1.5,"bytes":3},"fuel_used":123,"peak_memory":65536,"duration_ms":1.5}]}`),
		one("insufficient", "insufficient", `"message":"needs 16 bytes"`),
		one("refuses", "trap", `"message":"no_text: this is no text"`),
		one("fuel", "out_of_fuel", `"message":"all fuel is used up"`),
		one("time", "out_of_fuel", `"message":"too slow"`),
		one("memory", "out_of_memory", `"message":"too big"`),
		one("trap", "trap", `"message":"unreachable"`),
		one("text", "bad_output", `"message":`),
		one("null", "bad_output", `"message":`),
		one("broken", "trap", `"message":"the function could not be run"`),
		post("all", `{"content":"abc"}`, `"total":10`, `"status":"ok"`, `"status":"out_of_memory"`),
		post("an empty list is all", `{"content":"abc","functions":[]}`, `"total":10`),
		post("each once, in the order asked", `{"content":"abc","functions":["text","shannon","text"]}`, `"total":2,"scores":[{"name":"text"`),
		refused("an unknown function", `{"content":"abc","functions":["shannon","horoscope"]}`, "unknown_function", "horoscope", "shannon, insufficient, refuses"),
		refused("two unknown functions", `{"content":"abc","functions":["tarot","horoscope"]}`, "unknown_function", "tarot", `"details":[`, "no function horoscope"),
		refused("a function in another case", `{"content":"abc","functions":["Shannon"]}`, "unknown_function"),
		refused("no content", `{}`, "invalid_request", "content"),
		refused("empty content", `{"content":""}`, "invalid_request", "content is empty"),
		refused("content of a wrong type", `{"content":{}}`, "invalid_request", "body.content"),
		refused("functions of a wrong type", `{"content":"a","functions":"shannon"}`, "invalid_request", "body.functions"),
		refused("unknown field", `{"content":"a","function":"shannon"}`, "invalid_request", "body.function"),
		refused("malformed", `{"content":`, "invalid_request", "ends too early"),
		refused("invalid UTF-8", "{\"content\":\"\xc3\"}", "invalid_request", "UTF-8"),
	})
}

func TestOversizedContent(t *testing.T) {
	r, _ := build(t)
	routetest.Run(t, r, []routetest.Scenario{{
		Name: "over the limit", Method: "POST", URL: "/services/forensic/analyze",
		Body: `{"content":"` + strings.Repeat("a", 1<<20) + `"}`, Status: 413, Error: "too_large",
	}})
}

func TestFailuresAreLogged(t *testing.T) {
	r, log := build(t)
	routetest.Send(t, r, routetest.Scenario{Method: "POST", URL: "/services/forensic/analyze", Body: `{"content":"private words"}`})
	if n := strings.Count(log.String(), "scorer failed"); n != 8 {
		t.Errorf("%d failures in the log, want 8: %s", n, log)
	}
	if strings.Contains(log.String(), "private") {
		t.Errorf("the log shows the content: %s", log)
	}
}

// TestBusy: a host that cannot serve now says so for the request as a whole.
func TestBusy(t *testing.T) {
	r, _ := build(t)
	routetest.Run(t, r, []routetest.Scenario{{
		Name: "busy", Method: "POST", URL: "/services/forensic/analyze", Body: `{"content":"busy"}`,
		Status: 503, Error: "unavailable", Contains: []string{"try again"}, Lacks: []string{"scores"},
	}})
}

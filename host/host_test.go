package host_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/svc-platform/svc/host"
	"github.com/svc-platform/svc/host/inventory"
	"github.com/svc-platform/svc/host/route/routetest"
)

// node is one host for all scenarios: loading every module takes its time.
var node *host.Host

func TestMain(m *testing.M) { os.Exit(runWithNode(m)) }

func runWithNode(m *testing.M) int {
	dir, err := os.MkdirTemp("", "svc-host-test-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer func() { _ = os.RemoveAll(dir) }()
	ctx := context.Background()
	if node, err = host.New(ctx, host.Config{DataDir: filepath.Join(dir, "data"), Keys: routetest.Key}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer func() { _ = node.Close(ctx) }()
	return m.Run()
}

// TestConformance compares the router with the list of all operations that the
// interface promises, row by row.
func TestConformance(t *testing.T) {
	report, err := inventory.Check(node.Routes())
	if err != nil {
		t.Fatal(err)
	}
	fmt.Println(report)
	for _, problem := range report.Problems {
		t.Error(problem)
	}
	for _, s := range report.Shown {
		source, err := os.ReadFile(filepath.Join("..", s.File))
		if err != nil {
			t.Errorf("%s: %v", s.Sweep, err)
		} else if !strings.Contains(string(source), "func "+s.Test+"(") {
			t.Errorf("%s: %s has no %s", s.Sweep, s.File, s.Test)
		}
	}
}

const process, analyze, execute = "/api/v1/process", "/services/forensic/analyze", "/services/sandbox/execute"

// TestProcess: questions go in as text, answers come out as states.
func TestProcess(t *testing.T) {
	nine := []string{
		`"query":`, `"domains":["work_energy"]`, `"selected_operators":["KO42","KO84"]`, `"operator_count":2`,
		`"master_sum":`, `"phase_coherence":1`, `"svcond":`, `"phase":`, `"precision_met":true`,
	}
	routetest.Run(t, node.Router(), []routetest.Scenario{
		{
			Name: "kinetic energy", Method: "POST", URL: process, WithKey: true, Status: 200,
			Body:     `{"query":"kinetic energy of a 2 kg ball at 3 m/s"}`,
			Contains: append(nine, `"value":9,"unit":"J"`), Lacks: []string{`"steps"`, "null"},
		},
		{
			Name: "with hints and a precision", Method: "POST", URL: process, WithKey: true, Status: 200,
			Body:     `{"query":"kinetic energy of a 2 kg ball at 3 m/s","domain_hints":["work_energy"],"precision":6}`,
			Contains: nine,
		},
		{
			Name: "a question that nothing fits", Method: "POST", URL: process, WithKey: true, Status: 200,
			Body:     `{"query":"What colour is Tuesday"}`,
			Contains: []string{`"selected_operators":["KO42"]`, `"operator_count":1`, `"precision_met":false`, `"value":null`, `"reason":"no operator`},
		},
		{Name: "no key", Method: "POST", URL: process, Status: 401, Error: "unauthorized", Body: `{"query":"x"}`, Contains: []string{"Missing or invalid key"}},
		{Name: "a bad key", Method: "POST", URL: process, Status: 401, Error: "unauthorized", Body: `{"query":"x"}`, Headers: map[string]string{"Authorization": "Bearer nope"}},
		{Name: "malformed JSON", Method: "POST", URL: process, WithKey: true, Status: 400, Error: "invalid_request", Body: `{"query":`},
		{Name: "a wrong type", Method: "POST", URL: process, WithKey: true, Status: 400, Error: "invalid_request", Body: `{"query":7}`},
		{Name: "an unknown field", Method: "POST", URL: process, WithKey: true, Status: 400, Error: "invalid_request", Body: `{"query":"x","quary":1}`, Contains: []string{"quary"}},
		{Name: "no query", Method: "POST", URL: process, WithKey: true, Status: 400, Error: "invalid_request", Body: `{}`, Contains: []string{"query"}},
		{Name: "a blank query", Method: "POST", URL: process, WithKey: true, Status: 400, Error: "invalid_request", Body: `{"query":"  "}`},
		{Name: "a precision of 0", Method: "POST", URL: process, WithKey: true, Status: 400, Error: "invalid_request", Body: `{"query":"x","precision":0}`, Contains: []string{"precision"}},
		{Name: "a precision of 16", Method: "POST", URL: process, WithKey: true, Status: 400, Error: "invalid_request", Body: `{"query":"x","precision":16}`},
		{Name: "invalid UTF-8", Method: "POST", URL: process, WithKey: true, Status: 400, Error: "invalid_request", Body: "{\"query\":\"\xff\"}"},
		{Name: "a body over the limit", Method: "POST", URL: process, WithKey: true, Status: 413, Error: "too_large", Body: `{"query":"` + strings.Repeat("x", 1<<20) + `"}`},
		{Name: "not JSON", Method: "POST", URL: process, WithKey: true, Status: 415, Error: "unsupported_media_type", Body: "query=x", Headers: map[string]string{"Content-Type": "application/x-www-form-urlencoded"}},
	})
}

// TestCatalogue: the real operators, equations only with a key.
func TestCatalogue(t *testing.T) {
	routetest.Run(t, node.Router(), []routetest.Scenario{
		{Name: "health", URL: "/api-health", Status: 200, Contains: []string{`"service":"svc"`, `"version":"1.287.5"`, `"uptime":`}},
		{Name: "status", URL: "/api/v1/status", Status: 200, Contains: []string{`"version":"6.3.0"`, `"frequency":1.287`, `"zeqond":0.777`}},
		{Name: "all, to a stranger", URL: "/api/v1/operators/all", Status: 200, Contains: []string{`"id":"KO1"`, `"id":"KO42"`}, Lacks: []string{`"equation`, "frac{"}},
		{Name: "all, with a key", URL: "/api/v1/operators/all", WithKey: true, Status: 200, Contains: []string{`"equation":"E = m*v^2/2"`, `"equationLaTeX":"E = `}},
		{Name: "one, in any case", URL: "/api/v1/operators/ko84", WithKey: true, Status: 200, Contains: []string{`"id":"KO84"`, `"equation":"E = m*v^2/2"`}},
		{Name: "one, to a stranger", URL: "/api/v1/operators/KO84", Status: 401, Error: "unauthorized", Lacks: []string{"m*v"}},
		{Name: "one that is not there", URL: "/api/v1/operators/KO9999", WithKey: true, Status: 404, Error: "unknown_operator"},
		{Name: "search", URL: "/api/v1/operators/search?q=kinetic+energy", WithKey: true, Status: 200, Contains: []string{`[{"id":"KO84"`}},
		{Name: "search without words", URL: "/api/v1/operators/search", WithKey: true, Status: 400, Error: "missing_query"},
		{Name: "a category", URL: "/api/v1/operators/category/quantum", WithKey: true, Status: 200, Contains: []string{`"category":"quantum"`, `"count":21`}},
		{Name: "a category that is not there", URL: "/api/v1/operators/category/magic", WithKey: true, Status: 404, Error: "unknown_category"},
		{Name: "categories", URL: "/api/v1/categories", WithKey: true, Status: 200, Contains: []string{`{"name":"relativity","count":19}`}},
		{Name: "nothing", URL: "/nowhere", Status: 404, Error: "not_found"},
		{Name: "another method", Method: "DELETE", URL: "/api/v1/categories", Status: 405, Error: "method_not_allowed"},
	})
}

// TestAnalyze: the scorer is a guest, and its words are the guest's.
func TestAnalyze(t *testing.T) {
	routetest.Run(t, node.Router(), []routetest.Scenario{
		{
			Name: "entropy", Method: "POST", URL: analyze, Status: 200, Body: `{"content":"abababab","functions":["shannon"]}`,
			Contains: []string{`"name":"shannon"`, `"group":"entropy"`, `"status":"ok"`, `"value":1,`, `"fuel_used":`},
		},
		{Name: "all functions", Method: "POST", URL: analyze, Status: 200, Body: `{"content":"x"}`, Contains: []string{`"name":"shannon"`}},
		{Name: "an unknown function", Method: "POST", URL: analyze, Status: 400, Error: "unknown_function", Body: `{"content":"x","functions":["shanon"]}`, Contains: []string{"the functions are: shannon"}},
		{Name: "no content", Method: "POST", URL: analyze, Status: 400, Error: "invalid_request", Body: `{"content":""}`},
	})
}

// TestExecute: programs run behind the walls, and every end is a 200.
func TestExecute(t *testing.T) {
	code := func(s string) string { return fmt.Sprintf(`{"language":"javascript","code":%q}`, s) }
	routetest.Run(t, node.Router(), []routetest.Scenario{
		{Name: "hello", Method: "POST", URL: execute, Status: 200, Body: code("console.log(6*7)"), Contains: []string{`"ok":true`, `"exit_code":0`, `"stdout":"42\n"`}},
		{
			Name: "stdin and arguments", Method: "POST", URL: execute, Status: 200,
			Body:     `{"language":"javascript","code":"console.log(scriptArgs.join(), readline())","stdin":"line\n","argv":["a","b"]}`,
			Contains: []string{`"stdout":"a,b line\n"`},
		},
		{Name: "an exception", Method: "POST", URL: execute, Status: 200, Body: code("throw new Error('no')"), Contains: []string{`"ok":false`, `"exit_code":1`, "Error: no"}},
		{Name: "memory without end", Method: "POST", URL: execute, Status: 200, Body: code("let a = []; for (;;) a.push(new Uint8Array(1e6).fill(1))"), Contains: []string{`"exit_code":137`, `"reason":"memory"`}},
		{Name: "an unknown language", Method: "POST", URL: execute, Status: 400, Error: "unknown_language", Body: `{"language":"cobol","code":"x"}`, Contains: []string{"javascript"}},
		{Name: "no code", Method: "POST", URL: execute, Status: 400, Error: "invalid_request", Body: code("")},
	})
}

// TestFirstKey: the key of a first start works, is shown once, and only its
// hash is on disk.
func TestFirstKey(t *testing.T) {
	dir := t.TempDir()
	first := start(t, dir)
	if first == "" {
		t.Fatal("no key was minted")
	}
	if again := start(t, dir); again != "" {
		t.Errorf("a second start minted %q", again)
	}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if strings.Contains(string(data), first) {
			t.Errorf("%s holds the key itself", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// start starts and stops a host without a configured key and returns what it minted.
func start(t *testing.T, dir string) string {
	t.Helper()
	h, err := host.New(t.Context(), host.Config{DataDir: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := h.Close(t.Context()); err != nil {
			t.Error(err)
		}
	}()
	if k := h.FirstKey(); k != "" {
		s := routetest.Scenario{URL: "/api/v1/categories", Headers: map[string]string{"Authorization": "Bearer " + k}}
		if res, body := routetest.Send(t, h.Router(), s); res.StatusCode != 200 {
			t.Errorf("the minted key is refused: %s", body)
		}
		return k
	}
	return ""
}

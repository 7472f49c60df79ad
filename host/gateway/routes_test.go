package gateway_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/svc-platform/svc/host/fault"
	"github.com/svc-platform/svc/host/gateway"
	"github.com/svc-platform/svc/host/route"
	"github.com/svc-platform/svc/host/route/routetest"
	"github.com/svc-platform/svc/host/state"
)

// processor answers 9 J to whatever it is asked, with a few exceptions.
type processor struct{ asked []gateway.Request }

func (p *processor) Process(_ context.Context, r gateway.Request) (state.State, error) {
	p.asked = append(p.asked, r)
	nine := 9.0
	s := state.State{
		Query: r.Query, Domains: []string{"kinematic"}, SelectedOperators: []string{"KE1", "KO42"}, OperatorCount: 2,
		MasterSum: 9, PhaseCoherence: 1, Svcond: 2_300_000_000, Phase: 0.25, PrecisionMet: true,
		Result: state.Result{Value: &nine, Unit: "J", Display: &state.Quantity{Value: 9, Unit: "J"}, Symbol: "E"},
	}
	switch r.Query {
	case "What colour is Tuesday":
		return state.State{
			Query: r.Query, SelectedOperators: []string{"KO42"}, OperatorCount: 1,
			Result: state.Result{Reason: "no operator gives a colour"},
		}.Normal(), nil
	case "refuse":
		return s, fault.New(fault.Invalid, "say it differently")
	case "break":
		return s, errors.New("secret cause")
	case "nan":
		s.MasterSum = math.NaN()
	}
	return s.Normal(), nil
}

// journal keeps computations in memory.
type journal struct {
	kept []gateway.Computation
	fail error
}

func (j *journal) AddComputation(_ context.Context, c gateway.Computation) error {
	if j.fail == nil {
		j.kept = append(j.kept, c)
	}
	return j.fail
}

func (j *journal) Computations(context.Context, int) ([]gateway.Computation, error) {
	return j.kept, nil
}

func build(t *testing.T) (*route.Router, *processor, *journal) {
	t.Helper()
	c, err := gateway.NewCatalog([]gateway.Operator{
		{
			ID: "KE1", Name: "Kinetic energy", Category: "kinematic", Description: "Energy of a moving mass <m>",
			Equation: "E = m*v^2/2", EquationLaTeX: `E = \frac{m v^{2}}{2}`,
		},
		{ID: "KO42", Name: "Metric tensioner", Category: "metric_tension", Description: "Tension of the pulse", Equation: "T = a", EquationLaTeX: "T = a"},
		{ID: "MT7", Name: "Seal tension", Category: "metric_tension", Description: "Needs the machine", MachineOnly: true},
	})
	if err != nil {
		t.Fatal(err)
	}
	r, p, j := routetest.New(), &processor{}, &journal{}
	if err := gateway.Register(r, c, gateway.NewDesk(p, j)); err != nil {
		t.Fatal(err)
	}
	return r, p, j
}

func TestCatalogue(t *testing.T) {
	r, _, _ := build(t)
	const ke, kePublic = `{"id":"KE1","name":"Kinetic energy","category":"kinematic","description":"Energy of a moving mass <m>","equation":"E = m*v^2/2","equationLaTeX":"E = \\frac{m v^{2}}{2}"}`,
		`{"id":"KE1","name":"Kinetic energy","category":"kinematic","description":"Energy of a moving mass <m>"}`
	noKey := func(name, url string) routetest.Scenario {
		return routetest.Scenario{Name: name + " without a key", URL: url, Status: 401, Error: "unauthorized", Contains: []string{"Missing or invalid key"}, Lacks: []string{"KE1", "equation"}}
	}
	badKey := noKey("all with a bad key", "/api/v1/operators/all")
	badKey.Name, badKey.Headers = "all with a bad key", map[string]string{"Authorization": "Bearer nope"}
	routetest.Run(t, r, []routetest.Scenario{
		{
			Name: "status", URL: "/api/v1/status", Status: 200,
			Contains: []string{`{"status":"operational","operators":2,"categories":2,"version":"6.3.0","pulse":{"frequency":1.287,"zeqond":0.777}}`}, Lacks: []string{"svcond"},
		},
		{Name: "all without a key", URL: "/api/v1/operators/all", Status: 200, Contains: []string{`{"total":2,"operators":[` + kePublic}, Lacks: []string{"equation", "frac", "MT7"}},
		{Name: "all with a key", URL: "/api/v1/operators/all", WithKey: true, Status: 200, Contains: []string{`{"total":2,"operators":[` + ke}, Lacks: []string{"MT7"}},
		badKey,
		{Name: "category", URL: "/api/v1/operators/category/kinematic", WithKey: true, Status: 200, Contains: []string{`{"category":"kinematic","count":1,"operators":[` + ke + `]}`}},
		{Name: "category in another case", URL: "/api/v1/operators/category/KINEMATIC", WithKey: true, Status: 200, Contains: []string{`"category":"kinematic"`}},
		{Name: "category without its machine part", URL: "/api/v1/operators/category/metric_tension", WithKey: true, Status: 200, Contains: []string{`"count":1`}, Lacks: []string{"MT7"}},
		{Name: "unknown category", URL: "/api/v1/operators/category/alchemy", WithKey: true, Status: 404, Error: "unknown_category", Contains: []string{`\"alchemy\"`, "/api/v1/categories"}},
		noKey("category", "/api/v1/operators/category/kinematic"),
		{Name: "search", URL: "/api/v1/operators/search?q=moving+mass", WithKey: true, Status: 200, Contains: []string{"[" + ke + "]"}},
		{Name: "search wins over ids", URL: "/api/v1/operators/search?q=unicorn", WithKey: true, Status: 200, Contains: []string{"[]"}},
		{Name: "search leaves the machine's out", URL: "/api/v1/operators/search?q=tension", WithKey: true, Status: 200, Contains: []string{"KO42"}, Lacks: []string{"MT7"}},
		{Name: "search for nothing", URL: "/api/v1/operators/search", WithKey: true, Status: 400, Error: "missing_query", Contains: []string{"?q="}},
		{Name: "search for blanks", URL: "/api/v1/operators/search?q=%20+", WithKey: true, Status: 400, Error: "missing_query"},
		{Name: "search for too much", URL: "/api/v1/operators/search?q=" + strings.Repeat("a", 201), WithKey: true, Status: 400, Error: "invalid_request", Contains: []string{"200"}},
		{Name: "search in bad UTF-8", URL: "/api/v1/operators/search?q=%ff", WithKey: true, Status: 400, Error: "invalid_request", Contains: []string{"UTF-8"}},
		noKey("search", "/api/v1/operators/search?q=energy"),
		{Name: "operator", URL: "/api/v1/operators/KE1", WithKey: true, Status: 200, Contains: []string{ke}},
		{Name: "operator in another case", URL: "/api/v1/operators/ke1", WithKey: true, Status: 200, Contains: []string{`"id":"KE1"`}},
		{Name: "operator by bearer", URL: "/api/v1/operators/KO42", Headers: map[string]string{"Authorization": "Bearer " + routetest.Key}, Status: 200, Contains: []string{`"id":"KO42"`}},
		{Name: "unknown operator", URL: "/api/v1/operators/KO4x%3Cb%3E", WithKey: true, Status: 404, Error: "unknown_operator", Contains: []string{`\"KO4x<b>\"`, "search"}},
		{Name: "operator of the machine", URL: "/api/v1/operators/MT7", WithKey: true, Status: 404, Error: "unknown_operator"},
		{Name: "operator with a long id", URL: "/api/v1/operators/" + strings.Repeat("K", 101), WithKey: true, Status: 400, Error: "invalid_request"},
		noKey("operator", "/api/v1/operators/KE1"),
		noKey("unknown operator", "/api/v1/operators/nope"),
		{Name: "categories", URL: "/api/v1/categories", WithKey: true, Status: 200, Contains: []string{`{"categories":[{"name":"kinematic","count":1},{"name":"metric_tension","count":1}]}`}},
		noKey("categories", "/api/v1/categories"),
		{Name: "wrong method", Method: "DELETE", URL: "/api/v1/categories", WithKey: true, Status: 405, Error: "method_not_allowed"},
	})
}

func TestProcess(t *testing.T) {
	const url = "/api/v1/process"
	r, p, j := build(t)
	refused := func(name, body, contains string) routetest.Scenario {
		return routetest.Scenario{Name: name, Method: "POST", URL: url, WithKey: true, Body: body, Status: 400, Error: "invalid_request", Contains: []string{contains}}
	}
	routetest.Run(t, r, []routetest.Scenario{
		{Name: "no key", Method: "POST", URL: url, Body: `{"query":"a"}`, Status: 401, Error: "unauthorized", Contains: []string{"Missing or invalid key"}},
		{Name: "no key and a bad body", Method: "POST", URL: url, Body: `{`, Status: 401, Error: "unauthorized"},
		refused("no query", `{}`, "query"),
		refused("empty query", `{"query":""}`, "body.query"),
		refused("long query", `{"query":"`+strings.Repeat("a", 4097)+`"}`, "4096"),
		refused("query of a wrong type", `{"query":["a"]}`, "body.query"),
		refused("unknown field", `{"query":"a","hints":[]}`, "body.hints"),
		refused("hints of a wrong type", `{"query":"a","domain_hints":"kinematic"}`, "body.domain_hints"),
		refused("too many hints", `{"query":"a","domain_hints":[`+strings.Repeat(`"a",`, 64)+`"a"]}`, "body.domain_hints"),
		refused("precision as text", `{"query":"a","precision":"high"}`, "body.precision"),
		refused("the processor refuses", `{"query":"refuse"}`, "say it differently"),
		{Name: "the processor breaks", Method: "POST", URL: url, WithKey: true, Body: `{"query":"break"}`, Status: 500, Error: "internal", Lacks: []string{"secret"}},
		{Name: "a state that is no JSON", Method: "POST", URL: url, WithKey: true, Body: `{"query":"nan"}`, Status: 500, Error: "internal", Lacks: []string{"NaN"}},
	})
	if len(j.kept) != 0 {
		t.Errorf("%d failures are on record", len(j.kept))
	}
	p.asked = nil
	routetest.Run(t, r, []routetest.Scenario{
		{
			Name: "answer", Method: "POST", URL: url, WithKey: true, Body: `{"query":"energy <of> a ball","domain_hints":["kinematic"],"precision":1e-6}`, Status: 200,
			Contains: []string{`{"state":{"query":"energy <of> a ball","domains":["kinematic"],"selected_operators":["KE1","KO42"],"operator_count":2,"master_sum":9,` +
				`"phase_coherence":1,"svcond":2300000000,"phase":0.25,"precision_met":true,"result":{"value":9,"unit":"J","display":{"value":9,"unit":"J"},"symbol":"E","bound":[],`}, Lacks: []string{"null", "steps"},
		},
		{
			Name: "no answer", Method: "POST", URL: url, WithKey: true, Body: `{"query":"What colour is Tuesday"}`, Status: 200,
			Contains: []string{`"domains":[]`, `"selected_operators":["KO42"]`, `"precision_met":false`, `"value":null`, `"reason":"no operator gives a colour"`},
		},
	})
	want := []gateway.Request{{Query: "energy <of> a ball", Hints: []string{"kinematic"}, Precision: ptr(1e-6)}, {Query: "What colour is Tuesday"}}
	if diff := cmp.Diff(want, p.asked); diff != "" {
		t.Error(diff)
	}
}

func TestProcessIsOnRecord(t *testing.T) {
	r, _, j := build(t)
	s := routetest.Scenario{Method: "POST", URL: "/api/v1/process", WithKey: true, Body: `{"query":"<energy>","domain_hints":["a"],"precision":3}`}
	_, body := routetest.Send(t, r, s)
	var answer struct{ State json.RawMessage }
	if err := json.Unmarshal([]byte(body), &answer); err != nil {
		t.Fatal(err)
	}
	if len(j.kept) != 1 {
		t.Fatalf("%d on record", len(j.kept))
	}
	c := j.kept[0]
	if diff := cmp.Diff(string(answer.State), string(c.State)); diff != "" {
		t.Errorf("the record is not what was answered: %s", diff)
	}
	if c.ID == "" || c.At.IsZero() || c.Query != "<energy>" || len(c.Hints) != 1 || *c.Precision != 3 || c.Svcond != 2_300_000_000 {
		t.Errorf("%+v", c)
	}
	j.fail = errors.New("disk on fire")
	s.Name, s.Status, s.Error, s.Lacks = "an answer that cannot be kept", 500, "internal", []string{"fire", "master_sum"}
	routetest.Run(t, r, []routetest.Scenario{s})
}

func ptr(x float64) *float64 { return &x }

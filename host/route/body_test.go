package route

import (
	"encoding/json"
	"reflect"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/svc-platform/svc/host/fault"
)

type fuzzed struct {
	Query  string             `json:"query" maxLength:"100"`
	Hints  []string           `json:"hints,omitempty" maxItems:"4"`
	Number float64            `json:"number,omitempty"`
	Whole  int32              `json:"whole,omitempty"`
	Maybe  *bool              `json:"maybe,omitempty"`
	Inner  []fuzzed           `json:"inner,omitempty"`
	Table  map[string]float64 `json:"table,omitempty"`
}

// Whatever comes in: never a panic, every refusal typed, and what is accepted
// is what encoding/json reads, from valid UTF-8, with no field lost.
func FuzzReadJSON(f *testing.F) {
	for _, seed := range []string{
		`{"query":"energy of a 2 kg ball","hints":["kinematic"],"number":1e-6}`,
		`{"query":"a","inner":[{"query":"b","inner":[]}],"table":{"x":1}}`,
		`{"query":"a","query":"b"}`, `{"Query":"a"}`, `{"query":"a","unknown":1}`, `{"query":null}`, `{"query":"a","maybe":null}`,
		`[]`, `null`, `"x"`, `{`, `{"query"`, `{"query":"a"} x`, `{"query":"\ud800"}`, "{\"query\":\"\xff\"}",
		`{"query":"a","number":1e999}`, `{"query":"a","whole":99999999999}`, `[[[[[[[[[[[[`, "", " ", "\xef\xbb\xbf{}",
	} {
		f.Add([]byte(seed))
	}
	schemas := newSchemas()
	schema := schemas.Schema(reflect.TypeFor[fuzzed](), true, "")
	f.Fuzz(func(t *testing.T, data []byte) {
		var got fuzzed
		err := readJSON(schemas, schema, data, &got)
		if err != nil {
			if fault.KindOf(err) != fault.Invalid || len(fault.From(err).Details) == 0 || !utf8.ValidString(err.Error()) {
				t.Fatalf("not a typed refusal: %v", err)
			}
			return
		}
		var want fuzzed
		if err := json.Unmarshal(data, &want); err != nil || !utf8.Valid(data) {
			t.Fatalf("accepted %q: %v", data, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatal(diff)
		}
	})
}

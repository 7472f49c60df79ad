package protocol_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/svc-platform/svc/host/protocol"
	"github.com/svc-platform/svc/host/state"
	"github.com/svc-platform/svc/host/timebase"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func number(x float64) *float64 { return &x }

func encode(t testing.TB, state state.State) []byte {
	t.Helper()
	text, err := json.MarshalIndent(state, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return append(text, '\n')
}

func TestStates(t *testing.T) {
	tests := []struct{ name, query string }{
		{"kinetic_energy", "kinetic energy of a 2 kg ball at 3 m/s"},
		{"no_physics", "What colour is Tuesday"},
		{"display_unit", "What is the average speed of a runner who covers 100 m in 9.58 s, in km/h?"},
		{"assumed_gravity", "How fast is a stone dropped from a height of 20 m when it hits the ground?"},
		{"slowing_down", "A train at 30 m/s brakes with a deceleration of 1.5 m/s^2 for 8 s. What is its final speed?"},
		{"missing_input", "kinetic energy of a 2 kg ball"},
		{"out_of_range", "Lorentz factor at 1.2 c"},
		{"ambiguous", "total resistance of 10 ohm and 20 ohm resistors"},
	}
	p := newProtocol(wholeCatalogue(t))
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := encode(t, ask(t, p, test.query))
			golden := filepath.Join("testdata", "states", test.name+".json")
			if *update {
				if err := os.WriteFile(golden, got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), string(got)); diff != "" {
				t.Errorf("state differs (-want +got):\n%s", diff)
			}
		})
	}
}

func TestStateOfAnAnswer(t *testing.T) {
	state := ask(t, newProtocol(wholeCatalogue(t)), "kinetic energy of a 2 kg ball at 3 m/s")
	if !slices.Equal(state.SelectedOperators, []string{"KO42", "KO84"}) || state.OperatorCount != 2 {
		t.Errorf("selected %v, count %d", state.SelectedOperators, state.OperatorCount)
	}
	if *state.Result.Value != 9 || state.Result.Unit != "J" || math.Abs(state.MasterSum-9) > 9*1e-9 {
		t.Errorf("value %v %s, master_sum %v", *state.Result.Value, state.Result.Unit, state.MasterSum)
	}
	if !state.PrecisionMet || state.PhaseCoherence != 1 || state.Result.Reason != "" {
		t.Errorf("precision_met %v, phase_coherence %v, reason %q", state.PrecisionMet, state.PhaseCoherence, state.Result.Reason)
	}
	if state.Svcond != noon.Svcond || state.Phase != noon.Phase {
		t.Errorf("time %d + %v, want %+v", state.Svcond, state.Phase, noon)
	}
	if len(state.Result.Assumed) > 0 || len(state.Steps) != 7 {
		t.Errorf("assumed %v, %d steps", state.Result.Assumed, len(state.Steps))
	}
}

func TestEqualRequestsGiveEqualBytes(t *testing.T) {
	for _, query := range []string{
		"kinetic energy of a 2 kg ball at 3 m/s", "energy of 5 J and 3 V", "total resistance of 10 ohm and 20 ohm resistors",
		"how long does it take", "terminal velocity with density 1 kg/m^3 and density 2 kg/m^3",
	} {
		first := encode(t, ask(t, newProtocol(wholeCatalogue(t)), query))
		for range 5 {
			if again := encode(t, ask(t, newProtocol(wholeCatalogue(t)), query)); !bytes.Equal(first, again) {
				t.Fatalf("%q: states differ:\n%s", query, cmp.Diff(string(first), string(again)))
			}
		}
	}
}

func TestTensionStaysInsideATenthOfTheTolerance(t *testing.T) {
	p := newProtocol(wholeCatalogue(t))
	for _, precision := range []float64{1e-3, 1e-9, 1e-12, 15} {
		tolerance := precision
		if precision == 15 {
			tolerance = 5e-15
		}
		for svcond := range int64(50) {
			state, err := p.Process(context.Background(), protocol.Request{
				Query: "kinetic energy of a 2 kg ball at 3 m/s", Precision: &precision, At: timebase.Instant{Svcond: svcond},
			})
			if err != nil {
				t.Fatal(err)
			}
			if *state.Result.Value != 9 {
				t.Fatalf("tension entered the value: %v", *state.Result.Value)
			}
			if deviation := math.Abs(state.MasterSum/9 - 1); deviation > tolerance/10+0x1p-52 {
				t.Fatalf("svcond %d, precision %v: master_sum deviates by %v", svcond, precision, deviation)
			}
		}
	}
}

func TestPrecision(t *testing.T) {
	p := newProtocol(wholeCatalogue(t))
	tests := []struct {
		name  string
		value *float64
		valid bool
	}{
		{"not given", nil, true},
		{"relative tolerance", number(1e-6), true},
		{"coarse tolerance", number(0.5), true},
		{"one digit", number(1), true},
		{"fifteen digits", number(15), true},
		{"zero", number(0), false},
		{"negative", number(-1e-6), false},
		{"sixteen digits", number(16), false},
		{"a part of a digit", number(2.5), false},
		{"not a number", number(math.NaN()), false},
		{"infinite", number(math.Inf(1)), false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := p.Process(context.Background(), protocol.Request{Query: "rest energy of 1 g", Precision: test.value})
			var invalid *protocol.InvalidError
			if errors.As(err, &invalid) == test.valid || (err == nil) != test.valid {
				t.Fatalf("error %v, valid %v", err, test.valid)
			}
			if !test.valid && invalid.Field != "precision" {
				t.Errorf("the error names the field %q", invalid.Field)
			}
		})
	}
}

func TestPrecisionThatRoundingDoesNotAllow(t *testing.T) {
	tight := 1e-16
	state, err := newProtocol(wholeCatalogue(t)).Process(context.Background(), protocol.Request{
		Query: "Lorentz factor at 0.8c", Precision: &tight,
	})
	if err != nil {
		t.Fatal(err)
	}
	if state.PrecisionMet || state.Result.Value == nil || !strings.Contains(state.Result.Reason, "rounding") {
		t.Errorf("precision_met %v, result %+v", state.PrecisionMet, state.Result)
	}
}

func TestInvalidRequests(t *testing.T) {
	p := newProtocol(wholeCatalogue(t))
	tests := []struct {
		name    string
		request protocol.Request
		field   string
	}{
		{"empty", protocol.Request{Query: " \n"}, "query"},
		{"too long", protocol.Request{Query: strings.Repeat("a", 4097)}, "query"},
		{"not UTF-8", protocol.Request{Query: "energy of \xff kg"}, "query"},
		{"too many quantities", protocol.Request{Query: "energy of " + strings.Repeat("2 kg, ", 33)}, "query"},
		{"too many after counting", protocol.Request{Query: "energy of " + strings.Repeat("eight 10 ohm resistors; ", 5)}, "query"},
		{"too many hints", protocol.Request{Query: "energy", DomainHints: slices.Repeat([]string{"x"}, 65)}, "domain_hints"},
		{"too long a hint", protocol.Request{Query: "energy", DomainHints: []string{strings.Repeat("x", 129)}}, "domain_hints"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := p.Process(context.Background(), test.request)
			var invalid *protocol.InvalidError
			if !errors.As(err, &invalid) || invalid.Field != test.field {
				t.Errorf("error %v, want an InvalidError for %s", err, test.field)
			}
		})
	}
}

func TestHintsDecideBetweenRelations(t *testing.T) {
	p := newProtocol(wholeCatalogue(t))
	query := "kinetic energy of a 2 kg ball at 2e7 m/s"
	plain := ask(t, p, query)
	hinted, err := p.Process(context.Background(), protocol.Request{Query: query, DomainHints: []string{"Relativity", "no such domain"}, At: noon})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(plain.SelectedOperators, []string{"KO42", "KO84"}) {
		t.Errorf("without a hint %v", plain.SelectedOperators)
	}
	if !slices.Contains(hinted.SelectedOperators, "KO492") && !refused(hinted) {
		t.Errorf("with a hint %v", hinted.SelectedOperators)
	}
}

// liar is a runner whose answers are wrong.
type liar struct {
	*library
	change func(id string, value float64) (float64, error)
}

func (l liar) Run(ctx context.Context, id string, args []float64) (float64, uint64, error) {
	value, fuel, err := l.library.Run(ctx, id, args)
	if err == nil && id != "KO42" {
		value, err = l.change(id, value)
	}
	return value, fuel, err
}

func TestWrongMachineIsFoundOut(t *testing.T) {
	l := wholeCatalogue(t)
	tests := []struct {
		name   string
		change func(float64) float64
	}{
		{"a bit beside", func(x float64) float64 { return x * (1 + 1e-12) }},
		{"not a number", func(float64) float64 { return math.NaN() }},
		{"infinite", func(float64) float64 { return math.Inf(1) }},
		{"zero", func(float64) float64 { return 0 }},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			runner := liar{l, func(_ string, x float64) (float64, error) { return test.change(x), nil }}
			p := protocol.New(protocol.Config{Catalogue: l, Runner: runner})
			if state := ask(t, p, "kinetic energy of a 1.7 kg ball at 3.3 m/s"); !refused(state) {
				t.Errorf("state %+v", state)
			}
		})
	}
}

func TestRunnerErrorIsReported(t *testing.T) {
	l := wholeCatalogue(t)
	broken := errors.New("the engine is gone")
	p := protocol.New(protocol.Config{Catalogue: l, Runner: liar{l, func(string, float64) (float64, error) { return 0, broken }}})
	if _, err := p.Process(context.Background(), protocol.Request{Query: "rest energy of 1 g"}); !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
}

func TestCatalogueWithoutTension(t *testing.T) {
	p := newProtocol(newLibrary(nil))
	if _, err := p.Process(context.Background(), protocol.Request{Query: "rest energy of 1 g"}); err == nil {
		t.Error("no error")
	}
}

func FuzzProcess(f *testing.F) {
	for _, seed := range []string{
		"kinetic energy of a 2 kg ball at 3 m/s", "v0 = 4 m/s, a = 3 m/s^2, t = 5 s, v = ?", "two 10k Ω resistors -5 °C",
		"how many 1/4 6 ft 9 in ½ 3.2×10⁵ \"", "in in in m/s^^", "half the speed of light", "((((m*(", "1e999 kg", "from rest to rest",
	} {
		f.Add(seed, 0.5)
	}
	p := newProtocol(wholeCatalogue(f))
	f.Fuzz(func(t *testing.T, query string, precision float64) {
		state, err := p.Process(context.Background(), protocol.Request{Query: query, Precision: &precision, DomainHints: []string{query[:min(len(query), 8)]}})
		var invalid *protocol.InvalidError
		switch {
		case errors.As(err, &invalid):
		case err != nil:
			t.Fatal(err)
		case state.SelectedOperators[0] != "KO42" && !slices.Contains(state.SelectedOperators, "KO42"), state.OperatorCount != len(state.SelectedOperators):
			t.Fatalf("state %+v", state)
		case state.PrecisionMet && (state.Result.Value == nil || state.Result.Reason != ""), !state.PrecisionMet && state.Result.Reason == "":
			t.Fatalf("state %+v", state)
		default:
			encode(t, state)
		}
	})
}

func BenchmarkProcess(b *testing.B) {
	p := newProtocol(wholeCatalogue(b))
	b.ReportAllocs()
	for b.Loop() {
		ask(b, p, "What is the kinetic energy of a 1500 kg car moving at 72 km/h?")
	}
}

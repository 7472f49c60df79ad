package registry_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/svc-platform/svc/plugins"
	"github.com/svc-platform/svc/plugins/abi/abitest"
	"github.com/svc-platform/svc/plugins/builtin"
	"github.com/svc-platform/svc/plugins/registry"
	"github.com/svc-platform/svc/sandbox"
	"github.com/svc-platform/svc/sandbox/wasmtest"
)

// loadBuiltins takes generation 0 through the door.
func loadBuiltins(t testing.TB) *registry.Registry {
	t.Helper()
	r := abitest.NewRegistry(t)
	g, err := builtin.Load()
	if err != nil {
		t.Fatal(err)
	}
	if len(g.Modules) < 8 {
		t.Fatalf("generation 0 has %d modules", len(g.Modules))
	}
	for _, e := range g.Modules {
		wasm, err := e.Wasm()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.Load(context.Background(), wasm, registry.Origin{Source: "built-in", Name: e.File, Digest: e.Digest}); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

func TestBuiltins(t *testing.T) {
	r := loadBuiltins(t)
	if n := len(r.Operators()); n < 61 {
		t.Errorf("%d operators, want at least 60 and KO42", n)
	}
	t.Run("operators in the order people count", func(t *testing.T) {
		ops := r.Operators()
		if ops[0].ID != "KO1" || ops[1].ID != "KO2" {
			t.Errorf("begins with %s, %s", ops[0].ID, ops[1].ID)
		}
	})
	t.Run("the metric tensioner", func(t *testing.T) {
		op, ok := r.Operator("KO42")
		if !ok {
			t.Fatal("KO42 is not there")
		}
		got, _, err := op.Call(t.Context(), []float64{2_300_000_000, 0.777})
		if err != nil || math.Abs(got) > 1e-9 {
			t.Errorf("got %v, %v; it must stay within 1e-9", got, err)
		}
	})
	t.Run("the same call costs the same fuel", func(t *testing.T) {
		for _, op := range r.Operators() {
			args := make([]float64, len(op.Inputs))
			for i, in := range op.Inputs {
				args[i] = op.Examples[0].Inputs[in.Symbol]
			}
			_, a, err := op.Call(t.Context(), args)
			if err != nil {
				t.Fatal(err)
			}
			if _, b, err := op.Call(t.Context(), args); err != nil || a.Fuel != b.Fuel || a.Fuel == 0 {
				t.Errorf("%s: fuel %d, then %d (%v)", op.ID, a.Fuel, b.Fuel, err)
			}
		}
	})
	t.Run("the scorer", func(t *testing.T) {
		scorers := r.Functions(plugins.Scorer)
		if len(scorers) != 1 || scorers[0].Name != "shannon" {
			t.Fatalf("scorers: %v", scorers)
		}
		f := scorers[0]
		out, u, err := f.Guest.Call(t.Context(), f.Name, []byte("abab"), sandbox.DefaultLimits())
		if err != nil || !strings.Contains(string(out), `"value":1,`) || u.Fuel == 0 {
			t.Errorf("got %s, %+v, %v", out, u, err)
		}
	})
}

func TestRefusals(t *testing.T) {
	g, err := builtin.Load()
	if err != nil {
		t.Fatal(err)
	}
	wasm, err := g.Modules[0].Wasm()
	if err != nil {
		t.Fatal(err)
	}
	digest := plugins.Digest(wasm)
	bare := wasmtest.Module{}.Encode()
	flipped := append([]byte(nil), wasm...)
	flipped[len(flipped)/2] ^= 1
	unknown := plugins.Attach(bare, plugins.Section{Name: plugins.DescriptionSection, Data: []byte(
		`{"schema":"svc.plugin/1","name":"x","version":"1.0.0","summary":"","kind":"general","abi":"extism/1"}`)})
	extra := plugins.Attach(bare, plugins.Section{Name: plugins.DescriptionSection, Data: []byte(
		`{"schema":"svc.plugin/1","name":"x","version":"1.0.0","summary":"","kind":"general","abi":"op/1","grant":["http"]}`)})
	for _, c := range []struct {
		name   string
		wasm   []byte
		digest string
		step   registry.Step
		says   string
	}{
		{"no digest", wasm, "", registry.Verify, "no digest"},
		{"another digest", wasm, plugins.Digest(bare), registry.Verify, "its origin states"},
		{"one bit changed", flipped, digest, registry.Verify, "its origin states"},
		{"not WebAssembly", []byte("hello"), plugins.Digest([]byte("hello")), registry.Describe, "not a WebAssembly module"},
		{"truncated", wasm[:len(wasm)/2], plugins.Digest(wasm[:len(wasm)/2]), registry.Meter, "past the end"},
		{"no description", bare, plugins.Digest(bare), registry.Describe, "not a plugin"},
		{"an unknown abi", unknown, plugins.Digest(unknown), registry.Describe, "op/1, bytes/1"},
		{"an unknown field", extra, plugins.Digest(extra), registry.Describe, "grant"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := abitest.NewRegistry(t).Load(t.Context(), c.wasm, registry.Origin{Name: "x.wasm", Digest: c.digest})
			var refused *registry.Error
			if !errors.As(err, &refused) || refused.Step != c.step || !strings.Contains(err.Error(), c.says) {
				t.Errorf("got %v, want a refusal at %s that says %q", err, c.step, c.says)
			}
		})
	}
}

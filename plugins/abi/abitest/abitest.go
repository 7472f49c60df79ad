// Package abitest is what every ABI must pass, and the rig to test one with: an
// engine with all host functions and a registry of its own.
package abitest

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/svc-platform/svc/plugins"
	"github.com/svc-platform/svc/plugins/abi"
	"github.com/svc-platform/svc/plugins/registry"
	"github.com/svc-platform/svc/sandbox/engine/wazero"
	"github.com/svc-platform/svc/sandbox/meter"
	"github.com/svc-platform/svc/sandbox/wasi"
)

// NewRegistry makes an empty registry on an engine of its own.
func NewRegistry(t testing.TB) *registry.Registry {
	t.Helper()
	ctx := context.Background()
	e, err := wazero.New(ctx, wazero.Config{HostFuncs: wasi.Functions()})
	if err != nil {
		t.Fatal(err)
	}
	r := registry.New(registry.Config{Engine: e, ABIs: abi.All(), Limits: meter.DefaultOptions()})
	t.Cleanup(func() {
		if err := errors.Join(r.Close(ctx), e.Close(ctx)); err != nil {
			t.Error(err)
		}
	})
	return r
}

// Load packs a module and loads it, vouched for by its own digest.
func Load(t testing.TB, r *registry.Registry, wasm []byte, d plugins.Description, more ...plugins.Section) (*registry.Plugin, error) {
	t.Helper()
	packed, err := plugins.Pack(wasm, d, more...)
	if err != nil {
		t.Fatal(err)
	}
	return r.Load(t.Context(), packed, registry.Origin{Source: "test", Name: d.Name, Digest: plugins.Digest(packed)})
}

// Refusal is a plugin that must be refused at a step, with words that say why.
type Refusal struct {
	Name string
	Wasm []byte
	More []plugins.Section
	// Change makes the description lie; it may be nil.
	Change func(*plugins.Description)
	Step   registry.Step
	Says   string
}

// Run loads a good plugin of the ABI and then checks every refusal: a refused
// plugin leaves nothing behind.
func Run(t *testing.T, good plugins.Description, wasm []byte, more []plugins.Section, refusals []Refusal) {
	t.Run("a good plugin is active", func(t *testing.T) {
		r := NewRegistry(t)
		if _, err := Load(t, r, wasm, good, more...); err != nil {
			t.Fatal(err)
		}
		if got := r.Plugins(); len(got) != 1 || got[0].Name != good.Name {
			t.Errorf("active: %v", got)
		}
		if _, err := Load(t, r, wasm, good, more...); err == nil || !strings.Contains(err.Error(), "active already") {
			t.Errorf("the same plugin again: got %v", err)
		}
	})
	for _, c := range refusals {
		t.Run(c.Name, func(t *testing.T) {
			r := NewRegistry(t)
			d := good
			if c.Change != nil {
				c.Change(&d)
			}
			w, m := c.Wasm, c.More
			if w == nil {
				w = wasm
			}
			if m == nil {
				m = more
			}
			_, err := Load(t, r, w, d, m...)
			var refused *registry.Error
			if !errors.As(err, &refused) || refused.Step != c.Step || !strings.Contains(err.Error(), c.Says) {
				t.Errorf("got %v, want a refusal at %s that says %q", err, c.Step, c.Says)
			}
			if got := r.Plugins(); len(got) != 0 {
				t.Errorf("active: %v", got)
			}
		})
	}
}

package metertest_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	bare "github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/svc-platform/svc/sandbox/meter"
	"github.com/svc-platform/svc/sandbox/meter/metertest"
)

var (
	programs = flag.Int("programs", 500, "random programs to compare")
	first    = flag.Uint64("first", 0, "seed of the first one")
)

const (
	slice = 1000 // of fuel: programs need many
	renew = 4096 // programs of one runtime, which keeps something of each
)

// TestRandomPrograms: the pass changes nothing that a program can see, and
// counts what an interpreter of our own counts.
func TestRandomPrograms(t *testing.T) {
	var r bare.Runtime
	for i := range *programs {
		if i%renew == 0 {
			if r != nil {
				_ = r.Close(t.Context())
			}
			r = newRuntime(t)
		}
		seed := *first + uint64(i)
		compare(t, r, seed)
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	_ = r.Close(t.Context())
}

func compare(t *testing.T, r bare.Runtime, seed uint64) {
	random := rand.New(rand.NewPCG(seed, 42))
	p := metertest.Generate(random)
	calls := invocations(random, p)
	want := expect(p, calls)
	wasm := p.Encode()
	metered, err := meter.Rewrite(wasm, meter.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	for i, module := range [][]byte{metered.Wasm, wasm} {
		got := run(t, r, p, module, calls, i == 0)
		if len(got) != len(want) {
			t.Fatalf("metered %v: %d calls, want %d", i == 0, len(got), len(want))
		}
		for k := range got {
			if d := got[k].differs(want[k], i == 0); d != "" {
				t.Errorf("metered %v, call %d: %s", i == 0, k, d)
			}
		}
	}
}

// account is the context of calls: how much fuel tick handed out.
type account struct {
	context.Context
	granted uint64
}

// newRuntime makes a wazero that knows tick, which takes back what is left and
// hands out the next slice.
func newRuntime(t *testing.T) bare.Runtime {
	i64 := []api.ValueType{api.ValueTypeI64}
	r := bare.NewRuntime(t.Context())
	_, err := r.NewHostModuleBuilder(meter.TickModule).NewFunctionBuilder().
		WithGoModuleFunction(api.GoModuleFunc(func(ctx context.Context, _ api.Module, stack []uint64) {
			ctx.(*account).granted += slice - stack[0]
			stack[0] = slice
		}), i64, i64).Export(meter.TickName).Instantiate(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// invocation is a call of function f.
type invocation struct {
	f    int
	args []uint64
}

func invocations(r *rand.Rand, p *metertest.Program) []invocation {
	var calls []invocation
	for range 3 {
		c := invocation{f: r.IntN(len(p.Funcs))}
		for _, t := range p.Signature(c.f).Params {
			c.args = append(c.args, truncate(t, r.Uint64()>>r.IntN(64)))
		}
		calls = append(calls, c)
	}
	return calls
}

// truncate clears the upper half of an i32, where engines leave rubbish.
func truncate(t byte, v uint64) uint64 {
	if t == api.ValueTypeI32 {
		return v & (1<<32 - 1)
	}
	return v
}

// outcome is what can be seen of a call.
type outcome struct {
	results []uint64
	ok      bool
	memory  []byte
	globals [3]uint64
	fuel    uint64
}

// expect runs calls in the interpreter; a trap is the last of them.
func expect(p *metertest.Program, calls []invocation) (all []outcome) {
	m := p.NewMachine()
	for _, c := range calls {
		m.Fuel = 0
		results, ok := m.Call(c.f, c.args)
		all = append(all, outcome{slices.Clone(results), ok, bytes.Clone(m.Memory), m.Globals, m.Fuel})
		if !ok {
			break
		}
	}
	return all
}

// run runs calls on one instance in wazero; a trap is the last of them.
func run(t *testing.T, r bare.Runtime, p *metertest.Program, wasm []byte, calls []invocation, metered bool) (all []outcome) {
	ctx := &account{Context: context.Background()}
	in, err := r.InstantiateWithConfig(ctx, wasm, bare.NewModuleConfig().WithName(""))
	if err != nil {
		t.Fatalf("metered %v: %v", metered, err)
	}
	defer func() { _ = in.Close(ctx) }()
	set := func(name string, v uint64) uint64 {
		if !metered {
			return 0
		}
		g := in.ExportedGlobal(name).(api.MutableGlobal)
		defer g.Set(v)
		return g.Get()
	}
	set(meter.PagesGlobal, metertest.MaxPages)
	for _, c := range calls {
		ctx.granted = slice
		set(meter.FuelGlobal, slice)
		o := outcome{}
		o.results, err = in.ExportedFunction(metertest.Name(c.f)).Call(ctx, c.args...)
		o.ok = err == nil
		for i := range o.results {
			o.results[i] = truncate(p.Signature(c.f).Results[i], o.results[i])
		}
		o.fuel = ctx.granted - set(meter.FuelGlobal, 0)
		memory, _ := in.Memory().Read(0, in.Memory().Size())
		o.memory = bytes.Clone(memory)
		for i := range o.globals {
			o.globals[i] = in.ExportedGlobal(string(rune('0' + i))).Get()
		}
		if all = append(all, o); err != nil {
			break
		}
	}
	return all
}

// differs says how got is not what was wanted, or "". A basic block that traps
// in a call is paid for whole, so a trap may cost more.
func (got outcome) differs(want outcome, metered bool) string {
	switch {
	case got.ok != want.ok:
		return fmt.Sprintf("ended well: %v, want %v", got.ok, want.ok)
	case want.ok && !slices.Equal(got.results, want.results):
		return fmt.Sprintf("results %v, want %v", got.results, want.results)
	case !bytes.Equal(got.memory, want.memory):
		return "memories differ"
	case got.globals != want.globals:
		return fmt.Sprintf("globals %v, want %v", got.globals, want.globals)
	case metered && (got.fuel < want.fuel || want.ok && got.fuel != want.fuel):
		return fmt.Sprintf("fuel %d, want %d", got.fuel, want.fuel)
	}
	return ""
}

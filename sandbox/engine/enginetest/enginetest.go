// Package enginetest is the one suite that every engine must pass.
package enginetest

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/svc-platform/svc/sandbox"
	"github.com/svc-platform/svc/sandbox/engine"
	"github.com/svc-platform/svc/sandbox/meter"
	"github.com/svc-platform/svc/sandbox/wasmtest"
)

// New makes the engine under test with the given host functions.
type New func(t testing.TB, funcs []engine.HostFunc) engine.Engine

// Run runs the suite.
func Run(t *testing.T, newEngine New) {
	t.Run("fuel", func(t *testing.T) { fuel(t, newEngine) })
	t.Run("limits", func(t *testing.T) { limits(t, newEngine) })
	t.Run("host functions", func(t *testing.T) { hostFunctions(t, newEngine) })
	t.Run("instances", func(t *testing.T) { instances(t, newEngine) })
	t.Run("bulk operations", func(t *testing.T) { bulk(t, newEngine) })
}

// Limits are those that the suite uses unless a case says otherwise.
func Limits() sandbox.Limits {
	return sandbox.Limits{Fuel: 100_000_000, MemoryPages: 16, TableElements: 1000, Wall: time.Minute}
}

func compile(t testing.TB, e engine.Engine, m wasmtest.Module, opt meter.Options) engine.Module {
	t.Helper()
	metered, err := meter.Rewrite(m.Encode(), opt)
	if err != nil {
		t.Fatalf("Rewrite: %v", err)
	}
	mod, err := e.Compile(t.Context(), metered)
	if err != nil {
		t.Fatalf("Compile: %v", err)
	}
	return mod
}

// call instantiates the module and calls one function with i32 or i64 arguments.
func call(ctx context.Context, mod engine.Module, l sandbox.Limits, data any, name string, args ...uint64) (uint64, sandbox.Usage, error) {
	b := engine.NewBudget(l)
	inst, err := mod.Instantiate(ctx, b, data)
	if err != nil {
		return 0, b.Usage(), err
	}
	defer func() { _ = inst.Close(ctx) }()
	f, err := inst.Func(name)
	if err != nil {
		return 0, b.Usage(), err
	}
	stack := make([]uint64, max(1, len(args), len(f.Type().Results)))
	copy(stack, args)
	err = f.Call(ctx, b, stack)
	return stack[0], b.Usage(), err
}

func wantTrap(t *testing.T, err error, kind sandbox.TrapKind) {
	t.Helper()
	if got := sandbox.KindOf(err); got != kind {
		t.Fatalf("got %v, want a trap of kind %s", err, kind)
	}
}

func hostFunctions(t *testing.T, newEngine New) {
	i32 := []meter.ValueType{meter.I32}
	funcs := []engine.HostFunc{
		{Module: "env", Name: "double", Type: meter.FuncType{Params: i32, Results: i32}, Price: 7, Func: func(_ *engine.Call, stack []uint64) { stack[0] *= 2 }},
		{Module: "env", Name: "data", Type: meter.FuncType{Params: i32, Results: i32}, Func: func(c *engine.Call, stack []uint64) { stack[0] = c.Data.(uint64) }},
		{Module: "env", Name: "charge", Type: meter.FuncType{Params: i32, Results: i32}, Func: func(c *engine.Call, stack []uint64) { c.Charge(stack[0]) }},
		{Module: "env", Name: "exit", Type: meter.FuncType{Params: i32, Results: i32}, Func: func(c *engine.Call, stack []uint64) { c.Stop(&sandbox.Exit{Code: uint32(stack[0])}) }},
		{Module: "env", Name: "broken", Type: meter.FuncType{Params: i32, Results: i32}, Func: func(_ *engine.Call, stack []uint64) { stack[len(stack)+int(stack[0])] = 0 }},
		{Module: "env", Name: "poke", Type: meter.FuncType{Params: i32, Results: i32}, Func: func(c *engine.Call, stack []uint64) { c.Memory()[stack[0]] = 42 }},
	}
	e := newEngine(t, funcs)
	opt := meter.DefaultOptions()
	opt.Import = func(module, _ string) bool { return module == "env" }
	run := func(t *testing.T, name string, arg uint64, l sandbox.Limits) (uint64, sandbox.Usage, error) {
		t.Helper()
		return call(t.Context(), compile(t, e, hostCaller(name), opt), l, uint64(99), "f", arg)
	}

	t.Run("a stated price is charged", func(t *testing.T) {
		got, u, err := run(t, "double", 21, Limits())
		if err != nil || got != 42 || u.Fuel != 3+7 {
			t.Errorf("got %d, fuel %d, %v; want 42 and fuel 10", got, u.Fuel, err)
		}
	})
	t.Run("the instance's data reaches the function", func(t *testing.T) {
		if got, _, err := run(t, "data", 0, Limits()); err != nil || got != 99 {
			t.Errorf("got %d, %v", got, err)
		}
	})
	t.Run("work can be charged", func(t *testing.T) {
		_, u, err := run(t, "charge", 5000, Limits())
		if err != nil || u.Fuel != 5003 {
			t.Errorf("fuel %d, %v", u.Fuel, err)
		}
		l := Limits()
		l.Fuel = 5003
		if _, _, err := run(t, "charge", 5000, l); err != nil {
			t.Errorf("with exactly enough: %v", err)
		}
		l.Fuel = 5002
		_, u, err = run(t, "charge", 5000, l)
		wantTrap(t, err, sandbox.OutOfFuel)
		if u.Fuel != 5002 {
			t.Errorf("fuel %d after running out, want all of it", u.Fuel)
		}
		_, _, err = run(t, "charge", 1<<31, l)
		wantTrap(t, err, sandbox.OutOfFuel)
	})
	t.Run("an exit is not a trap", func(t *testing.T) {
		_, _, err := run(t, "exit", 3, Limits())
		var exit *sandbox.Exit
		if !errors.As(err, &exit) || exit.Code != 3 {
			t.Errorf("got %v, want exit status 3", err)
		}
	})
	t.Run("a fault of ours is told from a trap", func(t *testing.T) {
		_, _, err := run(t, "broken", 9, Limits())
		wantTrap(t, err, sandbox.HostFault)
	})
	t.Run("memory is shared with the guest", func(t *testing.T) {
		if _, _, err := run(t, "poke", 65535, Limits()); err != nil {
			t.Error(err)
		}
		_, _, err := run(t, "poke", 65536, Limits())
		wantTrap(t, err, sandbox.HostFault)
	})
	t.Run("cancelled between host calls", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		calls := 0
		const price = 4096
		e := newEngine(t, []engine.HostFunc{{
			Module: "env", Name: "count", Type: meter.FuncType{Params: i32, Results: i32}, Price: price,
			Func: func(*engine.Call, []uint64) {
				if calls++; calls == 1 {
					cancel()
				}
			},
		}})
		m := hostCaller("count")
		m.Funcs[0].Code = wasmtest.Cat(0x03, 0x40, wasmtest.Op(0x20, 0), wasmtest.Op(0x10, 0), 0x1a, wasmtest.Op(0x0c, 0), 0x0b, 0x00)
		l := Limits()
		l.Fuel = 1 << 60
		_, _, err := call(ctx, compile(t, e, m, opt), l, nil, "f", 1)
		wantTrap(t, err, sandbox.Cancelled)
		if most := engine.Slice/price + 1; calls > most {
			t.Errorf("%d more calls after the cancellation, want at most %d", calls-1, most)
		}
	})
	t.Run("what is not offered cannot be imported", func(t *testing.T) {
		for _, imp := range []wasmtest.Import{{Module: "env2", Name: "f"}, {Module: meter.TickModule, Name: meter.TickName}} {
			_, err := meter.Rewrite(wasmtest.Module{Imports: []wasmtest.Import{imp}}.Encode(), opt)
			wantTrap(t, err, sandbox.ForbiddenImport)
		}
	})
}

// hostCaller exports f(i32) -> i32, which calls the host function.
func hostCaller(name string) wasmtest.Module {
	i32 := []byte{wasmtest.I32}
	return wasmtest.Module{
		Imports: []wasmtest.Import{{Module: "env", Name: name, Params: i32, Results: i32}},
		Funcs:   []wasmtest.Func{{Name: "f", Params: i32, Results: i32, Code: wasmtest.Cat(wasmtest.Op(0x20, 0), wasmtest.Op(0x10, 0))}},
		Memory:  []uint32{1, 1},
	}
}

func instances(t *testing.T, newEngine New) {
	e := newEngine(t, nil)
	mod := compile(t, e, wasmtest.Module{
		Globals: []wasmtest.Global{{Mutable: true, Value: 5}},
		Memory:  []uint32{1},
		Data:    []byte("hello"),
		Funcs: []wasmtest.Func{
			{Name: "next", Results: []byte{wasmtest.I64}, Code: wasmtest.Cat(
				wasmtest.Op(0x23, 0), wasmtest.I64Const(1), 0x7c, wasmtest.Op(0x24, 0), wasmtest.Op(0x23, 0))},
			{Name: "boom", Code: []byte{0x00}},
		},
	}, meter.DefaultOptions())
	ctx := t.Context()

	t.Run("state lives in the instance", func(t *testing.T) {
		for range 2 {
			b := engine.NewBudget(Limits())
			inst, err := mod.Instantiate(ctx, b, nil)
			if err != nil {
				t.Fatal(err)
			}
			f, err := inst.Func("next")
			if err != nil {
				t.Fatal(err)
			}
			stack := make([]uint64, 1)
			for want := uint64(6); want < 9; want++ {
				if err := f.Call(ctx, b, stack); err != nil || stack[0] != want {
					t.Fatalf("got %d, %v; want %d", stack[0], err, want)
				}
			}
			if got := string(inst.Memory()[:5]); got != "hello" {
				t.Errorf("memory begins with %q", got)
			}
			if u := b.Usage(); u.PeakMemory != sandbox.PageSize || u.Duration <= 0 {
				t.Errorf("usage %+v", u)
			}
			if err := inst.Close(ctx); err != nil {
				t.Error(err)
			}
		}
	})
	t.Run("an instance that trapped is dead", func(t *testing.T) {
		b := engine.NewBudget(Limits())
		inst, err := mod.Instantiate(ctx, b, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = inst.Close(ctx) }()
		boom, err := inst.Func("boom")
		if err != nil {
			t.Fatal(err)
		}
		next, err := inst.Func("next")
		if err != nil {
			t.Fatal(err)
		}
		wantTrap(t, boom.Call(ctx, b, nil), sandbox.GuestTrap)
		wantTrap(t, next.Call(ctx, b, make([]uint64, 1)), sandbox.HostFault)
		if inst.Memory() != nil {
			t.Error("its memory can still be read")
		}
	})
	t.Run("a function that is not exported", func(t *testing.T) {
		_, _, err := call(ctx, mod, Limits(), nil, "nothing")
		wantTrap(t, err, sandbox.MissingExport)
	})
	t.Run("the pass's own exports are out of reach", func(t *testing.T) {
		_, _, err := call(ctx, mod, Limits(), nil, meter.StartFunc)
		wantTrap(t, err, sandbox.MissingExport)
	})
}

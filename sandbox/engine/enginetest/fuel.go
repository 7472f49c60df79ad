package enginetest

import (
	"context"
	"testing"
	"time"

	"github.com/svc-platform/svc/sandbox"
	"github.com/svc-platform/svc/sandbox/engine"
	"github.com/svc-platform/svc/sandbox/meter"
	"github.com/svc-platform/svc/sandbox/wasmtest"
)

var (
	cat = wasmtest.Cat
	op  = wasmtest.Op
	c32 = wasmtest.I32Const
	c64 = wasmtest.I64Const
)

// program is a module whose function f is called with one i32, and what comes
// out: the result, and the fuel counted by hand from the schedule.
type program struct {
	name string
	mod  wasmtest.Module
	arg  uint64
	want uint64
	fuel uint64
}

// fn is a module with one exported function f(i32) -> i32.
func fn(locals []byte, code []byte, more ...wasmtest.Func) wasmtest.Module {
	f := wasmtest.Func{Name: "f", Params: []byte{wasmtest.I32}, Results: []byte{wasmtest.I32}, Locals: locals, Code: code}
	return wasmtest.Module{Funcs: append([]wasmtest.Func{f}, more...), Memory: []uint32{1}, Table: []uint32{2, 100}}
}

// sumLoop adds 1..arg: 9 instructions in each round, 1 more at the end.
func sumLoop() []byte {
	return cat(0x03, 0x40, // loop
		op(0x20, 1), op(0x20, 0), 0x6a, op(0x21, 1), // sum += n
		op(0x20, 0), c32(1), 0x6b, op(0x22, 0), // n -= 1
		op(0x0d, 0), 0x0b, // br_if
		op(0x20, 1))
}

func programs() []program {
	i32 := []byte{wasmtest.I32}
	inc := wasmtest.Func{Params: i32, Results: i32, Code: cat(op(0x20, 0), c32(1), 0x6a)}
	indirect := fn(nil, cat(op(0x20, 0), c32(1), op(0x11, 0), 0), inc)
	indirect.Elements = []uint32{0, 1}
	bulk := fn(nil, cat(c32(0), c32(7), op(0x20, 0), 0xfc, 11, 0, c32(0), op(0x2d, 0), 0))
	return []program{
		{"constant", fn(nil, c32(5)), 0, 5, 2},
		{"addition", fn(nil, cat(op(0x20, 0), op(0x20, 0), 0x6a)), 4, 8, 4},
		{"blocks, loops, nop and drop are free", fn(nil, cat(0x01, 0x02, 0x40, 0x03, 0x40, 0x0b, 0x0b, c32(1), 0x1a, c32(2))), 0, 2, 3},
		{"a loop", fn(i32, sumLoop()), 100, 5050, 1 + 100*9 + 1},
		{"if taken", fn(nil, cat(op(0x20, 0), 0x04, 0x7f, c32(1), c32(1), 0x6a, 0x05, c32(9), 0x0b)), 1, 2, 1 + 2 + 3},
		{"if not taken", fn(nil, cat(op(0x20, 0), 0x04, 0x7f, c32(1), c32(1), 0x6a, 0x05, c32(9), 0x0b)), 0, 9, 1 + 2 + 1},
		{"return out of a loop", fn(i32, cat(0x03, 0x40, op(0x20, 0), 0x0f, 0x0b, 0x00)), 3, 3, 1 + 1},
		{"branch over code", fn(nil, cat(0x02, 0x40, op(0x0c, 0), c32(1), 0x1a, 0x0b, c32(3))), 0, 3, 1 + 1 + 1},
		{"a call", fn(nil, cat(op(0x20, 0), op(0x10, 1), op(0x10, 1)), inc), 1, 3, 1 + 3 + 2*4},
		{"an indirect call", indirect, 1, 2, 1 + 3 + 4},
		{"br_table", fn(nil, cat(0x02, 0x40, 0x02, 0x40, op(0x20, 0), 0x0e, 1, 0, 1, 0x0b, c32(10), 0x0f, 0x0b, c32(20))), 0, 10, 1 + 2 + 1},
		{"br_table, default", fn(nil, cat(0x02, 0x40, 0x02, 0x40, op(0x20, 0), 0x0e, 1, 0, 1, 0x0b, c32(10), 0x0f, 0x0b, c32(20))), 7, 20, 1 + 2 + 1},
		{"a loop that calls", fn(i32, cat(0x03, 0x40, op(0x20, 1), op(0x10, 1), op(0x21, 1), op(0x20, 0), c32(1), 0x6b, op(0x22, 0), op(0x0d, 0), 0x0b, op(0x20, 1)), inc), 10, 10, 1 + 10*(8+4) + 1},
		{"memory.fill pays by length", bulk, 1000, 7, 1 + 6 + 62},
		{"memory.grow pays by page", fn(nil, cat(op(0x20, 0), 0x40, 0)), 3, 1, 1 + 2 + 3*meter.PageFuel},
		{"a refused memory.grow costs one", fn(nil, cat(op(0x20, 0), 0x40, 0)), 1000, 0xffffffff, 1 + 2},
		{"an opcode spelled in two bytes is the same opcode", fn(nil, cat(0xfd, 0x8c, 0x00, make([]byte, 16), 0x1a, c32(7))), 0, 7, 3},
		{"padded integers are the same integers", fn(nil, cat(0x20, 0x80, 0x80, 0x00, 0x41, 0x85, 0x80, 0x80, 0x00, 0x6a)), 4, 9, 4},
		{"ref.func", fn(nil, cat(c32(1), 0xd2, 1, 0x26, 0, c32(1), op(0x25, 0), 0xd1, op(0x20, 0), c32(1), op(0x11, 0), 0, 0x6a), inc), 1, 2, 1 + 10 + 4},
		{"table.grow pays by element", fn(nil, cat(0xd0, 0x70, op(0x20, 0), 0xfc, 15, 0)), 10, 2, 1 + 3 + 10},
	}
}

func fuel(t *testing.T, newEngine New) {
	e := newEngine(t, nil)
	for _, p := range programs() {
		t.Run(p.name, func(t *testing.T) {
			mod := compile(t, e, p.mod, meter.DefaultOptions())
			got, u, err := call(t.Context(), mod, Limits(), nil, "f", p.arg)
			if err != nil || uint32(got) != uint32(p.want) || u.Fuel != p.fuel {
				t.Fatalf("got %d, fuel %d, %v; want %d, fuel %d", got, u.Fuel, err, p.want, p.fuel)
			}
			l := Limits()
			l.Fuel = p.fuel
			if _, _, err := call(t.Context(), mod, l, nil, "f", p.arg); err != nil {
				t.Errorf("with exactly enough fuel: %v", err)
			}
			l.Fuel--
			_, u, err = call(t.Context(), mod, l, nil, "f", p.arg)
			wantTrap(t, err, sandbox.OutOfFuel)
			if u.Fuel != l.Fuel {
				t.Errorf("fuel %d after running out, want %d", u.Fuel, l.Fuel)
			}
		})
	}
}

func limits(t *testing.T, newEngine New) {
	e := newEngine(t, nil)
	opt := meter.DefaultOptions()
	spin := fn(nil, cat(0x03, 0x40, op(0x0c, 0), 0x0b, 0x00))
	t.Run("out of time", func(t *testing.T) {
		l := Limits()
		l.Fuel, l.Wall = 1<<60, time.Millisecond
		_, u, err := call(t.Context(), compile(t, e, spin, opt), l, nil, "f", 0)
		wantTrap(t, err, sandbox.OutOfTime)
		if u.Fuel == 0 {
			t.Error("no fuel was counted")
		}
	})
	t.Run("cancelled before", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, _, err := call(ctx, compile(t, e, spin, opt), Limits(), nil, "f", 0)
		wantTrap(t, err, sandbox.Cancelled)
	})
	t.Run("cancelled while it runs", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		go cancel()
		l := Limits()
		l.Fuel = 1 << 60
		_, _, err := call(ctx, compile(t, e, spin, opt), l, nil, "f", 0)
		wantTrap(t, err, sandbox.Cancelled)
	})
	t.Run("the caller's deadline", func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		l := Limits()
		l.Fuel = 1 << 60
		_, _, err := call(ctx, compile(t, e, spin, opt), l, nil, "f", 0)
		wantTrap(t, err, sandbox.OutOfTime)
	})
	t.Run("many short calls meet the deadline too", func(t *testing.T) {
		l := Limits()
		l.Wall = time.Millisecond
		b := engine.NewBudget(l)
		inst, err := compile(t, e, fn(nil, c32(1)), opt).Instantiate(t.Context(), b, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = inst.Close(t.Context()) }()
		f, err := inst.Func("f")
		if err != nil {
			t.Fatal(err)
		}
		for err == nil { // ends by the deadline, or the test's own
			err = f.Call(t.Context(), b, []uint64{0})
		}
		wantTrap(t, err, sandbox.OutOfTime)
	})
	t.Run("a refused grow is remembered after a good end", func(t *testing.T) {
		b := engine.NewBudget(Limits())
		inst, err := compile(t, e, fn(nil, cat(c32(1000), 0x40, 0)), opt).Instantiate(t.Context(), b, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = inst.Close(t.Context()) }()
		f, err := inst.Func("f")
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Call(t.Context(), b, []uint64{0}); err != nil || !b.Refused() {
			t.Errorf("%v, refused %v", err, b.Refused())
		}
	})
	t.Run("the start function pays", func(t *testing.T) {
		m := spin
		m.Funcs = append([]wasmtest.Func{{Code: cat(0x03, 0x40, op(0x0c, 0), 0x0b)}}, m.Funcs...)
		m.HasStart = true
		_, u, err := call(t.Context(), compile(t, e, m, opt), Limits(), nil, "f", 0)
		wantTrap(t, err, sandbox.OutOfFuel)
		if u.Fuel != Limits().Fuel {
			t.Errorf("fuel %d", u.Fuel)
		}
	})
	t.Run("too much memory from the beginning", func(t *testing.T) {
		_, _, err := call(t.Context(), compile(t, e, wasmtest.Module{Memory: []uint32{17}}, opt), Limits(), nil, "f")
		wantTrap(t, err, sandbox.OutOfMemory)
	})
	t.Run("too large a table from the beginning", func(t *testing.T) {
		_, _, err := call(t.Context(), compile(t, e, wasmtest.Module{Table: []uint32{1001}}, opt), Limits(), nil, "f")
		wantTrap(t, err, sandbox.OutOfMemory)
	})
	t.Run("giving up after a refused grow is out of memory", func(t *testing.T) {
		m := fn(nil, cat(c32(1000), 0x40, 0, c32(-1), 0x46, 0x04, 0x40, 0x00, 0x0b, c32(1)))
		_, _, err := call(t.Context(), compile(t, e, m, opt), Limits(), nil, "f", 0)
		wantTrap(t, err, sandbox.OutOfMemory)
	})
	t.Run("recursion ends at the same place", func(t *testing.T) {
		// Each level costs 16 words of the stack and 2 fuel: enter, call.
		const levels = 4 << 20 / 16
		direct := wasmtest.Module{Funcs: []wasmtest.Func{{Name: "f", Code: op(0x10, 0)}}}
		mutual := wasmtest.Module{Funcs: []wasmtest.Func{{Name: "f", Code: op(0x10, 1)}, {Code: op(0x10, 0)}}}
		indirect := wasmtest.Module{
			Table: []uint32{1}, Elements: []uint32{0},
			Funcs: []wasmtest.Func{{Name: "f", Code: cat(c32(0), op(0x11, 0), 0)}},
		}
		looping := wasmtest.Module{Funcs: []wasmtest.Func{{Name: "f", Code: cat(0x03, 0x40, op(0x10, 0), op(0x0c, 0), 0x0b)}}}
		for name, c := range map[string]struct {
			mod  wasmtest.Module
			fuel uint64 // of a level; that of a level's last block is charged when it begins
		}{"direct": {direct, 2}, "mutual": {mutual, 2}, "through a table": {indirect, 3}, "with the counter in a local": {looping, 3}} {
			_, u, err := call(t.Context(), compile(t, e, c.mod, opt), Limits(), nil, "f")
			if sandbox.KindOf(err) != sandbox.OutOfStack || u.Fuel != c.fuel*levels {
				t.Errorf("%s: fuel %d, want %d; %v", name, u.Fuel, c.fuel*levels, err)
			}
		}
	})
	t.Run("returning gives the stack back", func(t *testing.T) {
		// down(n) calls itself n times; f calls it 10 times, each time nearly to the end.
		i32 := []byte{wasmtest.I32}
		down := wasmtest.Func{Params: i32, Code: cat(op(0x20, 0), 0x45, 0x04, 0x40, 0x0f, 0x0b, op(0x20, 0), c32(1), 0x6b, op(0x10, 1))}
		m := fn(i32, cat(
			c32(10), op(0x21, 1),
			0x03, 0x40, op(0x20, 0), op(0x10, 1), op(0x20, 1), c32(1), 0x6b, op(0x22, 1), op(0x0d, 0), 0x0b, c32(1)), down)
		deep := compile(t, e, m, opt)
		if _, _, err := call(t.Context(), deep, Limits(), nil, "f", 200_000); err != nil {
			t.Errorf("10 times 200,000 deep: %v", err)
		}
		_, _, err := call(t.Context(), deep, Limits(), nil, "f", 300_000)
		wantTrap(t, err, sandbox.OutOfStack)
	})
	t.Run("a chain of functions is no recursion", func(t *testing.T) {
		var m wasmtest.Module
		for i := range 1500 {
			m.Funcs = append(m.Funcs, wasmtest.Func{Code: op(0x10, uint32(i+1))})
		}
		m.Funcs = append(m.Funcs, wasmtest.Func{})
		m.Funcs[0].Name = "f"
		if _, u, err := call(t.Context(), compile(t, e, m, opt), Limits(), nil, "f"); err != nil || u.Fuel != 3001 {
			t.Errorf("fuel %d, %v", u.Fuel, err)
		}
	})
	t.Run("traps are the guest's", func(t *testing.T) {
		for name, code := range map[string][]byte{
			"unreachable":    {0x00},
			"divide by zero": cat(c32(1), c32(0), 0x6d),
			"out of bounds":  cat(c32(-1), op(0x28, 2), 0),
			"fill outside":   cat(c32(65000), c32(0), c32(1000), 0xfc, 11, 0, c32(0)),
			"copy outside":   cat(c32(0), c32(65000), c32(1000), 0xfc, 10, 0, 0, c32(0)),
		} {
			_, _, err := call(t.Context(), compile(t, e, fn(nil, code), opt), Limits(), nil, "f", 0)
			if sandbox.KindOf(err) != sandbox.GuestTrap {
				t.Errorf("%s: got %v", name, err)
			}
		}
	})
}

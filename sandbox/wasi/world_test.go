package wasi_test

import (
	"context"
	"encoding/binary"
	"errors"
	"testing"
	"time"

	"github.com/svc-platform/svc/sandbox"
	"github.com/svc-platform/svc/sandbox/engine"
	"github.com/svc-platform/svc/sandbox/meter"
	"github.com/svc-platform/svc/sandbox/wasi"
)

// world is a guest without an engine: tests put bytes in its memory and call
// the host functions as a guest would.
type world struct {
	*wasi.Process
	t      testing.TB
	memory []byte
	fuel   int64
	call   *engine.Call
	budget *engine.Budget
	funcs  map[string]engine.HostFunc
}

func (w *world) Fuel() int64     { return w.fuel }
func (w *world) SetFuel(f int64) { w.fuel = f }
func (w *world) Memory() []byte  { return w.memory }

// Where tests put things in a memory of one page.
const (
	memorySize = sandbox.PageSize
	inAt       = 1024  // iovecs, paths, subscriptions
	dataAt     = 8192  // what is read or written
	answerAt   = 65000 // results
)

func newWorld(t testing.TB, cfg wasi.Config) *world {
	t.Helper()
	p, err := wasi.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	w := &world{Process: p, t: t, memory: make([]byte, memorySize), funcs: map[string]engine.HostFunc{}}
	for _, f := range wasi.Functions() {
		w.funcs[f.Name] = f
	}
	w.budget = engine.NewBudget(sandbox.Limits{Fuel: 1 << 20, Wall: time.Minute})
	w.call = engine.NewCall(w, w) // embedding makes a world a wasi.Host
	w.call.Bind(t.Context(), w.budget)
	return w
}

// do calls a function; an end of the guest is returned as err.
func (w *world) do(name string, params ...uint64) (errno wasi.Errno, err error) {
	w.t.Helper()
	f, ok := w.funcs[name]
	if !ok || len(params) != len(f.Type.Params) {
		w.t.Fatalf("%s: called with %d parameters, has %d", name, len(params), len(f.Type.Params))
	}
	defer func() {
		if v := recover(); v != nil {
			stopped, ok := v.(engine.Stopped)
			if !ok {
				panic(v)
			}
			err = stopped.Unwrap()
		}
	}()
	stack := make([]uint64, max(len(params), 1))
	for i, p := range params {
		stack[i] = p
		if f.Type.Params[i] == meter.I32 {
			stack[i] |= 0xbad << 32 // engines leave rubbish in the upper half
		}
	}
	f.Func(w.call, stack)
	return wasi.Errno(stack[0]), nil
}

// want calls a function that must answer want and return.
func (w *world) want(want wasi.Errno, name string, params ...uint64) {
	w.t.Helper()
	got, err := w.do(name, params...)
	if err != nil {
		w.t.Fatalf("%s%v: %v", name, params, err)
	}
	if got != want {
		w.t.Errorf("%s%v = errno %d, want %d", name, params, got, want)
	}
}

func (w *world) u32(ptr int) uint32 { return binary.LittleEndian.Uint32(w.memory[ptr:]) }
func (w *world) u64(ptr int) uint64 { return binary.LittleEndian.Uint64(w.memory[ptr:]) }

// put writes bytes into memory and returns where and how many, as parameters.
func (w *world) put(ptr int, b string) (uint64, uint64) {
	return uint64(ptr), uint64(copy(w.memory[ptr:], b))
}

// vectors writes an array of iovecs at inAt: pairs of pointer and length.
func (w *world) vectors(pairs ...uint32) uint64 {
	for i, v := range pairs {
		binary.LittleEndian.PutUint32(w.memory[inAt+4*i:], v)
	}
	return inAt
}

// open opens a path below fd 3 for reading and returns its number.
func (w *world) open(path string) uint64 {
	w.t.Helper()
	ptr, n := w.put(inAt, path)
	w.want(wasi.Success, "path_open", 3, 0, ptr, n, 0, allRights&^rightWrite, allRights, 0, answerAt)
	return uint64(w.u32(answerAt))
}

const (
	allRights  = 1<<30 - 1
	rightRead  = 1 << 1
	rightWrite = 1 << 6
)

// files is the file system of most tests.
func files(t testing.TB) *wasi.Files {
	t.Helper()
	f, err := wasi.NewFiles(map[string][]byte{
		"hello.txt":      []byte("hello, world"),
		"lib/a.js":       []byte("a"),
		"lib/b.js":       []byte("bb"),
		"lib/deep/c.js":  []byte("ccc"),
		"Grüße/datei":    []byte("x"),
		"lib/deep/empty": nil,
	})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func wantTrap(t testing.TB, err error, kind sandbox.TrapKind) {
	t.Helper()
	if !errors.Is(err, &sandbox.Trap{Kind: kind}) {
		t.Errorf("the guest ended with %v, want %s", err, kind)
	}
}

// cancelled is a context that is over.
func cancelled(t testing.TB) context.Context {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	return ctx
}

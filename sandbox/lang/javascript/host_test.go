package javascript

import (
	"encoding/binary"
	"errors"
	"strings"
	"testing"

	"github.com/svc-platform/svc/sandbox"
	"github.com/svc-platform/svc/sandbox/engine"
	"github.com/svc-platform/svc/sandbox/lang"
)

// broken is a QuickJS that was taken over: it says what it likes to the host.
type broken struct {
	fuel   int64
	memory []byte
}

func (b *broken) Fuel() int64     { return b.fuel }
func (b *broken) SetFuel(f int64) { b.fuel = f }
func (b *broken) Memory() []byte  { return b.memory }

// FuzzHostCall: whatever a guest passes, the host answers or ends it; it
// neither panics nor gives out more than the guest's own memory.
func FuzzHostCall(f *testing.F) {
	f.Add(uint32(0), uint32(3), uint32(8), uint32(64), []byte{16, 0, 0, 0})
	f.Add(uint32(0), uint32(3), uint32(0xffffffff), uint32(0), []byte{})
	f.Add(uint32(0xfffffff0), uint32(0xffffffff), uint32(96), uint32(100), []byte{1, 2, 3})
	f.Fuzz(func(t *testing.T, name, count, argv, shared uint32, memory []byte) {
		guest := &broken{memory: make([]byte, 128)}
		copy(guest.memory, memory)
		process, err := lang.Program{Limits: sandbox.Limits{Output: 1 << 20}}.Process()
		if err != nil {
			t.Fatal(err)
		}
		w := &world{Process: process, shared: shared, rejected: map[uint64]rejection{}}
		c := engine.NewCall(guest, w)
		c.Bind(t.Context(), engine.NewBudget(sandbox.Limits{Fuel: 1 << 20}))
		for _, fn := range hostFuncs() {
			func() {
				defer func() {
					v := recover()
					if stop, ok := v.(error); v != nil && (!ok || !errors.As(stop, new(engine.Stopped))) {
						t.Errorf("%s panicked: %v", fn.Name, v)
					}
				}()
				const rubbish = 1 << 40 // engines leave it in the upper half of an i32
				stack := []uint64{uint64(name), uint64(count), uint64(argv % 7), uint64(count) | rubbish, uint64(argv) | rubbish}
				fn.Func(c, stack)
			}()
		}
		if n := process.Stdout.Total() + process.Stderr.Total(); n > uint64(len(guest.memory)) {
			t.Errorf("%d bytes were written of a memory of %d", n, len(guest.memory))
		}
	})
}

// TestHostCallWrites shows the shape of a call that is as it should be.
func TestHostCallWrites(t *testing.T) {
	guest := &broken{memory: make([]byte, 128)}
	le := binary.LittleEndian
	for i, value := range []uint32{opWrite, 2, 5} { // handles at 40, 48, 56, listed at 8
		le.PutUint32(guest.memory[8+4*i:], uint32(40+8*i))
		le.PutUint64(guest.memory[40+8*i:], uint64(value))
	}
	copy(guest.memory[64:], "hello, world")
	process, err := lang.Program{Limits: sandbox.DefaultLimits()}.Process()
	if err != nil {
		t.Fatal(err)
	}
	c := engine.NewCall(guest, &world{Process: process, shared: 64})
	c.Bind(t.Context(), engine.NewBudget(sandbox.DefaultLimits()))
	hostCall(c, []uint64{0, 0, 0, 3, 8})
	if got := process.Stderr.String(); got != "hello" || process.Stdout.Total() != 0 {
		t.Errorf("stderr %q, want hello", got)
	}
}

func TestVerify(t *testing.T) {
	b, err := wasm()
	if err != nil {
		t.Fatal(err)
	}
	changed := append([]byte{}, b...)
	changed[len(changed)/2] ^= 1
	if err := verify(changed); err == nil || !strings.Contains(err.Error(), "make build") {
		t.Errorf("a changed wasm: error %v, want one that says what to do", err)
	}
}

package enginetest

import (
	"testing"

	"github.com/svc-platform/svc/sandbox"
	"github.com/svc-platform/svc/sandbox/engine"
)

// filled is an instance whose memory holds a pattern without a short period.
type filled struct {
	t    *testing.T
	inst engine.Instance
	b    *engine.Budget
}

func newFilled(t *testing.T, mod engine.Module, l sandbox.Limits) *filled {
	t.Helper()
	b := engine.NewBudget(l)
	inst, err := mod.Instantiate(t.Context(), b, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = inst.Close(t.Context()) })
	x := uint32(1)
	for i, m := 0, inst.Memory(); i < len(m); i++ {
		x = x*1664525 + 1013904223
		m[i] = byte(x >> 24)
	}
	return &filled{t: t, inst: inst, b: b}
}

func (f *filled) memory() []byte { return f.inst.Memory() }

func (f *filled) call(name string, args ...uint64) error {
	f.t.Helper()
	fn, err := f.inst.Func(name)
	if err != nil {
		f.t.Fatal(err)
	}
	return fn.Call(f.t.Context(), f.b, args)
}

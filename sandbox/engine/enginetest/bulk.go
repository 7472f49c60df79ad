package enginetest

import (
	"testing"

	"github.com/svc-platform/svc/sandbox"
	"github.com/svc-platform/svc/sandbox/meter"
	"github.com/svc-platform/svc/sandbox/wasmtest"
)

// bulk checks that bulk operations in chunks do what the instructions do,
// on lengths around the chunk and on ranges that overlap.
func bulk(t *testing.T, newEngine New) {
	e := newEngine(t, nil)
	i32 := wasmtest.I32
	three := []byte{byte(i32), byte(i32), byte(i32)}
	code := func(sub ...byte) []byte { return cat(op(0x20, 0), op(0x20, 1), op(0x20, 2), 0xfc, sub) }
	mod := compile(t, e, wasmtest.Module{
		Memory:  []uint32{64},
		Data:    []byte("abc"),
		Passive: []byte("0123456789"),
		Funcs: []wasmtest.Func{
			{Name: "fill", Params: three, Code: code(11, 0)},
			{Name: "copy", Params: three, Code: code(10, 0, 0)},
			{Name: "init", Params: three, Code: code(8, 1, 0)},
		},
	}, meter.DefaultOptions())

	l := Limits()
	l.MemoryPages = 64
	const size = 64 * sandbox.PageSize
	const chunk = 1 << 20
	for _, c := range []struct {
		name    string
		fn      string
		d, s, n uint64
		trap    bool
	}{
		{"fill nothing", "fill", 0, 1, 0, false},
		{"fill nothing at the end", "fill", size, 1, 0, false},
		{"fill one byte", "fill", 9, 1, 1, false},
		{"fill one chunk", "fill", 3, 2, chunk, false},
		{"fill more than a chunk", "fill", 5, 3, chunk + 1, false},
		{"fill everything", "fill", 0, 4, size, false},
		{"fill beyond", "fill", 1, 4, size, true},
		{"fill with a length that wraps", "fill", 16, 4, 0xfffffff8, true},
		{"copy upwards over itself", "copy", 100, 50, 3*chunk + 7, false},
		{"copy downwards over itself", "copy", 50, 100, 3*chunk + 7, false},
		{"copy to the same place", "copy", 50, 50, 2*chunk + 1, false},
		{"copy apart", "copy", 2 * chunk, 0, 2 * chunk, false},
		{"copy from beyond", "copy", 0, size - 1, 2, true},
		{"copy to beyond", "copy", size - 1, 0, 2, true},
		{"init", "init", 77, 2, 8, false},
		{"init beyond the segment", "init", 0, 2, 9, true},
		{"init beyond the memory", "init", size - 1, 0, 2, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newFilled(t, mod, l)
			want := append([]byte(nil), b.memory()...)
			err := b.call(c.fn, c.d, c.s, c.n)
			if c.trap {
				wantTrap(t, err, sandbox.GuestTrap)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			switch c.fn {
			case "fill":
				for i := range c.n {
					want[c.d+i] = byte(c.s)
				}
			case "copy":
				copy(want[c.d:c.d+c.n], want[c.s:c.s+c.n])
			case "init":
				copy(want[c.d:], "0123456789"[c.s:c.s+c.n])
			}
			got := b.memory()
			for i := range want {
				if got[i] != want[i] {
					t.Fatalf("byte %d is %d, want %d", i, got[i], want[i])
				}
			}
		})
	}
}

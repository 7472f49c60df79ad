package wazero_test

import (
	"context"
	"testing"

	bare "github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/svc-platform/svc/sandbox/engine/enginetest"
	"github.com/svc-platform/svc/sandbox/meter"
	"github.com/svc-platform/svc/sandbox/wasmtest"
)

// overlongVector tells whether there may be a SIMD opcode spelled longer than it
// need be. wazero reads the first byte alone, and so another program than the
// standard's; the pass gives it the shortest spelling.
func overlongVector(wasm []byte) bool {
	for i := range max(0, len(wasm)-2) {
		if wasm[i] == 0xfd && wasm[i+1] >= 0x80 && wasm[i+2] != 1 {
			return true
		}
	}
	return false
}

// FuzzSameVerdict: a module that the pass accepts is valid after the pass if
// and only if it was valid before. Code that was ill-typed must not become
// well-typed by what is inserted, nor the other way round.
func FuzzSameVerdict(f *testing.F) {
	for _, a := range enginetest.Attacks() {
		f.Add(a.Wasm)
	}
	cat, op := wasmtest.Cat, wasmtest.Op
	i32 := []byte{wasmtest.I32}
	for _, code := range [][]byte{
		cat(op(0x20, 0), 0x04, 0x7f, 0x41, 1, 0x05, 0x41, 2, 0x0b),
		cat(0x03, 0x7f, op(0x20, 0), 0x41, 1, 0x6b, op(0x22, 0), op(0x0d, 0), op(0x20, 0), 0x0b),
		cat(0x02, 0x40, 0x02, 0x40, op(0x20, 0), 0x0e, 1, 0, 1, 0x0b, 0x41, 10, 0x0f, 0x0b, 0x41, 20),
		cat(op(0x20, 0), 0x0f, 0x1a, 0x6a, 0x00),
		cat(0x03, 0x40, 0x02, 0x40, op(0x0c, 1), 0x0b, 0x0b, 0x00),
		cat(0x41, 0, 0x41, 0, 0x41, 8, 0xfc, 11, 0, op(0x20, 0), 0x40, 0),
	} {
		f.Add(wasmtest.Module{Memory: []uint32{1}, Funcs: []wasmtest.Func{{Name: "f", Params: i32, Results: i32, Code: code}}}.Encode())
	}
	ctx := context.Background()
	r := bare.NewRuntimeWithConfig(ctx, bare.NewRuntimeConfigInterpreter().WithCoreFeatures(api.CoreFeaturesV2))
	f.Cleanup(func() { _ = r.Close(ctx) })
	valid := func(wasm []byte) error {
		m, err := r.CompileModule(ctx, wasm)
		if err == nil {
			_ = m.Close(ctx)
		}
		return err
	}
	opt := meter.DefaultOptions()
	opt.Import = func(string, string) bool { return true }
	f.Fuzz(func(t *testing.T, wasm []byte) {
		m, err := meter.Rewrite(wasm, opt)
		if err != nil || overlongVector(wasm) {
			return
		}
		// Different by design: a memory of the full 4 GiB has no length in 32
		// bits, and custom sections, where engines have opinions, are left out.
		if len(m.Customs) > 0 || m.MinPages > 65535 {
			return
		}
		before, after := valid(wasm), valid(m.Wasm)
		if (before == nil) != (after == nil) {
			t.Fatalf("before the pass: %v\nafter: %v", before, after)
		}
	})
}

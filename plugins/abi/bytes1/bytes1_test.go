package bytes1_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/svc-platform/svc/plugins"
	"github.com/svc-platform/svc/plugins/abi/abitest"
	"github.com/svc-platform/svc/plugins/abi/bytes1"
	"github.com/svc-platform/svc/plugins/registry"
	"github.com/svc-platform/svc/sandbox"
	"github.com/svc-platform/svc/sandbox/wasmtest"
)

var (
	cat = wasmtest.Cat
	op  = wasmtest.Op
	i32 = byte(wasmtest.I32)
	i64 = byte(wasmtest.I64)
)

var description = plugins.Description{
	Schema: plugins.Schema, Name: "test", Version: "1.0.0", Summary: "test", Kind: plugins.Scorer, ABI: bytes1.Name,
	Functions: []plugins.Function{{Name: "f", Vectors: []plugins.Vector{{Input: []byte("hi"), Output: []byte("yes")}}}},
}

// frame is a module whose f answers what lies in memory: the frame at 16.
func frame(content string) []byte { return answer(content, 16<<32|int64(len(content))) }

// answer is a module whose f returns result; svc_alloc gives 1024.
func answer(content string, result int64) []byte {
	return module(content, wasmtest.I64Const(result), wasmtest.I32Const(1024))
}

func module(content string, f, alloc []byte) []byte {
	return wasmtest.Module{
		Memory: []uint32{1},
		Data:   append(make([]byte, 16), content...),
		Funcs: []wasmtest.Func{
			{Name: "svc_alloc", Params: []byte{i32}, Results: []byte{i32}, Code: alloc},
			{Name: "f", Params: []byte{i32, i32}, Results: []byte{i64}, Code: f},
		},
	}.Encode()
}

func TestABI(t *testing.T) {
	abitest.Run(t, description, frame("\x00yes"), nil, []abitest.Refusal{
		{Name: "no memory", Wasm: wasmtest.Module{}.Encode(), Step: registry.Open, Says: "memory"},
		{Name: "no svc_alloc", Wasm: wasmtest.Module{Memory: []uint32{1}}.Encode(), Step: registry.Open, Says: "svc_alloc"},
		{Name: "a function that is not there", Change: func(d *plugins.Description) { d.Functions = []plugins.Function{{Name: "g"}} }, Step: registry.Open, Says: "must export g"},
		{Name: "no functions", Change: func(d *plugins.Description) { d.Functions = nil }, Step: registry.Open, Says: "must list its functions"},
		{Name: "a golden vector that does not hold", Wasm: frame("\x00no"), Step: registry.SelfCheck, Says: `"no"`},
		{Name: "an import that is not offered", Wasm: wasmtest.Module{Imports: []wasmtest.Import{{Module: "env", Name: "abort"}}}.Encode(), Step: registry.Meter, Says: "forbidden_import"},
	})
}

// TestLies: a guest's pointers and lengths are not believed.
func TestLies(t *testing.T) {
	const high = int64(-1) << 32
	for _, c := range []struct {
		name string
		wasm []byte
		says string
	}{
		{"an empty frame", answer("", 16<<32), "0 bytes"},
		{"a frame outside memory", answer("", 65536<<32|1), "outside"},
		{"a frame across the end", answer("", 65535<<32|2), "outside"},
		{"a length beyond all", answer("", 16<<32|0xffffffff), "must have"},
		{"a pointer at 4 GiB", answer("", high|4), "outside"},
		{"input outside memory", module("", wasmtest.I64Const(0), wasmtest.I32Const(-1)), "outside"},
		{"an unknown kind of frame", frame("\x02x"), "begins with 2"},
		{"an error that is not JSON", frame("\x01oops"), "error frame"},
		{"an error without a code", frame("\x01{}"), "error frame"},
		{"a trap", module("", []byte{0x00}, wasmtest.I32Const(0)), "unreachable"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, _, err := call(t, c.wasm, []byte("hi"), sandbox.DefaultLimits())
			if sandbox.KindOf(err) != sandbox.GuestTrap || !strings.Contains(err.Error(), c.says) {
				t.Errorf("got %v, want a guest trap that says %q", err, c.says)
			}
		})
	}
}

func call(t *testing.T, wasm, input []byte, l sandbox.Limits) ([]byte, sandbox.Usage, error) {
	t.Helper()
	d := description
	d.Functions = []plugins.Function{{Name: "f"}}
	r := abitest.NewRegistry(t)
	if _, err := abitest.Load(t, r, wasm, d); err != nil {
		t.Fatal(err)
	}
	return r.Functions(plugins.Scorer)[0].Guest.Call(t.Context(), "f", input, l)
}

func TestErrors(t *testing.T) {
	_, _, err := call(t, frame(`_{"code":"insufficient","message":"give more"}`), nil, sandbox.DefaultLimits())
	if sandbox.KindOf(err) != sandbox.GuestTrap {
		t.Errorf("a frame that begins with _: %v", err)
	}
	_, _, err = call(t, frame("\x01"+`{"code":"insufficient","message":"give more"}`), nil, sandbox.DefaultLimits())
	var said *bytes1.Error
	if !errors.As(err, &said) || said.Code != "insufficient" || said.Message != "give more" {
		t.Errorf("got %v", err)
	}
}

func TestLimits(t *testing.T) {
	spin := cat(0x03, 0x40, op(0x0c, 0), 0x0b, 0x00)
	l := sandbox.DefaultLimits()
	l.Fuel = 1000
	for name, wasm := range map[string][]byte{
		"in the function": module("", spin, wasmtest.I32Const(0)),
		"in svc_alloc":    module("", wasmtest.I64Const(0), spin),
	} {
		if _, u, err := call(t, wasm, nil, l); sandbox.KindOf(err) != sandbox.OutOfFuel || u.Fuel != 1000 {
			t.Errorf("%s: fuel %d, %v", name, u.Fuel, err)
		}
	}
	l.MemoryPages = 1
	if _, _, err := call(t, frame("\x00"), make([]byte, 65537), l); sandbox.KindOf(err) != sandbox.OutOfMemory {
		t.Errorf("an input larger than the memory: %v", err)
	}
}

// FuzzFrame: whatever a guest answers, the host gives an output or a typed error.
func FuzzFrame(f *testing.F) {
	f.Add("\x00yes")
	f.Add("\x01{\"code\":\"a\",\"message\":\"b\"}")
	f.Add("\x01{\"code\":\"a\",\"message\":\"\\ud800\"}")
	f.Add("")
	f.Fuzz(func(t *testing.T, content string) {
		out, err := bytes1.Decode([]byte(content))
		var said *bytes1.Error
		switch {
		case err == nil && content[0] == 0 && string(out) == content[1:]:
		case errors.As(err, &said) && said.Code != "":
		case sandbox.KindOf(err) == sandbox.GuestTrap:
		default:
			t.Error(fmt.Errorf("%q: %q, %w", content, out, err))
		}
	})
}

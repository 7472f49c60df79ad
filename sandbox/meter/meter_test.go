package meter_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/svc-platform/svc/sandbox"
	"github.com/svc-platform/svc/sandbox/meter"
	"github.com/svc-platform/svc/sandbox/wasmtest"
)

var (
	cat = wasmtest.Cat
	op  = wasmtest.Op
	u   = wasmtest.U
)

func section(id byte, content []byte) []byte { return cat(id, u(uint64(len(content))), content) }

var magic = []byte{0, 'a', 's', 'm', 1, 0, 0, 0}

func withBody(code []byte) []byte {
	return wasmtest.Module{Memory: []uint32{1}, Table: []uint32{1}, Funcs: []wasmtest.Func{{Name: "f", Code: code}}}.Encode()
}

// TestRefusals: what the pass refuses, and that it says why in words.
func TestRefusals(t *testing.T) {
	many := bytes.Repeat([]byte{0x02, 0x40}, 1001)
	locals := cat(magic, section(1, cat(1, 0x60, 0, 0)), section(3, cat(1, 0)), section(10, cat(1, 8, 1, u(0xffffffff), 0x7f, 0x0b)))
	for _, c := range []struct {
		name string
		wasm []byte
		want string
	}{
		{"empty", nil, "not a WebAssembly module"},
		{"text", []byte("(module)"), "not a WebAssembly module"},
		{"component", []byte{0, 'a', 's', 'm', 0x0d, 0, 1, 0}, "component"},
		{"another version", []byte{0, 'a', 's', 'm', 2, 0, 0, 0}, "version"},
		{"truncated", withBody([]byte{0x01})[:30], "past the end"},
		{"unknown section", cat(magic, section(14, nil)), "unknown section 14"},
		{"sections out of order", cat(magic, section(3, []byte{0}), section(1, []byte{0})), "out of order"},
		{"a section twice", cat(magic, section(1, []byte{0}), section(1, []byte{0})), "out of order"},
		{"trailing bytes in a section", cat(magic, section(1, []byte{0, 0})), "longer than its content"},
		{"a vector that cannot fit", cat(magic, section(1, u(1999))), "do not fit"},
		{"4,000 million locals", locals, "locals"},
		{"an integer of six bytes", cat(magic, section(1, []byte{0x80, 0x80, 0x80, 0x80, 0x80, 0})), "larger than 32 bits"},
		{"nesting", withBody(cat(many, bytes.Repeat([]byte{0x0b}, 1001))), "nested deeper"},
		{"bodies missing", cat(magic, section(1, cat(1, 0x60, 0, 0)), section(3, cat(1, 0))), "1 functions are declared and 0 have a body"},
		{"code behind the end", withBody([]byte{0x0b, 0x01}), "behind its end"},
		{"else without if", withBody([]byte{0x05}), "else without if"},
		{"unknown opcode", withBody([]byte{0xff}), "unknown opcode 0xff"},
		{"exceptions", withBody([]byte{0x08, 0}), "exception handling"},
		{"tags", cat(magic, section(13, []byte{0})), "exception handling"},
		{"tail calls", withBody([]byte{0x12, 0}), "tail calls"},
		{"function references", withBody([]byte{0x14, 0}), "typed function references"},
		{"garbage collection", withBody([]byte{0xfb, 0}), "garbage collection"},
		{"threads", withBody([]byte{0xfe, 0}), "threads"},
		{"relaxed SIMD", withBody(cat(0xfd, u(256))), "relaxed SIMD"},
		{"shared memory", cat(magic, section(5, []byte{1, 3, 1, 1})), "threads"},
		{"memory64", cat(magic, section(5, []byte{1, 4, 1})), "memory64"},
		{"two memories", cat(magic, section(5, []byte{2, 0, 1, 0, 1})), "multiple memories"},
		{"a load from memory 1", withBody(cat(0x41, 0, 0x28, 0x42, 1, 0, 0x1a)), "multiple memories"},
		{"more memory than there is", cat(magic, section(5, cat(1, 0, u(65537)))), "65536 pages"},
		{"maximum below minimum", cat(magic, section(5, []byte{1, 1, 2, 1})), "below its minimum"},
		{"a function that does not exist", withBody(op(0x10, 1)), "function 1 does not exist"},
		{"a global that does not exist", withBody(op(0x23, 0)), "global 0 does not exist"},
		{"a local that does not exist", withBody(op(0x20, 0)), "local 0 does not exist"},
		{"a label that does not exist", withBody(op(0x0c, 1)), "label 1 does not exist"},
		{"a type that does not exist", withBody(cat(0x11, 9, 0)), "type 9 does not exist"},
		{"a data segment that does not exist", withBody(cat(0xfc, 9, 0)), "data segment 0 does not exist"},
		{"an element segment that does not exist", withBody(cat(0xfc, 13, 0)), "element segment 0 does not exist"},
		{"a table that does not exist", withBody(cat(0xfc, 16, 1)), "table 1 does not exist"},
		{"a reserved export", wasmtest.Module{Funcs: []wasmtest.Func{{Name: meter.FuelGlobal}}}.Encode(), "reserved"},
		{"a name of 5,000 bytes", cat(magic, section(0, cat(u(5000), make([]byte, 5000)))), "a name of 5000 bytes"},
		{"a start function with parameters", wasmtest.Module{HasStart: true, Funcs: []wasmtest.Func{{Params: []byte{wasmtest.I32}}}}.Encode(), "without parameters"},
		{"a null of an unknown type", cat(magic, section(6, []byte{1, 0x70, 0, 0xd0, 5, 0x0b})), "reference type"},
		{"a start that does not exist", wasmtest.Module{HasStart: true, Start: 7}.Encode(), "function 7 does not exist"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := meter.Rewrite(c.wasm, meter.DefaultOptions())
			if sandbox.KindOf(err) != sandbox.InvalidModule || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want invalid_module with %q", err, c.want)
			}
		})
	}
}

// TestLimits: each limit is met exactly and refused one beyond.
func TestLimits(t *testing.T) {
	two := wasmtest.Module{
		Funcs:   []wasmtest.Func{{Name: "f", Params: []byte{wasmtest.I32}, Locals: []byte{wasmtest.I32}, Code: cat(0x02, 0x40, 0x0b)}, {Name: "g"}},
		Globals: []wasmtest.Global{{}, {}}, Memory: []uint32{1}, Table: []uint32{1},
		Data: []byte("x"), Passive: []byte("y"), Custom: map[string][]byte{"c": []byte("12345678")},
	}.Encode()
	for name, set := range map[string]func(*meter.Options, int){
		"MaxSize":      func(o *meter.Options, d int) { o.MaxSize = len(two) + d },
		"MaxTypes":     func(o *meter.Options, d int) { o.MaxTypes = 2 + d },
		"MaxFunctions": func(o *meter.Options, d int) { o.MaxFunctions = 2 + d },
		"MaxBody":      func(o *meter.Options, d int) { o.MaxBody = 7 + d },
		"MaxLocals":    func(o *meter.Options, d int) { o.MaxLocals = 2 + d },
		"MaxNesting":   func(o *meter.Options, d int) { o.MaxNesting = 2 + d },
		"MaxSegments":  func(o *meter.Options, d int) { o.MaxSegments = 2 + d },
		"MaxTables":    func(o *meter.Options, d int) { o.MaxTables = 1 + d },
		"MaxGlobals":   func(o *meter.Options, d int) { o.MaxGlobals = 2 + d },
		"MaxExports":   func(o *meter.Options, d int) { o.MaxExports = 3 + d },
		"MaxCustom":    func(o *meter.Options, d int) { o.MaxCustom = 10 + d },
		"MaxParams":    func(o *meter.Options, d int) { o.MaxParams = 1 + d },
	} {
		t.Run(name, func(t *testing.T) {
			opt := meter.DefaultOptions()
			set(&opt, 0)
			if _, err := meter.Rewrite(two, opt); err != nil {
				t.Errorf("at the limit: %v", err)
			}
			set(&opt, -1)
			if _, err := meter.Rewrite(two, opt); sandbox.KindOf(err) != sandbox.InvalidModule {
				t.Errorf("beyond the limit: got %v", err)
			}
		})
	}
}

// TestCompileLimits: the limits that bound what an engine has to compile.
func TestCompileLimits(t *testing.T) {
	nest := func(n int, op ...byte) []byte {
		return cat(bytes.Repeat(op, n), bytes.Repeat([]byte{0x0b}, n))
	}
	flat := func(n int, code ...byte) []byte { return bytes.Repeat(code, n) }
	table := func(n int) []byte { return cat(0x41, 0, 0x0e, u(uint64(n)), make([]byte, n+1)) }
	for name, c := range map[string]struct {
		build func(n int) []byte // a module that needs n of it
		set   func(*meter.Options, int)
	}{
		"MaxBlocks": {
			func(n int) []byte { return withBody(flat(n, 0x02, 0x40, 0x0b)) },
			func(o *meter.Options, n int) { o.MaxBlocks = n },
		},
		"MaxLoops": {
			func(n int) []byte { return withBody(flat(n, 0x03, 0x40, 0x0b)) },
			func(o *meter.Options, n int) { o.MaxLoops = n },
		},
		"MaxLoopNesting": {
			func(n int) []byte { return withBody(nest(n, 0x03, 0x40)) },
			func(o *meter.Options, n int) { o.MaxLoopNesting = n },
		},
		"MaxBranchTargets": {
			func(n int) []byte { return withBody(cat(table(n/2), table(n-n/2))) },
			func(o *meter.Options, n int) { o.MaxBranchTargets = n },
		},
		"MaxElements": {
			func(n int) []byte {
				return wasmtest.Module{Table: []uint32{20}, Funcs: []wasmtest.Func{{}}, Elements: make([]uint32, n)}.Encode()
			},
			func(o *meter.Options, n int) { o.MaxElements = n },
		},
		"MaxBulk": {
			func(n int) []byte {
				kinds := [][]byte{{0x41, 0, 0x41, 0, 0x41, 0, 0xfc, 11, 0}, {0x41, 0, 0x41, 0, 0x41, 0, 0xfc, 10, 0, 0}, {0x41, 0, 0x40, 0, 0x1a}, {0x41, 0, 0x41, 0, 0x41, 0, 0xfc, 14, 0, 0}}
				return withBody(bytes.Join(kinds[:n], nil))
			},
			func(o *meter.Options, n int) { o.MaxBulk = n },
		},
		"MaxCustoms": {
			func(n int) []byte { return cat(magic, flat(n, 0, 1, 0)) },
			func(o *meter.Options, n int) { o.MaxCustoms = n },
		},
	} {
		t.Run(name, func(t *testing.T) {
			opt := meter.DefaultOptions()
			c.set(&opt, 3)
			if _, err := meter.Rewrite(c.build(3), opt); err != nil {
				t.Errorf("at the limit: %v", err)
			}
			if _, err := meter.Rewrite(c.build(4), opt); sandbox.KindOf(err) != sandbox.InvalidModule {
				t.Errorf("beyond the limit: got %v", err)
			}
		})
	}
}

// TestModule: what the rest of the host learns of a module.
func TestModule(t *testing.T) {
	i32 := []byte{wasmtest.I32}
	opt := meter.DefaultOptions()
	opt.Import = func(module, name string) bool { return module == "env" && name == "now" }
	m, err := meter.Rewrite(wasmtest.Module{
		Imports: []wasmtest.Import{{Module: "env", Name: "now", Results: i32}},
		Funcs:   []wasmtest.Func{{Name: "f", Params: i32, Code: cat(op(0x20, 0), 0x40, 0, 0x1a)}, {}},
		Memory:  []uint32{2, 9}, HasStart: true, Start: 2, Custom: map[string][]byte{"note": []byte("hi")},
	}.Encode(), opt)
	if err != nil {
		t.Fatal(err)
	}
	if f, ok := m.Export("f"); !ok || f.String() != "(i32) -> ()" {
		t.Errorf("export f: %v %v", f, ok)
	}
	if _, ok := m.Export("memory"); ok {
		t.Error("a memory is not a function")
	}
	if c, ok := m.Custom("note"); !ok || string(c) != "hi" {
		t.Errorf("custom section: %q", c)
	}
	if len(m.Imports) != 1 || m.Imports[0].Name != "now" || m.MinPages != 2 || m.MaxPages != 9 || !m.HasStart || !m.CanGrow || m.Functions != 3 {
		t.Errorf("got %+v", m)
	}
}

// TestDeterministic: the same module always becomes the same bytes, since the
// compile cache and receipts are keyed by them.
func TestDeterministic(t *testing.T) {
	code := cat(0x41, 0, 0x41, 1, 0x41, 2, 0xfc, 11, 0, 0x41, 0, 0x41, 1, 0x41, 2, 0xfc, 10, 0, 0)
	a, err := meter.Rewrite(withBody(code), meter.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	b, err := meter.Rewrite(withBody(code), meter.DefaultOptions())
	if err != nil || !bytes.Equal(a.Wasm, b.Wasm) {
		t.Errorf("two passes differ (%v)", err)
	}
}

// FuzzRewrite: hostile bytes never panic the pass, and it never makes much out
// of little.
func FuzzRewrite(f *testing.F) {
	f.Add([]byte(nil))
	f.Add(magic)
	f.Add(withBody(cat(0x03, 0x40, op(0x0c, 0), 0x0b)))
	f.Add(withBody(cat(0x02, 0x7f, 0x41, 1, 0x0b, 0x04, 0x40, 0x05, 0x0b, 0x41, 0, 0x0e, 1, 0, 0)))
	f.Add(withBody(cat(0x41, 1, 0x40, 0, 0x1a, 0xd0, 0x70, 0x41, 1, 0xfc, 15, 0, 0x1a)))
	f.Add(wasmtest.Module{Memory: []uint32{1}, Data: []byte("abc"), Passive: []byte("d"), HasStart: true, Funcs: []wasmtest.Func{{Name: "x"}}}.Encode())
	f.Fuzz(func(t *testing.T, wasm []byte) {
		m, err := meter.Rewrite(wasm, meter.DefaultOptions())
		if err != nil {
			if k := sandbox.KindOf(err); k != sandbox.InvalidModule && k != sandbox.ForbiddenImport {
				t.Fatalf("an error of another kind: %v", err)
			}
			return
		}
		if len(m.Wasm) > 40*len(wasm)+4096 {
			t.Fatalf("%d bytes became %d", len(wasm), len(m.Wasm))
		}
	})
}

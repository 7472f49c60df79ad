// Package wasmtest builds small WebAssembly modules for tests, byte by byte,
// well-formed or not.
package wasmtest

// Value types.
const (
	I32 = 0x7f
	I64 = 0x7e
	F64 = 0x7c
)

// Module is what a test module consists of. Each function has a type of its
// own; imported functions come first in the index space.
type Module struct {
	Imports  []Import
	Funcs    []Func
	Memory   []uint32 // minimum, and maximum if there are two; nil for none
	Table    []uint32 // funcref table, likewise
	Globals  []Global
	Start    int // index of the start function, used if HasStart
	HasStart bool
	Elements []uint32 // function indices from table offset 0
	Data     []byte   // one active segment at offset 0
	Passive  []byte   // one passive segment, after Data
	Custom   map[string][]byte
	Extra    []byte // appended as it is
}

// Import is an imported function.
type Import struct {
	Module, Name    string
	Params, Results []byte
}

// Func is a defined function, exported where Name is not empty. Code is
// without the final end.
type Func struct {
	Name            string
	Params, Results []byte
	Locals          []byte
	Code            []byte
}

// Global is a mutable or constant i64 global.
type Global struct {
	Mutable bool
	Value   int64
}

// U is an unsigned LEB128.
func U(v uint64) []byte {
	var b []byte
	for v >= 0x80 {
		b = append(b, byte(v)|0x80)
		v >>= 7
	}
	return append(b, byte(v))
}

// S is a signed LEB128.
func S(v int64) []byte {
	var b []byte
	for {
		c := byte(v & 0x7f)
		v >>= 7
		if (v == 0 && c&0x40 == 0) || (v == -1 && c&0x40 != 0) {
			return append(b, c)
		}
		b = append(b, c|0x80)
	}
}

// I32Const and I64Const push a constant.
func I32Const(v int32) []byte { return append([]byte{0x41}, S(int64(v))...) }

// I64Const pushes a constant.
func I64Const(v int64) []byte { return append([]byte{0x42}, S(v)...) }

// Op is an opcode with an index.
func Op(op byte, index uint32) []byte { return append([]byte{op}, U(uint64(index))...) }

// Cat joins pieces of code: bytes, ints (as one byte) and slices.
func Cat(parts ...any) []byte {
	var b []byte
	for _, p := range parts {
		switch p := p.(type) {
		case int:
			b = append(b, byte(p))
		case byte:
			b = append(b, p)
		case []byte:
			b = append(b, p...)
		}
	}
	return b
}

func vec(items ...[]byte) []byte {
	b := U(uint64(len(items)))
	for _, i := range items {
		b = append(b, i...)
	}
	return b
}

func str(s string) []byte { return append(U(uint64(len(s))), s...) }

func types(ts []byte) []byte { return append(U(uint64(len(ts))), ts...) }

func limits(l []uint32) []byte {
	if len(l) == 1 {
		return append([]byte{0}, U(uint64(l[0]))...)
	}
	return append(append([]byte{1}, U(uint64(l[0]))...), U(uint64(l[1]))...)
}

func section(id byte, content []byte) []byte {
	return append(append([]byte{id}, U(uint64(len(content)))...), content...)
}

// Encode writes the module.
func (m Module) Encode() []byte {
	b := []byte{0, 'a', 's', 'm', 1, 0, 0, 0}
	var ts, imports, funcs, exports, bodies [][]byte
	for i, f := range m.Imports {
		ts = append(ts, Cat(0x60, types(f.Params), types(f.Results)))
		imports = append(imports, Cat(str(f.Module), str(f.Name), 0, U(uint64(i))))
	}
	for i, f := range m.Funcs {
		index := uint64(i + len(m.Imports))
		ts = append(ts, Cat(0x60, types(f.Params), types(f.Results)))
		funcs = append(funcs, U(index))
		if f.Name != "" {
			exports = append(exports, Cat(str(f.Name), 0, U(index)))
		}
		var locals [][]byte
		for _, l := range f.Locals {
			locals = append(locals, []byte{1, l})
		}
		body := Cat(vec(locals...), f.Code, 0x0b)
		bodies = append(bodies, Cat(U(uint64(len(body))), body))
	}
	if m.Memory != nil {
		exports = append(exports, Cat(str("memory"), 2, 0))
	}
	b = append(b, section(1, vec(ts...))...)
	b = append(b, section(2, vec(imports...))...)
	b = append(b, section(3, vec(funcs...))...)
	if m.Table != nil {
		b = append(b, section(4, Cat(1, 0x70, limits(m.Table)))...)
	}
	if m.Memory != nil {
		b = append(b, section(5, Cat(1, limits(m.Memory)))...)
	}
	b = append(b, m.globals()...)
	b = append(b, section(7, vec(exports...))...)
	if m.HasStart {
		b = append(b, section(8, U(uint64(m.Start)))...)
	}
	return append(b, m.segments(bodies)...)
}

func (m Module) globals() []byte {
	var gs [][]byte
	for _, g := range m.Globals {
		mutable := byte(0)
		if g.Mutable {
			mutable = 1
		}
		gs = append(gs, Cat(I64, mutable, I64Const(g.Value), 0x0b))
	}
	return section(6, vec(gs...))
}

func (m Module) segments(bodies [][]byte) []byte {
	var b []byte
	if m.Elements != nil {
		var items [][]byte
		for _, e := range m.Elements {
			items = append(items, U(uint64(e)))
		}
		b = append(b, section(9, Cat(1, 0, I32Const(0), 0x0b, vec(items...)))...)
	}
	var data [][]byte
	if m.Data != nil {
		data = append(data, Cat(0, I32Const(0), 0x0b, str(string(m.Data))))
	}
	if m.Passive != nil {
		data = append(data, Cat(1, str(string(m.Passive))))
	}
	if data != nil {
		b = append(b, section(12, U(uint64(len(data))))...)
	}
	b = append(b, section(10, vec(bodies...))...)
	if data != nil {
		b = append(b, section(11, vec(data...))...)
	}
	for name, content := range m.Custom {
		b = append(b, section(0, Cat(str(name), content))...)
	}
	return append(b, m.Extra...)
}

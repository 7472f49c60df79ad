package enginetest

import (
	"bytes"

	"github.com/svc-platform/svc/sandbox"
	"github.com/svc-platform/svc/sandbox/wasmtest"
)

// Attack is a guest that tries to hurt the host.
type Attack struct {
	Name  string
	Tries string // what it tries
	Wasm  []byte
	Pages uint32             // memory it is given
	Want  []sandbox.TrapKind // what may end it
}

// Attacks are the guests that must end within their budget, with the host
// alive and its garbage collector breathing. The function to call is "f", of
// no parameters.
func Attacks() []Attack {
	limited := []sandbox.TrapKind{sandbox.OutOfFuel, sandbox.OutOfTime}[:2:2]
	attacks := []Attack{
		{"empty loop", "spin for ever without doing anything", guest(cat(0x03, 0x40, op(0x0c, 0), 0x0b)), 1, limited},
		{"call tree", "2^48 calls without a single loop", callTree(48), 1, limited},
		{"fill storm", "200 times 256 MiB in one instruction each", fillStorm(), 4200, limited},
		{"start loop", "spin before the first call", startLoop(), 1, limited},
		{"endless recursion", "use up the stack", guest(cat(op(0x10, 0))), 1, append(limited, sandbox.OutOfStack)},
		{"grow loop", "take all memory page by page", guest(cat(0x03, 0x40, c32(1), 0x40, 0, 0x1a, op(0x0c, 0), 0x0b)), 1024, limited},
		{"table bomb", "take 100 million table elements at once, for ever", tableBomb(), 1, limited},
		{"memory bomb", "ask for 4 GiB at once and give up when refused", guest(cat(c32(65535), 0x40, 0, c32(-1), 0x46, 0x04, 0x40, 0x00, 0x0b)), 1024, []sandbox.TrapKind{sandbox.OutOfMemory}},
		{"counter by index", "refill the fuel counter by its index", refill(), 1, []sandbox.TrapKind{sandbox.InvalidModule}},
		{"counter by export", "export the fuel counter under a name of its own", exportCounter(), 1, []sandbox.TrapKind{sandbox.InvalidModule}},
		{"tick by index", "call the tick to learn or reset the counter", guest(cat(c64(-1), op(0x10, 1), 0x1a)), 1, []sandbox.TrapKind{sandbox.InvalidModule}},
		{"leaf storm", "call a long function without loops or calls over and over, in one line", leafStorm(20_000, 20_000), 1, limited},
		{"reference storm", "make the host keep an object for every ref.func", referenceStorm(), 1, limited},
		{"code in a constant", "hide an endless loop where a longer spelling of an opcode is read as an operand", smuggle(), 1, append(limited, sandbox.InvalidModule, "")},
		{"local by index", "write the cached counter through a local it does not have", guest(cat(c64(1<<62), op(0x21, 0))), 1, []sandbox.TrapKind{sandbox.InvalidModule}},
	}
	return attacks
}

func guest(code []byte) []byte {
	return wasmtest.Module{Memory: []uint32{1}, Funcs: []wasmtest.Func{{Name: "f", Code: code}}}.Encode()
}

// callTree is n functions that each call the next twice.
func callTree(n int) []byte {
	var m wasmtest.Module
	for i := range n {
		f := wasmtest.Func{}
		if i == 0 {
			f.Name = "f"
		}
		if i < n-1 {
			f.Code = cat(op(0x10, uint32(i+1)), op(0x10, uint32(i+1)))
		}
		m.Funcs = append(m.Funcs, f)
	}
	return m.Encode()
}

func fillStorm() []byte {
	var code []byte
	for range 200 {
		code = append(code, cat(c32(0), c32(1), c32(256<<20), 0xfc, 11, 0)...)
	}
	return wasmtest.Module{Memory: []uint32{4096}, Funcs: []wasmtest.Func{{Name: "f", Code: code}}}.Encode()
}

func startLoop() []byte {
	return wasmtest.Module{
		HasStart: true, Start: 0,
		Funcs: []wasmtest.Func{{Code: cat(0x03, 0x40, op(0x0c, 0), 0x0b)}, {Name: "f"}},
	}.Encode()
}

// leafStorm is a function that calls a leaf many times without a loop.
func leafStorm(calls, length int) []byte {
	return wasmtest.Module{Memory: []uint32{1}, Funcs: []wasmtest.Func{
		{Name: "f", Code: bytes.Repeat(op(0x10, 1), calls)},
		{Code: cat(c32(0), 0x44, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f, bytes.Repeat([]byte{0x9f}, length), op(0x39, 3), 0)},
	}}.Encode()
}

func referenceStorm() []byte {
	return wasmtest.Module{
		Table: []uint32{1}, Elements: []uint32{0},
		Funcs: []wasmtest.Func{{Name: "f", Code: cat(0x03, 0x40, 0xd2, 0, 0x1a, op(0x0c, 0), 0x0b)}},
	}.Encode()
}

// smuggle is v128.const with its opcode spelled in two bytes. An engine that
// reads one byte sees a shift, then unreachable, and then code in what should
// be the constant: a loop that no charge is in.
func smuggle() []byte {
	loop := cat(0x03, 0x40, op(0x0c, 0), 0x0b)
	padding := bytes.Repeat([]byte{0x01}, 16-len(loop))
	return guest(cat(0xfd, 0x8c, 0x00, loop, padding, 0x1a))
}

func tableBomb() []byte {
	return wasmtest.Module{
		Table: []uint32{1},
		Funcs: []wasmtest.Func{{Name: "f", Code: cat(0x03, 0x40, 0xd0, 0x70, c32(100_000_000), 0xfc, 15, 0, 0x1a, op(0x0c, 0), 0x0b)}},
	}.Encode()
}

// refill writes to global 1, which is where the pass puts its counter when the
// module has one global of its own.
func refill() []byte {
	return wasmtest.Module{
		Globals: []wasmtest.Global{{Mutable: true}},
		Funcs:   []wasmtest.Func{{Name: "f", Code: cat(0x03, 0x40, c64(1<<62), op(0x24, 1), op(0x0c, 0), 0x0b)}},
	}.Encode()
}

// exportCounter exports global 0 of a module that has none: that is where the
// counter would be.
func exportCounter() []byte {
	m := wasmtest.Module{}
	m.Extra = cat(0x07, 0x08, 0x01, 0x04, []byte("mine"), 0x03, 0x00)
	return append([]byte{0, 'a', 's', 'm', 1, 0, 0, 0}, m.Extra...)
}

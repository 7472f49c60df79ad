// Package metertest makes random WebAssembly modules that always end, and
// computes by itself what they do and what they cost: the independent count
// that the metering pass is compared with.
package metertest

import (
	"bytes"
	"slices"

	"github.com/svc-platform/svc/sandbox/wasmtest"
)

// Value types, by their binary code.
const (
	i32 = wasmtest.I32
	i64 = wasmtest.I64
)

// Pages is the memory that a program begins with, MaxPages the most it can have.
const (
	Pages    = 1
	MaxPages = 3
)

// Global i is a mutable variable of this type. The first one counts down: at
// every loop head and function entry, and at zero the function returns.
var globalTypes = [...]byte{i32, i32, i64}

// Type is the signature of a function or of a block.
type Type struct{ Params, Results []byte }

func (t Type) equal(u Type) bool {
	return bytes.Equal(t.Params, u.Params) && bytes.Equal(t.Results, u.Results)
}

// Instr is one instruction; that of a block holds its body.
type Instr struct {
	Op      byte
	Sub     byte     // behind 0xfc
	Index   uint32   // local, global, label, function or type
	Value   int64    // of a constant
	Targets []uint32 // of br_table, the default last
	Body    []Instr
	Else    []Instr // nil for an if without else
}

// Func is one function; function i is exported under Name(i).
type Func struct {
	Type   uint32
	Locals []byte // after the parameters
	Body   []Instr
}

// Program is a module with a memory, the globals, and a table of all its functions.
type Program struct {
	Types  []Type
	Funcs  []Func
	Rounds int32 // what the counting global begins with
}

// Name is what function i is exported as.
func Name(i int) string { return string(rune('a' + i)) }

// Signature is the type of function i.
func (p *Program) Signature(i int) Type { return p.Types[p.Funcs[i].Type] }

// intern finds or adds a type.
func (p *Program) intern(t Type) uint32 {
	i := slices.IndexFunc(p.Types, t.equal)
	if i < 0 {
		i = len(p.Types)
		p.Types = append(p.Types, t)
	}
	return uint32(i)
}

var cat, uleb = wasmtest.Cat, wasmtest.U

// Encode writes the program as a module.
func (p *Program) Encode() []byte {
	var types, funcs, exports, table, code []byte
	for _, t := range p.Types {
		types = cat(types, 0x60, len(t.Params), t.Params, len(t.Results), t.Results)
	}
	for i, f := range p.Funcs {
		funcs = append(funcs, uleb(uint64(f.Type))...)
		exports = cat(exports, 1, []byte(Name(i)), 0, i)
		table = append(table, byte(i))
		body := []byte{byte(len(f.Locals))}
		for _, l := range f.Locals {
			body = append(body, 1, l)
		}
		body = append(encode(body, f.Body), 0x0b)
		code = cat(code, uleb(uint64(len(body))), body)
	}
	exports = cat(exports, 1, []byte("M"), 2, 0)
	var globals []byte
	for i, t := range globalTypes {
		init := cat(t, 1, 0x42, 0, 0x0b)
		if t == i32 {
			init = cat(t, 1, 0x41, 0, 0x0b)
		}
		if i == 0 {
			init = cat(t, 1, wasmtest.I32Const(p.Rounds), 0x0b)
		}
		globals = append(globals, init...)
		exports = cat(exports, 1, '0'+byte(i), 3, i)
	}
	n := len(p.Funcs)
	return cat([]byte{0, 'a', 's', 'm', 1, 0, 0, 0},
		section(1, len(p.Types), types), section(3, n, funcs), section(4, 1, cat(0x70, 0, n)),
		section(5, 1, []byte{1, Pages, MaxPages}), section(6, len(globalTypes), globals),
		section(7, n+1+len(globalTypes), exports), section(9, 1, cat(0, 0x41, 0, 0x0b, n, table)), section(10, n, code))
}

func section(id byte, count int, items []byte) []byte {
	items = append(uleb(uint64(count)), items...)
	return cat(id, uleb(uint64(len(items))), items)
}

func encode(b []byte, code []Instr) []byte {
	for _, in := range code {
		b = append(b, in.Op)
		switch in.Op {
		case block, loop, ifOp:
			// A type index is signed; all are small.
			b = encode(append(b, wasmtest.S(int64(in.Index))...), in.Body)
			if in.Else != nil {
				b = encode(append(b, elseOp), in.Else)
			}
			b = append(b, end)
		case br, brIf, call, localGet, localSet, localTee, globalGet, globalSet:
			b = append(b, uleb(uint64(in.Index))...)
		case brTable:
			b = append(b, uleb(uint64(len(in.Targets)-1))...)
			for _, t := range in.Targets {
				b = append(b, uleb(uint64(t))...)
			}
		case callIndirect:
			b = append(append(b, uleb(uint64(in.Index))...), 0)
		case i32Const, i64Const:
			b = append(b, wasmtest.S(in.Value)...)
		case i32Load, i64Load, i32Store, i64Store:
			b = append(b, 0, 0) // alignment, offset
		case memorySize, memoryGrow:
			b = append(b, 0)
		case misc:
			b = append(b, in.Sub, 0)
			if in.Sub == memoryCopy {
				b = append(b, 0)
			}
		}
	}
	return b
}

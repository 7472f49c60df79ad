// Package meter rewrites WebAssembly modules so that they pay for what they
// do: one pass adds a private fuel counter, charges it for every basic block,
// checks it at function entries and loop heads, and turns the start function,
// bulk operations and grows into calls that are paid for. Engines see only
// modules that went through it.
package meter

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/svc-platform/svc/sandbox"
)

// ValueType is a WebAssembly value type, by its binary code.
type ValueType byte

// The value types of WebAssembly 2.0.
const (
	I32       ValueType = 0x7f
	I64       ValueType = 0x7e
	F32       ValueType = 0x7d
	F64       ValueType = 0x7c
	V128      ValueType = 0x7b
	FuncRef   ValueType = 0x70
	ExternRef ValueType = 0x6f
)

func (t ValueType) known() bool { return t >= V128 && t <= I32 || t == FuncRef || t == ExternRef }

func (t ValueType) String() string {
	switch t {
	case I32:
		return "i32"
	case I64:
		return "i64"
	case F32:
		return "f32"
	case F64:
		return "f64"
	case V128:
		return "v128"
	case FuncRef:
		return "funcref"
	case ExternRef:
		return "externref"
	}
	return fmt.Sprintf("0x%02x", byte(t))
}

// FuncType is a function's signature.
type FuncType struct{ Params, Results []ValueType }

// Equal tells whether two signatures are the same.
func (f FuncType) Equal(g FuncType) bool {
	return slices.Equal(f.Params, g.Params) && slices.Equal(f.Results, g.Results)
}

// key is the type's encoding: equal types have equal keys.
func (f FuncType) key() string { return string(typeBytes(typeBytes(nil, f.Params), f.Results)) }

func (f FuncType) String() string {
	return "(" + join(f.Params) + ") -> (" + join(f.Results) + ")"
}

func join(ts []ValueType) string {
	s := make([]string, len(ts))
	for i, t := range ts {
		s[i] = t.String()
	}
	return strings.Join(s, ", ")
}

// Import is a function that the module asks for.
type Import struct {
	Module, Name string
	Type         FuncType
}

// Export is a function, memory, table or global that the module offers. Type
// is set for functions only.
type Export struct {
	Name string
	Kind ExportKind
	Type FuncType
}

// ExportKind is what an export is.
type ExportKind byte

// The kinds of export, by their binary code.
const (
	ExportFunc ExportKind = iota
	ExportTable
	ExportMemory
	ExportGlobal
)

// Custom is a custom section.
type Custom struct {
	Name string
	Data []byte
}

// Names that the rewritten module exports for the engine. Guests cannot export
// a name that begins with Prefix.
const (
	Prefix         = "svc:"
	FuelGlobal     = "svc:fuel"     // mutable i64: fuel of the current slice
	PagesGlobal    = "svc:pages"    // mutable i32: pages that memory may have
	ElementsGlobal = "svc:elements" // mutable i32: elements that a table may have
	RefusedGlobal  = "svc:refused"  // mutable i32: 1 after a refused grow
	StartFunc      = "svc:start"    // the module's start function, where it has one
	TickModule     = "svc"          // the import that refills: tick(i64) -> i64
	TickName       = "tick"
)

// OutOfStack is what tick is called with when recursion has used up the stack: a
// fuel that no slice ever has.
const OutOfStack = math.MinInt64

// Options are the limits that the pass enforces before any engine sees a byte.
// They bound what compiling can cost: engines are slow, worse than linear, on
// functions with many blocks, loops, locals or values.
type Options struct {
	MaxSize          int // bytes of the module
	MaxTypes         int
	MaxParams        int // parameters or results of one function type
	MaxFunctions     int // imported and defined
	MaxBody          int // bytes of one function body
	MaxLocals        int // of one function, parameters included
	MaxBlocks        int // instructions of one function that begin, end or leave a block
	MaxLoops         int // of one function
	MaxNesting       int // blocks within blocks
	MaxLoopNesting   int // loops within loops
	MaxBranchTargets int // of all br_table of one function
	MaxSegments      int // data or element segments
	MaxElements      int // of all element segments together
	MaxBulk          int // different bulk operations, each with its segment or tables
	MaxTables        int
	MaxGlobals       int
	MaxExports       int
	MaxCustom        int // bytes of all custom sections together
	MaxCustoms       int // custom sections
	// Import tells whether the module may import the function. Nil allows nothing.
	Import func(module, name string) bool
}

// DefaultOptions accept what compilers make of real programs and no imports.
// What was measured on such programs stands beside the limits that come nearest.
func DefaultOptions() Options {
	return Options{
		MaxSize:          64 << 20,
		MaxTypes:         2_000, // 110
		MaxParams:        64,    // 17
		MaxFunctions:     100_000,
		MaxBody:          4 << 20,
		MaxLocals:        2_000,  // 813, zig cc
		MaxBlocks:        20_000, // 1,898
		MaxLoops:         300,    // 53
		MaxNesting:       1_000,  // 550, Go
		MaxLoopNesting:   50,
		MaxBranchTargets: 4_000,   // 896
		MaxSegments:      200_000, // 38,541, Go
		MaxElements:      200_000,
		MaxBulk:          1_000,
		MaxTables:        16,
		MaxGlobals:       10_000,
		MaxExports:       20_000,
		MaxCustom:        32 << 20,
		MaxCustoms:       1_000,
	}
}

// Module is a metered module with what the rest of the host needs to know of
// the original.
type Module struct {
	Wasm      []byte // rewritten
	Imports   []Import
	Exports   []Export
	Customs   []Custom
	HasMemory bool
	MinPages  uint32 // of the memory, before the start function runs
	MaxPages  uint32 // the memory's own maximum
	MinTable  uint32 // of the largest table
	HasStart  bool
	CanGrow   bool // has memory.grow or table.grow
	Functions int
}

// Export finds an exported function by name.
func (m *Module) Export(name string) (FuncType, bool) {
	for _, e := range m.Exports {
		if e.Kind == ExportFunc && e.Name == name {
			return e.Type, true
		}
	}
	return FuncType{}, false
}

// Custom returns the first custom section of that name.
func (m *Module) Custom(name string) ([]byte, bool) {
	for _, c := range m.Customs {
		if c.Name == name {
			return c.Data, true
		}
	}
	return nil, false
}

// Rewrite decodes a module, checks it against the limits and returns it with
// metering built in. Errors are *sandbox.Trap of kind InvalidModule or
// ForbiddenImport. Type checking is left to the engine, which checks the
// rewritten module: everything inserted is neutral to the operand stack.
func Rewrite(wasm []byte, opt Options) (*Module, error) {
	if len(wasm) > opt.MaxSize {
		return nil, sandbox.Trapf(sandbox.InvalidModule, "the module has %d bytes, the limit is %d", len(wasm), opt.MaxSize)
	}
	o, err := parse(wasm, opt)
	if err != nil {
		return nil, err
	}
	w := newWriter(o)
	if err := w.bodies(); err != nil {
		return nil, err
	}
	return &Module{
		Wasm:      w.module(),
		Imports:   o.imports,
		Exports:   o.exports,
		Customs:   o.customs,
		HasMemory: o.hasMemory,
		MinPages:  o.minPages,
		MaxPages:  o.maxMemory(),
		MinTable:  o.minTable,
		HasStart:  o.start >= 0,
		CanGrow:   w.canGrow(),
		Functions: o.functions(),
	}, nil
}

// Package compile turns operators into one WebAssembly module that needs
// nothing from its host: the elementary functions are linked in, so that every
// machine computes the same bits.
package compile

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"

	"github.com/svc-platform/svc/operators-wasm/language"
)

// The library is built, not committed: the folder may hold nothing else than
// its .gitignore.
//
//go:embed all:libm/dist
var dist embed.FS

const libraryFile = "libm/dist/libm.wasm"

// ErrNoLibrary says that the elementary functions were not built.
var ErrNoLibrary = errors.New("the elementary functions (libm.wasm) are missing: run make build")

// Names that a module exports beside its operators.
const (
	// MemoryExport is the linear memory, for the vector form.
	MemoryExport = "memory"
	// BaseExport is a constant i32 global: the first byte of memory that
	// belongs to the caller. All above it, up to the end, is free.
	BaseExport = "__heap_base"
	// VectorSuffix is what the name of a vector form adds to the operator's id.
	VectorSuffix = ".v"
)

// VectorBytes is the memory from BaseExport on that a module has at least.
// 1000 evaluations of an operator with fifteen inputs fit.
const VectorBytes = 2 * pageSize

// Module compiles operators to one module without imports. The same operators
// in the same order give the same bytes.
//
// For every operator it exports, under the operator's id, a function with one
// f64 for each input, in their order, and an f64 result, all in coherent SI.
// NaN is always the canonical one.
//
// Under the id with VectorSuffix it exports (count, inputs, output i32): the
// inputs lie in memory as consecutive columns of count f64 each, in the order
// of the inputs, and the results are written as one such column. Pointers need
// no alignment, the columns must lie inside memory, and a count whose columns
// could not fit into 4 GiB traps.
func Module(ops []*language.Operator) ([]byte, error) {
	return build(dist, ops)
}

// build is Module with the place of the library as a parameter.
func build(files fs.FS, ops []*language.Operator) ([]byte, error) {
	library, err := fs.ReadFile(files, libraryFile)
	if err != nil {
		return nil, ErrNoLibrary
	}
	base, err := readModule(library)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", libraryFile, err)
	}
	return link(base, ops)
}

// link appends the operators' functions to the library and drops what none of
// them needs.
func link(base *module, ops []*language.Operator) ([]byte, error) {
	if len(ops) == 0 {
		return nil, errors.New("no operator to compile")
	}
	needed, err := base.reach(libraryCalls(ops))
	if err != nil {
		return nil, err
	}
	out, err := base.keep(needed)
	if err != nil {
		return nil, err
	}
	out.reserve(VectorBytes)
	seen := map[string]bool{}
	for _, op := range ops {
		if seen[op.ID] {
			return nil, fmt.Errorf("the operator %s is there twice", op.ID)
		}
		seen[op.ID] = true
		body, err := scalarBody(op, out.functions)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", op.ID, err)
		}
		scalar := out.add(scalarType(len(op.Inputs)), body)
		out.export(op.ID, scalar)
		out.export(op.ID+VectorSuffix, out.add(vectorType, vectorBody(len(op.Inputs), scalar)))
	}
	return out.bytes(), nil
}

// Package engine is what the rest of the project sees of a WebAssembly engine:
// compile a metered module, make instances, call their functions under a
// Budget. Each engine is one folder below and passes enginetest.
package engine

import (
	"context"

	"github.com/svc-platform/svc/sandbox/meter"
)

// Engine compiles metered modules. It is safe for concurrent use.
type Engine interface {
	// Name is the engine's name and version, e.g. "wazero 1.12.0".
	Name() string
	// Compile prepares a metered module. Errors are *sandbox.Trap.
	Compile(ctx context.Context, m *meter.Module) (Module, error)
	// Close frees all modules and instances.
	Close(ctx context.Context) error
}

// Module is a compiled module. It is safe for concurrent use.
type Module interface {
	// Instantiate makes a fresh instance and runs its start function, drawing
	// from the budget. Data is handed to the host functions as Call.Data.
	Instantiate(ctx context.Context, b *Budget, data any) (Instance, error)
	Close(ctx context.Context) error
}

// Instance is one running module. It is not safe for concurrent use, and once
// a call on it returned an error it must only be closed.
type Instance interface {
	// Func looks an exported function up; do it once and keep the result.
	// The error is a *sandbox.Trap of kind MissingExport.
	Func(name string) (Func, error)
	// Memory is the guest's linear memory, or nil. The slice is valid until
	// the guest next runs or the instance is closed.
	Memory() []byte
	Close(ctx context.Context) error
}

// Func is an exported function of one instance.
type Func interface {
	Type() meter.FuncType
	// Call runs the function: stack holds the parameters in order and receives
	// the results; its length is the larger of both. i32 values are zero
	// extended, floats are their bits. Errors are *sandbox.Trap or *sandbox.Exit.
	Call(ctx context.Context, b *Budget, stack []uint64) error
}

// HostFunc is a function that guests may import.
type HostFunc struct {
	Module, Name string
	Type         meter.FuncType
	Price        uint64 // fuel per call, charged before the call
	// Func does the work. Parameters are in stack, results go there. It must
	// trust nothing in it: the upper half of an i32 parameter is garbage, so
	// truncate. It may end the guest with c.Stop.
	Func func(c *Call, stack []uint64)
}

// Package sandbox holds the words that every room shares when it speaks of
// running untrusted WebAssembly: what a guest may use (Limits), what it did
// use (Usage) and why it was stopped (Trap). The walls themselves are in the
// folders below: meter rewrites modules, engine runs them.
package sandbox

import (
	"errors"
	"fmt"
	"time"
)

// PageSize is one page of linear memory, in bytes.
const PageSize = 65536

// Limits says what one guest may use. Zero in any field means zero of that
// resource, never "unlimited": start from DefaultLimits.
type Limits struct {
	Fuel          uint64        // units of the schedule fuel/1
	MemoryPages   uint32        // pages of 64 KiB of linear memory, at most MaxMemoryPages
	TableElements uint32        // elements of each table
	Wall          time.Duration // wall time from the first instruction
	Output        int64         // bytes kept of each output stream
}

// MaxMemoryPages is the most linear memory that any guest can be given: one
// page short of 4 GiB, so that a size in bytes always fits 32 bits.
const MaxMemoryPages = 65535

// DefaultLimits are those of a short computation: a few seconds on a slow machine.
func DefaultLimits() Limits {
	return Limits{
		Fuel:          50_000_000_000,
		MemoryPages:   1024, // 64 MiB
		TableElements: 65_536,
		Wall:          10 * time.Second,
		Output:        64 << 10,
	}
}

// Usage is what a guest used. Fuel is exact and the same on every engine and
// machine; the other two are measurements.
type Usage struct {
	Fuel       uint64        `json:"fuel"`
	PeakMemory uint64        `json:"peak_memory"` // bytes of linear memory
	Duration   time.Duration `json:"duration_ns"` // wall time inside the guest
}

// TrapKind says which wall a guest ran into.
type TrapKind string

// The walls, by stable name. They are part of the interface: the names appear
// in JSON and are never reused for something else.
const (
	OutOfFuel       TrapKind = "out_of_fuel"
	OutOfTime       TrapKind = "out_of_time"
	OutOfMemory     TrapKind = "out_of_memory"
	OutOfStack      TrapKind = "out_of_stack"
	Cancelled       TrapKind = "cancelled"
	GuestTrap       TrapKind = "guest_trap"
	InvalidModule   TrapKind = "invalid_module"
	ForbiddenImport TrapKind = "forbidden_import"
	MissingExport   TrapKind = "missing_export"
	HostFault       TrapKind = "host_fault"
)

// Trap is the one error type that leaves the sandbox.
type Trap struct {
	Kind    TrapKind
	Message string // safe to show: names what happened in the guest's own terms
	Err     error  // the cause, for the log
}

// Trapf makes a Trap with a formatted message.
func Trapf(kind TrapKind, format string, args ...any) *Trap {
	return &Trap{Kind: kind, Message: fmt.Sprintf(format, args...)}
}

func (t *Trap) Error() string { return string(t.Kind) + ": " + t.Message }

// Unwrap gives the cause, where there is one.
func (t *Trap) Unwrap() error { return t.Err }

// Is matches traps by kind, so that errors.Is(err, &Trap{Kind: OutOfFuel}) works.
func (t *Trap) Is(target error) bool {
	other, ok := target.(*Trap)
	return ok && other.Kind == t.Kind && other.Message == ""
}

// KindOf returns the kind of the first Trap in err's chain, or "" if there is none.
func KindOf(err error) TrapKind {
	var t *Trap
	if errors.As(err, &t) {
		return t.Kind
	}
	return ""
}

// Exit is how a WASI program ends by its own word: it is not a Trap.
type Exit struct{ Code uint32 }

func (e *Exit) Error() string { return fmt.Sprintf("exit status %d", e.Code) }

// Package lang is the seam for code runtimes: a Language is loaded on an
// engine once, and its Runtime then runs any number of programs, each in a
// fresh guest behind the walls. The languages themselves are the folders
// below; builtin lists them, and langtest is the suite that each must pass.
package lang

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"github.com/svc-platform/svc/sandbox"
	"github.com/svc-platform/svc/sandbox/engine"
	"github.com/svc-platform/svc/sandbox/wasi"
)

// Language is a language that programs can be written in.
type Language struct {
	Name       string   // as callers ask for it, e.g. "javascript"
	Extensions []string // of source files, with the dot
	// HostFuncs are the functions that its guest imports beyond those of wasi.
	// The engine must have been made with them.
	HostFuncs func() []engine.HostFunc
	// Load prepares the runtime: verify, meter, compile.
	Load func(ctx context.Context, e engine.Engine) (Runtime, error)
}

// Runtime runs programs of one language. It is safe for concurrent use.
type Runtime interface {
	Name() string
	// Run runs one program in a guest of its own. What the program does,
	// including running into a wall, is in the Result; the error is for what
	// is not its doing: a *InputError, or a failure of the host.
	Run(ctx context.Context, p Program) (Result, error)
	Close(ctx context.Context) error
}

// Program is one program and the world it is to see. The same program gives
// the same result, to the byte and to the unit of fuel.
type Program struct {
	Code   []byte
	Argv   []string // without a program name
	Env    []string // "NAME=value"
	Stdin  []byte
	Limits sandbox.Limits
	Seed   uint64    // of its random numbers
	Start  time.Time // what its clock shows first; the zero time is the epoch
}

// maxInput is the most code, stdin and arguments together, in bytes.
const maxInput = 16 << 20

// Exit codes. A program's own code is 0 or, whatever number it chose, 1: so
// the other two always come from the walls.
const (
	ExitSuccess = 0
	ExitFailure = 1   // uncaught exception, an exit code of its own, a trap
	ExitStopped = 124 // out of fuel or time, or the caller went away
	ExitMemory  = 137 // out of memory
)

// Reason says which wall ended a program; "" where none did.
type Reason string

// The walls, as the interface names them.
const (
	ReasonFuel      Reason = "fuel"
	ReasonTimeout   Reason = "timeout"
	ReasonMemory    Reason = "memory"
	ReasonCancelled Reason = "cancelled"
)

// Truncated tells which stream was longer than what was kept of it.
type Truncated struct {
	Stdout bool `json:"stdout"`
	Stderr bool `json:"stderr"`
}

// Result is what became of a program.
type Result struct {
	ExitCode  int           `json:"exit_code"`
	Stdout    string        `json:"stdout"`
	Stderr    string        `json:"stderr"`
	Truncated Truncated     `json:"truncated"`
	Reason    Reason        `json:"reason,omitempty"`
	Usage     sandbox.Usage `json:"usage"`
}

// InputError is a program that cannot even be started: the caller's fault.
type InputError struct{ Err error }

func (e *InputError) Error() string { return "the program cannot be started: " + e.Err.Error() }

// Unwrap gives what is wrong with the program.
func (e *InputError) Unwrap() error { return e.Err }

// Process makes the WASI side of the world that the program is to see. The
// error is an *InputError.
func (p Program) Process(args ...string) (*wasi.Process, error) {
	size := len(p.Code) + len(p.Stdin)
	for _, a := range p.Argv {
		size += len(a)
	}
	if size > maxInput {
		return nil, &InputError{fmt.Errorf("code, stdin and arguments have %d bytes, the limit is %d", size, maxInput)}
	}
	proc, err := wasi.New(wasi.Config{
		Args: append(args, p.Argv...), Env: p.Env, Stdin: p.Stdin,
		Output: p.Limits.Output, Seed: p.seed(), Start: p.Start,
	})
	if err != nil {
		return nil, &InputError{err}
	}
	return proc, nil
}

func (p Program) seed() (seed [32]byte) {
	binary.LittleEndian.PutUint64(seed[:], p.Seed)
	return seed
}

// Finish makes the Result of a guest that ended with err: nil, an Exit or a
// Trap. Any other error is the host's own and is returned as it is.
func Finish(p *wasi.Process, b *engine.Budget, err error) (Result, error) {
	code, reason, err := outcome(err)
	if err != nil {
		return Result{}, err
	}
	if code == ExitFailure && b.Refused() {
		// Guests make an exception of refused memory, and often fail of it
		// in their own way.
		code, reason = ExitMemory, ReasonMemory
	}
	return Result{
		ExitCode:  code,
		Stdout:    p.Stdout.String(),
		Stderr:    p.Stderr.String(),
		Truncated: Truncated{Stdout: p.Stdout.Truncated(), Stderr: p.Stderr.Truncated()},
		Reason:    reason,
		Usage:     b.Usage(),
	}, nil
}

func outcome(err error) (int, Reason, error) {
	var exit *sandbox.Exit
	if errors.As(err, &exit) && exit.Code == 0 || err == nil {
		return ExitSuccess, "", nil
	} else if exit != nil {
		return ExitFailure, "", nil
	}
	switch sandbox.KindOf(err) {
	case sandbox.OutOfFuel:
		return ExitStopped, ReasonFuel, nil
	case sandbox.OutOfTime:
		return ExitStopped, ReasonTimeout, nil
	case sandbox.Cancelled:
		return ExitStopped, ReasonCancelled, nil
	case sandbox.OutOfMemory:
		return ExitMemory, ReasonMemory, nil
	case sandbox.OutOfStack, sandbox.GuestTrap:
		return ExitFailure, "", nil
	}
	return 0, "", err
}

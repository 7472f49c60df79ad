// Package bytes1 is the ABI bytes/1: bytes in, bytes out, or a typed error.
//
// A module exports its memory, svc_alloc(size i32) -> ptr i32 for the input,
// and each function as name(ptr i32, len i32) -> i64, which returns ptr<<32|len
// of a frame: one byte 0 and the output, or one byte 1 and an error as JSON
// {"code", "message"}. It may export _initialize, and import WASI preview1,
// where it finds no files, no clock and no true randomness. Every call gets an
// instance of its own.
package bytes1

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"github.com/svc-platform/svc/plugins"
	"github.com/svc-platform/svc/sandbox"
	"github.com/svc-platform/svc/sandbox/engine"
	"github.com/svc-platform/svc/sandbox/meter"
	"github.com/svc-platform/svc/sandbox/wasi"
)

// Name of the ABI.
const Name = "bytes/1"

// Exports that every module has beside its functions.
const (
	allocExport      = "svc_alloc"
	initializeExport = "_initialize"
)

// Limits on what a guest may say, in bytes.
const (
	MaxOutput       = 16 << 20
	maxErrorMessage = 4 << 10
)

var validCode = regexp.MustCompile(`^[a-z0-9_]{1,64}$`)

// Allows tells which functions a module may import: those of WASI preview1.
func Allows(module, _ string) bool { return module == wasi.Module }

// Error is an error that the guest reports by its own word.
type Error struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

func (e *Error) Error() string { return e.Code + ": " + e.Message }

// Guest is a module of functions over bytes. It is safe for concurrent use.
type Guest struct {
	functions  []plugins.Function
	module     engine.Module
	initialize bool
}

var (
	allocType    = meter.FuncType{Params: []meter.ValueType{meter.I32}, Results: []meter.ValueType{meter.I32}}
	functionType = meter.FuncType{Params: []meter.ValueType{meter.I32, meter.I32}, Results: []meter.ValueType{meter.I64}}
)

// Open checks that the module exports what its description says.
func Open(_ context.Context, m *meter.Module, d plugins.Description, compiled engine.Module) (*Guest, error) {
	if !m.HasMemory {
		return nil, fmt.Errorf("a %s plugin needs a memory", Name)
	}
	if t, ok := m.Export(allocExport); !ok || !t.Equal(allocType) {
		return nil, fmt.Errorf("the module must export %s as %v", allocExport, allocType)
	}
	if len(d.Functions) == 0 {
		return nil, fmt.Errorf("a %s plugin must list its functions", Name)
	}
	for _, f := range d.Functions {
		if t, ok := m.Export(f.Name); !ok || !t.Equal(functionType) {
			return nil, fmt.Errorf("the module must export %s as %v", f.Name, functionType)
		}
	}
	t, ok := m.Export(initializeExport)
	if want := (meter.FuncType{}); ok && !t.Equal(want) {
		return nil, fmt.Errorf("the module exports %s as %v, it must be %v", initializeExport, t, want)
	}
	return &Guest{functions: d.Functions, module: compiled, initialize: ok}, nil
}

// Functions lists what can be called.
func (g *Guest) Functions() []plugins.Function { return g.functions }

// SelfCheck runs the golden vectors.
func (g *Guest) SelfCheck(ctx context.Context) error {
	for _, f := range g.functions {
		for n, v := range f.Vectors {
			got, _, err := g.Call(ctx, f.Name, v.Input, sandbox.DefaultLimits())
			said, isError := err.(*Error) //nolint:errorlint // Call returns it bare
			switch {
			case v.Error != "":
				if !isError || said.Code != v.Error {
					return fmt.Errorf("%s: golden vector %d gives %q (%w), not the error %s", f.Name, n, got, err, v.Error)
				}
			case err != nil:
				return fmt.Errorf("%s: golden vector %d: %w", f.Name, n, err)
			case !bytes.Equal(got, v.Output):
				return fmt.Errorf("%s: golden vector %d gives %q, not %q", f.Name, n, got, v.Output)
			}
		}
	}
	return nil
}

// Close lets the module go.
func (g *Guest) Close(ctx context.Context) error { return g.module.Close(ctx) }

// Call runs one function on a fresh instance. Errors are *Error where the guest
// says so itself, else *sandbox.Trap.
func (g *Guest) Call(ctx context.Context, name string, input []byte, l sandbox.Limits) ([]byte, sandbox.Usage, error) {
	b := engine.NewBudget(l)
	if uint64(len(input)) > uint64(l.MemoryPages)*sandbox.PageSize {
		return nil, b.Usage(), sandbox.Trapf(sandbox.OutOfMemory, "an input of %d bytes does not fit into %d pages", len(input), l.MemoryPages)
	}
	process, err := wasi.New(wasi.Config{Output: 4 << 10})
	if err != nil {
		return nil, b.Usage(), err
	}
	inst, err := g.module.Instantiate(ctx, b, process)
	if err != nil {
		return nil, b.Usage(), err
	}
	defer func() { _ = inst.Close(ctx) }()
	c := &conversation{ctx: ctx, inst: inst, budget: b}
	out, err := c.run(g.initialize, name, input)
	if err != nil && process.Stderr.Total() > 0 && sandbox.KindOf(err) != "" {
		err = fmt.Errorf("%w; it wrote: %s", err, process.Stderr.String())
	}
	return out, b.Usage(), err
}

// conversation is one call of one function on one instance.
type conversation struct {
	ctx    context.Context
	inst   engine.Instance
	budget *engine.Budget
}

func (c *conversation) run(initialize bool, name string, input []byte) ([]byte, error) {
	if initialize {
		if _, err := c.call(initializeExport); err != nil {
			return nil, err
		}
	}
	at, err := c.call(allocExport, uint64(len(input)))
	if err != nil {
		return nil, err
	}
	place, err := c.at(at, uint64(len(input)))
	if err != nil {
		return nil, err
	}
	copy(place, input)
	result, err := c.call(name, at, uint64(len(input)))
	if err != nil {
		return nil, err
	}
	size := result & 0xffffffff
	if size > MaxOutput {
		return nil, sandbox.Trapf(sandbox.GuestTrap, "a result frame of %d bytes: it must have 1 to %d", size, MaxOutput)
	}
	frame, err := c.at(result>>32, size)
	if err != nil {
		return nil, err
	}
	return decode(frame)
}

// at is the guest's memory from address, for n bytes. The guest's word is checked.
func (c *conversation) at(address, n uint64) ([]byte, error) {
	mem := c.inst.Memory()
	if address > uint64(len(mem)) || n > uint64(len(mem))-address {
		return nil, sandbox.Trapf(sandbox.GuestTrap, "%d bytes at %d lie outside the guest's memory", n, address)
	}
	return mem[address : address+n], nil
}

func (c *conversation) call(name string, args ...uint64) (uint64, error) {
	f, err := c.inst.Func(name)
	if err != nil {
		return 0, err
	}
	stack := [2]uint64{}
	copy(stack[:], args)
	err = f.Call(c.ctx, c.budget, stack[:max(len(args), len(f.Type().Results))])
	return stack[0], err
}

// decode reads a result frame; what it returns is a copy.
func decode(frame []byte) ([]byte, error) {
	switch {
	case len(frame) == 0:
		return nil, sandbox.Trapf(sandbox.GuestTrap, "a result frame of 0 bytes")
	case frame[0] == 0:
		return bytes.Clone(frame[1:]), nil
	case frame[0] == 1:
		e := &Error{}
		if err := json.Unmarshal(frame[1:], e); err != nil || !validCode.MatchString(e.Code) {
			return nil, sandbox.Trapf(sandbox.GuestTrap, "its error frame is not {\"code\", \"message\"} with a code of a-z, 0-9 and _")
		}
		e.Message = strings.ToValidUTF8(e.Message[:min(len(e.Message), maxErrorMessage)], "")
		return nil, e
	}
	return nil, sandbox.Trapf(sandbox.GuestTrap, "its result frame begins with %d: 0 is a result, 1 an error", frame[0])
}

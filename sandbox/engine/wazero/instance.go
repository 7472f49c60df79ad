package wazero

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"time"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"

	"github.com/svc-platform/svc/sandbox"
	"github.com/svc-platform/svc/sandbox/engine"
	"github.com/svc-platform/svc/sandbox/meter"
)

type module struct {
	engine   *Engine
	compiled wazero.CompiledModule
	info     *meter.Module
}

// Instantiate implements engine.Module.
func (m *module) Instantiate(ctx context.Context, b *engine.Budget, data any) (engine.Instance, error) {
	l := b.Limits()
	pages := min(l.MemoryPages, sandbox.MaxMemoryPages)
	if m.info.MinPages > pages {
		b.Refuse()
		return nil, sandbox.Trapf(sandbox.OutOfMemory, "the module begins with %d pages of memory, the limit is %d", m.info.MinPages, pages)
	}
	if m.info.MinTable > l.TableElements {
		b.Refuse()
		return nil, sandbox.Trapf(sandbox.OutOfMemory, "the module begins with a table of %d elements, the limit is %d", m.info.MinTable, l.TableElements)
	}
	mod, err := m.instantiate(ctx, uint64(min(pages, m.info.MaxPages))*sandbox.PageSize)
	if err != nil {
		return nil, err
	}
	i := &instance{mod: mod, epoch: m.engine.epoch, fuel: global(mod, meter.FuelGlobal)}
	if m.info.HasMemory { // mod.Memory() is never a nil interface
		i.memory = mod.Memory()
	}
	i.ctx = callContext{call: engine.NewCall(i, data)}
	if m.info.CanGrow {
		global(mod, meter.PagesGlobal).Set(uint64(pages))
		global(mod, meter.ElementsGlobal).Set(uint64(l.TableElements))
		i.refused = global(mod, meter.RefusedGlobal)
	}
	if m.info.HasStart {
		if err := i.start(ctx, b); err != nil {
			_ = i.Close(ctx)
			return nil, err
		}
	}
	return i, nil
}

// instantiate makes the wazero instance on memory of ours, mapped before
// wazero is asked: it would not survive an allocator that fails.
func (m *module) instantiate(ctx context.Context, most uint64) (api.Module, error) {
	free := func() {}
	if m.info.HasMemory {
		mem, err := newMemory(most)
		if err != nil {
			return nil, &sandbox.Trap{Kind: sandbox.OutOfMemory, Message: "the host has no address space left for the guest's memory", Err: err}
		}
		free = mem.Free
		ctx = experimental.WithMemoryAllocator(ctx, experimental.MemoryAllocatorFunc(
			func(_, _ uint64) experimental.LinearMemory { return mem }))
	}
	mod, err := m.engine.runtime.InstantiateModule(ctx, m.compiled, wazero.NewModuleConfig().WithName("").WithStartFunctions())
	if err != nil {
		free()
		return nil, &sandbox.Trap{Kind: sandbox.InvalidModule, Message: "it cannot be instantiated: " + firstLine(err), Err: err}
	}
	return mod, nil
}

func (m *module) Close(ctx context.Context) error { return m.compiled.Close(ctx) }

// global returns an export of the metering pass; the pass put it there.
func global(mod api.Module, name string) api.MutableGlobal {
	return mod.ExportedGlobal(name).(api.MutableGlobal)
}

// callContext is the context of every call on an instance. wazero hands it to
// host functions unchanged.
type callContext struct {
	context.Context
	call *engine.Call
}

type instance struct {
	mod     api.Module
	memory  api.Memory // nil where there is none
	fuel    api.MutableGlobal
	refused api.MutableGlobal // nil where nothing can grow
	ctx     callContext
	epoch   time.Time // see engine.Budget.Begin
	dead    bool      // trapped or closed
}

// Fuel implements engine.Guest.
func (i *instance) Fuel() int64 { return int64(i.fuel.Get()) }

// SetFuel implements engine.Guest.
func (i *instance) SetFuel(v int64) { i.fuel.Set(uint64(v)) }

// Memory implements engine.Guest and engine.Instance.
func (i *instance) Memory() []byte {
	if i.memory == nil || i.dead {
		return nil
	}
	b, _ := i.memory.Read(0, i.memory.Size())
	return b
}

// Func implements engine.Instance.
func (i *instance) Func(name string) (engine.Func, error) {
	f := i.mod.ExportedFunction(name)
	if f == nil || strings.HasPrefix(name, meter.Prefix) {
		return nil, sandbox.Trapf(sandbox.MissingExport, "the module exports no function %q", name)
	}
	return i.bind(f), nil
}

func (i *instance) bind(f api.Function) *function {
	d := f.Definition()
	return &function{instance: i, fn: f, typ: meter.FuncType{Params: meterTypes(d.ParamTypes()), Results: meterTypes(d.ResultTypes())}}
}

func meterTypes(ts []api.ValueType) []meter.ValueType {
	out := make([]meter.ValueType, len(ts))
	for i, t := range ts {
		out[i] = meter.ValueType(t)
	}
	return out
}

func (i *instance) start(ctx context.Context, b *engine.Budget) error {
	return i.bind(i.mod.ExportedFunction(meter.StartFunc)).Call(ctx, b, nil)
}

// Close implements engine.Instance.
func (i *instance) Close(ctx context.Context) error {
	i.dead = true
	return i.mod.Close(ctx)
}

type function struct {
	instance *instance
	fn       api.Function
	typ      meter.FuncType
}

func (f *function) Type() meter.FuncType { return f.typ }

// Call implements engine.Func.
func (f *function) Call(ctx context.Context, b *engine.Budget, stack []uint64) error {
	i := f.instance
	if i.dead {
		return sandbox.Trapf(sandbox.HostFault, "a call on an instance that trapped or was closed")
	}
	if ctx.Err() != nil {
		return engine.Interrupted(ctx.Err())
	}
	fuel, trap := b.Begin(i.epoch)
	if trap != nil {
		return trap
	}
	i.ctx.Context = ctx
	i.ctx.call.Bind(ctx, b)
	i.SetFuel(fuel)
	if i.refused != nil {
		i.refused.Set(0)
	}
	err := f.fn.CallWithStack(&i.ctx, stack)
	over := b.End(i.Fuel(), i.size())
	if i.refused != nil && i.refused.Get() != 0 {
		b.Refuse()
	}
	switch {
	case err != nil:
		i.dead = true
		return reason(err, b.Refused())
	case over != nil:
		i.dead = true
		return over
	}
	return nil
}

// size is the bytes of linear memory that the guest has.
func (i *instance) size() uint64 {
	if i.memory == nil {
		return 0
	}
	return uint64(i.memory.Size())
}

// reason turns what wazero reports into the sandbox's own words.
func reason(err error, refused bool) error {
	var stop engine.Stopped
	if errors.As(err, &stop) {
		return stop.Unwrap()
	}
	msg := firstLine(err)
	var fault runtime.Error
	switch {
	case errors.As(err, &fault):
		return &sandbox.Trap{Kind: sandbox.HostFault, Message: "the host failed while it served the guest", Err: err}
	case strings.Contains(msg, "stack overflow"):
		return &sandbox.Trap{Kind: sandbox.OutOfStack, Message: "the guest called too deep", Err: err}
	case refused:
		return &sandbox.Trap{Kind: sandbox.OutOfMemory, Message: "the guest was refused memory and gave up: " + msg, Err: err}
	}
	return &sandbox.Trap{Kind: sandbox.GuestTrap, Message: msg, Err: err}
}

func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return strings.TrimPrefix(line, "wasm error: ")
}

// Package wasi is WASI preview1 as host functions that any engine can link:
// all 46 functions of the standard exist, so every preview1 module links, and
// those outside a guest's world answer an honest error number. A guest sees
// its arguments, a stdin of bytes, two capped output streams, a read-only file
// system in memory, and a clock and random numbers that are the same on every
// run. Nothing here reaches the host's own files, network or clock, unless the
// clock is granted.
package wasi

import (
	"github.com/svc-platform/svc/sandbox"
	"github.com/svc-platform/svc/sandbox/engine"
	"github.com/svc-platform/svc/sandbox/meter"
)

// Module is the name under which guests import these functions.
const Module = "wasi_snapshot_preview1"

// Price is the fuel of every call, about what crossing to the host costs.
// Bytes moved come on top, at the price of engine.Call.ChargeBytes.
const Price = 2000

// Host is what Call.Data must be for these functions to work: something that
// holds the guest's Process. A *Process is one, and so is a struct that
// embeds it.
type Host interface{ WASI() *Process }

// Functions returns the 46 functions of preview1, to be registered once per
// engine. They find the guest's own Process through Call.Data, a Host.
func Functions() []engine.HostFunc {
	table := functions()
	bound := make([]engine.HostFunc, len(table))
	for i, f := range table {
		bound[i] = f.bind()
	}
	return bound
}

// function is one row of the table: the parameters are spelled i for i32 and
// I for i64; the result is always an errno, except of a function that never
// returns (its row says so).
type function struct {
	name     string
	params   string
	do       func(call) Errno
	noReturn bool
}

// call is one call in flight: the guest, its process and its parameters.
type call struct {
	*engine.Call
	p     *Process
	stack []uint64
}

// u32 and u64 are the parameter at index i.
func (c call) u32(i int) uint32 { return uint32(c.stack[i]) }
func (c call) u64(i int) uint64 { return c.stack[i] }

// mem is the guest's memory as it is now; it must not be kept across calls.
func (c call) mem() memory { return c.Memory() }

func (f function) bind() engine.HostFunc {
	t := meter.FuncType{}
	for _, p := range f.params {
		if p == 'I' {
			t.Params = append(t.Params, meter.I64)
		} else {
			t.Params = append(t.Params, meter.I32)
		}
	}
	if !f.noReturn {
		t.Results = []meter.ValueType{meter.I32}
	}
	return engine.HostFunc{
		Module: Module, Name: f.name, Type: t, Price: Price,
		Func: func(c *engine.Call, stack []uint64) {
			host, ok := c.Data.(Host)
			if !ok {
				c.Stop(sandbox.Trapf(sandbox.HostFault, "%s was called by a guest that was given no WASI process", f.name))
			}
			errno := f.do(call{Call: c, p: host.WASI(), stack: stack})
			if !f.noReturn {
				stack[0] = uint64(errno)
			}
		},
	}
}

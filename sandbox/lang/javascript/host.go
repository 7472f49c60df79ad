package javascript

import (
	"encoding/binary"
	"slices"

	"github.com/svc-platform/svc/sandbox"
	"github.com/svc-platform/svc/sandbox/engine"
	"github.com/svc-platform/svc/sandbox/meter"
	"github.com/svc-platform/svc/sandbox/wasi"
)

// What prelude.js can ask the host for; the numbers are repeated there.
const (
	opWrite = 1 // (stream, length): that much text is in the shared buffer
	opExit  = 2 // (code)
	opSleep = 3 // (milliseconds)
)

// price of a call from QuickJS; bytes written come on top.
const price = 50

// world is what the guest's host functions work on: Call.Data of an instance.
type world struct {
	*wasi.Process
	shared uint32 // address of the shared buffer, of sharedSize bytes
	// Promises that were rejected and that nobody handles so far, by their
	// value; and handles that the session must free.
	rejected map[uint64]rejection
	count    int // rejections so far, to tell the first
	garbage  []uint32
}

type rejection struct {
	order           int
	promise, reason uint32 // handles
}

// imports tells what QuickJS may import.
func imports(module, name string) bool {
	return module == wasi.Module || slices.ContainsFunc(hostFuncs(), func(f engine.HostFunc) bool {
		return f.Module == module && f.Name == name
	})
}

// hostFuncs are what QuickJS imports beyond WASI: its way to call the host,
// and hooks for things that do not exist here.
func hostFuncs() []engine.HostFunc {
	function := func(name string, params int, results int, do func(*engine.Call, []uint64)) engine.HostFunc {
		t := meter.FuncType{Params: slices.Repeat([]meter.ValueType{meter.I32}, params), Results: slices.Repeat([]meter.ValueType{meter.I32}, results)}
		return engine.HostFunc{Module: "env", Name: name, Type: t, Price: price, Func: do}
	}
	nothing := func(_ *engine.Call, stack []uint64) { stack[0] = 0 }
	return []engine.HostFunc{
		function("host_call", 5, 1, hostCall),
		function("host_promise_rejection", 3, 0, promiseRejection),
		function("host_interrupt", 0, 1, nothing),           // the walls do that
		function("host_module_normalize", 2, 1, nothing),    // never enabled
		function("host_module_load", 2, 1, nothing),         // never enabled
		function("host_get_timezone_offset", 2, 1, nothing), // it is always UTC
	}
}

// hostCall is (name, length, this, count of arguments, array of handles). There
// is one function, so the name says nothing. It answers no handle, which the
// guest takes for an exception: making a handle would need a call back into
// the guest, in the middle of its own. The prelude catches it.
func hostCall(c *engine.Call, stack []uint64) {
	w := c.Data.(*world)
	args := [3]int32{}
	for i := range args {
		if uint32(i) < uint32(stack[3]) {
			args[i] = number(c, word(c, uint32(stack[4])+4*uint32(i)))
		}
	}
	stack[0] = 0
	switch args[0] {
	case opWrite:
		w.write(c, args[1], args[2])
	case opExit:
		c.Stop(&sandbox.Exit{Code: uint32(args[1])})
	case opSleep:
		w.Sleep(c, uint64(max(args[1], 0))*1e6)
	}
}

func (w *world) write(c *engine.Call, fd, n int32) {
	stream := w.Stdout
	if fd == 2 {
		stream = w.Stderr
	}
	text := memory(c, w.shared, uint32(min(max(n, 0), sharedSize)))
	c.ChargeBytes(len(text))
	_, _ = stream.Write(text) // a Stream takes everything
}

// promiseRejection is (promise, reason, handled), all but the last handles to
// be freed by the host: a promise was rejected with no handler, or one that
// was got a handler after all.
func promiseRejection(c *engine.Call, stack []uint64) {
	w := c.Data.(*world)
	promise, reason := uint32(stack[0]), uint32(stack[1])
	if promise == 0 || reason == 0 {
		c.Stop(sandbox.Trapf(sandbox.OutOfMemory, "no memory is left for a rejected promise"))
	}
	value := binary.LittleEndian.Uint64(memory(c, promise, 8))
	if uint32(stack[2]) == 0 { // engines leave rubbish in the upper half
		w.count++
		w.rejected[value] = rejection{w.count, promise, reason}
		return
	}
	w.garbage = append(w.garbage, promise, reason)
	if old, ok := w.rejected[value]; ok {
		w.garbage = append(w.garbage, old.promise, old.reason)
		delete(w.rejected, value)
	}
}

// first is the earliest rejection that nobody handled.
func (w *world) first() (first rejection, found bool) {
	for _, r := range w.rejected {
		if !found || r.order < first.order {
			first, found = r, true
		}
	}
	return first, found
}

// number reads a handle's value as a small integer, or 0: QuickJS keeps a
// value as 64 bits whose upper half is 0 for an integer in the lower half.
func number(c *engine.Call, handle uint32) int32 {
	value := binary.LittleEndian.Uint64(memory(c, handle, 8))
	if value>>32 != 0 {
		return 0
	}
	return int32(uint32(value))
}

func word(c *engine.Call, ptr uint32) uint32 {
	return binary.LittleEndian.Uint32(memory(c, ptr, 4))
}

// memory is n bytes of the guest, or the end of it: only a guest that has
// damaged itself names an address outside.
func memory(c *engine.Call, ptr, n uint32) []byte {
	m := c.Memory()
	if uint64(ptr)+uint64(n) > uint64(len(m)) {
		c.Stop(sandbox.Trapf(sandbox.GuestTrap, "QuickJS named an address outside its memory"))
	}
	return m[ptr:][:n]
}

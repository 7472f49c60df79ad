package javascript

import (
	"bytes"
	"context"
	"encoding/binary"

	"github.com/svc-platform/svc/sandbox"
	"github.com/svc-platform/svc/sandbox/engine"
)

// vm calls the functions that QuickJS exports. A handle is the address of a
// value in the guest that the host has to free; as instances live for one
// program only, mostly it does not. After an error the instance is dead.
type vm struct {
	ctx      context.Context
	budget   *engine.Budget
	instance engine.Instance
	funcs    map[string]engine.Func

	undefined uint32 // a handle, once it is needed
}

// initialize starts QuickJS.
func (v *vm) initialize() error {
	if _, err := v.call("_initialize"); err != nil {
		return err
	}
	failed, err := v.call("qjs_init")
	if err != nil {
		return err
	}
	if failed != 0 {
		return v.broken("QuickJS")
	}
	_, err = v.call("qjs_set_max_stack_size", stackSize)
	return err
}

func (v *vm) close() { _ = v.instance.Close(context.WithoutCancel(v.ctx)) }

// broken is why something of our own did not run.
func (v *vm) broken(what string) error {
	if v.budget.Refused() {
		return sandbox.Trapf(sandbox.OutOfMemory, "no memory was left for %s", what)
	}
	return sandbox.Trapf(sandbox.HostFault, "%s does not run on QuickJS-NG %s", what, version)
}

// call calls an exported function; the result is 0 where it has none.
func (v *vm) call(name string, args ...uint32) (uint32, error) {
	f, ok := v.funcs[name]
	if !ok {
		var err error
		if f, err = v.instance.Func(name); err != nil {
			return 0, err
		}
		v.funcs[name] = f
	}
	stack := make([]uint64, max(len(args), 1))
	for i, a := range args {
		stack[i] = uint64(a)
	}
	if err := f.Call(v.ctx, v.budget, stack); err != nil {
		return 0, err
	}
	return uint32(stack[0]), nil
}

// put copies b and a final NUL into the guest and returns its address.
func (v *vm) put(b []byte) (uint32, error) {
	ptr, err := v.call("wasm_malloc", uint32(len(b))+1)
	if err != nil {
		return 0, err
	}
	if ptr == 0 {
		return 0, sandbox.Trapf(sandbox.OutOfMemory, "no memory is left for %d bytes of input", len(b))
	}
	m := v.instance.Memory()
	if uint64(ptr)+uint64(len(b)) >= uint64(len(m)) {
		return 0, outside()
	}
	m[ptr+uint32(copy(m[ptr:], b))] = 0
	return ptr, nil
}

func outside() error {
	return sandbox.Trapf(sandbox.GuestTrap, "QuickJS named an address outside its memory")
}

// with puts b in the guest, calls the function with its address, its length
// and more arguments, and takes it away again.
func (v *vm) with(b []byte, name string, args ...uint32) (uint32, error) {
	ptr, err := v.put(b)
	if err != nil {
		return 0, err
	}
	result, err := v.call(name, append([]uint32{ptr, uint32(len(b))}, args...)...)
	if err != nil {
		return 0, err
	}
	_, err = v.call("wasm_free", ptr)
	return result, err
}

// eval evaluates code; ok is false if it threw.
func (v *vm) eval(code []byte, file string, flags uint32) (handle uint32, ok bool, err error) {
	name, err := v.put([]byte(file))
	if err != nil {
		return 0, false, err
	}
	handle, err = v.with(code, "qjs_eval", name, flags)
	if err != nil {
		return 0, false, err
	}
	ok, err = v.fine(handle)
	return handle, ok, err
}

// compile makes bytecode of a script of ours.
func (v *vm) compile(code []byte, file string) ([]byte, error) {
	name, err := v.put([]byte(file))
	if err != nil {
		return nil, err
	}
	length, err := v.put(make([]byte, 4))
	if err != nil {
		return nil, err
	}
	ptr, err := v.with(code, "qjs_compile", name, 0, stripSource, length)
	if err != nil {
		return nil, err
	}
	m := v.instance.Memory()
	end := uint64(ptr) + uint64(binary.LittleEndian.Uint32(m[length:]))
	if ptr == 0 || end > uint64(len(m)) {
		return nil, v.broken(file)
	}
	return bytes.Clone(m[ptr:end]), nil
}

// invoke calls a function of the guest; ok is false if it threw.
func (v *vm) invoke(function uint32, args ...uint32) (handle uint32, ok bool, err error) {
	if v.undefined == 0 {
		if v.undefined, err = v.call("qjs_get_undefined"); err != nil {
			return 0, false, err
		}
	}
	list := make([]byte, 0, 4*len(args))
	for _, a := range args {
		list = binary.LittleEndian.AppendUint32(list, a)
	}
	argv, err := v.put(list)
	if err != nil {
		return 0, false, err
	}
	handle, err = v.call("qjs_call", function, v.undefined, uint32(len(args)), argv)
	if err != nil {
		return 0, false, err
	}
	if _, err := v.call("wasm_free", argv); err != nil {
		return 0, false, err
	}
	ok, err = v.fine(handle)
	return handle, ok, err
}

// fine tells whether a handle is not that of an exception.
func (v *vm) fine(handle uint32) (bool, error) {
	if handle == 0 {
		return false, sandbox.Trapf(sandbox.OutOfMemory, "no memory is left for a value")
	}
	threw, err := v.call("qjs_is_exception", handle)
	return threw == 0, err
}

// property reads a property of an object.
func (v *vm) property(object uint32, name string) (uint32, error) {
	key, err := v.put([]byte(name))
	if err != nil {
		return 0, err
	}
	return v.call("qjs_get_prop_string", object, key)
}

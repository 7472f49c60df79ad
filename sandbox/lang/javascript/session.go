package javascript

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/svc-platform/svc/sandbox"
	"github.com/svc-platform/svc/sandbox/lang"
)

const (
	// sharedSize is the size of the buffer through which text leaves the guest.
	sharedSize = 64 << 10
	// stackSize is how much of its stack of 1 MiB QuickJS may use before it
	// throws a RangeError: bytes.
	stackSize = 512 << 10
	// fileName is what programs are called in stack traces.
	fileName = "main.js"
	// stripSource leaves the source out of bytecode.
	stripSource = 1 << 4
	// flagAsync lets a script use await at its top level; it makes a promise.
	flagAsync = 1 << 7
)

// promisePending is the state of a promise that nothing settled yet.
const promisePending = 0

// session is a guest that is ready for a program.
type session struct {
	*vm
	world        *world
	report, tick uint32 // functions of prelude.js
}

// begin gives QuickJS the world of the program: it runs prelude.js.
func (s *session) begin(r *runtime, p lang.Program) error {
	config, err := configJSON(p)
	if err != nil {
		return err
	}
	var args [6]uint32
	for i, value := range []func() (uint32, error){
		func() (uint32, error) { return s.with([]byte("svc"), "qjs_new_host_function", 0) },
		s.buffer,
		func() (uint32, error) { return s.with(config, "qjs_new_string") },
		func() (uint32, error) {
			return s.with([]byte(strings.ToValidUTF8(string(p.Stdin), "\uFFFD")), "qjs_new_string")
		},
		func() (uint32, error) { return s.with(p.Stdin, "qjs_new_uint8_array") },
		func() (uint32, error) { return s.ours(r.inspect, "inspect.js") },
	} {
		if args[i], err = value(); err != nil {
			return err
		}
	}
	prelude, err := s.ours(r.prelude, "prelude.js")
	if err != nil {
		return err
	}
	made, ok, err := s.invoke(prelude, args[:]...)
	if err != nil {
		return err
	} else if !ok {
		return s.broken("prelude.js")
	}
	if s.report, err = s.property(made, "report"); err != nil {
		return err
	}
	if s.tick, err = s.property(made, "tick"); err != nil {
		return err
	}
	_, err = s.call("qjs_set_promise_rejection_handler", 1)
	return err
}

// configJSON is what prelude.js takes as its config.
func configJSON(p lang.Program) ([]byte, error) {
	random := rand.New(rand.NewPCG(p.Seed, 0))
	env := map[string]string{}
	for _, e := range p.Env {
		name, value, _ := strings.Cut(e, "=")
		env[name] = value
	}
	return json.Marshal(map[string]any{
		"argv": append([]string{}, p.Argv...),
		"env":  env,
		"seed": [4]uint32{random.Uint32(), random.Uint32(), random.Uint32(), random.Uint32() | 1},
	})
}

// buffer makes the shared buffer and notes its address.
func (s *session) buffer() (uint32, error) {
	handle, err := s.with(make([]byte, sharedSize), "qjs_new_array_buffer")
	if err != nil {
		return 0, err
	}
	length, err := s.put(make([]byte, 4))
	if err != nil {
		return 0, err
	}
	s.world.shared, err = s.call("qjs_get_array_buffer", handle, length)
	return handle, err
}

// ours evaluates one of our scripts, which cannot fail but for want of memory.
func (s *session) ours(bytecode []byte, file string) (uint32, error) {
	handle, err := s.with(bytecode, "qjs_eval_bytecode")
	if err != nil {
		return 0, err
	}
	ok, err := s.fine(handle)
	if err == nil && !ok {
		err = s.broken(file)
	}
	return handle, err
}

// run evaluates the program, then its jobs and timers until none is left.
func (s *session) run(code []byte) error {
	main, ok, err := s.eval(code, fileName, flagAsync)
	if err != nil {
		return err
	}
	if !ok {
		return s.uncaught()
	}
	for more := true; more; {
		if err := s.jobs(); err != nil {
			return err
		}
		if more, err = s.nextTimer(); err != nil {
			return err
		}
	}
	state, err := s.call("qjs_promise_state", main)
	if err != nil {
		return err
	}
	if state == promisePending { // a rejection was met in jobs
		fmt.Fprintln(s.world.Stderr, "Uncaught the program waits for a promise that nothing will ever settle")
		return &sandbox.Exit{Code: lang.ExitFailure}
	}
	return nil
}

// jobs runs promise reactions until none is left; then nobody may be left to
// handle a rejection.
func (s *session) jobs() error {
	for {
		pending, err := s.call("qjs_is_job_pending")
		if err != nil {
			return err
		}
		if pending == 0 {
			break
		}
		result, err := s.call("qjs_execute_pending_job")
		if err != nil {
			return err
		}
		if int32(result) < 0 {
			return s.uncaught()
		}
		if err := s.sweep(); err != nil {
			return err
		}
	}
	if r, found := s.world.first(); found {
		return s.fail(r.reason)
	}
	return nil
}

// sweep frees the handles that host functions were given.
func (s *session) sweep() error {
	for _, handle := range s.world.garbage {
		if _, err := s.call("qjs_free_value", handle); err != nil {
			return err
		}
	}
	s.world.garbage = s.world.garbage[:0]
	return nil
}

// nextTimer runs the next timer and tells whether there was one.
func (s *session) nextTimer() (bool, error) {
	result, ok, err := s.invoke(s.tick)
	if err != nil {
		return false, err
	}
	if !ok {
		return false, s.uncaught()
	}
	more, err := s.call("qjs_get_bool", result)
	if err != nil {
		return false, err
	}
	_, err = s.call("qjs_free_value", result)
	return more != 0, err
}

// uncaught fails of the exception that was just thrown.
func (s *session) uncaught() error {
	exception, err := s.call("qjs_get_exception")
	if err != nil {
		return err
	}
	return s.fail(exception)
}

// fail tells on stderr what the program failed of, and ends it.
func (s *session) fail(reason uint32) error {
	_, ok, err := s.invoke(s.report, reason)
	if err != nil {
		return err
	}
	switch {
	case !ok && s.budget.Refused():
		fmt.Fprintln(s.world.Stderr, "Uncaught InternalError: out of memory")
	case !ok:
		fmt.Fprintln(s.world.Stderr, "Uncaught exception that cannot be shown")
	}
	return &sandbox.Exit{Code: lang.ExitFailure}
}

// Package javascript runs JavaScript on QuickJS-NG: a language of package lang.
//
// A program is a script with top-level await. It finds
//
//	console, print        console.log and print to stdout, console.error to stderr
//	process               argv (a name, then the arguments), env, exit(code), exitCode,
//	                      stdin (read(), on("data"), for await), stdout.write, stderr.write
//	scriptArgs            the arguments alone
//	readline()            the next line of stdin, null at its end
//	require("fs")         readFileSync(0, "utf8") for all of stdin; no other file exists
//	setTimeout and kin    on a clock that jumps: waiting takes no time
//
// besides the standard library of ECMAScript (no Intl). There are no modules
// to import, no network and no files. An uncaught exception or an unhandled
// rejection is told on stderr with its stack, and the exit code is 1.
package javascript

import (
	"context"
	"errors"
	"fmt"

	"github.com/svc-platform/svc/sandbox"
	"github.com/svc-platform/svc/sandbox/engine"
	"github.com/svc-platform/svc/sandbox/lang"
	"github.com/svc-platform/svc/sandbox/meter"
)

// Language is JavaScript as an entry in the list of languages.
func Language() lang.Language {
	return lang.Language{
		Name:       "javascript",
		Extensions: []string{".js", ".cjs"},
		HostFuncs:  hostFuncs,
		Load:       load,
	}
}

// runtime is QuickJS, compiled, and the bytecode of our own scripts: parsing
// them would be most of the time of a short program.
type runtime struct {
	module           engine.Module
	inspect, prelude []byte
}

func load(ctx context.Context, e engine.Engine) (lang.Runtime, error) {
	b, err := wasm()
	if err != nil {
		return nil, err
	}
	options := meter.DefaultOptions()
	options.Import = imports
	metered, err := meter.Rewrite(b, options)
	if err != nil {
		return nil, fmt.Errorf("javascript: %w", err)
	}
	m, err := e.Compile(ctx, metered)
	if err != nil {
		return nil, fmt.Errorf("javascript: %w", err)
	}
	r := &runtime{module: m}
	if err := r.compileScripts(ctx); err != nil {
		_ = m.Close(ctx)
		return nil, fmt.Errorf("javascript: %w", err)
	}
	return r, nil
}

// compileScripts has QuickJS compile our scripts, in a guest made for it.
func (r *runtime) compileScripts(ctx context.Context) error {
	p := lang.Program{Limits: sandbox.DefaultLimits()}
	process, err := p.Process()
	if err != nil {
		return err
	}
	v, err := r.boot(ctx, engine.NewBudget(p.Limits), &world{Process: process})
	if err != nil {
		return err
	}
	defer v.close()
	if r.inspect, err = v.compile(inspectJS, "inspect.js"); err != nil {
		return err
	}
	r.prelude, err = v.compile(preludeJS, "prelude.js")
	return err
}

func (r *runtime) Name() string { return "javascript (QuickJS-NG " + version + ")" }

func (r *runtime) Close(ctx context.Context) error { return r.module.Close(ctx) }

// Run implements lang.Runtime with a fresh instance for every program.
func (r *runtime) Run(ctx context.Context, p lang.Program) (lang.Result, error) {
	process, err := p.Process("javascript")
	if err != nil {
		return lang.Result{}, err
	}
	w := &world{Process: process, rejected: map[uint64]rejection{}}
	b := engine.NewBudget(p.Limits)
	err = r.run(ctx, b, w, p)
	var trap *sandbox.Trap
	if errors.As(err, &trap) && (trap.Kind == sandbox.GuestTrap || trap.Kind == sandbox.OutOfStack) {
		fmt.Fprintf(process.Stderr, "Fatal: %s\n", trap.Message) // or nothing would tell what happened
	}
	return lang.Finish(process, b, err)
}

func (r *runtime) run(ctx context.Context, b *engine.Budget, w *world, p lang.Program) error {
	v, err := r.boot(ctx, b, w)
	if err != nil {
		return err
	}
	defer v.close()
	s := &session{vm: v, world: w}
	if err := s.begin(r, p); err != nil {
		return err
	}
	return s.run(p.Code)
}

// boot makes an instance in which QuickJS is ready.
func (r *runtime) boot(ctx context.Context, b *engine.Budget, w *world) (*vm, error) {
	instance, err := r.module.Instantiate(ctx, b, w)
	if err != nil {
		return nil, err
	}
	v := &vm{ctx: ctx, budget: b, instance: instance, funcs: map[string]engine.Func{}}
	if err := v.initialize(); err != nil {
		v.close()
		return nil, err
	}
	return v, nil
}

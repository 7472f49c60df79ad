// Package registry is the one way in for every module, whoever brings it:
// verify -> describe -> meter -> compile -> open -> self-check -> activate.
package registry

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/svc-platform/svc/operators-wasm/language"
	"github.com/svc-platform/svc/plugins"
	"github.com/svc-platform/svc/plugins/abi"
	"github.com/svc-platform/svc/plugins/abi/bytes1"
	"github.com/svc-platform/svc/plugins/abi/op1"
	"github.com/svc-platform/svc/sandbox/engine"
	"github.com/svc-platform/svc/sandbox/meter"
)

// Step is a step on the way in.
type Step string

// The steps, in their order.
const (
	Verify    Step = "verify"
	Describe  Step = "describe"
	Meter     Step = "meter"
	Compile   Step = "compile"
	Open      Step = "open"
	SelfCheck Step = "self-check"
	Activate  Step = "activate"
)

// Error says at which step a module was refused. The module that was active
// before, if any, still is.
type Error struct {
	Name string // of the plugin or, before it is known, of the file
	Step Step
	Err  error
}

func (e *Error) Error() string { return fmt.Sprintf("%s: refused at %s: %v", e.Name, e.Step, e.Err) }

// Unwrap gives the reason.
func (e *Error) Unwrap() error { return e.Err }

// Origin is where a module comes from, and what that origin vouches for.
type Origin struct {
	Source string // "built-in"
	Name   string // of the file or target there
	Digest string // that the origin states; a module without one is refused
}

// Plugin is an active plugin.
type Plugin struct {
	plugins.Description
	Digest string
	Origin Origin
	Guest  abi.Guest
}

// Config is what a registry works with.
type Config struct {
	Engine engine.Engine
	ABIs   []abi.ABI
	Limits meter.Options // Import is set by the module's ABI
}

// Registry holds the active plugins. It is safe for concurrent use.
type Registry struct {
	cfg       Config
	mu        sync.RWMutex
	active    map[string]*Plugin       // by name
	operators map[string]*op1.Operator // by id
}

// New makes an empty registry.
func New(cfg Config) *Registry {
	return &Registry{cfg: cfg, active: map[string]*Plugin{}, operators: map[string]*op1.Operator{}}
}

// Load takes a module through all the steps. Errors are *Error.
func (r *Registry) Load(ctx context.Context, wasm []byte, origin Origin) (*Plugin, error) {
	in := &arrival{r: r, wasm: wasm, plugin: &Plugin{Digest: plugins.Digest(wasm), Origin: origin}}
	for _, s := range []struct {
		step Step
		do   func(context.Context) error
	}{
		{Verify, in.verify},
		{Describe, in.describe},
		{Meter, in.meter},
		{Compile, in.compile},
		{Open, in.open},
		{SelfCheck, in.selfCheck},
		{Activate, in.activate},
	} {
		if err := s.do(ctx); err != nil {
			in.abandon(ctx)
			return nil, &Error{Name: cmp.Or(in.plugin.Name, origin.Name), Step: s.step, Err: err}
		}
	}
	return in.plugin, nil
}

// Plugins lists the active plugins by name.
func (r *Registry) Plugins() []*Plugin {
	r.mu.RLock()
	defer r.mu.RUnlock()
	list := make([]*Plugin, 0, len(r.active))
	for _, p := range r.active {
		list = append(list, p)
	}
	slices.SortFunc(list, func(a, b *Plugin) int { return cmp.Compare(a.Name, b.Name) })
	return list
}

// Operators lists the operators of all active plugins, in the order of their ids.
func (r *Registry) Operators() []*op1.Operator {
	r.mu.RLock()
	defer r.mu.RUnlock()
	list := make([]*op1.Operator, 0, len(r.operators))
	for _, op := range r.operators {
		list = append(list, op)
	}
	slices.SortFunc(list, func(a, b *op1.Operator) int { return language.CompareIDs(a.ID, b.ID) })
	return list
}

// Operator finds an operator by its canonical id.
func (r *Registry) Operator(id string) (*op1.Operator, bool) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	op, ok := r.operators[id]
	return op, ok
}

// Function is a function of an active bytes/1 plugin.
type Function struct {
	plugins.Function
	Plugin *Plugin
	Guest  *bytes1.Guest
}

// Functions lists the functions of all active bytes/1 plugins of a kind, by name.
func (r *Registry) Functions(kind plugins.Kind) []Function {
	var list []Function
	for _, p := range r.Plugins() {
		g, ok := p.Guest.(*bytes1.Guest)
		if !ok || p.Kind != kind {
			continue
		}
		for _, f := range g.Functions() {
			list = append(list, Function{Function: f, Plugin: p, Guest: g})
		}
	}
	slices.SortFunc(list, func(a, b Function) int { return cmp.Compare(a.Name, b.Name) })
	return list
}

// Close retires all plugins.
func (r *Registry) Close(ctx context.Context) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	var first error
	for _, p := range r.active {
		if err := p.Guest.Close(ctx); err != nil && first == nil {
			first = err
		}
	}
	clear(r.active)
	clear(r.operators)
	return first
}

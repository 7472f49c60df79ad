package host

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/svc-platform/svc/host/execute"
	"github.com/svc-platform/svc/host/fault"
	"github.com/svc-platform/svc/host/forensic"
	"github.com/svc-platform/svc/host/gateway"
	"github.com/svc-platform/svc/host/protocol"
	"github.com/svc-platform/svc/host/state"
	"github.com/svc-platform/svc/host/timebase"
	"github.com/svc-platform/svc/operators-wasm/language"
	"github.com/svc-platform/svc/plugins"
	"github.com/svc-platform/svc/plugins/abi/bytes1"
	"github.com/svc-platform/svc/plugins/registry"
	"github.com/svc-platform/svc/sandbox"
	"github.com/svc-platform/svc/sandbox/lang"
)

// Each area asks for a small interface; here they are met.

// gatewayOperators describes the registry's operators to the gateway.
func gatewayOperators(r *registry.Registry) []gateway.Operator {
	all := r.Operators()
	list := make([]gateway.Operator, len(all))
	for i, op := range all {
		list[i] = gateway.Operator{
			ID: op.ID, Name: op.Name, Aliases: op.Aliases, Category: op.Category, Description: op.Description,
			Equation: op.Equation, EquationLaTeX: op.LaTeX(),
		}
	}
	return list
}

// operators shows the registry to the protocol.
type operators struct{ core *Core }

// Operators implements protocol.Catalogue.
func (o operators) Operators() []*language.Operator {
	all := o.core.Registry.Operators()
	list := make([]*language.Operator, len(all))
	for i, op := range all {
		list[i] = op.Operator
	}
	return list
}

// Run implements protocol.Runner.
func (o operators) Run(ctx context.Context, id string, args []float64) (float64, uint64, error) {
	if err := o.core.enter(); err != nil {
		return 0, 0, err
	}
	defer o.core.leave()
	op, ok := o.core.Registry.Operator(id)
	if !ok {
		return 0, 0, fmt.Errorf("the operator %s is no longer active", id)
	}
	value, usage, err := op.Call(ctx, args)
	return value, usage.Fuel, err
}

// processor answers the gateway's questions with the protocol.
type processor struct {
	protocol *protocol.Protocol
	now      func() time.Time
}

// Process implements gateway.Processor.
func (p *processor) Process(ctx context.Context, r gateway.Request) (state.State, error) {
	request := protocol.Request{Query: r.Query, DomainHints: r.Hints, Precision: r.Precision, At: timebase.At(p.now().UnixNano())}
	s, err := p.protocol.Process(ctx, request)
	var invalid *protocol.InvalidError
	if errors.As(err, &invalid) {
		return s, fault.New(fault.Invalid, "%s", invalid.Error())
	}
	return s, err
}

// scorers shows the registry's scorers to the forensic area.
type scorers struct{ core *Core }

// List implements forensic.Scorers.
func (s scorers) List() []forensic.Scorer {
	var list []forensic.Scorer
	for _, f := range s.core.Registry.Functions(plugins.Scorer) {
		list = append(list, forensic.Scorer{Name: f.Name, Group: f.Group, Description: f.Summary})
	}
	return list
}

// Score implements forensic.Scorers.
func (s scorers) Score(ctx context.Context, name string, content []byte) ([]byte, sandbox.Usage, error) {
	release, err := s.core.admit(ctx)
	if err != nil {
		return nil, sandbox.Usage{}, err
	}
	defer release()
	all := s.core.Registry.Functions(plugins.Scorer)
	i := slices.IndexFunc(all, func(f registry.Function) bool { return f.Name == name })
	if i < 0 {
		return nil, sandbox.Usage{}, fmt.Errorf("the scorer %s is no longer active", name)
	}
	out, usage, err := all[i].Guest.Call(ctx, name, content, sandbox.DefaultLimits())
	var said *bytes1.Error
	if errors.As(err, &said) {
		err = &forensic.Refusal{Code: said.Code, Message: said.Message}
	}
	return out, usage, err
}

// runner shows the language runtimes to the execute area.
type runner struct{ core *Core }

// Languages implements execute.Runner.
func (r runner) Languages() []string { return slices.Sorted(maps.Keys(r.core.Languages)) }

// Run implements execute.Runner. Each run has random numbers of its own.
func (r runner) Run(ctx context.Context, p execute.Program) (execute.Outcome, error) {
	release, err := r.core.admit(ctx)
	if err != nil {
		return execute.Outcome{}, err
	}
	defer release()
	runtime, ok := r.core.Languages[p.Language]
	if !ok {
		return execute.Outcome{}, fmt.Errorf("the language %s is not loaded", p.Language)
	}
	result, err := runtime.Run(ctx, lang.Program{
		Code: []byte(p.Code), Argv: p.Argv, Stdin: []byte(p.Stdin),
		Limits: sandbox.DefaultLimits(), Seed: rand.Uint64(), Start: time.Now(),
	})
	var input *lang.InputError
	if errors.As(err, &input) {
		return execute.Outcome{}, fault.New(fault.Invalid, "%s", input.Error())
	}
	return execute.Outcome{
		ExitCode: result.ExitCode, Reason: string(result.Reason),
		Stdout: []byte(result.Stdout), Stderr: []byte(result.Stderr),
		StdoutTruncated: result.Truncated.Stdout, StderrTruncated: result.Truncated.Stderr,
		Usage: result.Usage,
	}, err
}

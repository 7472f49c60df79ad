package protocol

import (
	"context"
	"fmt"
	"math"

	"github.com/svc-platform/svc/host/state"
	"github.com/svc-platform/svc/host/timebase"
	"github.com/svc-platform/svc/operators-wasm/language"
)

// execution is the result of the fifth step.
type execution struct {
	plan
	outcomes []outcome // of the links, in their order
	tension  outcome   // of KO42
}

// outcome is what one operator computed.
type outcome struct {
	link
	value float64 // coherent SI
	fuel  uint64
}

// execute runs the operators of the plan, and KO42 always. The error is what
// the runner reported.
func execute(ctx context.Context, runner Runner, tension *language.Operator, p plan, at timebase.Instant) (execution, error) {
	e := execution{plan: p}
	args, err := tension.Arguments(map[string]float64{"svcond": float64(at.Svcond)})
	if err != nil {
		return e, fmt.Errorf("the arguments of %s: %w", tension.ID, err)
	}
	if e.tension, err = run(ctx, runner, link{op: tension, args: args}); err != nil {
		return e, err
	}
	for _, l := range p.links {
		o, err := run(ctx, runner, l)
		if err != nil {
			return e, err
		}
		e.outcomes = append(e.outcomes, o)
	}
	return e, nil
}

func run(ctx context.Context, runner Runner, l link) (outcome, error) {
	value, fuel, err := runner.Run(ctx, l.op.ID, l.args)
	if err != nil {
		return outcome{}, fmt.Errorf("operator %s: %w", l.op.ID, err)
	}
	return outcome{link: l, value: value, fuel: fuel}, nil
}

func (e *execution) step() state.Step {
	step := state.Step{Name: "execute", Facts: []state.Fact{}}
	fuel := uint64(0)
	for _, o := range append(e.outcomes, e.tension) {
		fuel += o.fuel
		value := "not a finite number"
		if !math.IsNaN(o.value) && !math.IsInf(o.value, 0) {
			value = fmt.Sprintf("%v %s, fuel %d", o.value, o.op.Output.Quantity.Unit.Symbol, o.fuel)
		}
		step.Facts = append(step.Facts, fact(o.op.ID, value))
	}
	step.Summary = fmt.Sprintf("operators run as WebAssembly: %d, fuel %d", len(e.outcomes)+1, fuel)
	return step
}

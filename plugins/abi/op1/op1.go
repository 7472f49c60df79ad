// Package op1 is the ABI op/1: operators as pure functions over f64. A module
// exports one function for each operator, named by its id, takes one f64 for
// each input in coherent SI units and returns one f64; it imports nothing. Its
// definitions come along as text, in the section svc.operators.
package op1

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/svc-platform/svc/operators-wasm/language"
	"github.com/svc-platform/svc/plugins"
	"github.com/svc-platform/svc/sandbox"
	"github.com/svc-platform/svc/sandbox/engine"
	"github.com/svc-platform/svc/sandbox/meter"
	"github.com/svc-platform/svc/sandbox/pool"
)

// Name of the ABI.
const Name = "op/1"

// idle instances kept for each module: more than this many calls of one
// module at once make instances that are thrown away after use.
const idle = 64

// Allows tells which functions a module may import: none.
func Allows(_, _ string) bool { return false }

// Limits of one evaluation.
func Limits() sandbox.Limits {
	return sandbox.Limits{Fuel: 10_000_000, MemoryPages: 64, TableElements: 64, Wall: 5 * time.Second}
}

// Guest is a module of operators. It is safe for concurrent use.
type Guest struct {
	category  string
	title     string
	operators []*Operator
	module    engine.Module
	instances *pool.Pool[*instance]
}

// Operator is one operator, ready to be called.
type Operator struct {
	*language.Operator
	guest *Guest
	index int
}

// instance is one running module with its functions looked up as they are first called.
type instance struct {
	inst   engine.Instance
	funcs  []engine.Func
	budget engine.Budget
	stack  []uint64
}

// Open reads the definitions and checks that the module exports what they say.
func Open(_ context.Context, m *meter.Module, _ plugins.Description, compiled engine.Module) (*Guest, error) {
	text, ok := m.Custom(plugins.OperatorsSection)
	if !ok {
		return nil, fmt.Errorf("an %s plugin needs its definitions in the section %s", Name, plugins.OperatorsSection)
	}
	file, err := language.Parse(plugins.OperatorsSection, text)
	if err != nil {
		return nil, err
	}
	g := &Guest{category: file.Category, title: file.Title, module: compiled}
	g.instances = pool.New(idle, func(i *instance) { _ = i.inst.Close(context.Background()) })
	for i, def := range file.Operators {
		want := signature(len(def.Inputs))
		if got, ok := m.Export(def.ID); !ok || !got.Equal(want) {
			return nil, fmt.Errorf("%s: the module must export it as %v", def.ID, want)
		}
		g.operators = append(g.operators, &Operator{Operator: def, guest: g, index: i})
	}
	return g, nil
}

func signature(inputs int) meter.FuncType {
	t := meter.FuncType{Results: []meter.ValueType{meter.F64}}
	for range inputs {
		t.Params = append(t.Params, meter.F64)
	}
	return t
}

// Category is the category that the operators belong to, with its title.
func (g *Guest) Category() (name, title string) { return g.category, g.title }

// Operators lists the operators in the order of their definitions.
func (g *Guest) Operators() []*Operator { return g.operators }

// SelfCheck computes every worked example.
func (g *Guest) SelfCheck(ctx context.Context) error {
	for _, op := range g.operators {
		for _, e := range op.Examples {
			args := make([]float64, len(op.Inputs))
			for i, in := range op.Inputs {
				args[i] = e.Inputs[in.Symbol]
			}
			got, _, err := op.Call(ctx, args)
			if err != nil {
				return fmt.Errorf("%s: %w", op.ID, err)
			}
			if !close9(got, e.Output) {
				return fmt.Errorf("%s: the example %q computes to %v, not %v", op.ID, e.Text, got, e.Output)
			}
		}
	}
	return nil
}

// close9 compares to nine digits, the agreement that the language asks of examples.
func close9(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Abs(b)+1e-300 }

// Close lets the idle instances and the module go.
func (g *Guest) Close(ctx context.Context) error {
	g.instances.Close()
	return g.module.Close(ctx)
}

// Call evaluates the operator: args are its inputs in order, in coherent SI
// units, and so is the result. Errors are *sandbox.Trap, or an error that says
// how many arguments are wanted.
func (op *Operator) Call(ctx context.Context, args []float64) (float64, sandbox.Usage, error) {
	if len(args) != len(op.Inputs) {
		return 0, sandbox.Usage{}, fmt.Errorf("%s takes %d values (%s), got %d", op.ID, len(op.Inputs), op.symbols(), len(args))
	}
	i, err := op.guest.take(ctx)
	if err != nil {
		return 0, sandbox.Usage{}, err
	}
	f := i.funcs[op.index]
	if f == nil {
		if f, err = i.inst.Func(op.ID); err != nil {
			return 0, sandbox.Usage{}, errors.Join(err, i.inst.Close(ctx))
		}
		i.funcs[op.index] = f
	}
	i.budget.Reset(Limits())
	stack := i.stack[:max(1, len(args))]
	for k, v := range args {
		stack[k] = math.Float64bits(v)
	}
	if err := f.Call(ctx, &i.budget, stack); err != nil {
		_ = i.inst.Close(ctx) // poisoned
		return 0, i.budget.Usage(), err
	}
	result, usage := math.Float64frombits(stack[0]), i.budget.Usage()
	op.guest.instances.Put(i)
	return result, usage, nil
}

func (op *Operator) symbols() string {
	names := make([]string, len(op.Inputs))
	for i, in := range op.Inputs {
		names[i] = in.Symbol
	}
	return strings.Join(names, ", ")
}

// take returns an idle instance or makes one.
func (g *Guest) take(ctx context.Context) (*instance, error) {
	if i, ok := g.instances.Get(); ok {
		return i, nil
	}
	i := &instance{funcs: make([]engine.Func, len(g.operators))}
	most := 1
	for _, op := range g.operators {
		most = max(most, len(op.Inputs))
	}
	i.stack = make([]uint64, most)
	i.budget.Reset(Limits())
	var err error
	i.inst, err = g.module.Instantiate(ctx, &i.budget, nil)
	return i, err
}

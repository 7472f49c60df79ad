package langtest

import (
	"context"
	"sync/atomic"

	"github.com/svc-platform/svc/sandbox/engine"
	"github.com/svc-platform/svc/sandbox/meter"
)

// counter is an engine that counts its instances.
type counter struct {
	engine.Engine
	made, live atomic.Int64
}

// Compile implements engine.Engine.
func (c *counter) Compile(ctx context.Context, m *meter.Module) (engine.Module, error) {
	compiled, err := c.Engine.Compile(ctx, m)
	return &countedModule{compiled, c}, err
}

type countedModule struct {
	engine.Module
	counter *counter
}

// Instantiate implements engine.Module.
func (m *countedModule) Instantiate(ctx context.Context, b *engine.Budget, data any) (engine.Instance, error) {
	i, err := m.Module.Instantiate(ctx, b, data)
	if err != nil {
		return nil, err
	}
	m.counter.made.Add(1)
	m.counter.live.Add(1)
	return &countedInstance{Instance: i, counter: m.counter}, nil
}

type countedInstance struct {
	engine.Instance
	counter *counter
	closed  bool
}

// Close implements engine.Instance.
func (i *countedInstance) Close(ctx context.Context) error {
	if !i.closed {
		i.closed = true
		i.counter.live.Add(-1)
	}
	return i.Instance.Close(ctx)
}

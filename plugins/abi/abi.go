// Package abi lists the ways in which the host can talk to a guest. Each ABI
// is one folder below and passes abitest.
package abi

import (
	"context"

	"github.com/svc-platform/svc/plugins"
	"github.com/svc-platform/svc/plugins/abi/bytes1"
	"github.com/svc-platform/svc/plugins/abi/op1"
	"github.com/svc-platform/svc/sandbox/engine"
	"github.com/svc-platform/svc/sandbox/meter"
)

// Guest is an opened plugin. What can be asked of it depends on its ABI: use a
// type assertion to *op1.Guest or *bytes1.Guest.
type Guest interface {
	// SelfCheck runs what the plugin says must come out.
	SelfCheck(ctx context.Context) error
	Close(ctx context.Context) error
}

// ABI is one way to talk to guests.
type ABI struct {
	Name string
	// Allows tells whether a module may import a function.
	Allows func(module, name string) bool
	// Open checks a compiled module against its description. On an error the
	// compiled module still belongs to the caller.
	Open func(ctx context.Context, m *meter.Module, d plugins.Description, compiled engine.Module) (Guest, error)
}

// All lists the ABIs of this host.
func All() []ABI {
	return []ABI{
		{op1.Name, op1.Allows, opener(op1.Open)},
		{bytes1.Name, bytes1.Allows, opener(bytes1.Open)},
	}
}

// opener turns the typed constructor of an ABI into the common one.
func opener[G Guest](open func(context.Context, *meter.Module, plugins.Description, engine.Module) (G, error)) func(context.Context, *meter.Module, plugins.Description, engine.Module) (Guest, error) {
	return func(ctx context.Context, m *meter.Module, d plugins.Description, compiled engine.Module) (Guest, error) {
		g, err := open(ctx, m, d, compiled)
		if err != nil {
			return nil, err
		}
		return g, nil
	}
}

package engine

import (
	"context"

	"github.com/svc-platform/svc/sandbox"
	"github.com/svc-platform/svc/sandbox/meter"
)

// Call is what a host function knows of the guest that called it. An instance
// owns one and reuses it.
type Call struct {
	Data   any // what Instantiate was given
	Budget *Budget
	ctx    context.Context
	guest  Guest
}

// Guest is the engine's side of a Call: the fuel counter and the memory.
type Guest interface {
	Fuel() int64
	SetFuel(int64)
	Memory() []byte
}

// NewCall is for engines: it binds a Call to the instance's guest side.
func NewCall(g Guest, data any) *Call { return &Call{Data: data, guest: g} }

// Bind is for engines: it sets the context and the budget of the next call.
func (c *Call) Bind(ctx context.Context, b *Budget) { c.ctx, c.Budget = ctx, b }

// Context is the context of the call in flight.
func (c *Call) Context() context.Context { return c.ctx }

// Memory is the guest's linear memory; valid until the guest runs again.
func (c *Call) Memory() []byte { return c.guest.Memory() }

// Stop ends the guest with err, a *sandbox.Trap or *sandbox.Exit. It does not return.
func (c *Call) Stop(err error) { panic(Stopped{err}) }

// Stopped is the panic value that carries Stop's error through an engine.
type Stopped struct{ error }

// Unwrap gives the error that Stop was called with.
func (s Stopped) Unwrap() error { return s.error }

// Charge takes fuel for work that the host does for the guest, before it does
// it. A slice's worth of such work is as much a reason to look at the clock as
// a slice of the guest's own.
func (c *Call) Charge(fuel uint64) {
	b := c.Budget
	if b.unseen += fuel; b.unseen >= Slice {
		if trap := b.look(c.ctx); trap != nil {
			c.Stop(trap)
		}
	}
	if fuel <= b.reserve {
		b.reserve -= fuel
		return
	}
	short := fuel - b.reserve
	b.reserve = 0
	held := c.guest.Fuel() // may be below zero: a debt that the next tick would settle
	if held < 0 || short > uint64(held) {
		c.guest.SetFuel(0)
		c.Stop(outOfFuel(b.limits.Fuel))
	}
	c.guest.SetFuel(held - int64(short))
}

// ChargeBytes charges for moving n bytes across the wall.
func (c *Call) ChargeBytes(n int) { c.Charge(uint64(n+meter.BytesPerFuel-1) / meter.BytesPerFuel) }

// Tick is the host function behind meter.TickName: it refills or stops.
func (c *Call) Tick(stack []uint64) {
	if int64(stack[0]) == meter.OutOfStack {
		c.Stop(sandbox.Trapf(sandbox.OutOfStack, "the guest called itself too deep"))
	}
	fuel, trap := c.Budget.Refill(c.ctx, int64(stack[0]))
	if trap != nil {
		c.guest.SetFuel(0)
		c.Stop(trap)
	}
	c.guest.SetFuel(fuel)
	stack[0] = uint64(fuel)
}

// Enter charges the stated price of a host function.
func (c *Call) Enter(price uint64) {
	if price > 0 {
		c.Charge(price)
	}
}

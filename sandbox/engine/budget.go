package engine

import (
	"context"
	"errors"
	"time"

	"github.com/svc-platform/svc/sandbox"
)

// Slice is the fuel a guest runs on before it must ask for more: well under a
// millisecond of work, so that deadlines, cancellation and the garbage
// collector never wait long.
const Slice = 1 << 20

// Budget is what one piece of work may still use. Instantiation and every call
// draw from the same budget. It is not safe for concurrent use.
type Budget struct {
	limits   sandbox.Limits
	reserve  uint64        // fuel that no instance holds
	epoch    time.Time     // an instant before the first call; zero: no call yet
	deadline time.Duration // since the epoch
	called   time.Duration // when the call in flight began, since the epoch
	peak     uint64
	duration time.Duration
	refused  bool   // a memory or table grow was refused
	unseen   uint64 // fuel that host functions charged since the last look at the clock
}

// NewBudget opens a budget of the given limits. The clock starts at the first call.
func NewBudget(l sandbox.Limits) *Budget {
	b := &Budget{}
	b.Reset(l)
	return b
}

// Reset makes the budget as good as new, so that a hot path can keep one.
func (b *Budget) Reset(l sandbox.Limits) { *b = Budget{limits: l, reserve: l.Fuel} }

// Limits returns what the budget was opened with.
func (b *Budget) Limits() sandbox.Limits { return b.limits }

// Usage reports what was used so far.
func (b *Budget) Usage() sandbox.Usage {
	return sandbox.Usage{Fuel: b.limits.Fuel - b.reserve, PeakMemory: b.peak, Duration: b.duration}
}

// Deadline is the moment at which the guest runs out of time.
func (b *Budget) Deadline() time.Time { return b.epoch.Add(b.deadline) }

// Refused tells whether a request for memory or table space was refused.
func (b *Budget) Refused() bool { return b.refused }

// The rest of Budget is for engines.

// Begin opens a call and hands out its first slice of fuel, unless the time is
// used up. Epoch is an instant in the past of the engine's choice: reading the
// time that passed since then costs half of reading the clock.
func (b *Budget) Begin(epoch time.Time) (fuel int64, trap *sandbox.Trap) {
	if b.epoch.IsZero() {
		b.epoch = epoch
		b.called = time.Since(epoch)
		b.deadline = b.called + b.limits.Wall
	} else if b.called = time.Since(b.epoch); b.called >= b.deadline {
		return 0, b.outOfTime()
	}
	return b.take(Slice), nil
}

func (b *Budget) take(most uint64) int64 {
	grant := min(most, b.reserve)
	b.reserve -= grant
	return int64(grant)
}

func (b *Budget) outOfTime() *sandbox.Trap {
	return sandbox.Trapf(sandbox.OutOfTime, "the run took longer than %v", b.limits.Wall)
}

// Refill is the tick: the guest used up its slice and has left (below zero)
// of it. It returns the fuel to go on with, or why the guest must stop.
func (b *Budget) Refill(ctx context.Context, left int64) (int64, *sandbox.Trap) {
	if t := b.settle(left); t != nil {
		return 0, t
	}
	if t := b.look(ctx); t != nil {
		return 0, t
	}
	return b.take(Slice), nil
}

// look tells whether the guest must stop for another reason than fuel.
func (b *Budget) look(ctx context.Context) *sandbox.Trap {
	b.unseen = 0
	if err := ctx.Err(); err != nil {
		return Interrupted(err)
	}
	if time.Since(b.epoch) >= b.deadline {
		return b.outOfTime()
	}
	return nil
}

// Interrupted says why a context ended.
func Interrupted(err error) *sandbox.Trap {
	if errors.Is(err, context.DeadlineExceeded) {
		return &sandbox.Trap{Kind: sandbox.OutOfTime, Message: "the caller's deadline has passed", Err: err}
	}
	return &sandbox.Trap{Kind: sandbox.Cancelled, Message: "the caller went away", Err: err}
}

// settle takes back what is left of a slice; a debt is paid from the reserve.
func (b *Budget) settle(left int64) *sandbox.Trap {
	if left >= 0 {
		b.reserve += uint64(left)
		return nil
	}
	if debt := uint64(-left); debt <= b.reserve {
		b.reserve -= debt
		return nil
	}
	b.reserve = 0
	return outOfFuel(b.limits.Fuel)
}

func outOfFuel(quota uint64) *sandbox.Trap {
	return sandbox.Trapf(sandbox.OutOfFuel, "all %d units of fuel are used up", quota)
}

// End closes a call: left is what remains of the slice, memory the bytes of
// linear memory the guest has now.
func (b *Budget) End(left int64, memory uint64) *sandbox.Trap {
	b.peak = max(b.peak, memory)
	b.duration += time.Since(b.epoch) - b.called
	return b.settle(left)
}

// Refuse records that the guest asked for more memory or table than it may have.
func (b *Budget) Refuse() { b.refused = true }

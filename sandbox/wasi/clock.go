package wasi

import (
	"context"
	"math"
	"time"

	"github.com/svc-platform/svc/sandbox"
	"github.com/svc-platform/svc/sandbox/engine"
)

// The clocks of the standard.
const (
	clockRealtime   = 0
	clockMonotonic  = 1
	clockProcessCPU = 2
	clockThreadCPU  = 3
)

// step is how far the virtual clock advances at each reading, in ns. A clock
// that stood still would hang a guest that waits in a loop.
const step = 1000

// clock is virtual, so that a run can be repeated, or the host's own.
type clock struct {
	real  bool
	began time.Time // what the monotonic clock counts from
	start uint64    // virtual: ns since the epoch
	now   uint64    // virtual: ns since the epoch
}

func newClock(start time.Time, realClock bool) clock {
	if realClock {
		return clock{real: true, began: time.Now()}
	}
	ns := uint64(0)
	if !start.IsZero() {
		ns = uint64(max(start.UnixNano(), 0))
	}
	return clock{start: ns, now: ns}
}

// read gives the time of a clock in ns. The CPU clocks show what the
// monotonic one does: real CPU time would make runs differ.
func (k *clock) read(id uint32) (uint64, Errno) {
	if id > clockThreadCPU {
		return 0, EINVAL
	}
	if k.real {
		if id == clockRealtime {
			return uint64(max(time.Now().UnixNano(), 0)), Success
		}
		return uint64(time.Since(k.began)), Success
	}
	k.now = addSaturated(k.now, step)
	if id == clockRealtime {
		return k.now, Success
	}
	return k.now - k.start, Success
}

func clockResGet(c call) Errno {
	if c.u32(0) > clockThreadCPU {
		return EINVAL
	}
	if c.p.clock.real {
		return c.mem().putU64(c.u32(1), 1)
	}
	return c.mem().putU64(c.u32(1), step)
}

// clockTimeGet answers (clock, precision, pointer); precision is only a wish.
func clockTimeGet(c call) Errno {
	if _, errno := c.mem().bytes(c.u32(2), 8); errno != Success {
		return errno
	}
	now, errno := c.p.clock.read(c.u32(0))
	if errno != Success {
		return errno
	}
	return c.mem().putU64(c.u32(2), now)
}

// Sleep lets ns nanoseconds pass for the guest behind c. The virtual clock
// jumps; the real clock is waited for, and the guest is stopped where its
// deadline or its context ends first.
func (p *Process) Sleep(c *engine.Call, ns uint64) {
	if !p.clock.real {
		p.clock.now = addSaturated(p.clock.now, ns)
		return
	}
	if trap := wait(c.Context(), time.Until(c.Budget.Deadline()), ns); trap != nil {
		c.Stop(trap)
	}
}

// wait returns after ns, or with a trap when the time left or ctx ends before.
func wait(ctx context.Context, left time.Duration, ns uint64) *sandbox.Trap {
	late := left <= 0 || ns > uint64(left)
	d := max(left, 0)
	if !late {
		d = time.Duration(ns)
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		if late {
			return sandbox.Trapf(sandbox.OutOfTime, "the time was up during a sleep")
		}
		return nil
	case <-ctx.Done():
		return engine.Interrupted(ctx.Err())
	}
}

func addSaturated(a, b uint64) uint64 {
	if a > math.MaxUint64-b {
		return math.MaxUint64
	}
	return a + b
}

package lang_test

import (
	"context"
	"errors"
	"testing"

	"github.com/svc-platform/svc/sandbox"
	"github.com/svc-platform/svc/sandbox/engine"
	"github.com/svc-platform/svc/sandbox/lang"
)

// TestFinish: every way in which a guest can end, and how it is told.
func TestFinish(t *testing.T) {
	other := errors.New("the disk is full")
	trap := func(kind sandbox.TrapKind) error { return &sandbox.Trap{Kind: kind} }
	for _, tt := range []struct {
		name    string
		end     error
		refused bool
		exit    int
		reason  lang.Reason
		err     error
	}{
		{name: "returns"},
		{name: "exit 0", end: &sandbox.Exit{}},
		{name: "exit 0 after a refusal it coped with", end: &sandbox.Exit{}, refused: true},
		{name: "exit 1", end: &sandbox.Exit{Code: 1}, exit: 1},
		{name: "exit 137 of its own", end: &sandbox.Exit{Code: 137}, exit: 1},
		{name: "exit 2 after a refusal, as Go does", end: &sandbox.Exit{Code: 2}, refused: true, exit: 137, reason: "memory"},
		{name: "trap", end: trap(sandbox.GuestTrap), exit: 1},
		{name: "trap after a refusal", end: trap(sandbox.GuestTrap), refused: true, exit: 137, reason: "memory"},
		{name: "stack", end: trap(sandbox.OutOfStack), exit: 1},
		{name: "memory", end: trap(sandbox.OutOfMemory), exit: 137, reason: "memory"},
		{name: "fuel", end: trap(sandbox.OutOfFuel), exit: 124, reason: "fuel"},
		{name: "fuel after a refusal", end: trap(sandbox.OutOfFuel), refused: true, exit: 124, reason: "fuel"},
		{name: "time", end: trap(sandbox.OutOfTime), exit: 124, reason: "timeout"},
		{name: "cancelled", end: &sandbox.Trap{Kind: sandbox.Cancelled, Err: context.Canceled}, exit: 124, reason: "cancelled"},
		{name: "host fault", end: trap(sandbox.HostFault), err: &sandbox.Trap{Kind: sandbox.HostFault}},
		{name: "bad module", end: trap(sandbox.InvalidModule), err: &sandbox.Trap{Kind: sandbox.InvalidModule}},
		{name: "another error", end: other, err: other},
	} {
		t.Run(tt.name, func(t *testing.T) {
			process, err := lang.Program{Limits: sandbox.DefaultLimits()}.Process()
			if err != nil {
				t.Fatal(err)
			}
			b := engine.NewBudget(sandbox.DefaultLimits())
			if tt.refused {
				b.Refuse()
			}
			r, err := lang.Finish(process, b, tt.end)
			if !errors.Is(err, tt.err) || r.ExitCode != tt.exit || r.Reason != tt.reason {
				t.Errorf("exit code %d, reason %q, error %v; want %d, %q, %v", r.ExitCode, r.Reason, err, tt.exit, tt.reason, tt.err)
			}
		})
	}
}

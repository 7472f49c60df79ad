package host

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"github.com/svc-platform/svc/host/fault"
)

// TestAdmit: so many programs at a time and no more; who waits too long is told
// to come again.
func TestAdmit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &Core{slots: make(chan struct{}, 1)}
		release, err := c.admit(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.admit(t.Context()); !errors.Is(err, errBusy) || fault.KindOf(err) != fault.Unavailable {
			t.Errorf("a second program: %v", err)
		}
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := c.admit(gone); !errors.Is(err, context.Canceled) {
			t.Errorf("a caller that went away: %v", err)
		}
		waiting := make(chan error)
		go func() {
			again, err := c.admit(t.Context())
			if err == nil {
				again()
			}
			waiting <- err
		}()
		synctest.Wait()
		release()
		if err := <-waiting; err != nil {
			t.Errorf("the one that waited: %v", err)
		}
	})
}

// TestCloseWaits: an engine is never closed under a running guest, and after
// that nothing is run.
func TestCloseWaits(t *testing.T) {
	c, err := OpenCore(t.Context(), CoreConfig{Plugin: OnlyOperators, Language: Nothing})
	if err != nil {
		t.Fatal(err)
	}
	release, err := c.admit(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	closed := make(chan error)
	go func() { closed <- c.Close(context.WithoutCancel(t.Context())) }()
	select {
	case err := <-closed:
		t.Fatalf("closed while a program was running: %v", err)
	default:
	}
	release()
	if err := <-closed; err != nil {
		t.Error(err)
	}
	if _, err := c.admit(t.Context()); !errors.Is(err, errClosed) {
		t.Errorf("after Close: %v", err)
	}
	if _, _, err := (operators{c}).Run(t.Context(), "KO84", []float64{1, 1}); !errors.Is(err, errClosed) {
		t.Errorf("an operator after Close: %v", err)
	}
}

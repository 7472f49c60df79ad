// Package storetest is the one suite that every store must pass.
package storetest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/svc-platform/svc/host/gateway"
	"github.com/svc-platform/svc/host/key"
)

// Store is everything that the areas want kept.
type Store interface {
	key.Store
	gateway.Journal
	Close() error
}

// Run runs the suite. Open opens the same store again and again: what one
// handle wrote, the next one must find.
func Run(t *testing.T, open func(t *testing.T) Store) {
	t.Run("keys", func(t *testing.T) { keys(t, open) })
	t.Run("computations", func(t *testing.T) { computations(t, open) })
	t.Run("many at once", func(t *testing.T) { manyAtOnce(t, open) })
	t.Run("cancelled", func(t *testing.T) { cancelled(t, open) })
}

// at is a moment as stores keep it.
func at(seconds int64) time.Time { return time.Unix(seconds, 777_000_000).UTC() }

func keys(t *testing.T, open func(t *testing.T) Store) {
	ctx, s := context.Background(), open(t)
	a := key.Record{ID: "key_a", Name: "it's \"a\" key; DROP TABLE keys", Hash: key.Hash{1, 2, 3}, CreatedAt: at(1_700_000_000)}
	if found, err := s.AnyKey(ctx); found || err != nil {
		t.Fatalf("an empty store has a key: %t, %v", found, err)
	}
	if _, err := s.KeyByHash(ctx, a.Hash); !errors.Is(err, key.ErrNotFound) {
		t.Fatalf("KeyByHash of nothing: %v", err)
	}
	if err := s.AddKey(ctx, a); err != nil {
		t.Fatal(err)
	}
	for name, twin := range map[string]key.Record{
		"the same id":   {ID: a.ID, Hash: key.Hash{9}, CreatedAt: a.CreatedAt},
		"the same hash": {ID: "key_b", Hash: a.Hash, CreatedAt: a.CreatedAt},
	} {
		if err := s.AddKey(ctx, twin); err == nil {
			t.Errorf("%s was stored twice", name)
		}
	}
	s = again(t, s, open)
	got, err := s.KeyByHash(ctx, a.Hash)
	if diff := cmp.Diff(a, got); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
	if found, err := s.AnyKey(ctx); !found || err != nil {
		t.Errorf("AnyKey: %t, %v", found, err)
	}
	again(t, s, open)
}

// again closes a store and opens it anew.
func again(t *testing.T, s Store, open func(t *testing.T) Store) Store {
	t.Helper()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return open(t)
}

func computation(n int) gateway.Computation {
	precision := 1e-9
	return gateway.Computation{
		ID: fmt.Sprintf("cmp_%d", n), At: at(int64(1_700_000_000 - n)), Svcond: int64(n), Query: "how fast? 速い \x00 <b>",
		Hints: []string{"kinematic", "fluid dynamics"}, Precision: &precision, State: json.RawMessage(`{"b": 1,  "a":1.50}`),
	}
}

func computations(t *testing.T, open func(t *testing.T) Store) {
	ctx, s := context.Background(), open(t)
	if list, err := s.Computations(ctx, 10); len(list) != 0 || list == nil || err != nil {
		t.Fatalf("an empty store: %v, %v", list, err)
	}
	bare := gateway.Computation{ID: "cmp_bare", At: at(0), State: json.RawMessage(`{}`)}
	for _, c := range []gateway.Computation{bare, computation(1), computation(2)} {
		if err := s.AddComputation(ctx, c); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.AddComputation(ctx, computation(2)); err == nil {
		t.Error("the same id was stored twice")
	}
	s = again(t, s, open)
	bare.Hints = []string{}
	want := []gateway.Computation{computation(2), computation(1), bare}
	for limit := range 5 {
		got, err := s.Computations(ctx, limit)
		if diff := cmp.Diff(want[:min(limit, 3)], got); err != nil || diff != "" {
			t.Errorf("limit %d: %v\n%s", limit, err, diff)
		}
	}
	if got, err := s.Computations(ctx, -1); len(got) != 0 || err != nil {
		t.Errorf("limit -1: %d, %v", len(got), err)
	}
	again(t, s, open)
}

// manyAtOnce writes and reads from all sides; nothing may be lost or locked out.
func manyAtOnce(t *testing.T, open func(t *testing.T) Store) {
	const writers, each = 8, 10
	ctx, s := context.Background(), open(t)
	before, err := s.Computations(ctx, 1000)
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for i := range each {
				if err := s.AddComputation(ctx, computation(1000+w*each+i)); err != nil {
					t.Error(err)
				}
				if _, err := s.Computations(ctx, 5); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	after, err := s.Computations(ctx, 1000)
	if err != nil || len(after)-len(before) != writers*each {
		t.Errorf("%d rows more, want %d: %v", len(after)-len(before), writers*each, err)
	}
	again(t, s, open)
}

func cancelled(t *testing.T, open func(t *testing.T) Store) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	s := open(t)
	if err := s.AddComputation(ctx, computation(5000)); !errors.Is(err, context.Canceled) {
		t.Errorf("AddComputation: %v", err)
	}
	if _, err := s.Computations(ctx, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("Computations: %v", err)
	}
	again(t, s, open)
}

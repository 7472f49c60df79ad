package pool_test

import (
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/svc-platform/svc/sandbox/pool"
)

func TestPool(t *testing.T) {
	var dropped []int
	p := pool.New(2, func(v int) { dropped = append(dropped, v) })
	if _, ok := p.Get(); ok {
		t.Error("a new pool is not empty")
	}
	for v := range 3 {
		p.Put(v)
	}
	if v, ok := p.Get(); !ok || v != 1 {
		t.Errorf("got %d, %v; want the last one kept", v, ok)
	}
	p.Close()
	p.Put(1)
	if diff := cmp.Diff([]int{2, 0, 1}, dropped); diff != "" {
		t.Errorf("dropped (-want +got):\n%s", diff)
	}
}

// TestExclusive: no value is ever with two holders.
func TestExclusive(t *testing.T) {
	p := pool.New(4, func(*int) {})
	for range 4 {
		p.Put(new(int))
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 1000 {
				if v, ok := p.Get(); ok {
					if *v++; *v != 1 {
						t.Error("shared")
					}
					*v--
					p.Put(v)
				}
			}
		})
	}
	wg.Wait()
}

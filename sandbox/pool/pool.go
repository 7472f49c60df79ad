// Package pool keeps warm things that are costly to make and safe to use again:
// instances of guests that keep no state between calls.
package pool

import "sync"

// Pool hands out values, making new ones when none is idle. It is safe for
// concurrent use.
type Pool[T any] struct {
	mu     sync.Mutex
	idle   []T // the most recently used last: its memory is warm
	most   int
	closed bool
	drop   func(T)
}

// New makes a pool that keeps at most that many idle values and calls drop on
// each that it lets go.
func New[T any](most int, drop func(T)) *Pool[T] {
	return &Pool[T]{idle: make([]T, 0, most), most: most, drop: drop}
}

// Get returns an idle value, if there is one.
func (p *Pool[T]) Get() (v T, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := len(p.idle)
	if n == 0 {
		return v, false
	}
	var zero T
	v, p.idle[n-1] = p.idle[n-1], zero
	p.idle = p.idle[:n-1]
	return v, true
}

// Put gives a value back. Never put back what failed.
func (p *Pool[T]) Put(v T) {
	p.mu.Lock()
	if !p.closed && len(p.idle) < p.most {
		p.idle = append(p.idle, v)
		p.mu.Unlock()
		return
	}
	p.mu.Unlock()
	p.drop(v)
}

// Close lets all idle values go, and from now on everything that is put back.
func (p *Pool[T]) Close() {
	p.mu.Lock()
	idle := p.idle
	p.idle, p.closed = nil, true
	p.mu.Unlock()
	for _, v := range idle {
		p.drop(v)
	}
}

// Package caller says who is asking: the key behind a request, carried in its
// context from the door (host/route) to the domain.
package caller

import "context"

// Caller is whoever holds the key that came with the request. The zero value
// is a stranger.
type Caller struct {
	KeyID string // never the key itself
	Name  string // what the key was named when it was made
}

// Known tells whether the caller showed a valid key.
func (c Caller) Known() bool { return c.KeyID != "" }

type contextKey struct{}

// With returns a context that carries the caller.
func With(ctx context.Context, c Caller) context.Context {
	return context.WithValue(ctx, contextKey{}, c)
}

// From returns the caller of ctx, a stranger if there is none.
func From(ctx context.Context) Caller {
	c, _ := ctx.Value(contextKey{}).(Caller)
	return c
}

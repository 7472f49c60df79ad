package gateway

import (
	"context"
	"encoding/json"
	"time"
)

// Computation is one answered question, kept for the record.
type Computation struct {
	ID        string
	At        time.Time // to the millisecond, UTC
	Svcond    int64
	Query     string
	Hints     []string
	Precision *float64        // as asked for, nil if not
	State     json.RawMessage // as answered
}

// Journal keeps computations.
type Journal interface {
	// AddComputation stores one; it is on disk when this returns.
	AddComputation(ctx context.Context, c Computation) error
	// Computations lists the newest first, at most limit of them.
	Computations(ctx context.Context, limit int) ([]Computation, error)
}

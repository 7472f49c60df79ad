package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"time"

	"github.com/svc-platform/svc/host/gateway"
)

// AddComputation stores an answered question.
func (s *Store) AddComputation(ctx context.Context, c gateway.Computation) error {
	hints, err := json.Marshal(append([]string{}, c.Hints...)) // a list, also when there are none
	if err != nil {
		return fmt.Errorf("add computation %s: %w", c.ID, err)
	}
	_, err = s.write.ExecContext(ctx,
		`INSERT INTO computations (id, at, svcond, query, hints, precision, state) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
		c.ID, c.At.UnixMilli(), c.Svcond, c.Query, string(hints), c.Precision, string(c.State))
	if err != nil {
		return fmt.Errorf("add computation %s: %w", c.ID, err)
	}
	return nil
}

// Computations lists the newest first, at most limit of them.
func (s *Store) Computations(ctx context.Context, limit int) (list []gateway.Computation, err error) {
	rows, err := s.read.QueryContext(ctx,
		`SELECT id, at, svcond, query, hints, precision, state FROM computations ORDER BY seq DESC LIMIT $1`, max(0, limit))
	if err != nil {
		return nil, fmt.Errorf("list computations: %w", err)
	}
	defer func() { _ = rows.Close() }() // what matters is in rows.Err
	list = []gateway.Computation{}
	for rows.Next() {
		c, err := scanComputation(rows)
		if err != nil {
			return nil, fmt.Errorf("list computations: %w", err)
		}
		list = append(list, c)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("list computations: %w", err)
	}
	return list, nil
}

func scanComputation(rows *sql.Rows) (gateway.Computation, error) {
	var c gateway.Computation
	var at int64
	var hints, state string
	if err := rows.Scan(&c.ID, &at, &c.Svcond, &c.Query, &hints, &c.Precision, &state); err != nil {
		return c, err
	}
	c.At, c.State = time.UnixMilli(at).UTC(), json.RawMessage(state)
	return c, json.Unmarshal([]byte(hints), &c.Hints)
}

var _ gateway.Journal = (*Store)(nil)

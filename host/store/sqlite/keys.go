package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/svc-platform/svc/host/key"
)

// AddKey stores a new key's record.
func (s *Store) AddKey(ctx context.Context, r key.Record) error {
	_, err := s.write.ExecContext(ctx,
		`INSERT INTO keys (id, name, hash, created_at) VALUES ($1, $2, $3, $4)`,
		r.ID, r.Name, r.Hash[:], r.CreatedAt.UnixMilli())
	if err != nil {
		return fmt.Errorf("add key %s: %w", r.ID, err)
	}
	return nil
}

// KeyByHash finds the record of a key, or key.ErrNotFound.
func (s *Store) KeyByHash(ctx context.Context, h key.Hash) (key.Record, error) {
	var r key.Record
	var hash []byte
	var created int64
	err := s.read.QueryRowContext(ctx, `SELECT id, name, hash, created_at FROM keys WHERE hash = $1`, h[:]).
		Scan(&r.ID, &r.Name, &hash, &created)
	if errors.Is(err, sql.ErrNoRows) {
		return key.Record{}, key.ErrNotFound
	}
	if err != nil {
		return key.Record{}, fmt.Errorf("find key: %w", err)
	}
	copy(r.Hash[:], hash)
	r.CreatedAt = time.UnixMilli(created).UTC()
	return r, nil
}

// AnyKey tells whether there is at least one key.
func (s *Store) AnyKey(ctx context.Context) (bool, error) {
	var found bool
	if err := s.read.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM keys)`).Scan(&found); err != nil {
		return false, fmt.Errorf("look for keys: %w", err)
	}
	return found, nil
}

var _ key.Store = (*Store)(nil)

// Package sqlite keeps what the areas store in one SQLite file: one Go file
// for each area, one SQL file for each step of the schema.
package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime"

	sqlite3 "github.com/mattn/go-sqlite3"
)

// Store is an open database. It is safe for concurrent use.
type Store struct {
	write *sql.DB // one connection: SQLite has one writer, and queueing here beats SQLITE_BUSY
	read  *sql.DB // many: in WAL mode readers never wait for the writer
}

// Open opens the database at path, makes it where there is none, and brings
// its schema up to date. An error names the file and what to do.
func Open(ctx context.Context, path string) (*Store, error) {
	if err := create(path); err != nil {
		return nil, err
	}
	s := &Store{}
	var err error
	if s.write, err = connect(path, "", 1); err != nil {
		return nil, err
	}
	if s.read, err = connect(path, "&_query_only=1", max(4, runtime.NumCPU())); err != nil {
		return nil, errors.Join(err, s.write.Close())
	}
	if err := migrate(ctx, s.write); err != nil {
		return nil, errors.Join(explain(err, path), s.Close())
	}
	return s, nil
}

// Close ends all connections; the last one folds the write-ahead log back in.
func (s *Store) Close() error { return errors.Join(s.read.Close(), s.write.Close()) }

// create makes the file before SQLite does, for nobody else to read. The log
// files beside it inherit its mode.
func create(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("database %s: make its folder, or give another path: %w", path, err)
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return fmt.Errorf("database %s: make it writable, or give another path: %w", path, err)
	}
	return f.Close()
}

// connect opens a pool. busy_timeout comes first, so that the pragmas after it
// wait too. synchronous=FULL costs one fsync for each commit, and for that an
// acknowledged row survives a power cut and not only a crash of the process;
// what writes much must write in batches.
func connect(path, more string, connections int) (*sql.DB, error) {
	const pragmas = "_busy_timeout=5000&_journal_mode=WAL&_synchronous=FULL&_foreign_keys=1&_txlock=immediate"
	file := url.URL{Scheme: "file", Opaque: url.PathEscape(path), RawQuery: pragmas + more}
	db, err := sql.Open("sqlite3", file.String())
	if err != nil {
		return nil, fmt.Errorf("database %s: %w", path, err)
	}
	db.SetMaxOpenConns(connections)
	db.SetMaxIdleConns(connections)
	return db, nil
}

// explain turns SQLite's codes into advice.
func explain(err error, path string) error {
	var code sqlite3.Error
	if !errors.As(err, &code) {
		return fmt.Errorf("database %s: %w", path, err)
	}
	advice := "cannot be used"
	switch code.Code {
	case sqlite3.ErrNotADB, sqlite3.ErrCorrupt:
		advice = "is damaged or not a database: restore a backup, or move the file away to start empty"
	case sqlite3.ErrReadonly, sqlite3.ErrCantOpen, sqlite3.ErrPerm:
		advice = "cannot be written: make the file and its folder writable, or give another path"
	case sqlite3.ErrBusy, sqlite3.ErrLocked:
		advice = "is locked: is another process using it?"
	case sqlite3.ErrFull, sqlite3.ErrIoErr:
		advice = "cannot be written: is the disk full?"
	}
	return fmt.Errorf("database %s %s: %w", path, advice, err)
}

package sqlite

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/svc-platform/svc/host/key"
	"github.com/svc-platform/svc/host/store/storetest"
)

func open(t *testing.T, path string) *Store {
	t.Helper()
	s, err := Open(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() }) // a second Close is harmless
	return s
}

func TestSuite(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a folder", "100% of?it#.db") // made, and escaped
	storetest.Run(t, func(t *testing.T) storetest.Store { return open(t, path) })
	if _, err := os.Stat(path); err != nil {
		t.Error(err)
	}
}

func TestOnlyTheOwnerReads(t *testing.T) {
	path := filepath.Join(t.TempDir(), "svc.db")
	s := open(t, path)
	if err := s.AddKey(context.Background(), key.Record{ID: "key_a"}); err != nil {
		t.Fatal(err)
	}
	for _, suffix := range []string{"", "-wal", "-shm"} {
		info, err := os.Stat(path + suffix)
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%q: %v, %v", suffix, info.Mode(), err)
		}
	}
}

func TestPragmas(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "svc.db"))
	for name, want := range map[string]string{"journal_mode": "wal", "synchronous": "2", "busy_timeout": "5000", "foreign_keys": "1", "user_version": "2"} {
		for side, db := range map[string]*sql.DB{"write": s.write, "read": s.read} {
			var got string
			if err := db.QueryRow("PRAGMA " + name).Scan(&got); err != nil || got != want {
				t.Errorf("%s: %s is %q, want %q: %v", side, name, got, want, err)
			}
		}
	}
	if _, err := s.read.Exec("DELETE FROM keys"); err == nil {
		t.Error("the readers can write")
	}
}

func TestOpenRefuses(t *testing.T) {
	healthy := filepath.Join(t.TempDir(), "svc.db")
	s := open(t, healthy)
	if err := s.AddKey(context.Background(), key.Record{ID: "key_a", Name: strings.Repeat("x", 20_000)}); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(healthy)
	if err != nil {
		t.Fatal(err)
	}
	scrambled := bytes.Clone(content)
	copy(scrambled[100:], bytes.Repeat([]byte{0xAA}, 3000)) // the page that holds the schema
	tests := []struct {
		name string
		make func(path string) error
		want string
	}{
		{"text", func(p string) error { return os.WriteFile(p, bytes.Repeat([]byte("hello\n"), 2000), 0o600) }, "is damaged or not a database"},
		{"scrambled", func(p string) error { return os.WriteFile(p, scrambled, 0o600) }, "is damaged or not a database"},
		{"cut short", func(p string) error { return os.WriteFile(p, content[:len(content)/2], 0o600) }, "is damaged or not a database"},
		{"a folder", func(p string) error { return os.Mkdir(p, 0o700) }, "make it writable"},
		{"below a file", func(p string) error { return os.WriteFile(filepath.Dir(p)+"/sub", nil, 0o600) }, "make its folder"},
		{"of another program", func(p string) error { return execute(p, "CREATE TABLE theirs (x)") }, "belongs to another program"},
		{"marked by another program", func(p string) error { return execute(p, "PRAGMA application_id = 7") }, "belongs to another program"},
		{"of a newer version", func(p string) error {
			return errors.Join(os.WriteFile(p, content, 0o600), execute(p, "PRAGMA user_version = 99"))
		}, "newer version (schema 99"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "svc.db")
			if err := tt.make(path); err != nil {
				t.Fatal(err)
			}
			if tt.name == "below a file" {
				path = filepath.Dir(path) + "/sub/svc.db"
			}
			s, err := Open(context.Background(), path)
			if err == nil {
				t.Fatal("opened", s.Close())
			}
			if !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), path) {
				t.Errorf("%v\nwant %q and the path", err, tt.want)
			}
		})
	}
}

// execute runs SQL on a file that is not ours.
func execute(path, statement string) error {
	db, err := sql.Open("sqlite3", path)
	if err != nil {
		return err
	}
	_, err = db.Exec(statement)
	return errors.Join(err, db.Close())
}

func TestKeysAreNotInTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "svc.db")
	s := open(t, path)
	secret, _, err := key.New("", s).Mint(context.Background(), "laptop")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := key.New("", s).Authenticate(context.Background(), secret); err != nil {
		t.Error(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(content, []byte(strings.TrimPrefix(secret, key.Prefix))) || !bytes.Contains(content, []byte("laptop")) {
		t.Error("the file holds the key, or not its record")
	}
}

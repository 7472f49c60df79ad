package key

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/svc-platform/svc/host/fault"
)

// memory is a Store that can fail and counts its lookups.
type memory struct {
	records map[Hash]Record
	fail    error
	lookups int
}

func (m *memory) AddKey(_ context.Context, r Record) error {
	if m.fail == nil {
		m.records[r.Hash] = r
	}
	return m.fail
}

func (m *memory) KeyByHash(_ context.Context, h Hash) (Record, error) {
	m.lookups++
	r, ok := m.records[h]
	if !ok && m.fail == nil {
		return Record{}, ErrNotFound
	}
	return r, m.fail
}

func (m *memory) AnyKey(context.Context) (bool, error) { return len(m.records) > 0, m.fail }

func newMemory() *memory { return &memory{records: map[Hash]Record{}} }

func TestAuthenticateConfigured(t *testing.T) {
	k := New(" alpha, beta ,,gamma", newMemory())
	for secret, good := range map[string]bool{
		"alpha": true, "beta": true, "gamma": true,
		"": false, "alph": false, "alphaa": false, "ALPHA": false, " alpha": false, "alpha, beta": false,
		strings.Repeat("x", maxLength+1): false,
	} {
		who, err := k.Authenticate(context.Background(), secret)
		if (err == nil) != good || who.Known() != good {
			t.Errorf("%.20q: %+v, %v", secret, who, err)
		}
		if err != nil && fault.KindOf(err) != fault.Unauthenticated {
			t.Errorf("%.20q: kind %q", secret, fault.KindOf(err))
		}
		if good && strings.Contains(who.KeyID+who.Name, secret) {
			t.Errorf("%q shows in %+v", secret, who)
		}
	}
}

func TestMint(t *testing.T) {
	ctx, store := context.Background(), newMemory()
	k := New("", store)
	secret, r, err := k.Mint(ctx, "laptop")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(secret, Prefix) || len(secret) < len(Prefix)+26 {
		t.Errorf("key %q", secret)
	}
	if strings.Contains(r.ID+r.Name+string(r.Hash[:]), strings.TrimPrefix(secret, Prefix)) {
		t.Error("the record holds the key itself")
	}
	for range 3 {
		who, err := k.Authenticate(ctx, secret)
		if err != nil || who.KeyID != r.ID || who.Name != "laptop" {
			t.Fatalf("%+v, %v", who, err)
		}
	}
	if store.lookups != 1 {
		t.Errorf("%d lookups for three requests, want 1", store.lookups)
	}
	other, _, err := k.Mint(ctx, "laptop")
	if err != nil || other == secret {
		t.Errorf("the same key twice, or %v", err)
	}
	if who, err := New("", store).Authenticate(ctx, secret); err != nil || who.KeyID != r.ID {
		t.Errorf("after a restart: %+v, %v", who, err)
	}
}

func TestFirst(t *testing.T) {
	ctx, store := context.Background(), newMemory()
	if secret, err := New("alpha", store).First(ctx); secret != "" || err != nil {
		t.Errorf("with a configured key: %q, %v", secret, err)
	}
	k := New("", store)
	secret, err := k.First(ctx)
	if err != nil || secret == "" {
		t.Fatalf("%q, %v", secret, err)
	}
	if _, err := k.Authenticate(ctx, secret); err != nil {
		t.Error(err)
	}
	if again, err := New("", store).First(ctx); again != "" || err != nil {
		t.Errorf("a second time: %q, %v", again, err)
	}
}

func TestStoreFails(t *testing.T) {
	ctx, store := context.Background(), newMemory()
	store.fail = errors.New("disk on fire")
	k := New("", store)
	if _, err := k.Authenticate(ctx, "svc_x"); fault.KindOf(err) != fault.Internal || !errors.Is(err, store.fail) {
		t.Errorf("Authenticate: %v", err)
	}
	if _, _, err := k.Mint(ctx, "a"); fault.KindOf(err) != fault.Internal {
		t.Errorf("Mint: %v", err)
	}
	if secret, err := k.First(ctx); err == nil || secret != "" {
		t.Errorf("First: %q, %v", secret, err)
	}
}

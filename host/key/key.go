// Package key knows the API keys of the node: those of its configuration and
// those it made itself. Of the latter it keeps only a SHA-256. That is enough,
// and a slow password hash would be wrong: a key made here has 128 random bits,
// which nobody guesses at any speed, and it is checked on every request.
package key

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"strings"
	"sync"
	"time"

	"github.com/svc-platform/svc/host/caller"
	"github.com/svc-platform/svc/host/fault"
)

// Prefix starts every key that is made here, so that people and scanners
// recognise one that leaked.
const Prefix = "svc_"

// maxLength is the longest key that is looked at, in bytes.
const maxLength = 512

// Hash is the SHA-256 of a key.
type Hash [sha256.Size]byte

// Record is what is stored of a key. The key itself is not.
type Record struct {
	ID        string
	Name      string
	Hash      Hash
	CreatedAt time.Time // to the millisecond, UTC
}

// ErrNotFound is what a Store says of a hash that it does not have.
var ErrNotFound = errors.New("no such key")

// Store keeps records.
type Store interface {
	// AddKey stores a new record.
	AddKey(ctx context.Context, r Record) error
	// KeyByHash finds a record, or ErrNotFound.
	KeyByHash(ctx context.Context, h Hash) (Record, error)
	// AnyKey tells whether there is at least one record.
	AnyKey(ctx context.Context) (bool, error)
}

// Keys checks and makes keys. It is safe for concurrent use.
type Keys struct {
	configured []Hash
	store      Store

	mu   sync.RWMutex
	seen map[Hash]caller.Caller // stored keys that were found good
}

// New takes the configured keys as one comma-separated list, the form of
// SVC_API_KEYS, and the store of the others.
func New(configured string, store Store) *Keys {
	k := &Keys{store: store, seen: map[Hash]caller.Caller{}}
	for _, secret := range strings.Split(configured, ",") {
		if secret = strings.TrimSpace(secret); secret != "" {
			k.configured = append(k.configured, sha256.Sum256([]byte(secret)))
		}
	}
	return k
}

// Authenticate says whose key this is. A key that nobody has is an error of
// kind fault.Unauthenticated.
func (k *Keys) Authenticate(ctx context.Context, secret string) (caller.Caller, error) {
	if secret == "" || len(secret) > maxLength {
		return caller.Caller{}, fault.New(fault.Unauthenticated, "not a key")
	}
	h := Hash(sha256.Sum256([]byte(secret)))
	if k.isConfigured(h) {
		return caller.Caller{KeyID: "env_" + hex.EncodeToString(h[:4]), Name: "configured"}, nil
	}
	k.mu.RLock()
	who, ok := k.seen[h]
	k.mu.RUnlock()
	if ok {
		return who, nil
	}
	return k.lookUp(ctx, h)
}

// isConfigured compares with every configured key, so that the time it takes
// says nothing about any of them.
func (k *Keys) isConfigured(h Hash) bool {
	found := 0
	for _, known := range k.configured {
		found |= subtle.ConstantTimeCompare(known[:], h[:])
	}
	return found == 1
}

func (k *Keys) lookUp(ctx context.Context, h Hash) (caller.Caller, error) {
	r, err := k.store.KeyByHash(ctx, h)
	if errors.Is(err, ErrNotFound) || (err == nil && subtle.ConstantTimeCompare(r.Hash[:], h[:]) != 1) {
		return caller.Caller{}, fault.New(fault.Unauthenticated, "no such key")
	}
	if err != nil {
		return caller.Caller{}, fault.Wrap(err, "look up a key")
	}
	who := caller.Caller{KeyID: r.ID, Name: r.Name}
	k.mu.Lock()
	k.seen[h] = who
	k.mu.Unlock()
	return who, nil
}

// Mint makes a key and stores its hash. The key itself is returned here and
// never again.
func (k *Keys) Mint(ctx context.Context, name string) (secret string, r Record, err error) {
	secret = Prefix + rand.Text()
	r = Record{
		ID:        "key_" + strings.ToLower(rand.Text()[:16]),
		Name:      name,
		Hash:      sha256.Sum256([]byte(secret)),
		CreatedAt: time.Now().UTC().Truncate(time.Millisecond),
	}
	if err := k.store.AddKey(ctx, r); err != nil {
		return "", Record{}, fault.Wrap(err, "store a key")
	}
	return secret, r, nil
}

// First mints a key where there is none at all, neither configured nor stored,
// and returns it to be shown once. Otherwise it returns "".
func (k *Keys) First(ctx context.Context) (secret string, err error) {
	if len(k.configured) > 0 {
		return "", nil
	}
	if some, err := k.store.AnyKey(ctx); err != nil || some {
		return "", err
	}
	secret, _, err = k.Mint(ctx, "first")
	return secret, err
}

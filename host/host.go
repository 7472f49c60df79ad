// Package host wires the areas of the HTTP API to the sandbox, the plugins and
// the store. It is the only place that knows all of them.
package host

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"time"

	"github.com/svc-platform/svc/host/execute"
	"github.com/svc-platform/svc/host/forensic"
	"github.com/svc-platform/svc/host/gateway"
	"github.com/svc-platform/svc/host/health"
	"github.com/svc-platform/svc/host/key"
	"github.com/svc-platform/svc/host/protocol"
	"github.com/svc-platform/svc/host/route"
	"github.com/svc-platform/svc/host/store/sqlite"
)

// openAPIVersion is the version of the machine description, by the interface.
const openAPIVersion = "1.287.0"

// Host is a running node.
type Host struct {
	core     *Core
	store    *sqlite.Store
	router   *route.Router
	firstKey string
}

// New opens the data folder, loads all modules and wires the routes. On an
// error nothing stays open.
func New(ctx context.Context, cfg Config) (_ *Host, err error) {
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	started := time.Now()
	h := &Host{}
	defer func() {
		if err != nil {
			err = errors.Join(err, h.Close(context.WithoutCancel(ctx)))
		}
	}()
	if err := os.MkdirAll(cfg.DataDir, 0o700); err != nil {
		return nil, fmt.Errorf("the data folder cannot be made: %w", err)
	}
	if h.store, err = sqlite.Open(ctx, filepath.Join(cfg.DataDir, "svc.db")); err != nil {
		return nil, err
	}
	keys := key.New(cfg.Keys, h.store)
	if h.firstKey, err = keys.First(ctx); err != nil {
		return nil, err
	}
	if h.core, err = OpenCore(ctx, CoreConfig{CacheDir: CacheDir(cfg.DataDir), Progress: cfg.Progress}); err != nil {
		return nil, err
	}
	h.router = route.New(route.Config{Title: "svc", Version: openAPIVersion, Keys: keys, Log: cfg.Log})
	if err := h.register(cfg.Log, started); err != nil {
		return nil, err
	}
	return h, nil
}

// register is the one list of areas.
func (h *Host) register(log *slog.Logger, started time.Time) error {
	catalog, err := gateway.NewCatalog(gatewayOperators(h.core.Registry))
	if err != nil {
		return err
	}
	processor := &processor{protocol: NewProtocol(h.core), now: time.Now}
	if err := gateway.Register(h.router, catalog, gateway.NewDesk(processor, h.store)); err != nil {
		return err
	}
	health.Register(h.router, func() time.Duration { return time.Since(started) })
	forensic.Register(h.router, scorers{h.core}, log)
	execute.Register(h.router, runner{h.core}, log)
	return nil
}

// NewProtocol makes the seven steps over a core's operators.
func NewProtocol(c *Core) *protocol.Protocol {
	return protocol.New(protocol.Config{Catalogue: operators{c}, Runner: operators{c}})
}

// FirstKey is the key that this start minted, to be shown once; else "".
func (h *Host) FirstKey() string { return h.firstKey }

// Routes lists the operations that are served.
func (h *Host) Routes() []route.Route { return h.router.Routes() }

// Router is the host's door, for measurements and tests.
func (h *Host) Router() *route.Router { return h.router }

// Serve answers requests on ln until ctx ends, then lets those in flight finish.
func (h *Host) Serve(ctx context.Context, ln net.Listener) error { return h.router.Serve(ctx, ln) }

// Close ends all guests and closes the store. Call it after Serve returned.
func (h *Host) Close(ctx context.Context) error {
	var errs []error
	if h.core != nil {
		errs = append(errs, h.core.Close(ctx))
	}
	if h.store != nil {
		errs = append(errs, h.store.Close())
	}
	return errors.Join(errs...)
}

package host

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/svc-platform/svc/host/fault"
	"github.com/svc-platform/svc/plugins/abi"
	"github.com/svc-platform/svc/plugins/builtin"
	"github.com/svc-platform/svc/plugins/registry"
	"github.com/svc-platform/svc/sandbox/engine"
	"github.com/svc-platform/svc/sandbox/engine/wazero"
	"github.com/svc-platform/svc/sandbox/lang"
	langs "github.com/svc-platform/svc/sandbox/lang/builtin"
	"github.com/svc-platform/svc/sandbox/meter"
	"github.com/svc-platform/svc/sandbox/wasi"
)

// Core is the part of the host that runs guests, without HTTP and without a
// database. The command line works on it directly.
type Core struct {
	Engine    engine.Engine
	Registry  *registry.Registry
	Languages map[string]lang.Runtime // by name

	// calls is held for reading by every call in flight: an engine must not be
	// closed under a running guest.
	calls  sync.RWMutex
	closed bool
	slots  chan struct{} // one for each program that may run at a time
}

// programsPerCPU is how many programs and scorers run at a time for each
// processor: each may take its whole memory limit, so strangers must not be
// able to start any number of them.
const programsPerCPU = 4

// patience is how long a program waits for its turn.
const patience = 15 * time.Second

// errBusy is what a program gets whose turn did not come.
var errBusy = fault.New(fault.Unavailable, "too many programs are running: try again in a few seconds").WithCode("busy")

// admit waits for a slot to run a program in; release must follow. The error
// is errBusy, errClosed, or that of the context.
func (c *Core) admit(ctx context.Context) (release func(), err error) {
	turn := time.NewTimer(patience)
	defer turn.Stop()
	select {
	case c.slots <- struct{}{}:
	case <-turn.C:
		return nil, errBusy
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if err := c.enter(); err != nil {
		<-c.slots
		return nil, err
	}
	return func() { c.leave(); <-c.slots }, nil
}

// errClosed is what calls get after Close.
var errClosed = fault.New(fault.Unavailable, "the host is shutting down: try again in a few seconds")

// enter begins a call on a guest; leave must follow.
func (c *Core) enter() error {
	c.calls.RLock()
	if c.closed {
		c.calls.RUnlock()
		return errClosed
	}
	return nil
}

func (c *Core) leave() { c.calls.RUnlock() }

// CoreConfig says what a core consists of.
type CoreConfig struct {
	// CacheDir keeps compiled modules between starts; "" keeps nothing.
	CacheDir string
	// Plugin tells which built-in modules to load, by file name; nil: all.
	Plugin func(file string) bool
	// Language tells which languages to load, by name; nil: all.
	Language func(name string) bool
	// Progress hears of each module that is ready; it may be nil.
	Progress func(done, total int, name string)
}

// Nothing selects no plugin or language.
func Nothing(string) bool { return false }

// OnlyOperators selects the built-in modules of the catalogue.
func OnlyOperators(file string) bool { return strings.HasPrefix(file, "operators-") }

// OpenCore starts the engine and loads the selected modules, as many at a time
// as there are processors.
func OpenCore(ctx context.Context, cfg CoreConfig) (*Core, error) {
	if cfg.CacheDir != "" {
		if err := os.MkdirAll(cfg.CacheDir, 0o700); err != nil {
			return nil, fmt.Errorf("the cache folder cannot be made: %w", err)
		}
	}
	e, err := wazero.New(ctx, wazero.Config{
		HostFuncs: append(wasi.Functions(), langs.HostFuncs()...),
		CacheDir:  cfg.CacheDir,
	})
	if err != nil {
		return nil, err
	}
	c := &Core{
		Engine:    e,
		Registry:  registry.New(registry.Config{Engine: e, ABIs: abi.All(), Limits: meter.DefaultOptions()}),
		Languages: map[string]lang.Runtime{},
		slots:     make(chan struct{}, programsPerCPU*runtime.GOMAXPROCS(0)),
	}
	tasks, err := c.tasks(cfg)
	if err == nil {
		err = runAll(ctx, tasks, cfg.Progress)
	}
	if err != nil {
		return nil, errors.Join(err, c.Close(ctx))
	}
	return c, nil
}

// task loads one thing.
type task struct {
	name string
	do   func(context.Context) error
}

func (c *Core) tasks(cfg CoreConfig) ([]task, error) {
	generation, err := builtin.Load()
	if err != nil {
		return nil, err
	}
	var mu sync.Mutex // guards c.Languages
	var tasks []task
	for _, l := range langs.Languages() {
		if cfg.Language == nil || cfg.Language(l.Name) {
			tasks = append(tasks, task{l.Name, func(ctx context.Context) error {
				r, err := l.Load(ctx, c.Engine)
				if err != nil {
					return err
				}
				mu.Lock()
				defer mu.Unlock()
				c.Languages[l.Name] = r
				return nil
			}})
		}
	}
	for _, m := range generation.Modules {
		if cfg.Plugin == nil || cfg.Plugin(m.File) {
			tasks = append(tasks, task{strings.TrimSuffix(m.File, ".wasm"), func(ctx context.Context) error { return c.loadBuiltin(ctx, m) }})
		}
	}
	return tasks, nil
}

func (c *Core) loadBuiltin(ctx context.Context, m builtin.Entry) error {
	wasm, err := m.Wasm()
	if err != nil {
		return err
	}
	_, err = c.Registry.Load(ctx, wasm, registry.Origin{Source: "built-in", Name: m.File, Digest: m.Digest})
	return err
}

// runAll runs the tasks in parallel and returns the errors of those that failed.
func runAll(ctx context.Context, tasks []task, progress func(done, total int, name string)) error {
	var mu sync.Mutex
	var wg sync.WaitGroup
	var errs []error
	done := 0
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	for _, t := range tasks {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			err := t.do(ctx)
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				errs = append(errs, err)
				return
			}
			done++
			if progress != nil {
				progress(done, len(tasks), t.name)
			}
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}

// Close waits for the calls in flight, whose contexts should have ended, and
// then ends everything that the core runs.
func (c *Core) Close(ctx context.Context) error {
	c.calls.Lock()
	defer c.calls.Unlock()
	c.closed = true
	var errs []error
	for _, r := range c.Languages {
		errs = append(errs, r.Close(ctx))
	}
	return errors.Join(append(errs, c.Registry.Close(ctx), c.Engine.Close(ctx))...)
}

// CacheDir is where the compiled modules of a data folder are kept.
func CacheDir(data string) string { return filepath.Join(data, "cache") }

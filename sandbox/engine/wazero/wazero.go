// Package wazero is the default engine: wazero, pure Go, compiling to machine
// code where it can. Its own deadline checks stay off; the metering pass does
// that work.
package wazero

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/svc-platform/svc/sandbox"
	"github.com/svc-platform/svc/sandbox/engine"
	"github.com/svc-platform/svc/sandbox/meter"
)

// Name is the engine with the version that go.mod pins; a test compares the two.
const Name = "wazero 1.12.0"

// Config says how an engine is built.
type Config struct {
	// HostFuncs are all functions that guests may import. Which module may
	// import which is decided when it is metered.
	HostFuncs []engine.HostFunc
	// CacheDir keeps compiled machine code between runs; "" keeps it in
	// memory. Entries are keyed by the digest of the metered module, so a new
	// schedule or a new wazero never meets old code. The folder must be
	// writable by the host alone: what is in it is run.
	CacheDir string
}

// Engine is a wazero runtime with the host functions in place.
type Engine struct {
	runtime  wazero.Runtime
	cache    wazero.CompilationCache
	cacheDir string
	epoch    time.Time
}

// New starts an engine.
func New(ctx context.Context, cfg Config) (*Engine, error) {
	e := &Engine{cache: wazero.NewCompilationCache(), cacheDir: cfg.CacheDir, epoch: time.Now()}
	if cfg.CacheDir != "" {
		cache, err := wazero.NewCompilationCacheWithDir(cfg.CacheDir)
		if err != nil {
			return nil, fmt.Errorf("the compilation cache %s cannot be used: %w", cfg.CacheDir, err)
		}
		e.cache = cache
	}
	e.runtime = wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfig().
		WithCoreFeatures(api.CoreFeaturesV2).
		WithCompilationCache(e.cache).
		WithDebugInfoEnabled(false))
	if err := e.define(ctx, cfg.HostFuncs); err != nil {
		_ = e.Close(ctx)
		return nil, err
	}
	return e, nil
}

// define makes one wazero host module for each module name among the functions.
func (e *Engine) define(ctx context.Context, funcs []engine.HostFunc) error {
	i64 := []meter.ValueType{meter.I64}
	tick := engine.HostFunc{
		Module: meter.TickModule, Name: meter.TickName, Type: meter.FuncType{Params: i64, Results: i64},
		Func: (*engine.Call).Tick,
	}
	builders := map[string]wazero.HostModuleBuilder{}
	var names []string
	for _, f := range append([]engine.HostFunc{tick}, funcs...) {
		b, ok := builders[f.Module]
		if !ok {
			b = e.runtime.NewHostModuleBuilder(f.Module)
			builders[f.Module] = b
			names = append(names, f.Module)
		}
		b.NewFunctionBuilder().
			WithGoModuleFunction(hostFunc(f), valueTypes(f.Type.Params), valueTypes(f.Type.Results)).
			Export(f.Name)
	}
	for _, name := range names {
		if _, err := builders[name].Instantiate(ctx); err != nil {
			return fmt.Errorf("host module %q: %w", name, err)
		}
	}
	return nil
}

// hostFunc puts the price in front of the function. The call's context is ours,
// so finding the caller is a type assertion, not a lookup.
func hostFunc(f engine.HostFunc) api.GoModuleFunc {
	do, price := f.Func, f.Price
	return func(ctx context.Context, _ api.Module, stack []uint64) {
		c := ctx.(*callContext).call
		c.Enter(price)
		do(c, stack)
	}
}

func valueTypes(ts []meter.ValueType) []api.ValueType {
	out := make([]api.ValueType, len(ts))
	for i, t := range ts {
		out[i] = api.ValueType(t)
	}
	return out
}

// Name implements engine.Engine.
func (e *Engine) Name() string { return Name }

// Compile implements engine.Engine. A compile cache that is damaged (a crash, a
// full disk) is emptied and made anew: it is no fault of the module's.
func (e *Engine) Compile(ctx context.Context, m *meter.Module) (engine.Module, error) {
	compiled, err := e.runtime.CompileModule(ctx, m.Wasm)
	if err != nil && e.cacheDir != "" && strings.HasPrefix(err.Error(), "compilationcache:") {
		if err = emptyCache(e.cacheDir); err == nil {
			compiled, err = e.runtime.CompileModule(ctx, m.Wasm)
		}
	}
	var file *fs.PathError
	switch {
	case errors.As(err, &file):
		return nil, &sandbox.Trap{Kind: sandbox.HostFault, Message: "the compile cache cannot be used: " + file.Error(), Err: err}
	case err != nil:
		return nil, &sandbox.Trap{Kind: sandbox.InvalidModule, Message: firstLine(err), Err: err}
	}
	return &module{engine: e, compiled: compiled, info: m}, nil
}

// emptyCache removes the entries of a cache and leaves its folders.
func emptyCache(dir string) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) || err == nil && d.IsDir() {
			return nil
		}
		if err != nil {
			return err
		}
		if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	})
}

// Close implements engine.Engine.
func (e *Engine) Close(ctx context.Context) error {
	err := e.runtime.Close(ctx)
	if cerr := e.cache.Close(ctx); err == nil {
		err = cerr
	}
	return err
}

var _ engine.Engine = (*Engine)(nil)

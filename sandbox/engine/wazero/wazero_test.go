package wazero_test

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/svc-platform/svc/sandbox/engine"
	"github.com/svc-platform/svc/sandbox/engine/enginetest"
	"github.com/svc-platform/svc/sandbox/engine/wazero"
	"github.com/svc-platform/svc/sandbox/wasmtest"
)

func newEngine(t testing.TB, funcs []engine.HostFunc) engine.Engine {
	t.Helper()
	e, err := wazero.New(context.Background(), wazero.Config{HostFuncs: funcs})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close(context.Background()) })
	return e
}

func TestEngine(t *testing.T) { enginetest.Run(t, newEngine) }

// TestName: the name states the version that is linked.
func TestName(t *testing.T) {
	mod, err := os.ReadFile("../../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	want := "github.com/tetratelabs/wazero v" + strings.TrimPrefix(wazero.Name, "wazero ")
	if !slices.ContainsFunc(strings.Split(string(mod), "\n"), func(line string) bool {
		line, _, _ = strings.Cut(line, " //")
		return strings.TrimSpace(line) == want
	}) {
		t.Errorf("go.mod does not say %q", want)
	}
}

// TestCacheDir: what one engine compiled, the next finds on disk; a folder that
// cannot be used is an error that names it.
func TestCacheDir(t *testing.T) {
	dir := t.TempDir()
	for range 2 {
		e, err := wazero.New(t.Context(), wazero.Config{CacheDir: dir})
		if err != nil {
			t.Fatal(err)
		}
		l := enginetest.Limits()
		if err := runGuest(t.Context(), e, wasmtest.Module{Funcs: []wasmtest.Func{{Name: "f"}}}.Encode(), l, nil); err != nil {
			t.Error(err)
		}
		if err := e.Close(t.Context()); err != nil {
			t.Error(err)
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 {
		t.Errorf("the cache holds %v, %v", entries, err)
	}
	file := dir + "/file"
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := wazero.New(t.Context(), wazero.Config{CacheDir: file}); err == nil || !strings.Contains(err.Error(), file) {
		t.Errorf("a file as cache folder: %v", err)
	}
}

// TestDamagedCache: entries that were cut or overwritten are compiled again.
func TestDamagedCache(t *testing.T) {
	dir := t.TempDir()
	wasm := wasmtest.Module{Funcs: []wasmtest.Func{{Name: "f"}}}.Encode()
	compileOnce := func() {
		t.Helper()
		e, err := wazero.New(t.Context(), wazero.Config{CacheDir: dir})
		if err != nil {
			t.Fatal(err)
		}
		if err := runGuest(t.Context(), e, wasm, enginetest.Limits(), nil); err != nil {
			t.Error(err)
		}
		if err := e.Close(t.Context()); err != nil {
			t.Error(err)
		}
	}
	compileOnce()
	for _, damage := range []func(old []byte) []byte{
		func([]byte) []byte { return nil },
		func(old []byte) []byte { return old[:len(old)/2] },
		func(old []byte) []byte { return append(old[:len(old)-9], "something"...) },
		func([]byte) []byte { return []byte("not what was here, and long enough for a header of any kind") },
	} {
		entries, err := filepath.Glob(filepath.Join(dir, "*", "*"))
		if err != nil || len(entries) != 1 {
			t.Fatalf("the cache holds %v, %v", entries, err)
		}
		old, err := os.ReadFile(entries[0])
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(entries[0], damage(old), 0o600); err != nil {
			t.Fatal(err)
		}
		compileOnce()
	}
}

// TestReferencesAllocateNothing: wazero makes an object for every ref.func that
// runs, which only the end of the instance frees; the pass must not let it.
func TestReferencesAllocateNothing(t *testing.T) {
	loop := wasmtest.Module{
		Table: []uint32{1}, Elements: []uint32{0},
		Funcs: []wasmtest.Func{{Name: "f", Params: []byte{wasmtest.I32}, Code: wasmtest.Cat(
			0x03, 0x40, 0xd2, 0, 0x1a, wasmtest.Op(0x20, 0), wasmtest.I32Const(1), 0x6b, wasmtest.Op(0x22, 0), wasmtest.Op(0x0d, 0), 0x0b)}},
	}.Encode()
	e := newEngine(t, nil)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if err := runGuest(t.Context(), e, loop, enginetest.Limits(), []uint64{1_000_000}); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	// Compiling and instantiating take some; a million objects take tens of megabytes.
	if got := after.TotalAlloc - before.TotalAlloc; got > 8<<20 {
		t.Errorf("%d bytes allocated for a million references", got)
	}
}

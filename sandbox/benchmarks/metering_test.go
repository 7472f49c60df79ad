package benchmarks

import (
	"context"
	"fmt"
	"math"
	"os"
	"sort"
	"testing"
	"time"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/svc-platform/svc/sandbox"
	"github.com/svc-platform/svc/sandbox/engine"
	engwazero "github.com/svc-platform/svc/sandbox/engine/wazero"
	"github.com/svc-platform/svc/sandbox/meter"
)

// kernels and the size at which each runs some milliseconds.
var kernels = []struct {
	name string
	size uint64
}{
	{"fib", 27},
	{"sieve", 1_000_000},
	{"matmul", 120},
	{"mandelbrot", 150},
	{"quicksort", 100_000},
	{"sha256", 3_000},
	{"interpreter", 2_000_000},
	{"crc32", 300_000},
	{"nbody", 20_000},
}

func kernelModule(t testing.TB) []byte {
	t.Helper()
	wasm, err := dist.ReadFile("dist/kernels.wasm")
	if err != nil {
		t.Fatal("kernels.wasm is not built: run 'make generate'")
	}
	return wasm
}

// kernelLimits never end a kernel.
func kernelLimits() sandbox.Limits {
	return sandbox.Limits{Fuel: 1 << 60, MemoryPages: 1024, TableElements: 100, Wall: time.Hour}
}

// metered returns a function that runs a kernel under the metering pass.
func metered(t testing.TB, wasm []byte) func(name string, n uint64) (uint64, sandbox.Usage) {
	t.Helper()
	ctx := context.Background()
	m, err := meter.Rewrite(wasm, meter.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	e, err := engwazero.New(ctx, engwazero.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close(ctx) })
	mod, err := e.Compile(ctx, m)
	if err != nil {
		t.Fatal(err)
	}
	inst, err := mod.Instantiate(ctx, engine.NewBudget(kernelLimits()), nil)
	if err != nil {
		t.Fatal(err)
	}
	b := engine.NewBudget(kernelLimits())
	return func(name string, n uint64) (uint64, sandbox.Usage) {
		f, err := inst.Func(name)
		if err != nil {
			t.Fatal(err)
		}
		b.Reset(kernelLimits())
		stack := []uint64{n}
		if err := f.Call(ctx, b, stack); err != nil {
			t.Fatal(err)
		}
		return uint64(uint32(stack[0])), b.Usage()
	}
}

// plain returns a function that runs a kernel on bare wazero.
func plain(t testing.TB, wasm []byte) func(name string, n uint64) uint64 {
	t.Helper()
	ctx := context.Background()
	r := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfig().WithCoreFeatures(api.CoreFeaturesV2))
	t.Cleanup(func() { _ = r.Close(ctx) })
	mod, err := r.Instantiate(ctx, wasm)
	if err != nil {
		t.Fatal(err)
	}
	return func(name string, n uint64) uint64 {
		stack := []uint64{n}
		if err := mod.ExportedFunction(name).CallWithStack(ctx, stack); err != nil {
			t.Fatal(err)
		}
		return uint64(uint32(stack[0]))
	}
}

// TestKernelsAgree: metering changes what a kernel costs, never what it computes.
func TestKernelsAgree(t *testing.T) {
	wasm := kernelModule(t)
	run, bare := metered(t, wasm), plain(t, wasm)
	for _, k := range kernels {
		got, u := run(k.name, k.size/4+1)
		if want := bare(k.name, k.size/4+1); got != want {
			t.Errorf("%s: metered %d, plain %d", k.name, got, want)
		}
		if again, v := run(k.name, k.size/4+1); again != got || u.Fuel != v.Fuel {
			t.Errorf("%s: two runs differ: %d with fuel %d, %d with fuel %d", k.name, got, u.Fuel, again, v.Fuel)
		}
	}
}

// BenchmarkRatioMetering prints metered/plain for every kernel, best of
// interleaved rounds, and the geometric mean.
func BenchmarkRatioMetering(b *testing.B) {
	wasm := kernelModule(b)
	run, bare := metered(b, wasm), plain(b, wasm)
	var logs, worst float64
	for _, k := range kernels {
		var with, without []float64
		var fuel uint64
		for range 15 {
			start := time.Now()
			bare(k.name, k.size)
			without = append(without, time.Since(start).Seconds())
			_, u := run(k.name, k.size)
			fuel = u.Fuel
			with = append(with, u.Duration.Seconds())
		}
		ratio := best(with) / best(without)
		logs += math.Log(ratio)
		worst = max(worst, ratio)
		fmt.Fprintf(os.Stdout, "metered/plain %-12s %8.2f ms / %8.2f ms = %.2f  (%.1f fuel/ns)\n",
			k.name, best(with)*1e3, best(without)*1e3, ratio, float64(fuel)/best(with)/1e9)
	}
	mean := math.Exp(logs / float64(len(kernels)))
	fmt.Fprintf(os.Stdout, "metered/plain geometric mean %.2f, worst %.2f\n", mean, worst)
	b.ReportMetric(mean, "geomean-ratio")
	b.ReportMetric(0, "ns/op")
}

func best(xs []float64) float64 {
	sort.Float64s(xs)
	return xs[0]
}

package registry_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/tetratelabs/wazero"

	"github.com/svc-platform/svc/plugins/builtin"
)

// fastest is the best of several rounds, in nanoseconds for each call.
func fastest(b *testing.B, n int, call func()) float64 {
	b.Helper()
	best := math.Inf(1)
	for range 15 {
		start := time.Now()
		for range n {
			call()
		}
		best = min(best, float64(time.Since(start).Nanoseconds())/float64(n))
	}
	return best
}

// BenchmarkRatioOperatorCall prints what a call of an operator through the
// registry costs (pool, budget, metering, usage report) beside a raw call of
// the same function on bare wazero, and the same formula in Go.
func BenchmarkRatioOperatorCall(b *testing.B) {
	ctx := context.Background()
	op, ok := loadBuiltins(b).Operator("KO84")
	if !ok {
		b.Fatal("KO84 is not there")
	}
	args := []float64{2, 3}
	ours := fastest(b, 20_000, func() {
		if got, _, err := op.Call(ctx, args); err != nil || got != 9 {
			b.Fatal(got, err)
		}
	})
	allocs := testing.AllocsPerRun(1000, func() { _, _, _ = op.Call(ctx, args) })

	raw := rawFunction(b, "operators-work-energy.wasm", "KO84")
	stack := []uint64{0, 0}
	bare := fastest(b, 20_000, func() {
		stack[0], stack[1] = math.Float64bits(2), math.Float64bits(3)
		if err := raw.CallWithStack(ctx, stack); err != nil {
			b.Fatal(err)
		}
	})
	fmt.Printf("operator call: registry %.0f ns (%.0f allocations), raw wazero call %.0f ns: ratio %.2f\n", ours, allocs, bare, ours/bare)
	b.ReportMetric(ours/bare, "ratio")
	b.ReportMetric(0, "ns/op")
}

// rawFunction instantiates a built-in module on bare wazero, without metering.
func rawFunction(b *testing.B, file, name string) interface {
	CallWithStack(context.Context, []uint64) error
} {
	b.Helper()
	ctx := context.Background()
	g, err := builtin.Load()
	if err != nil {
		b.Fatal(err)
	}
	i := slices.IndexFunc(g.Modules, func(e builtin.Entry) bool { return e.File == file })
	wasm, err := g.Modules[i].Wasm()
	if err != nil {
		b.Fatal(err)
	}
	r := wazero.NewRuntime(ctx)
	b.Cleanup(func() { _ = r.Close(ctx) })
	mod, err := r.Instantiate(ctx, wasm)
	if err != nil {
		b.Fatal(err)
	}
	return mod.ExportedFunction(name)
}

package op1_test

import (
	"errors"
	"math"
	"strings"
	"sync"
	"testing"

	"github.com/svc-platform/svc/operators-wasm/compile"
	"github.com/svc-platform/svc/operators-wasm/language"
	"github.com/svc-platform/svc/plugins"
	"github.com/svc-platform/svc/plugins/abi/abitest"
	"github.com/svc-platform/svc/plugins/abi/op1"
	"github.com/svc-platform/svc/plugins/registry"
	"github.com/svc-platform/svc/sandbox"
	"github.com/svc-platform/svc/sandbox/wasmtest"
)

const text = `category test "For the test"

operator T1
  name         Kinetic energy
  description  Energy of a moving body.
  output       E : energy [J] "kinetic energy"
  input        m : mass [kg] "mass"
  input        v : velocity [m/s] "speed"
  equation     E = m*v^2/2
  validity     Far below the speed of light.
  reference    Any textbook of mechanics
  example      m = 2 kg, v = 3 m/s -> E = 9 J
  example      m = 0.3 kg, v = 1.7 m/s -> E = 0.4335 J
`

var description = plugins.Description{
	Schema: plugins.Schema, Name: "test", Version: "1.0.0", Summary: "test", Kind: plugins.Operators, ABI: op1.Name,
}

func build(t testing.TB, src string) ([]byte, []plugins.Section) {
	t.Helper()
	f, err := language.Parse("test.op", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	wasm, err := compile.Module(f.Operators)
	if err != nil {
		t.Fatal(err)
	}
	return wasm, []plugins.Section{{Name: plugins.OperatorsSection, Data: []byte(src)}}
}

func TestABI(t *testing.T) {
	wasm, more := build(t, text)
	other, _ := build(t, strings.ReplaceAll(text, "m*v^2/2", "(m*v^2)^(2/2)/2*1.0"))
	wrong, _ := build(t, strings.NewReplacer("m*v^2/2", "m*v^2/3", "E = 9 J", "E = 6 J", "0.4335", "0.289").Replace(text))
	section := func(s string) []plugins.Section {
		return []plugins.Section{{Name: plugins.OperatorsSection, Data: []byte(s)}}
	}
	abitest.Run(t, description, wasm, more, []abitest.Refusal{
		{Name: "no definitions", More: []plugins.Section{}, Step: registry.Open, Says: "svc.operators"},
		{Name: "definitions that are wrong", More: section(strings.Replace(text, "m*v^2/2", "m*v/2", 1)), Step: registry.Open, Says: "energy"},
		{Name: "definitions of another operator", More: section(strings.Replace(text, "operator T1", "operator T2", 1)), Step: registry.Open, Says: "must export"},
		{Name: "code that computes something else", Wasm: wrong, Step: registry.SelfCheck, Says: "computes to 6"},
		{Name: "an import", Wasm: wasmtest.Module{Imports: []wasmtest.Import{{Module: "wasi_snapshot_preview1", Name: "fd_write"}}}.Encode(), Step: registry.Meter, Says: "forbidden_import"},
	})
	if _, err := abitest.Load(t, abitest.NewRegistry(t), other, description, more...); err != nil {
		t.Errorf("another way to compute the same: %v", err)
	}
}

func TestCall(t *testing.T) {
	wasm, more := build(t, text)
	r := abitest.NewRegistry(t)
	if _, err := abitest.Load(t, r, wasm, description, more...); err != nil {
		t.Fatal(err)
	}
	op, ok := r.Operator("T1")
	if !ok {
		t.Fatal("T1 is not there")
	}
	got, usage, err := op.Call(t.Context(), []float64{2, 3})
	if err != nil || got != 9 || usage.Fuel == 0 || usage.PeakMemory == 0 {
		t.Errorf("got %v, %+v, %v", got, usage, err)
	}
	if _, _, err := op.Call(t.Context(), []float64{2}); err == nil || !strings.Contains(err.Error(), "2 values (m, v), got 1") {
		t.Errorf("with one value: %v", err)
	}
	if got, _, err := op.Call(t.Context(), []float64{math.NaN(), 1}); err != nil || !math.IsNaN(got) {
		t.Errorf("NaN: got %v, %v", got, err)
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for i := range 500 {
				v := float64(i)
				got, again, err := op.Call(t.Context(), []float64{2, v})
				if err != nil || got != v*v || again.Fuel != usage.Fuel {
					t.Errorf("got %v with fuel %d, %v", got, again.Fuel, err)
				}
			}
		})
	}
	wg.Wait()
}

// TestWalls: a module of operators that does not stop is stopped.
func TestWalls(t *testing.T) {
	f64 := byte(wasmtest.F64)
	spin := wasmtest.Module{Funcs: []wasmtest.Func{{
		Name: "T1", Params: []byte{f64, f64}, Results: []byte{f64},
		Code: wasmtest.Cat(0x03, 0x40, wasmtest.Op(0x0c, 0), 0x0b, 0x00),
	}}}.Encode()
	_, more := build(t, text)
	_, err := abitest.Load(t, abitest.NewRegistry(t), spin, description, more...)
	if !errors.Is(err, &sandbox.Trap{Kind: sandbox.OutOfFuel}) {
		t.Errorf("got %v, want out_of_fuel in the self-check", err)
	}
}

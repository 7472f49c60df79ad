package compile

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/svc-platform/svc/operators-wasm/catalog"
	"github.com/svc-platform/svc/operators-wasm/language"
)

// instantiate runs a module, unmetered: the sandbox is not what is tested here.
func instantiate(t *testing.T, wasm []byte) api.Module {
	t.Helper()
	ctx := context.Background()
	runtime := wazero.NewRuntime(ctx)
	t.Cleanup(func() { _ = runtime.Close(ctx) })
	m, err := runtime.Instantiate(ctx, wasm)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func call(t *testing.T, f api.Function, args ...float64) float64 {
	t.Helper()
	stack := make([]uint64, len(args))
	for i, arg := range args {
		stack[i] = api.EncodeF64(arg)
	}
	result, err := f.Call(context.Background(), stack...)
	if err != nil {
		t.Fatal(err)
	}
	return api.DecodeF64(result[0])
}

func load(t *testing.T) []*language.Operator {
	t.Helper()
	ops, err := catalog.Load()
	if err != nil {
		t.Fatal(err)
	}
	return ops
}

func compiled(t *testing.T, ops []*language.Operator) []byte {
	t.Helper()
	wasm, err := Module(ops)
	if err != nil {
		t.Fatal(err)
	}
	return wasm
}

// TestExamples: every worked example of the catalogue gives the same value in
// wasm as in Go, both within 1e-12, and the stated one.
func TestExamples(t *testing.T) {
	ops := load(t)
	m := instantiate(t, compiled(t, ops))
	for _, op := range ops {
		for _, example := range op.Examples {
			args, err := op.Arguments(example.Inputs)
			if err != nil {
				t.Fatal(err)
			}
			want, err := language.Eval(op, args)
			if err != nil {
				t.Fatal(err)
			}
			got := call(t, m.ExportedFunction(op.ID), args...)
			if !(math.Abs(got-want) <= 1e-12*math.Abs(want)) && got != want {
				t.Errorf("%s: %s: wasm %v, Go %v", example.Pos, op.ID, got, want)
			}
			if !(math.Abs(got-example.Output) <= 1e-9*math.Abs(example.Output)+1e-300) {
				t.Errorf("%s: %s: wasm %v, stated %v", example.Pos, op.ID, got, example.Output)
			}
		}
	}
}

// TestDeterministic: the same operators give the same bytes.
func TestDeterministic(t *testing.T) {
	ops := load(t)
	first := compiled(t, ops)
	for range 3 {
		if !bytes.Equal(first, compiled(t, ops)) {
			t.Fatal("two builds differ")
		}
	}
	t.Logf("%d operators, %d bytes", len(ops), len(first))
}

// operator makes an operator of dimension one over x and y.
func operator(t *testing.T, id, expression string) *language.Operator {
	t.Helper()
	src := fmt.Sprintf("category test \"T\"\noperator %s\n name n\n description d\n validity v\n reference r\n"+
		" output z : number [1] \"z\"\n input x : number [1] \"x\"\n input y : number [1] \"y\"\n equation z = %s + 0*x + 0*y\n"+
		" example x = 1, y = 1 -> z = 0", id, expression)
	file, err := language.Parse("t.op", []byte(src))
	if err == nil {
		return file.Operators[0]
	}
	// The example above is a guess; the error says what it should have stated.
	_, computed, found := strings.Cut(err.Error(), "the equation gives ")
	if !found {
		t.Fatal(err)
	}
	file, err = language.Parse("t.op", []byte(strings.Replace(src, "-> z = 0", "-> z = "+computed, 1)))
	if err != nil {
		t.Fatal(err)
	}
	return file.Operators[0]
}

// TestExpressions: every construct of the language gives in wasm what it gives
// in Go, also beside the domain of the functions.
func TestExpressions(t *testing.T) {
	expressions := []string{
		"x + y", "x - y", "x*y", "x/(y + 10)", "-x", "2*pi*x", "c/(1 [m/s])", "5 [km/h]/(1 [m/s])",
		"x^0", "x^1", "x^2", "x^3", "x^7", "x^10", "x^64", "x^65", "x^-1", "x^-2", "x^-5", "(x + y)^3",
		"x^0.5", "x^(3/2)", "x^(5/2)", "x^-0.5", "x^-1.5", "x^(1/3)", "x^0.25", "x^y", "2^x",
		"sqrt(x)", "cbrt(x)", "exp(x)", "ln(x)", "log10(x)", "log2(x)", "sin(x)", "cos(x)", "tan(x)",
		"asin(x/100)", "acos(x/100)", "atan(x)", "atan2(x, y)", "sinh(x)", "cosh(x)", "tanh(x)", "asinh(x)", "acosh(x)", "atanh(x/100)",
		"abs(x)", "min(x, y)", "max(x, y, 1)", "floor(x)", "frac(x)", "hypot(x, y)", "sin(x)^2 + cos(x)^2", "(x^2 + y^2)^2 - x^4",
	}
	points := [][]float64{{1, 1}, {0.5, 2}, {3.25, -1.5}, {-2, 3}, {-7.75, -0.125}, {40, 0.1}, {99, 12}, {1e-5, 1e5}, {0, 0}}
	ops := make([]*language.Operator, len(expressions))
	for i, expression := range expressions {
		ops[i] = operator(t, fmt.Sprintf("T%d", i), expression)
	}
	m := instantiate(t, compiled(t, ops))
	for i, op := range ops {
		for _, point := range points {
			want, err := language.Eval(op, point)
			if err != nil {
				t.Fatal(err)
			}
			got := call(t, m.ExportedFunction(op.ID), point...)
			if math.IsNaN(want) {
				if bits := math.Float64bits(got); bits != 0x7ff8000000000000 {
					t.Errorf("%s at %v: %v (%x), want the canonical NaN", expressions[i], point, got, bits)
				}
			} else if got != want && !(math.Abs(got-want) <= 2e-15*max(math.Abs(want), 1e-300)) {
				t.Errorf("%s at %v: wasm %v, Go %v", expressions[i], point, got, want)
			}
		}
	}
}

// TestVector: the vector form gives bit for bit what the scalar form gives.
func TestVector(t *testing.T) {
	ops := load(t)
	m := instantiate(t, compiled(t, ops))
	ctx, memory := context.Background(), m.ExportedMemory(MemoryExport)
	base := uint32(m.ExportedGlobal(BaseExport).Get())
	if free := memory.Size() - base; free < VectorBytes {
		t.Fatalf("%d bytes are free, want %d", free, VectorBytes)
	}
	for _, op := range ops {
		var rows [][]float64
		for _, example := range op.Examples {
			args, err := op.Arguments(example.Inputs)
			if err != nil {
				t.Fatal(err)
			}
			rows = append(rows, args)
		}
		count, output := uint32(len(rows)), base+uint32(8*len(rows)*len(op.Inputs))
		for i, row := range rows {
			for column, value := range row {
				memory.WriteFloat64Le(base+8*(uint32(column)*count+uint32(i)), value)
			}
		}
		if _, err := m.ExportedFunction(op.ID+VectorSuffix).Call(ctx, uint64(count), uint64(base), uint64(output)); err != nil {
			t.Fatal(err)
		}
		for i, row := range rows {
			got, _ := memory.ReadFloat64Le(output + uint32(8*i))
			if want := call(t, m.ExportedFunction(op.ID), row...); math.Float64bits(got) != math.Float64bits(want) {
				t.Errorf("%s, row %d: vector %v, scalar %v", op.ID, i, got, want)
			}
		}
	}
}

// TestVectorBounds: nothing is touched for no rows, and what cannot fit traps.
func TestVectorBounds(t *testing.T) {
	m := instantiate(t, compiled(t, []*language.Operator{operator(t, "T", "x*y")}))
	vector := m.ExportedFunction("T" + VectorSuffix)
	tests := []struct {
		name                 string
		count, input, output uint64
		trap                 string
	}{
		{"no rows", 0, math.MaxUint32, math.MaxUint32, ""},
		{"columns beyond 4 GiB", 1<<28 + 1, 0, 0, "unreachable"},
		{"columns beyond memory", 1 << 27, 0, 0, "out of bounds"},
		{"output beyond memory", 1, 0, 1 << 31, "out of bounds"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := vector.Call(context.Background(), test.count, test.input, test.output)
			if (err == nil) != (test.trap == "") || (err != nil && !strings.Contains(err.Error(), test.trap)) {
				t.Errorf("error %v, want %q", err, test.trap)
			}
		})
	}
}

// TestOnlyWhatIsNeeded: a module has no imports and no function, table or
// export beside what its operators need.
func TestOnlyWhatIsNeeded(t *testing.T) {
	plain := compiled(t, []*language.Operator{operator(t, "T", "x*y^2/sqrt(x)")})
	if len(plain) > 400 {
		t.Errorf("an operator without library functions takes %d bytes", len(plain))
	}
	sine := compiled(t, []*language.Operator{operator(t, "T", "sin(x)")})
	all := compiled(t, load(t))
	if len(sine) <= len(plain) || len(sine) >= len(all) {
		t.Errorf("sizes: plain %d, sine %d, all %d", len(plain), len(sine), len(all))
	}
	ctx := context.Background()
	runtime := wazero.NewRuntime(ctx)
	t.Cleanup(func() { _ = runtime.Close(ctx) })
	m, err := runtime.CompileModule(ctx, sine)
	if err != nil {
		t.Fatal(err)
	}
	if len(m.ImportedFunctions()) != 0 || len(m.ImportedMemories()) != 0 {
		t.Error("the module imports something")
	}
	if exports := m.ExportedFunctions(); len(exports) != 2 || exports["T"] == nil || exports["T.v"] == nil {
		t.Errorf("exports %v", exports)
	}
}

func TestErrors(t *testing.T) {
	op := operator(t, "T", "sin(x)")
	library, err := dist.ReadFile(libraryFile)
	if err != nil {
		t.Fatal(ErrNoLibrary)
	}
	tests := []struct {
		name    string
		library []byte
		ops     []*language.Operator
		want    string
	}{
		{"no operator", library, nil, "no operator to compile"},
		{"one twice", library, []*language.Operator{op, op}, "the operator T is there twice"},
		{"library cut", library[:len(library)/2], []*language.Operator{op}, "the module ends too early"},
		{"library of something else", []byte("\x00asm\x01\x00\x00\x00"), []*language.Operator{op}, "the library does not export tablesEnd"},
		{"library with imports", []byte("\x00asm\x01\x00\x00\x00\x02\x02\x01\x00"), []*language.Operator{op}, "unexpected section 0x2"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := build(fstest.MapFS{libraryFile: {Data: test.library}}, test.ops)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want %q", err, test.want)
			}
		})
	}
	if _, err := build(fstest.MapFS{}, []*language.Operator{op}); !errors.Is(err, ErrNoLibrary) {
		t.Errorf("without library: %v", err)
	}
}

func TestSigned(t *testing.T) {
	for _, value := range []int64{0, 1, -1, 63, 64, -64, -65, 127, 128, 8191, 8192, math.MaxInt32, math.MinInt32, math.MaxInt64, math.MinInt64} {
		r := &reader{b: appendSigned(nil, value)}
		if got := r.i64(); got != value || r.more() || r.err != nil {
			t.Errorf("%d reads as %d, %v", value, got, r.err)
		}
	}
	r := &reader{b: bytes.Repeat([]byte{0x80}, 11)}
	if r.i64(); r.err == nil {
		t.Error("an endless number is accepted")
	}
	r = &reader{b: binary.AppendUvarint(nil, 1<<33)}
	if r.u32(); r.err == nil {
		t.Error("a number beyond 32 bits is accepted")
	}
}

// FuzzReadModule: a broken library is an error, never a panic.
func FuzzReadModule(f *testing.F) {
	library, err := dist.ReadFile(libraryFile)
	if err != nil {
		f.Fatal(ErrNoLibrary)
	}
	f.Add(library)
	f.Add(library[:200])
	f.Fuzz(func(t *testing.T, wasm []byte) {
		m, err := readModule(wasm)
		if err != nil {
			return
		}
		needed, err := m.reach(map[string]bool{"sin": true, "pow": true})
		if err != nil {
			return
		}
		if _, err := m.keep(needed); err != nil {
			t.Errorf("reached, but not kept: %v", err)
		}
	})
}

// BenchmarkModule compiles the whole catalogue.
func BenchmarkModule(b *testing.B) {
	ops, err := catalog.Load()
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := Module(ops); err != nil {
			b.Fatal(err)
		}
	}
}

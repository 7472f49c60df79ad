package compile

import (
	"maps"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// maxULP is the largest distance from the correctly rounded value that each
// function may show at the reference points, in units in the last place.
var maxULP = map[string]uint64{
	"exp": 1, "ln": 1, "log10": 1, "log2": 1, "pow": 1, "cbrt": 1, "hypot": 1,
	"sin": 1, "cos": 1, "tan": 1, "asin": 1, "acos": 1, "atan": 1, "atan2": 1,
	"sinh": 1, "cosh": 1, "tanh": 1, "asinh": 1, "acosh": 1, "atanh": 1,
}

// Beyond beyondPhysics the reduction of an angle keeps 192 bits of pi, which
// is not enough next to a multiple of pi/2: 5e-12 relative at the worst double.
const (
	beyondPhysics = 1e200
	maxULPBeyond  = 1 << 16
)

// TestLibrary compares the elementary functions with testdata/libm.tsv, which
// testdata/libm.py makes with mpmath.
func TestLibrary(t *testing.T) {
	library, err := dist.ReadFile(libraryFile)
	if err != nil {
		t.Fatal(ErrNoLibrary)
	}
	m := instantiate(t, library)
	table, err := os.ReadFile("testdata/libm.tsv")
	if err != nil {
		t.Fatal(err)
	}
	points, worst := map[string]int{}, map[string]uint64{}
	for _, line := range strings.Split(strings.TrimSpace(string(table)), "\n") {
		name, rest, _ := strings.Cut(line, "\t")
		numbers := parseFloats(t, rest)
		args, want := numbers[:len(numbers)-1], numbers[len(numbers)-1]
		got := call(t, m.ExportedFunction(name), args...)
		distance := ulps(got, want)
		limit := maxULP[name]
		if slices.Contains([]string{"sin", "cos", "tan"}, name) && math.Abs(args[0]) > beyondPhysics {
			limit = maxULPBeyond
		} else {
			worst[name] = max(worst[name], distance)
		}
		points[name]++
		if distance > limit {
			t.Errorf("%s(%v) = %v, want %v: %d ulp", name, args, got, want, distance)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(maxULP)) {
		limit := maxULP[name]
		if points[name] < 40 {
			t.Errorf("%s has only %d points", name, points[name])
		}
		t.Logf("%-6s %3d points, at most %d ulp (limit %d)", name, points[name], worst[name], limit)
	}
}

func parseFloats(t *testing.T, row string) []float64 {
	t.Helper()
	var numbers []float64
	for _, text := range strings.Split(row, "\t") {
		value, err := strconv.ParseFloat(text, 64)
		if err != nil {
			t.Fatal(err)
		}
		numbers = append(numbers, value)
	}
	return numbers
}

// ulps counts the doubles between two values. Zeros of different sign are one
// apart; NaN equals only NaN.
func ulps(a, b float64) uint64 {
	if math.IsNaN(a) || math.IsNaN(b) {
		if math.IsNaN(a) && math.IsNaN(b) {
			return 0
		}
		return math.MaxUint64
	}
	ordered := func(x float64) int64 {
		if bits := int64(math.Float64bits(x)); bits >= 0 {
			return bits
		}
		return -1 - int64(math.Float64bits(-x))
	}
	x, y := ordered(a), ordered(b)
	return uint64(max(x, y) - min(x, y))
}

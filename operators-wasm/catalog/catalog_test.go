package catalog

import (
	"errors"
	"io/fs"
	"math"
	"testing"

	"github.com/svc-platform/svc/operators-wasm/language"
)

// TestCatalogue is the checker of all catalogue files: it prints every mistake
// with its place.
func TestCatalogue(t *testing.T) {
	operators, err := Load()
	if err != nil {
		t.Fatalf("the catalogue is wrong:\n%v", err)
	}
	if len(operators) == 0 {
		t.Fatal("the catalogue is empty")
	}
}

// TestCategories: every category has a title and its operators, and its source.
func TestCategories(t *testing.T) {
	categories, err := Categories()
	if err != nil {
		t.Fatal(err)
	}
	operators, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	total := 0
	for _, c := range categories {
		total += c.Count
		t.Logf("%-20s %4d  %s", c.Name, c.Count, c.Title)
		src, err := Source(c.Name)
		if c.Title == "" || c.Count == 0 || len(src) == 0 || err != nil {
			t.Errorf("%+v has a source of %d bytes, %v", c, len(src), err)
		}
	}
	if total != len(operators) {
		t.Errorf("the categories hold %d operators, the catalogue %d", total, len(operators))
	}
	for _, name := range []string{"no_such", "", "../catalog.go", "metric_tension.op"} {
		if _, err := Source(name); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("source of %q: %v", name, err)
		}
	}
}

// TestKO42 computes the tension as decisions of the service word it, apart
// from the language.
func TestKO42(t *testing.T) {
	operators, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	var ko42 *language.Operator
	for _, op := range operators {
		if op.ID == "KO42" {
			ko42 = op
		}
	}
	if ko42 == nil {
		t.Fatal("KO42 is missing")
	}
	const alpha, rho, sigma = 1e-9, 0.5, 0.010
	for _, in := range [][]float64{{0, 0.777}, {1, 0.777}, {2_300_000_000, 0.7771}, {12345, 0}, {12345, 3600}, {9007199254740992, 0.776}} {
		_, phase := math.Modf(0.6180339887498949 * in[0])
		want := alpha * ((1-rho)*math.Sin(2*math.Pi*phase) + rho*math.Tanh((in[1]-0.777)/sigma))
		got, err := language.Eval(ko42, in)
		if err != nil || math.Abs(got-want) > 1e-20 || math.Abs(got) > alpha {
			t.Errorf("tension of %v is %v, %v, want %v", in, got, err, want)
		}
	}
}

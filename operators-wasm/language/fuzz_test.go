package language

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"testing"
)

// FuzzParse: any bytes give operators that can be used, or Errors.
func FuzzParse(f *testing.F) {
	paths, err := filepath.Glob("testdata/wrong/*.op")
	if err != nil {
		f.Fatal(err)
	}
	for _, path := range paths {
		src, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(src)
	}
	f.Add([]byte(block1(`output y : energy [kJ] "y" in [0, 1e6]`, `input x : time [s] "x" = 1 in (-inf, 5)`, "equation y = 2 [J/s]*x^(3/2)/x^0.5", "example -> y = 2 J")))
	f.Fuzz(func(t *testing.T, src []byte) {
		file, err := Parse("fuzz.op", src)
		var list Errors
		if err != nil && (!errors.As(err, &list) || len(list) == 0) {
			t.Fatalf("error %v is not Errors", err)
		}
		for _, op := range file.Operators {
			if op.LaTeX() == "" || len(op.Examples) == 0 {
				t.Errorf("%s: no LaTeX or no example", op.ID)
			}
			for _, e := range op.Examples {
				args, err := op.Arguments(e.Inputs)
				if err != nil {
					t.Fatal(err)
				}
				if got, err := Eval(op, args); err != nil || math.IsNaN(got) {
					t.Errorf("%s: %v, %v", op.ID, got, err)
				}
			}
		}
		if err == nil && len(file.Operators) < 8 {
			_ = Check(file) // must return
		}
	})
}

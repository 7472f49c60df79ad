//go:build interop

package registry_test

import (
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"testing"

	"github.com/svc-platform/svc/plugins"
	"github.com/svc-platform/svc/sandbox"
)

// TestInteropEnt compares the scorer shannon, running as WebAssembly behind the
// walls, with John Walker's ent, as Debian ships it, to every digit that ent
// prints.
func TestInteropEnt(t *testing.T) {
	ent, err := exec.LookPath("ent")
	if err != nil {
		t.Fatal("ent is missing: 'make interop' brings it")
	}
	scorer := loadBuiltins(t).Functions(plugins.Scorer)[0]
	limits := sandbox.DefaultLimits()
	limits.MemoryPages = 8192 // the largest content has some 20 MB
	for name, content := range interopContents(t) {
		t.Run(name, func(t *testing.T) {
			out, _, err := scorer.Guest.Call(t.Context(), scorer.Name, content, limits)
			if err != nil {
				t.Fatal(err)
			}
			var report struct{ Value float64 }
			if err := json.Unmarshal(out, &report); err != nil {
				t.Fatal(err)
			}
			want := entOf(t, ent, content)
			if got := fmt.Sprintf("%f", report.Value); got != want {
				t.Errorf("we say %s, ent says %s", got, want)
			}
		})
	}
}

func interopContents(t *testing.T) map[string][]byte {
	t.Helper()
	english, err := os.ReadFile("../../LICENSE")
	if err != nil {
		t.Fatal(err)
	}
	random := make([]byte, 100_000)
	if _, err := rand.NewChaCha8([32]byte{7, 7, 7}).Read(random); err != nil {
		t.Fatal(err)
	}
	var zipped bytes.Buffer
	w := gzip.NewWriter(&zipped)
	if _, err := w.Write(english); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return map[string][]byte{
		"English text":   english,
		"random bytes":   random,
		"all zeros":      make([]byte, 4096),
		"gzip stream":    zipped.Bytes(),
		"one byte":       {42},
		"our own binary": ownBinary(t),
	}
}

func ownBinary(t *testing.T) []byte {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// entOf runs ent in its terse mode: a header line, then a line whose third
// field is the entropy in bits per byte.
func entOf(t *testing.T, ent string, content []byte) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), ent, "-t")
	cmd.Stdin = bytes.NewReader(content)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(bytes.NewReader(out)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != 2 || len(rows[1]) < 3 || rows[0][2] != "Entropy" {
		t.Fatalf("ent answers in a form unknown to this test: %q", out)
	}
	return rows[1][2]
}

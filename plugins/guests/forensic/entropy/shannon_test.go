package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/svc-platform/svc/sdk/guest"
)

// everyByte is each of the 256 byte values once.
func everyByte() []byte {
	b := make([]byte, 256)
	for i := range b {
		b[i] = byte(i)
	}
	return b
}

func TestEntropyIsExact(t *testing.T) {
	for _, c := range []struct {
		name    string
		content []byte
		want    float64
	}{
		{"one byte", []byte("a"), 0},
		{"one value", bytes.Repeat([]byte{0}, 1000), 0},
		{"two values", bytes.Repeat([]byte("ab"), 500), 1},
		{"three to one", []byte("aaab"), 2 - 0.75*math.Log2(3)},
		{"half, quarter, eighth, eighth", []byte("aaaabbcd"), 1.75},
		{"four values", []byte("abcd"), 2},
		{"every value once", everyByte(), 8},
		{"every value four times", bytes.Repeat(everyByte(), 4), 8},
		{"every value three times", bytes.Repeat(everyByte(), 3), 8},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := entropy(c.content); math.Abs(got-c.want) > 1e-15 {
				t.Errorf("entropy = %.17g, want %.17g", got, c.want)
			}
		})
	}
}

func TestWindowsCoverTheContent(t *testing.T) {
	for _, c := range []struct{ length, count, lastOffset, lastLength int }{
		{1, 1, 0, 1},
		{255, 1, 0, 255},
		{256, 1, 0, 256},
		{257, 2, 128, 129},
		{384, 2, 128, 256},
		{385, 3, 256, 129},
		{1024, 7, 768, 256},
	} {
		t.Run(fmt.Sprint(c.length), func(t *testing.T) {
			w := measureWindows(make([]byte, c.length))
			if w.count != c.count {
				t.Errorf("%d windows, want %d", w.count, c.count)
			}
			want := peak{offset: c.lastOffset, length: c.lastLength}
			if last := w.peaks[len(w.peaks)-1]; last != want {
				t.Errorf("last window %+v, want %+v", last, want)
			}
		})
	}
}

func TestWindowsFindTheUnevenPart(t *testing.T) {
	content := make([]byte, 2560)
	copy(content[1024:], everyByte())
	w := measureWindows(content)
	if w.min != 0 || w.max != 8 || w.count != 19 {
		t.Errorf("min %v, max %v, count %d; want 0, 8, 19", w.min, w.max, w.count)
	}
	half := 4.5 // 128 zeros, and 128 other values: 1/2 + 128*(8/256); the zero among the 256 falls into the first half
	want := []peak{{1024, 256, 8}, {1152, 256, half}}
	if diff := cmp.Diff(want, w.peaks[:2], cmp.AllowUnexported(peak{})); diff != "" {
		t.Errorf("highest windows (-want +got):\n%s", diff)
	}
	if len(w.peaks) != maxPeaks {
		t.Errorf("%d peaks, want %d", len(w.peaks), maxPeaks)
	}
}

func TestEqualPeaksStandInTheOrderOfTheContent(t *testing.T) {
	w := measureWindows(bytes.Repeat(everyByte(), 20))
	for i, p := range w.peaks {
		if p.offset != i*windowStep {
			t.Fatalf("peak %d is at %d, want %d: the first of equals stay", i, p.offset, i*windowStep)
		}
	}
}

func TestWindowsAgreeWithEntropy(t *testing.T) {
	content := bytes.Repeat([]byte("The sum of the parts, and each part alone. "), 20)
	for _, p := range measureWindows(content).peaks {
		if want := entropy(content[p.offset : p.offset+p.length]); p.value != want {
			t.Errorf("window at %d has %v, on its own %v", p.offset, p.value, want)
		}
	}
}

func TestShannonAnswersJSON(t *testing.T) {
	got, err := shannon([]byte("aaaabbcd"))
	if err != nil {
		t.Fatal(err)
	}
	want := `{"score":0.21875,"value":1.75,"unit":"bit/byte","length":8,` +
		`"windows":{"size":256,"step":128,"count":1,"min":1.75,"max":1.75,"mean":1.75,` +
		`"peaks":[{"offset":0,"length":8,"value":1.75}]},` +
		`"explanation":"1.750 of 8 bits per byte over 8 bytes: few byte values, or one that prevails; so few bytes cannot exceed 3.000"}`
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestShannonRefusesNothing(t *testing.T) {
	_, err := shannon(nil)
	var refusal *guest.Error
	if !errors.As(err, &refusal) || refusal.Code != "insufficient" {
		t.Errorf("error = %v, want code insufficient", err)
	}
}

func TestExplanationNamesTheLikelyContent(t *testing.T) {
	for _, c := range []struct {
		value float64
		want  string
	}{
		{0, "0.000 of 8 bits per byte over 4096 bytes: one byte value, repeated"},
		{0.5, "0.500 of 8 bits per byte over 4096 bytes: few byte values, or one that prevails"},
		{4.3, "4.300 of 8 bits per byte over 4096 bytes: usual for text and source code"},
		{6, "6.000 of 8 bits per byte over 4096 bytes: usual for programs and mixed binary data"},
		{7.99, "7.990 of 8 bits per byte over 4096 bytes: usual for compressed, encrypted or random data"},
	} {
		if got := (report{length: 4096, value: c.value}).explanation(); got != c.want {
			t.Errorf("explanation of %v = %q, want %q", c.value, got, c.want)
		}
	}
}

func FuzzShannon(f *testing.F) {
	f.Add([]byte("a"))
	f.Add(everyByte())
	f.Add(bytes.Repeat([]byte("ab"), 300))
	f.Fuzz(func(t *testing.T, content []byte) {
		if len(content) == 0 {
			return
		}
		answer, err := shannon(content)
		if err != nil {
			t.Fatal(err)
		}
		var r struct {
			Score, Value float64
			Length       int
			Windows      struct{ Min, Mean, Max float64 }
		}
		if err := json.Unmarshal(answer, &r); err != nil {
			t.Fatalf("%s: %v", answer, err)
		}
		limit := min(maxEntropy, math.Log2(float64(len(content)))) + 1e-12
		if r.Value < 0 || r.Value > limit || r.Score != r.Value/8 || r.Length != len(content) {
			t.Errorf("%s: out of range for %d bytes", answer, len(content))
		}
		if w := r.Windows; w.Min < 0 || w.Min > w.Mean+1e-12 || w.Mean > w.Max+1e-12 || w.Max > maxEntropy {
			t.Errorf("%s: windows out of order", answer)
		}
	})
}

package main

import (
	"math"
	"slices"
)

// How the content is cut into windows, and how many of the highest are named.
const (
	windowSize = 256 // bytes
	windowStep = 128 // bytes from the start of one window to that of the next
	maxPeaks   = 16
)

// maxEntropy is that of 256 byte values used equally often, in bits per byte.
const maxEntropy = 8.0

// report is what the scorer finds in a content of at least one byte.
type report struct {
	length  int     // bytes
	value   float64 // bits per byte, 0 to 8
	windows windows
}

// windows sums up the windows of a content. They start at every multiple of
// windowStep until one reaches the end; that last one may be shorter.
type windows struct {
	count          int
	min, max, mean float64 // bits per byte
	peaks          []peak  // highest first, equal ones in the order of the content
}

// peak is one window.
type peak struct {
	offset, length int     // bytes
	value          float64 // bits per byte
}

func measure(content []byte) report {
	return report{length: len(content), value: entropy(content), windows: measureWindows(content)}
}

// entropy is Shannon's H = sum of p*log2(1/p) over the byte values in content,
// in bits per byte (C. E. Shannon, "A Mathematical Theory of Communication", 1948, section 6).
func entropy(content []byte) float64 {
	sum := 0.0
	for _, count := range histogram(content) {
		sum += term(count, len(content))
	}
	return min(sum, maxEntropy) // the sum may be a rounding error above
}

// measureWindows needs only one logarithm for each possible count, not one for
// each byte value of each window.
func measureWindows(content []byte) windows {
	w := windows{min: maxEntropy}
	full, sum := terms(windowSize), 0.0
	for start := 0; ; start += windowStep {
		end := min(start+windowSize, len(content))
		table := full
		if end-start < windowSize {
			table = terms(end - start)
		}
		value := 0.0
		for _, count := range histogram(content[start:end]) {
			value += table[count]
		}
		value = min(value, maxEntropy)
		sum += value
		w.add(peak{offset: start, length: end - start, value: value})
		if end == len(content) {
			w.mean = sum / float64(w.count)
			return w
		}
	}
}

// add counts one more window and keeps it among the peaks if it is high enough.
func (w *windows) add(p peak) {
	w.count++
	w.min, w.max = min(w.min, p.value), max(w.max, p.value)
	at := len(w.peaks)
	for at > 0 && w.peaks[at-1].value < p.value {
		at--
	}
	if at == maxPeaks {
		return
	}
	w.peaks = slices.Insert(w.peaks, at, p)
	w.peaks = w.peaks[:min(len(w.peaks), maxPeaks)]
}

// histogram says how often each byte value occurs.
func histogram(content []byte) *[256]int {
	var counts [256]int
	for _, b := range content {
		counts[b]++
	}
	return &counts
}

// terms lists term(count, n) for every count from 0 to n.
func terms(n int) []float64 {
	table := make([]float64, n+1)
	for count := range table {
		table[count] = term(count, n)
	}
	return table
}

// term is p*log2(1/p) for p = count/n, and 0 for a value that never occurs. The
// conversion keeps the product from being fused with the caller's addition,
// which would change the last bit on some machines when this is not built as wasm.
func term(count, n int) float64 {
	if count == 0 {
		return 0
	}
	return float64(float64(count) / float64(n) * math.Log2(float64(n)/float64(count)))
}

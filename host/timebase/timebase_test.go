package timebase_test

import (
	"math"
	"testing"

	"github.com/svc-platform/svc/host/timebase"
)

func TestAt(t *testing.T) {
	tests := []struct {
		name     string
		unixNano int64
		svcond   int64
		phase    float64
	}{
		{"the epoch", 0, 0, 0},
		{"last nanosecond of the first cycle", 776_999_999, 0, 776_999_999.0 / 777_000_000},
		{"first boundary", 777_000_000, 1, 0},
		{"half of the second cycle", 777_000_000 + 388_500_000, 1, 0.5},
		{"one nanosecond before the epoch", -1, -1, 776_999_999.0 / 777_000_000},
		{"one cycle before the epoch", -777_000_000, -1, 0},
		{"a boundary that float division misses", 3 * 777_000_000, 3, 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := timebase.At(test.unixNano)
			if got.Svcond != test.svcond || got.Phase != test.phase {
				t.Errorf("At(%d) = %+v, want %d and %g", test.unixNano, got, test.svcond, test.phase)
			}
		})
	}
}

func TestStartIsTheInverseOfAt(t *testing.T) {
	largest := int64(math.MaxInt64 / timebase.Cycle)
	for _, svcond := range []int64{0, 1, -1, 9, 2_238_754_000, largest, -largest} {
		if got := timebase.At(timebase.Start(svcond)); got.Svcond != svcond || got.Phase != 0 {
			t.Errorf("At(Start(%d)) = %+v", svcond, got)
		}
	}
}

func TestPhaseStaysBelowOne(t *testing.T) {
	for _, unixNano := range []int64{math.MinInt64, -1, timebase.Cycle - 1, math.MaxInt64} {
		if phase := timebase.At(unixNano).Phase; phase < 0 || phase >= 1 {
			t.Errorf("phase at %d is %g", unixNano, phase)
		}
	}
}

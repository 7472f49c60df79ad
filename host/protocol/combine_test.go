package protocol

import (
	"math"
	"testing"

	"github.com/svc-platform/svc/operators-wasm/language"
)

func outcomes(values ...float64) []outcome {
	list := make([]outcome, len(values))
	for i, value := range values {
		id := "KO" + string(rune('9'-i)) // given against the order of the ids
		list[i] = outcome{link: link{op: &language.Operator{ID: id}, weight: 2}, value: value}
	}
	return list
}

func TestCombine(t *testing.T) {
	tests := []struct {
		name      string
		values    []float64
		sum       float64
		coherence float64
	}{
		{"nothing was computed", nil, 0, 0},
		{"one operator", []float64{9}, 9, 1},
		{"routes that agree", []float64{5, 5, 5}, 5, 1},
		{"zero everywhere", []float64{0, 0}, 0, 1},
		{"routes that cancel", []float64{1, -1}, 0, 1},
		{"nothing small is lost", []float64{3e16, 3, -3e16}, 1, 0.7236285641084343},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c := combine(execution{outcomes: outcomes(test.values...)}, 1e-6)
			if math.Abs(c.sum-test.sum) > 1e-12 || math.Abs(c.coherence-test.coherence) > 1e-12 {
				t.Errorf("sum %v, coherence %v, want %v and %v", c.sum, c.coherence, test.sum, test.coherence)
			}
		})
	}
}

func TestCoherenceFallsWhereRoutesDisagree(t *testing.T) {
	near := combine(execution{outcomes: outcomes(10, 10.1)}, 1e-6).coherence
	far := combine(execution{outcomes: outcomes(10, 30)}, 1e-6).coherence
	if !(near > 0.999 && near < 1 && far < near && far >= 0) {
		t.Errorf("near %v, far %v", near, far)
	}
}

func TestTensionIsClamped(t *testing.T) {
	for _, test := range []struct{ raw, want float64 }{{0.5, 1e-7}, {-0.5, -1e-7}, {1e-9, 1e-9}, {math.NaN(), 0}, {math.Inf(1), 1e-7}} {
		c := combine(execution{tension: outcome{value: test.raw}, outcomes: outcomes(2)}, 1e-6)
		if c.tension != test.want || c.masterSum() != 2*(1+test.want) {
			t.Errorf("tension %v of %v, want %v; master sum %v", c.tension, test.raw, test.want, c.masterSum())
		}
	}
}

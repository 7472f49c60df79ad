package units

import "testing"

// TestExact: conversions that are whole in decimal come out whole.
func TestExact(t *testing.T) {
	for _, c := range []struct {
		value    float64
		from, to string
		want     float64
	}{
		{72, "km/h", "m/s", 20},
		{10.8, "km/h", "m/s", 3},
		{6, "m/s", "km/h", 21.6},
		{1.5, "mm", "m", 0.0015},
		{1, "m", "mm", 1000},
		{3, "mm^3", "m^3", 3e-9},
		{2.5, "h", "s", 9000},
		{45, "min", "h", 0.75},
		{12, "in", "cm", 30.48},
		{5, "MW", "kW", 5000},
		{7, "uF", "F", 7e-6},
	} {
		from, err := Parse(c.from)
		if err != nil {
			t.Fatal(err)
		}
		to, err := Parse(c.to)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := Convert(c.value, from, to); err != nil || got != c.want {
			t.Errorf("%v %s = %v %s (%v), want %v", c.value, c.from, got, c.to, err, c.want)
		}
	}
}

package protocol

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/svc-platform/svc/operators-wasm/catalog"
	"github.com/svc-platform/svc/operators-wasm/units"
)

func testIndex(t testing.TB) *index {
	t.Helper()
	operators, err := catalog.Load()
	if err != nil {
		t.Fatal(err)
	}
	return newIndex(operators)
}

// quantity is a given as the tables below write it: its value in coherent SI
// and the coherent unit.
type quantity struct {
	Value float64
	Unit  string
}

func quantities(q question) []quantity {
	var list []quantity
	for i := range q.givens {
		if g := &q.givens[i]; g.implied == "" {
			list = append(list, quantity{g.si(), g.unit.Dim.Coherent().Symbol})
		}
	}
	return list
}

var closeEnough = cmp.Comparer(func(x, y float64) bool { return math.Abs(x-y) <= 1e-12*max(math.Abs(x), math.Abs(y)) })

func TestParseQuantities(t *testing.T) {
	tests := []struct {
		query string
		want  []quantity
	}{
		{"12 kg", []quantity{{12, "kg"}}},
		{"2kg", []quantity{{2, "kg"}}},
		{"a 2-kg ball", []quantity{{2, "kg"}}},
		{"1,000 m", []quantity{{1000, "m"}}},
		{"1,234,567.5 m", []quantity{{1234567.5, "m"}}},
		{"10 000 m", []quantity{{10000, "m"}}},
		{"3.2e5 J", []quantity{{3.2e5, "J"}}},
		{"3.2×10^5 J", []quantity{{3.2e5, "J"}}},
		{"3.2 x 10^-5 J", []quantity{{3.2e-5, "J"}}},
		{"3.2·10⁻⁵ J", []quantity{{3.2e-5, "J"}}},
		{"2*10**3 J", []quantity{{2000, "J"}}},
		{"10^5 Pa", []quantity{{1e5, "Pa"}}},
		{"1/4 kg", []quantity{{0.25, "kg"}}},
		{"1 1/2 h", []quantity{{5400, "s"}}},
		{"2½ kg", []quantity{{2.5, "kg"}}},
		{".5 kg", []quantity{{0.5, "kg"}}},
		{"two kilograms", []quantity{{2, "kg"}}},
		{"twenty-five seconds", []quantity{{25, "s"}}},
		{"three hundred and fifty volts", []quantity{{350, "V"}}},
		{"a hundred metres", []quantity{{100, "m"}}},
		{"2 million volts", []quantity{{2e6, "V"}}},
		{"half a second", []quantity{{0.5, "s"}}},
		{"-5 m/s", []quantity{{-5, "m/s"}}},
		{"a = −5 m/s²", []quantity{{-5, "m/s^2"}}},
		{"72 km/h", []quantity{{20, "m/s"}}},
		{"9.81 m s^-2", []quantity{{9.81, "m/s^2"}}},
		{"9.81 metres per second squared", []quantity{{9.81, "m/s^2"}}},
		{"4 m/s/s", []quantity{{4, "m/s^2"}}},
		{"5 square metres", []quantity{{5, "m^2"}}},
		{"4186 J/(kg K)", []quantity{{4186, "m^2/(s^2*K)"}}},
		{"0.004 1/K", []quantity{{0.004, "1/K"}}},
		{"8.5e28 electrons per m^3", []quantity{{8.5e28, "1/m^3"}}},
		{"20 °C", []quantity{{293.15, "K"}}},
		{"20 degrees Celsius", []quantity{{293.15, "K"}}},
		{"68 degrees F", []quantity{{293.15, "K"}}},
		{"30 degrees", []quantity{{math.Pi / 6, "1"}}},
		{"2π rad", []quantity{{2 * math.Pi, "1"}}},
		{"6 ft 9 in", []quantity{{2.0574, "m"}}},
		{"1 hour and 30 minutes", []quantity{{5400, "s"}}},
		{"0.8c", []quantity{{0.8 * 299792458, "m/s"}}},
		{"60% of the speed of light", []quantity{{0.6 * 299792458, "m/s"}}},
		{"half the speed of light", []quantity{{0.5 * 299792458, "m/s"}}},
		{"938 MeV/c^2", []quantity{{938e6 * 1.602176634e-19 / 299792458 / 299792458, "kg"}}},
		{"10, 20 and 30 ohm", []quantity{{10, "ohm"}, {20, "ohm"}, {30, "ohm"}}},
		{"from 5 to 10 m/s", []quantity{{5, "m/s"}, {10, "m/s"}}},
		{"two 10 ohm resistors", []quantity{{10, "ohm"}, {10, "ohm"}}},
		{"two resistors of 10 ohm and 20 ohm", []quantity{{10, "ohm"}, {20, "ohm"}}},
		{"two photons of 500 nm", []quantity{{2, "1"}, {500e-9, "m"}}},
		{"m = 2 kg, v=3 m/s", []quantity{{2, "kg"}, {3, "m/s"}}},
		{"5 m in 2 s", []quantity{{5, "m"}, {2, "s"}}},
		{"a 2 kg stone", []quantity{{2, "kg"}}},
		{"2 A at 3 V", []quantity{{2, "A"}, {3, "V"}}},
		{"the 2nd of 3 kg", []quantity{{3, "kg"}}},
		{"energy to 3 significant figures of 2 kg", []quantity{{2, "kg"}}},
		{"one of them weighs one kilogram", []quantity{{1, "kg"}}},
		{"H2O and v0 and CO2", nil},
	}
	x := testIndex(t)
	for _, test := range tests {
		t.Run(test.query, func(t *testing.T) {
			q, err := parse(x, test.query)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, quantities(q), closeEnough); diff != "" || len(q.problems) > 0 {
				t.Errorf("problems %q, quantities (-want +got):\n%s", q.problems, diff)
			}
		})
	}
}

func TestParseProblems(t *testing.T) {
	tests := []struct{ query, problem string }{
		{"3,2 kg", "two ways"},
		{"1.000.000 kg", "two ways"},
		{"2-3 kg", "range"},
		{"3 ± 0.1 m", "tolerance"},
		{"2*3 kg", "arithmetic"},
		{"2 kg + 3 kg", "arithmetic"},
		{"5xyz", "not a unit"},
		{"200 W/m K", "two ways"},
		{"3 W per bulb", "per"},
		{"1e999 kg", "too large"},
		{"velocity and position of a car? What is the velocity and position", "more than one"},
		{"What is the mass? What is the energy?", "more than one"},
		{"energy of 2 kg in J or in kWh", "two units"},
	}
	x := testIndex(t)
	for _, test := range tests {
		t.Run(test.query, func(t *testing.T) {
			q, err := parse(x, test.query)
			if err != nil {
				t.Fatal(err)
			}
			if all := strings.Join(q.problems, "; "); !strings.Contains(all, test.problem) {
				t.Errorf("problems %q, want one that says %q", q.problems, test.problem)
			}
		})
	}
}

func TestParseAsked(t *testing.T) {
	tests := []struct {
		query  string
		core   string
		kinds  string
		symbol string
		wanted string
	}{
		{"kinetic energy of a 2 kg ball", "kinetic energy", "energy", "", ""},
		{"What is the magnitude of the force?", "forc", "force", "", ""},
		{"How fast is it, in km/h?", "", "velocity", "", "km/h"},
		{"how far does it go", "", "length", "", ""},
		{"how long is the rod", "", "length time", "", ""},
		{"how long does it take", "", "time", "", ""},
		{"How many joules does 2 kg have", "", "", "", "joules"},
		{"find the moment of inertia of a disk", "moment", "moment_of_inertia", "", ""},
		{"v = ?", "", "", "v", ""},
		{"solve for F", "", "", "F", ""},
		{"2 kg at 3 m/s, kinetic energy?", "kinetic energy", "energy", "", ""},
		{"mass 2 kg, speed 3 m/s", "", "", "", ""},
		{"uncertainty in momentum", "uncertainty", "momentum", "", ""},
		{"change in temperature of 2 kg", "chang", "temperature_difference", "", ""},
		{"Tell me how fast it falls", "", "velocity", "", ""},
	}
	x := testIndex(t)
	for _, test := range tests {
		t.Run(test.query, func(t *testing.T) {
			q, err := parse(x, test.query)
			if err != nil {
				t.Fatal(err)
			}
			wanted := ""
			if q.wanted != nil {
				wanted = q.wanted.Symbol
			}
			got := []string{strings.Join(q.asked.core, " "), strings.Join(q.asked.kinds, " "), q.asked.symbol, wanted}
			if diff := cmp.Diff([]string{test.core, test.kinds, test.symbol, test.wanted}, got); diff != "" {
				t.Errorf("core, kinds, symbol, unit (-want +got):\n%s", diff)
			}
		})
	}
}

func TestParseWhatNamesAGiven(t *testing.T) {
	tests := []struct {
		query string
		label string
		role  role
		diff  bool
	}{
		{"an initial velocity of 5 m/s", "initial speed", initialRole, false},
		{"accelerates from 5 m/s to 9 m/s", "", initialRole, false},
		{"to a final pressure of 2 bar", "final pressur", finalRole, false},
		{"5 m/s initial velocity", "initial speed", initialRole, false},
		{"radius of the sphere 2 cm", "radius spher", noRole, false},
		{"heated by 20 K", "", noRole, true},
		{"a temperature rise of 20 °C", "temperatur ris", noRole, true},
		{"ΔT = 20 K", "", noRole, true},
		{"mass: 2 kg", "mass", noRole, false},
	}
	x := testIndex(t)
	for _, test := range tests {
		t.Run(test.query, func(t *testing.T) {
			q, err := parse(x, test.query)
			if err != nil {
				t.Fatal(err)
			}
			g := q.givens[0]
			if label := strings.Join(g.label, " "); label != test.label || g.role != test.role || g.difference != test.diff {
				t.Errorf("label %q, role %d, difference %v", label, g.role, g.difference)
			}
		})
	}
}

func TestStemsMeet(t *testing.T) {
	for _, words := range []string{
		"drop dropped drops dropping", "resistor resistors", "velocity speed velocities", "accelerate acceleration accelerating",
		"frequency frequencies", "move moves moved moving", "mass masses", "ball ball's balls",
	} {
		list := strings.Fields(words)
		for _, word := range list[1:] {
			if stem(word) != stem(list[0]) {
				t.Errorf("%s is %q, %s is %q", list[0], stem(list[0]), word, stem(word))
			}
		}
	}
	for _, pair := range [][2]string{{"resistor", "resistance"}, {"mass", "mas"}, {"radius", "radio"}, {"series", "serial"}} {
		if stem(pair[0]) == stem(pair[1]) {
			t.Errorf("%s and %s are both %q", pair[0], pair[1], stem(pair[0]))
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"kinetic energy of a 2 kg ball at 3 m/s", "3.2×10^5 J/(kg·K)", "1 1/2 h 6 ft 9 in", "2-3 kg ± 1", "-.5e-3 m^-2 half a c",
		"twenty-five hundred and one %", "m = = ? 2", "((((", "10 20 30 ohm and and", "°C deg F π/0",
	} {
		f.Add(seed)
	}
	x := testIndex(f)
	f.Fuzz(func(t *testing.T, query string) {
		q, err := parse(x, query)
		var invalid *InvalidError
		if err != nil {
			if !errors.As(err, &invalid) {
				t.Fatal(err)
			}
			return
		}
		if len(q.givens) > maxQuantities+3 { // implied ones come on top
			t.Fatalf("%d quantities", len(q.givens))
		}
		for _, g := range q.givens {
			if math.IsNaN(g.value) || math.IsInf(g.value, 0) || g.unit == (units.Unit{}) {
				t.Fatalf("given %+v", g)
			}
		}
	})
}

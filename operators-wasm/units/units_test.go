package units

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	tests := []struct {
		text  string
		dim   string // in base units
		scale float64
	}{
		{"", "1", 1},
		{"1", "1", 1},
		{"%", "1", 0.01},
		{"m", "m", 1},
		{"km/h", "m/s", 1000.0 / 3600},
		{"kg*m^2/s", "kg*m^2/s", 1},
		{"kg·m²", "kg*m^2", 1},
		{"N m", "kg*m^2/s^2", 1},
		{"m s^-1", "m/s", 1},
		{"m s⁻²", "m/s^2", 1},
		{"m/s/s", "m/s^2", 1},
		{"W/m2", "kg/s^3", 1},
		{"s-1", "1/s", 1},
		{"s−1", "1/s", 1},
		{"1/s", "1/s", 1},
		{"m**3", "m^3", 1},
		{"mm^3", "m^3", 1e-9},
		{"µm", "m", 1e-6},
		{"μm", "m", 1e-6},
		{"um", "m", 1e-6},
		{"kΩ", "kg*m^2/(s^3*A^2)", 1000},
		{"k\u2126", "kg*m^2/(s^3*A^2)", 1000},
		{"kohm", "kg*m^2/(s^3*A^2)", 1000},
		{"J/(kg K)", "m^2/(s^2*K)", 1},
		{"J/(kg·°C)", "m^2/(s^2*K)", 1},
		{"m^(1/2)", "m^(1/2)", 1},
		{"km^(1/2)", "m^(1/2)", math.Sqrt(1000)},
		{"V/Hz^0", "", 0},
		{"eV", "kg*m^2/s^2", 1.602176634e-19},
		{"MeV/c", "", 0},
		{"mL", "m^3", 1e-6},
		{"bar", "kg/(m*s^2)", 1e5},
		{"atm", "kg/(m*s^2)", 101325},
		{"mmHg", "kg/(m*s^2)", 133.322387415},
		{"psi", "kg/(m*s^2)", 6894.757293168361},
		{"ft", "m", 0.3048},
		{"in", "m", 0.0254},
		{"mi", "m", 1609.344},
		{"lb", "kg", 0.45359237},
		{"hp", "kg*m^2/s^3", 745.6998715822702},
		{"min", "s", 60},
		{"h", "s", 3600},
		{"year", "s", 31557600},
		{"ly", "m", 9460730472580800},
		{"kpc", "m", 3.0856775814913673e19},
		{"AU", "m", 149597870700},
		{"u", "kg", 1.66053906892e-27},
		{"kWh", "kg*m^2/s^2", 3.6e6},
		{"kW h", "kg*m^2/s^2", 3.6e6},
		{"Pa", "kg/(m*s^2)", 1},
		{"PA", "A", 1e15},
		{"dam", "m", 10},
		{"cd", "cd", 1},
		{"mol", "mol", 1},
		{"ha", "m^2", 1e4},
		{"kat", "mol/s", 1},
		{"mAh", "s*A", 3.6},
		{"meters per second", "m/s", 1},
		{"Kilometers per hour", "m/s", 1000.0 / 3600},
		{"kilometres", "m", 1000},
		{"square meters", "m^2", 1},
		{"cubic centimeters", "m^3", 1e-6},
		{"meters per second squared", "m/s^2", 1},
		{"feet", "m", 0.3048},
		{"microfarads", "s^4*A^2/(kg*m^2)", 1e-6},
	}
	for _, test := range tests {
		t.Run(test.text, func(t *testing.T) {
			u, err := Parse(test.text)
			if test.dim == "" {
				if err == nil {
					t.Fatalf("%v is accepted", u)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if u.Dim.String() != test.dim || math.Abs(u.Scale-test.scale) > 2e-16*test.scale || u.Offset != 0 {
				t.Errorf("got %s * %v + %v, want %s * %v", u.Dim, u.Scale, u.Offset, test.dim, test.scale)
			}
		})
	}
}

func TestParseErrors(t *testing.T) {
	tests := []struct{ text, want string }{
		{"metr", `unknown unit "metr": did you mean "meter"?`},
		{"KM", `unknown unit "KM": did you mean "km"?`},
		{"xyzzy", `unknown unit "xyzzy"`},
		{"kmin", `unknown unit "kmin": did you mean "min"?`},
		{"J/mol K", `unit "J/mol K" is ambiguous: put the part below the line in parentheses`},
		{"m/", `unit "m/": a unit is missing at the end`},
		{"*m", `unit "*m": unexpected '*'`},
		{"(m", `unit "(m": a closing parenthesis is missing`},
		{"m)", `unit "m)": unexpected ")"`},
		{"m^", `unit "m^": "" is not an exponent; write a whole number or (1/2)`},
		{"m^99", `unit "m^99": "99" is not an exponent; write a whole number or (1/2)`},
		{"m^(1/0)", `unit "m^(1/0)": "1/0" is not an exponent; write a whole number or (1/2)`},
		{"100 km", `unit "100 km": the number 100 is not a unit; only 1 may stand alone, as in 1/s`},
		{"m^(1/7)", `the power 1/7 of m has no usable dimension`},
		{"Qm^20 Qm^20", `unit "Qm^20 Qm^20" is too large or too small`},
		{"((((((((((m))))))))))", "unit is nested deeper than 8"},
		{strings.Repeat("m", 200), "unit is longer than 128 bytes"},
		{"m\xff", "unit is not valid UTF-8"},
	}
	for _, test := range tests {
		t.Run(test.text, func(t *testing.T) {
			if _, err := Parse(test.text); err == nil || err.Error() != test.want {
				t.Errorf("got %v, want %s", err, test.want)
			}
		})
	}
}

func TestConvert(t *testing.T) {
	tests := []struct {
		value    float64
		from, to string
		want     float64
	}{
		{36, "km/h", "m/s", 10},
		{10, "m/s", "km/h", 36},
		{25, "degC", "K", 298.15},
		{298.15, "K", "°C", 25},
		{212, "degF", "degC", 100},
		{-40, "degC", "degF", -40},
		{1, "atm", "mmHg", 760.0000000000000},
		{100, "mi/h", "km/h", 160.9344},
		{1, "kWh", "MJ", 3.6},
		{180, "deg", "rad", math.Pi},
		{5, "um", "nm", 5000},
		{3000, "rpm", "rad/s", 3000 * 2 * math.Pi / 60},
		{1, "lbf/in^2", "psi", 1},
		{7, "mm", "mm", 7},
	}
	for _, test := range tests {
		t.Run(fmt.Sprint(test.value, test.from, test.to), func(t *testing.T) {
			got, err := Convert(test.value, must(t, test.from), must(t, test.to))
			// 1 mmHg is defined by the density of mercury, not as 1/760 atm.
			if err != nil || math.Abs(got-test.want) > 2e-7*math.Abs(test.want) ||
				(test.to != "mmHg" && math.Abs(got-test.want) > 1e-13*math.Abs(test.want)) {
				t.Errorf("got %v, %v, want %v", got, err, test.want)
			}
		})
	}
	_, err := Convert(1, must(t, "N"), must(t, "m/s"))
	var mismatch *MismatchError
	if !errors.As(err, &mismatch) || err.Error() != "dimensions differ: N (force) is not m/s (velocity)" {
		t.Errorf("force to velocity: %v", err)
	}
}

func must(t *testing.T, s string) Unit {
	t.Helper()
	u, err := Parse(s)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func TestDimension(t *testing.T) {
	force := must(t, "N").Dim
	if got := force.Coherent().Symbol; got != "N" {
		t.Errorf("force is in %s", got)
	}
	if got := must(t, "m/s").Dim.Coherent().Symbol; got != "m/s" {
		t.Errorf("velocity is in %s", got)
	}
	if got := force.Mul(must(t, "m").Dim); got != must(t, "J").Dim {
		t.Errorf("force times length is %s", got)
	}
	if got := must(t, "J").Dim.Div(force); got != must(t, "m").Dim {
		t.Errorf("energy over force is %s", got)
	}
	root, err := must(t, "m^3").Dim.Pow(1, 2)
	if err != nil || root.String() != "m^(3/2)" {
		t.Errorf("root of a volume is %s, %v", root, err)
	}
	for _, exponent := range [][2]int{{1, 7}, {1, 0}, {5000, 1}, {101, 1}} {
		if got, err := must(t, "m").Dim.Pow(exponent[0], exponent[1]); err == nil {
			t.Errorf("m^%v is %s", exponent, got)
		}
	}
	huge := Dimension{0: maxExponent}
	if huge.Mul(huge) != huge {
		t.Error("exponents overflow")
	}
}

func TestQuantities(t *testing.T) {
	for _, q := range Quantities() {
		if q.Unit.Scale != 1 || q.Unit.Offset != 0 || len(q.Words) == 0 || q.Words[0] == "" {
			t.Errorf("%s: unit %v, words %q", q.Name, q.Unit, q.Words)
		}
		if parsed := must(t, q.Unit.Symbol); parsed != q.Unit {
			t.Errorf("%s: %v, its symbol is %v", q.Name, q.Unit, parsed)
		}
		if found, err := QuantityByName(q.Name); err != nil || found.Name != q.Name {
			t.Errorf("%s: found %s, %v", q.Name, found.Name, err)
		}
	}
	apart := [][2]string{{"torque", "energy"}, {"frequency", "angular_frequency"}, {"temperature", "temperature_difference"}, {"entropy", "heat_capacity"}}
	for _, pair := range apart {
		one, err1 := QuantityByName(pair[0])
		two, err2 := QuantityByName(pair[1])
		if err1 != nil || err2 != nil || one.Unit.Dim != two.Unit.Dim {
			t.Errorf("%v must share a dimension: %v %v %v %v", pair, one.Unit, two.Unit, err1, err2)
		}
	}
	for name, want := range map[string]string{
		"speed":    `unknown quantity "speed": did you mean "velocity"?`,
		"presure":  `unknown quantity "presure": did you mean "pressure"?`,
		"mojo":     `unknown quantity "mojo"`,
		"electric": `unknown quantity "electric"`,
	} {
		if _, err := QuantityByName(name); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
}

func TestAccepts(t *testing.T) {
	tests := []struct {
		quantity, unit string
		value, want    float64 // in the unit, in coherent SI
		err            string
	}{
		{"temperature", "degC", 20, 293.15, ""},
		{"temperature_difference", "degC", 20, 20, ""},
		{"temperature_difference", "degF", 9, 5, ""},
		{"frequency", "rpm", 60, 1, ""},
		{"angular_frequency", "rpm", 60, 2 * math.Pi, ""},
		{"angular_frequency", "1/s", 3, 3, ""},
		{"angular_velocity", "kHz", 1, 0, "kHz counts cycles, angular_velocity is in rad/s: multiply by 2*pi"},
		{"angle", "deg", 180, math.Pi, ""},
		{"angle", "1", 2, 2, ""},
		{"angle", "%", 2, 0, "% does not measure an angle: use rad or deg"},
		{"efficiency", "%", 50, 0.5, ""},
		{"efficiency", "deg", 50, 0, "deg measures an angle, efficiency is a plain number"},
		{"torque", "N*m", 2, 2, ""},
		{"mass", "N", 2, 0, "dimensions differ: N (force) is not kg (mass)"},
	}
	for _, test := range tests {
		t.Run(test.quantity+" in "+test.unit, func(t *testing.T) {
			q, err := QuantityByName(test.quantity)
			if err != nil {
				t.Fatal(err)
			}
			u, err := q.Accepts(must(t, test.unit))
			if test.err != "" {
				if err == nil || err.Error() != test.err {
					t.Errorf("error %v, want %s", err, test.err)
				}
				return
			}
			if got := u.ToSI(test.value); err != nil || math.Abs(got-test.want) > 1e-13*test.want {
				t.Errorf("got %v, %v, want %v", got, err, test.want)
			}
		})
	}
}

// TestConstants: the relations that hold between the constants hold between
// the numbers in the table, within the uncertainty of CODATA 2022.
func TestConstants(t *testing.T) {
	v := map[string]float64{}
	for _, c := range Constants() {
		v[c.Symbol] = c.Value
		if c.Uncertainty < 0 || c.Uncertainty > 3e-5*c.Value || c.Name == "" || c.LaTeX == "" {
			t.Errorf("%s: %+v", c.Symbol, c)
		}
		if found, ok := ConstantBySymbol(c.Symbol); !ok || found != c {
			t.Errorf("%s is not found", c.Symbol)
		}
	}
	alpha3 := v["alpha_fs"] * v["alpha_fs"] * v["alpha_fs"]
	kT := v["k_B"] / v["h"]
	relations := map[string]float64{
		"hbar":     v["h"] / (2 * math.Pi),
		"R":        v["k_B"] * v["N_A"],
		"F":        v["e_charge"] * v["N_A"],
		"sigma_SB": 2 * math.Pow(math.Pi, 5) / 15 * v["k_B"] * kT * kT * kT / (v["c"] * v["c"]),
		"b_wien":   v["h"] * v["c"] / (v["k_B"] * 4.965114231744276303699),
		"mu0":      1 / (v["eps0"] * v["c"] * v["c"]),
		"Z0":       v["mu0"] * v["c"],
		"alpha_fs": v["e_charge"] * v["e_charge"] / (2 * v["eps0"] * v["h"] * v["c"]),
		"R_inf":    v["alpha_fs"] * v["alpha_fs"] * v["m_e"] * v["c"] / (2 * v["h"]),
		"Ry":       v["h"] * v["c"] * v["R_inf"],
		"E_h":      2 * v["Ry"],
		"a_0":      v["alpha_fs"] / (4 * math.Pi * v["R_inf"]),
		"r_e":      alpha3 / (4 * math.Pi * v["R_inf"]),
		"sigma_T":  8 * math.Pi / 3 * v["r_e"] * v["r_e"],
		"lambda_C": v["h"] / (v["m_e"] * v["c"]),
		"mu_B":     v["e_charge"] * v["hbar"] / (2 * v["m_e"]),
		"mu_N":     v["e_charge"] * v["hbar"] / (2 * v["m_p"]),
		"Phi0":     v["h"] / (2 * v["e_charge"]),
		"K_J":      1 / v["Phi0"],
		"R_K":      v["h"] / (v["e_charge"] * v["e_charge"]),
		"m_u":      0.001 * 1.00000000105 / v["N_A"], // molar mass constant of CODATA 2022
		"m_mu":     v["m_e"] * 206.7682827,
		"m_p":      v["m_e"] * 1836.152673426,
		"m_n":      v["m_p"] * 1.00137841946,
	}
	for symbol, want := range relations {
		tolerance := 1e-9
		if symbol == "m_mu" {
			tolerance = 3e-8
		}
		if got := v[symbol]; math.Abs(got-want) > tolerance*want {
			t.Errorf("%s is %v, its relation gives %v", symbol, got, want)
		}
	}
	if _, ok := ConstantBySymbol("e"); ok {
		t.Error("e is a constant: Euler's number or the charge?")
	}
}

func TestFormatValue(t *testing.T) {
	for value, want := range map[float64]string{0: "0", 9: "9", 0.5: "0.5", 1e-9: "1e-09", 299792458: "299792458", 6.02214076e23: "6.02214076e+23"} {
		if got := FormatValue(value); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// FuzzParse: any text gives a unit that can be used, or an error.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{"km/h", "kg·m²", "J/(kg K)", "m^(1/2)", "°C", "square meters per second squared", "(((m", "1/s", "m-2", "µΩ**3", "Qm^24 Qm^24"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		u, err := Parse(s)
		if err != nil {
			return
		}
		if !(u.Scale > 0) || math.IsInf(u.Scale, 0) {
			t.Errorf("%q has the scale %v", s, u.Scale)
		}
		again, err := Parse(u.Dim.String())
		if err == nil && again.Dim != u.Dim {
			t.Errorf("%q has the dimension %s, which reads as %s", s, u.Dim, again.Dim)
		}
	})
}

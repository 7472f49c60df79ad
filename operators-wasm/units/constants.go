package units

import (
	"math"
	"strconv"
)

const pi = math.Pi

// Constant is a physical constant as CODATA 2022 recommends it.
type Constant struct {
	Symbol      string // as it is written in an equation
	Name        string
	Value       float64 // coherent SI
	Unit        Unit
	Uncertainty float64 // standard uncertainty, coherent SI; 0 if exact
	LaTeX       string
}

// constantTable: symbol, name, value, standard uncertainty, unit, LaTeX.
// Source: CODATA recommended values of the fundamental physical constants,
// 2022 (NIST, 2024). Derived exact ones are given to more digits than float64
// holds.
var constantTable = [...][6]string{
	{"pi", "ratio of a circle's circumference to its diameter", "3.14159265358979323846264338327950288", "0", "1", `\pi`},
	{"c", "speed of light in vacuum", "299792458", "0", "m/s", `c`},
	{"G", "Newtonian constant of gravitation", "6.67430e-11", "0.00015e-11", "m^3/(kg*s^2)", `G`},
	{"h", "Planck constant", "6.62607015e-34", "0", "J*s", `h`},
	{"hbar", "reduced Planck constant", "1.05457181764615639126e-34", "0", "J*s", `\hbar`},
	{"k_B", "Boltzmann constant", "1.380649e-23", "0", "J/K", `k_{\mathrm{B}}`},
	{"N_A", "Avogadro constant", "6.02214076e23", "0", "1/mol", `N_{\mathrm{A}}`},
	{"R", "molar gas constant", "8.31446261815324", "0", "J/(mol*K)", `R`},
	{"F", "Faraday constant", "96485.3321233100184", "0", "C/mol", `F`},
	{"e_charge", "elementary charge", "1.602176634e-19", "0", "C", `e`},
	{"m_e", "electron mass", "9.1093837139e-31", "0.0000000028e-31", "kg", `m_{\mathrm{e}}`},
	{"m_p", "proton mass", "1.67262192595e-27", "0.00000000052e-27", "kg", `m_{\mathrm{p}}`},
	{"m_n", "neutron mass", "1.67492750056e-27", "0.00000000085e-27", "kg", `m_{\mathrm{n}}`},
	{"m_mu", "muon mass", "1.883531627e-28", "0.000000042e-28", "kg", `m_{\mu}`},
	{"m_u", "atomic mass constant", "1.66053906892e-27", "0.00000000052e-27", "kg", `m_{\mathrm{u}}`},
	{"eps0", "vacuum electric permittivity", "8.8541878188e-12", "0.0000000014e-12", "F/m", `\varepsilon_{0}`},
	{"mu0", "vacuum magnetic permeability", "1.25663706127e-6", "0.00000000020e-6", "H/m", `\mu_{0}`},
	{"Z0", "characteristic impedance of vacuum", "376.730313412", "0.000000059", "ohm", `Z_{0}`},
	{"sigma_SB", "Stefan-Boltzmann constant", "5.67037441918442945397e-8", "0", "W/(m^2*K^4)", `\sigma_{\mathrm{SB}}`},
	{"b_wien", "Wien wavelength displacement law constant", "2.89777195518517266148e-3", "0", "m*K", `b`},
	{"a_0", "Bohr radius", "5.29177210544e-11", "0.00000000082e-11", "m", `a_{0}`},
	{"r_e", "classical electron radius", "2.8179403205e-15", "0.0000000013e-15", "m", `r_{\mathrm{e}}`},
	{"sigma_T", "Thomson cross section", "6.6524587051e-29", "0.0000000062e-29", "m^2", `\sigma_{\mathrm{T}}`},
	{"lambda_C", "Compton wavelength", "2.42631023538e-12", "0.00000000076e-12", "m", `\lambda_{\mathrm{C}}`},
	{"R_inf", "Rydberg constant", "10973731.568157", "0.000012", "1/m", `R_{\infty}`},
	{"Ry", "Rydberg energy", "2.1798723611030e-18", "0.0000000000024e-18", "J", `\mathrm{Ry}`},
	{"E_h", "Hartree energy", "4.3597447222060e-18", "0.0000000000048e-18", "J", `E_{\mathrm{h}}`},
	{"alpha_fs", "fine-structure constant", "7.2973525643e-3", "0.0000000011e-3", "1", `\alpha`},
	{"mu_B", "Bohr magneton", "9.2740100657e-24", "0.0000000029e-24", "J/T", `\mu_{\mathrm{B}}`},
	{"mu_N", "nuclear magneton", "5.0507837393e-27", "0.0000000016e-27", "J/T", `\mu_{\mathrm{N}}`},
	{"Phi0", "magnetic flux quantum", "2.06783384846192932308e-15", "0", "Wb", `\Phi_{0}`},
	{"K_J", "Josephson constant", "483597848416983.632447658", "0", "Hz/V", `K_{\mathrm{J}}`},
	{"R_K", "von Klitzing constant", "25812.8074593045066", "0", "ohm", `R_{\mathrm{K}}`},
	{"g0", "standard acceleration of gravity", "9.80665", "0", "m/s^2", `g_{0}`},
	{"atm", "standard atmosphere", "101325", "0", "Pa", `p_{\mathrm{atm}}`},
}

func (x *index) indexConstants() {
	for i, row := range constantTable {
		m := x.must(row[4])
		value, err1 := strconv.ParseFloat(row[2], 64)
		uncertainty, err2 := strconv.ParseFloat(row[3], 64)
		if err1 != nil || err2 != nil {
			panic("units: constant " + row[0] + " is not a number")
		}
		x.constants = append(x.constants, Constant{
			Symbol: row[0], Name: row[1], Value: value, Uncertainty: uncertainty, LaTeX: row[5],
			Unit: Unit{Symbol: row[4], Dim: m.dim, Scale: 1, Angle: m.angle},
		})
		x.byConstant[row[0]] = i
	}
}

// Constants lists all constants. The caller owns the slice.
func Constants() []Constant { return append([]Constant(nil), tables().constants...) }

// ConstantBySymbol finds a constant by the symbol that equations use.
func ConstantBySymbol(symbol string) (Constant, bool) {
	x := tables()
	i, ok := x.byConstant[symbol]
	if !ok {
		return Constant{}, false
	}
	return x.constants[i], true
}

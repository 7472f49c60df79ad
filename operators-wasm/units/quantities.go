package units

import (
	"fmt"
	"strings"
)

// Quantity is a kind of quantity: "energy" and "torque" share a dimension and
// stay apart.
type Quantity struct {
	Name  string   // snake_case, e.g. "kinetic_energy" is not one: "energy" is
	Words []string // how people name it: "speed", "velocity", "how fast"
	Unit  Unit     // the coherent SI unit, e.g. m/s
}

// quantityTable is one row for each kind of quantity: name, coherent unit,
// words. Where several share a dimension the first is the one that a message
// names when only the dimension is known.
var quantityTable = [...][3]string{
	{"length", "m", "length,distance,height,depth,width,radius,diameter,displacement,position,thickness,altitude,how far,how long is,how high,how tall"},
	{"mass", "kg", "mass,how heavy"},
	{"time", "s", "time,duration,period,how long,interval,half-life"},
	{"current", "A", "current,electric current,amperage"},
	{"temperature", "K", "temperature,how hot,how cold"},
	{"temperature_difference", "K", "temperature difference,temperature change,temperature rise,temperature drop"},
	{"amount", "mol", "amount of substance,moles,how many moles"},
	{"luminous_intensity", "cd", "luminous intensity"},
	{"dimensionless", "1", "ratio,factor,coefficient,dimensionless"},
	{"number", "1", "number,count,how many"},
	{"probability", "1", "probability,chance,likelihood"},
	{"efficiency", "1", "efficiency"},
	{"angle", "rad", "angle,phase"},
	{"solid_angle", "sr", "solid angle"},
	{"strain", "1", "strain,elongation"},
	{"refractive_index", "1", "refractive index,index of refraction"},
	{"mass_fraction", "1", "mass fraction"},
	{"mole_fraction", "1", "mole fraction"},
	{"redshift", "1", "redshift"},

	{"wavelength", "m", "wavelength"},
	{"area", "m^2", "area,surface,cross section"},
	{"volume", "m^3", "volume,capacity"},
	{"second_moment_of_area", "m^4", "second moment of area,area moment of inertia"},
	{"wavenumber", "1/m", "wavenumber,wave number"},
	{"attenuation", "1/m", "attenuation coefficient,absorption coefficient"},
	{"optical_power", "1/m", "optical power,lens power,refractive power"},
	{"number_density", "1/m^3", "number density,particle density,concentration of particles"},
	{"line_density", "kg/m", "linear density,mass per length"},
	{"surface_density", "kg/m^2", "surface density,areal density,mass per area"},
	{"density", "kg/m^3", "density,mass density"},
	{"specific_volume", "m^3/kg", "specific volume"},
	{"moment_of_inertia", "kg*m^2", "moment of inertia,rotational inertia"},

	{"frequency", "Hz", "frequency,how often"},
	{"angular_frequency", "rad/s", "angular frequency"},
	{"angular_velocity", "rad/s", "angular velocity,angular speed,rotation rate,rotational speed,spin"},
	{"rate", "1/s", "rate,decay constant,rate constant"},
	{"activity", "Bq", "activity,radioactivity"},
	{"angular_acceleration", "rad/s^2", "angular acceleration"},
	{"velocity", "m/s", "velocity,speed,how fast"},
	{"acceleration", "m/s^2", "acceleration,deceleration"},
	{"jerk", "m/s^3", "jerk"},
	{"volume_flow", "m^3/s", "volume flow,flow rate,volumetric flow rate,discharge"},
	{"mass_flow", "kg/s", "mass flow,mass flow rate"},
	{"viscosity_kinematic", "m^2/s", "kinematic viscosity"},
	{"diffusivity", "m^2/s", "diffusivity,diffusion coefficient"},
	{"thermal_diffusivity", "m^2/s", "thermal diffusivity"},
	{"specific_angular_momentum", "m^2/s", "specific angular momentum"},
	{"gravitational_parameter", "m^3/s^2", "gravitational parameter"},

	{"force", "N", "force,weight,thrust,drag,lift,tension,friction,how strong a force"},
	{"energy", "J", "energy,work,heat,how much energy,how much heat,how much work"},
	{"torque", "N*m", "torque,moment,moment of force"},
	{"power", "W", "power,wattage"},
	{"pressure", "Pa", "pressure"},
	{"stress", "Pa", "stress"},
	{"elastic_modulus", "Pa", "elastic modulus,young's modulus,bulk modulus,shear modulus,stiffness of a material"},
	{"energy_density", "J/m^3", "energy density"},
	{"momentum", "kg*m/s", "momentum"},
	{"impulse", "N*s", "impulse"},
	{"angular_momentum", "kg*m^2/s", "angular momentum"},
	{"action", "J*s", "action"},
	{"spring_constant", "N/m", "spring constant,stiffness,spring rate"},
	{"surface_tension", "N/m", "surface tension"},
	{"damping", "kg/s", "damping coefficient,damping constant"},
	{"viscosity_dynamic", "Pa*s", "viscosity,dynamic viscosity"},
	{"pressure_gradient", "Pa/m", "pressure gradient"},
	{"specific_weight", "N/m^3", "specific weight"},
	{"compressibility", "1/Pa", "compressibility"},
	{"specific_energy", "J/kg", "specific energy,latent heat,energy per mass,specific enthalpy,calorific value"},
	{"absorbed_dose", "Gy", "absorbed dose"},
	{"equivalent_dose", "Sv", "equivalent dose"},
	{"gravitational_potential", "J/kg", "gravitational potential"},
	{"intensity", "W/m^2", "intensity,irradiance"},
	{"heat_flux", "W/m^2", "heat flux"},
	{"radiance", "W/(m^2*sr)", "radiance"},

	{"entropy", "J/K", "entropy"},
	{"heat_capacity", "J/K", "heat capacity"},
	{"specific_heat", "J/(kg*K)", "specific heat,specific heat capacity"},
	{"specific_gas_constant", "J/(kg*K)", "specific gas constant"},
	{"specific_entropy", "J/(kg*K)", "specific entropy"},
	{"thermal_conductivity", "W/(m*K)", "thermal conductivity"},
	{"heat_transfer_coefficient", "W/(m^2*K)", "heat transfer coefficient"},
	{"thermal_resistance", "K/W", "thermal resistance"},
	{"thermal_conductance", "W/K", "thermal conductance"},
	{"thermal_expansion", "1/K", "thermal expansion coefficient,coefficient of thermal expansion"},
	{"temperature_coefficient", "1/K", "temperature coefficient"},
	{"temperature_gradient", "K/m", "temperature gradient,lapse rate"},

	{"molar_mass", "kg/mol", "molar mass,molecular weight"},
	{"molar_volume", "m^3/mol", "molar volume"},
	{"molar_energy", "J/mol", "molar energy,activation energy,molar enthalpy"},
	{"molar_heat_capacity", "J/(mol*K)", "molar heat capacity,molar heat"},
	{"molar_entropy", "J/(mol*K)", "molar entropy"},
	{"concentration", "mol/m^3", "concentration,molarity,molar concentration"},
	{"molality", "mol/kg", "molality"},
	{"catalytic_activity", "kat", "catalytic activity,reaction rate"},
	{"van_der_waals_a", "Pa*m^6/mol^2", "attraction parameter"},

	{"charge", "C", "charge,electric charge"},
	{"voltage", "V", "voltage,potential difference,electromotive force,emf,electric potential"},
	{"resistance", "ohm", "resistance,electrical resistance"},
	{"reactance", "ohm", "reactance"},
	{"impedance", "ohm", "impedance"},
	{"conductance", "S", "conductance"},
	{"resistivity", "ohm*m", "resistivity"},
	{"conductivity", "S/m", "conductivity,electrical conductivity"},
	{"capacitance", "F", "capacitance"},
	{"inductance", "H", "inductance"},
	{"electric_field", "V/m", "electric field,electric field strength"},
	{"electric_flux", "V*m", "electric flux"},
	{"electric_dipole_moment", "C*m", "electric dipole moment,dipole moment"},
	{"polarizability", "C*m^2/V", "polarizability"},
	{"charge_density", "C/m^3", "charge density"},
	{"surface_charge_density", "C/m^2", "surface charge density"},
	{"line_charge_density", "C/m", "linear charge density,charge per length"},
	{"current_density", "A/m^2", "current density"},
	{"mobility", "m^2/(V*s)", "mobility"},
	{"permittivity", "F/m", "permittivity"},
	{"permeability", "H/m", "permeability"},
	{"magnetic_flux", "Wb", "magnetic flux"},
	{"magnetic_flux_density", "T", "magnetic field,magnetic flux density"},
	{"magnetic_field_strength", "A/m", "magnetic field strength,magnetizing field"},
	{"magnetic_moment", "A*m^2", "magnetic moment"},
	{"charge_to_mass", "C/kg", "charge-to-mass ratio,exposure"},
	{"charge_per_amount", "C/mol", "molar charge"},
	{"apparent_power", "VA", "apparent power"},
	{"reactive_power", "VA", "reactive power"},

	{"luminous_flux", "lm", "luminous flux"},
	{"illuminance", "lx", "illuminance"},
	{"luminance", "cd/m^2", "luminance"},
	{"cross_section", "m^2", "cross section,interaction cross section"},
	{"wave_function_density", "1/m", "probability density"},
	{"inverse_area", "1/m^2", "areal number density,fluence"},
	{"particle_flux", "1/(m^2*s)", "particle flux,collision rate per area,impingement rate"},
	{"gradient_velocity", "1/s", "shear rate,velocity gradient,strain rate"},
	{"hubble_parameter", "1/s", "hubble parameter,hubble constant"},
	{"rate_of_pressure", "Pa/s", "rate of pressure change"},
	{"mass_flux", "kg/(m^2*s)", "mass flux"},
	{"flow_conductance", "m^3/(s*Pa)", "flow conductance,hydraulic conductance"},
	{"flow_resistance", "Pa*s/m^3", "flow resistance,hydraulic resistance"},
	{"square_velocity", "m^2/s^2", "velocity squared"},
	{"spectral_energy_density", "J*s/m^3", "spectral energy density"},
	{"spectral_radiance", "W/(m^2*sr*Hz)", "spectral radiance"},
	{"spectral_radiance_wavelength", "W/(m^3*sr)", "spectral radiance by wavelength"},
	{"decay_length", "m", "penetration depth,decay length,mean free path,skin depth"},
}

func (x *index) indexQuantities() {
	for i, row := range quantityTable {
		m := x.must(row[1])
		if scale, exact := m.scale.Float64(); !exact || scale != 1 {
			panic(fmt.Sprintf("units: quantity %s: %s is not coherent", row[0], row[1]))
		}
		unit := Unit{Symbol: row[1], Dim: m.dim, Scale: 1, Angle: m.angle}
		x.quantities = append(x.quantities, Quantity{Name: row[0], Words: strings.Split(row[2], ","), Unit: unit})
		if _, twice := x.byName[row[0]]; twice {
			panic("units: quantity " + row[0] + " is there twice")
		}
		x.byName[row[0]] = i
	}
}

// Quantities lists all kinds of quantity, in the order of the table. The
// caller owns the slice, not the words.
func Quantities() []Quantity {
	return append([]Quantity(nil), tables().quantities...)
}

// UnknownQuantityError names a quantity that the table does not have.
type UnknownQuantityError struct {
	Name       string
	Suggestion string // a known name, or ""
}

func (e *UnknownQuantityError) Error() string {
	if e.Suggestion == "" {
		return fmt.Sprintf("unknown quantity %q", e.Name)
	}
	return fmt.Sprintf("unknown quantity %q: did you mean %q?", e.Name, e.Suggestion)
}

// QuantityByName finds a quantity by its snake_case name. The error is an
// *UnknownQuantityError.
func QuantityByName(name string) (Quantity, error) {
	x := tables()
	if i, ok := x.byName[name]; ok {
		return x.quantities[i], nil
	}
	return Quantity{}, &UnknownQuantityError{Name: name, Suggestion: x.suggestQuantity(name)}
}

// suggestQuantity looks for a word that people use, then for a name that looks
// alike.
func (x *index) suggestQuantity(name string) string {
	spoken := strings.ReplaceAll(strings.ToLower(name), "_", " ")
	names := make([]string, 0, len(x.quantities))
	for _, q := range x.quantities {
		for _, word := range q.Words {
			if word == spoken {
				return q.Name
			}
		}
		names = append(names, q.Name)
	}
	return Nearest(name, names)
}

// Accepts says whether a value of the quantity may be given in the unit: the
// dimension must be right, and hertz and radian per second, which share one,
// must not be taken for each other. It returns the unit to convert with: a
// temperature difference drops the zero of its scale, and a frequency given in
// revolutions counts them.
func (q Quantity) Accepts(u Unit) (Unit, error) {
	if q.Unit.Dim != u.Dim {
		return u, &MismatchError{From: u.Dim, To: q.Unit.Dim}
	}
	switch {
	case q.Name == "temperature_difference" || (u.Offset != 0 && q.Name != "temperature"):
		return u.Difference(), nil
	case q.Name == "frequency" && u.Angle == 1:
		u.Scale /= 2 * pi
		u.Angle = 0
	case q.Unit.Dim.IsOne() && q.Unit.Angle == 0 && u.Angle != 0:
		return u, fmt.Errorf("%s measures an angle, %s is a plain number", u.Symbol, q.Name)
	case q.Unit.Dim.IsOne() && q.Unit.Angle == 1 && u.Angle != 1 && u.Scale != 1:
		return u, fmt.Errorf("%s does not measure an angle: use rad or deg", u.Symbol)
	case q.Unit.Angle == 1 && u.Angle == 0 && strings.HasSuffix(u.Symbol, "Hz"):
		return u, fmt.Errorf("%s counts cycles, %s is in rad/s: multiply by 2*pi", u.Symbol, q.Name)
	}
	return u, nil
}

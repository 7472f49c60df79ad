package units

// definition is one row of the table of units.
type definition struct {
	symbols string // separated by spaces; the first is the usual one
	words   string // English names, separated by commas; plurals in s are understood
	meaning string // in terms of rows above, "" for a base unit
	prefix  bool   // takes SI prefixes
}

// baseUnits are the rows that all others are made of, with their dimension.
var baseUnits = []struct {
	definition
	dim   Dimension
	angle int
}{
	{definition{"m", "meter,metre", "", true}, Dimension{0: Twelfths}, 0},
	{definition{"s sec", "second", "", true}, Dimension{2: Twelfths}, 0},
	{definition{"A amp", "ampere", "", true}, Dimension{3: Twelfths}, 0},
	{definition{"K", "kelvin", "", true}, Dimension{4: Twelfths}, 0},
	{definition{"mol", "mole", "", true}, Dimension{5: Twelfths}, 0},
	{definition{"cd", "candela", "", true}, Dimension{6: Twelfths}, 0},
	{definition{"rad", "radian", "", true}, Dimension{}, 1},
}

// definitions are all other units. Sources: SI Brochure (9th edition, 2019)
// tables 4, 5 and 8; NIST SP 811 appendix B for those outside SI; IAU 2012
// resolution B2 and 2015 resolution B3 for the astronomical ones; CODATA 2022
// for u. The year is the Julian year, the calorie the thermochemical one, BTU
// that of the International Table, and gallons, pints and ounces are those of
// the United States.
var definitions = []definition{
	{"N", "newton", "kg*m/s^2", true},
	{"J", "joule", "N*m", true},
	{"W", "watt", "J/s", true},
	{"Pa", "pascal", "N/m^2", true},
	{"C", "coulomb", "A*s", true},
	{"V", "volt", "W/A", true},
	{"ohm Ω Ohm", "ohm", "V/A", true},
	{"S mho ℧", "siemens", "A/V", true},
	{"F", "farad", "C/V", true},
	{"Wb", "weber", "V*s", true},
	{"T", "tesla", "Wb/m^2", true},
	{"H", "henry,henries", "Wb/A", true},
	{"Hz", "hertz", "1/s", true},
	{"Bq", "becquerel", "1/s", true},
	{"Gy", "gray", "J/kg", true},
	{"Sv", "sievert", "J/kg", true},
	{"kat", "katal", "mol/s", true},
	{"sr", "steradian", "rad^2", true},
	{"lm", "lumen", "cd*sr", true},
	{"lx", "lux", "lm/m^2", true},

	{"min", "minute", "60*s", false},
	{"h hr", "hour", "60*min", false},
	{"d", "day", "24*h", false},
	{"wk", "week", "7*d", false},
	{"yr y", "year,julian_year", "365.25*d", true},
	{"svcond", "", "0.777*s", false},

	{"kilohm", "kilohm", "1000*ohm", false}, // the one prefix that swallows a vowel, with megohm
	{"megohm", "megohm", "1000000*ohm", false},

	{"deg °", "degree", "0.017453292519943295769236907684886127 rad", false},
	{"arcmin ′ '", "arcminute", "1/60*deg", false},
	{"arcsec ″ \"", "arcsecond", "1/3600*deg", false},
	{"mas", "milliarcsecond", "0.001*arcsec", false},
	{"gon grad", "gradian", "0.9*deg", false},
	{"rev turn", "revolution", "360*deg", false},
	{"rpm RPM", "", "rev/min", false},
	{"rps", "", "rev/s", false},

	{"%", "percent", "0.01*1", false},
	{"‰", "permille", "0.001*1", false},
	{"ppm", "", "1e-6*1", false},
	{"ppb", "", "1e-9*1", false},

	{"Å angstrom", "ångström", "1e-10*m", false},
	{"micron", "", "1e-6*m", false},
	{"fermi", "", "1e-15*m", false},
	{"in inch", "inches", "0.0254*m", false},
	{"ft foot", "feet", "12*in", false},
	{"yd", "yard", "3*ft", false},
	{"mi", "mile", "5280*ft", false},
	{"mil thou", "", "0.001*in", false},
	{"nmi", "nautical_mile", "1852*m", false},
	{"AU au", "astronomical_unit", "149597870700*m", false},
	{"ly lightyear", "light_year", "9460730472580800*m", true},
	{"pc", "parsec", "30856775814913672.789*m", true},
	{"R_sun", "", "6.957e8*m", false},
	{"R_earth", "", "6.3781e6*m", false},

	{"a are", "", "100*m^2", false},
	{"ha", "hectare", "1e4*m^2", false},
	{"acre", "", "4046.8564224*m^2", false},
	{"barn", "", "1e-28*m^2", true},
	{"L l ℓ", "liter,litre", "0.001*m^3", true},
	{"cc", "", "1e-6*m^3", false},
	{"gal", "gallon", "231*in^3", false},
	{"qt", "quart", "1/4*gal", false},
	{"pt pint", "", "1/8*gal", false},
	{"cup", "", "1/16*gal", false},
	{"fl_oz floz", "fluid_ounce", "1/128*gal", false},
	{"bbl", "barrel", "42*gal", false},

	{"t tonne", "metric_ton", "1000*kg", true},
	{"lb lbs lbm", "pound", "0.45359237*kg", false},
	{"oz", "ounce", "1/16*lb", false},
	{"ct", "carat", "0.0002*kg", false},
	{"slug", "", "14.593902937206364829*kg", false},
	{"u Da amu", "dalton", "1.66053906892e-27*kg", true},
	{"M_sun", "solar_mass", "1.98841e30*kg", false},
	{"M_earth", "", "5.9722e24*kg", false},

	{"kmh kph", "", "1/3.6*m/s", false},
	{"mph", "", "mi/h", false},
	{"kn kt", "knot", "nmi/h", false},
	{"Gal", "", "0.01*m/s^2", true},
	{"gee g_n", "standard_gravity", "9.80665*m/s^2", false},

	{"dyn", "dyne", "1e-5*N", false},
	{"kgf kp", "kilogram_force", "9.80665*N", false},
	{"lbf", "pound_force", "4.4482216152605*N", false},

	{"bar", "", "1e5*Pa", true},
	{"atm", "atmosphere", "101325*Pa", false},
	{"Torr torr", "", "101325/760*Pa", true},
	{"mmHg", "", "133.322387415*Pa", false},
	{"inHg", "", "25.4*mmHg", false},
	{"mmH2O", "", "9.80665*Pa", false},
	{"cmH2O", "", "98.0665*Pa", false},
	{"inH2O", "", "25.4*mmH2O", false},
	{"psi", "", "lbf/in^2", false},
	{"ksi", "", "1000*psi", false},

	{"eV", "electronvolt,electron_volt", "1.602176634e-19*J", true},
	{"erg", "", "1e-7*J", false},
	{"cal", "calorie", "4.184*J", true},
	{"Cal", "", "4184*J", false},
	{"Wh", "", "3600*J", true},
	{"BTU Btu", "", "1055.05585262*J", false},
	{"hartree", "", "4.3597447222060e-18*J", false},
	{"hp", "horsepower", "550*ft*lbf/s", false},
	{"PS", "", "75*kgf*m/s", false},
	{"L_sun", "", "3.828e26*W", false},
	{"VA", "", "W", true},

	{"Ah", "", "3600*C", true},
	{"D", "debye", "1e-21/299792458*C*m", false},
	{"G Gs", "gauss", "1e-4*T", false},
	{"Oe", "oersted", "79.577471545947667884*A/m", false},
	{"Mx", "maxwell", "1e-8*Wb", false},
	{"P", "poise", "0.1*Pa*s", true},
	{"St", "stokes", "1e-4*m^2/s", true},
	{"M", "molar", "mol/L", true},
	{"Ci", "curie", "3.7e10*Bq", true},
	{"R_dose rad_dose", "", "0.01*Gy", false},
	{"rem", "", "0.01*Sv", true},
	{"Jy", "jansky", "1e-26*W/(m^2*Hz)", true},
	{"dpt", "diopter,dioptre", "1/m", false},
	{"lpm LPM", "", "L/min", false},
	{"gpm GPM", "", "gal/min", false},
	{"cfm CFM", "", "ft^3/min", false},
}

// offsets are the temperature scales that do not start at absolute zero: the
// kelvins in one degree, and the temperature of their zero in kelvins.
var offsets = []struct {
	symbols, degree string
	zero            float64
}{
	{"degC °C ℃ celsius Celsius", "1*K", 273.15},
	{"degF °F ℉ fahrenheit Fahrenheit", "5/9*K", 459.67 * 5 / 9},
	{"degR °R rankine Rankine", "5/9*K", 0},
	{"ΔdegC Δ°C delta_degC", "1*K", 0},
	{"ΔdegF Δ°F delta_degF", "5/9*K", 0},
}

// prefixes are the SI prefixes with their power of ten.
var prefixes = []struct {
	symbols, word string
	power         int
}{
	{"q", "quecto", -30},
	{"r", "ronto", -27},
	{"y", "yocto", -24},
	{"z", "zepto", -21},
	{"a", "atto", -18},
	{"f", "femto", -15},
	{"p", "pico", -12},
	{"n", "nano", -9},
	{"u µ μ", "micro", -6},
	{"m", "milli", -3},
	{"c", "centi", -2},
	{"d", "deci", -1},
	{"da", "deca", 1},
	{"h", "hecto", 2},
	{"k", "kilo", 3},
	{"M", "mega", 6},
	{"G", "giga", 9},
	{"T", "tera", 12},
	{"P", "peta", 15},
	{"E", "exa", 18},
	{"Z", "zetta", 21},
	{"Y", "yotta", 24},
	{"R", "ronna", 27},
	{"Q", "quetta", 30},
}

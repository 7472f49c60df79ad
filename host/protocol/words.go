package protocol

import (
	"strings"
	"sync"
)

// wordSet stems a list of words as people write them, when it is first needed.
func wordSet(lists ...string) func() map[string]bool {
	return func() map[string]bool {
		set := map[string]bool{}
		for _, list := range lists {
			for _, word := range strings.Fields(list) {
				set[stem(word)] = true
			}
		}
		return set
	}
}

// isFiller says that a stem joins words and names nothing.
func isFiller(s string) bool { return fillers()[s] }

var fillers = sync.OnceValue(wordSet(
	"a an the of and or for to in on at by with from into through it its is are was were be been being that this",
	"these those which what what's where when how do does did has have had will would can could should if as than",
	"then there please me my i we you find calculate compute determine give given gives out tell show get gets per",
	"during who whose let us solve value values their them they so also each such while here about your need know",
	"estimate evaluate much many s very just he she his her am some any exactly both two one three take takes",
))

// isStrict says that a noun names one length or time among others, so that a
// question has to use it before an input of that name is meant.
func isStrict(s string) bool { return strictNouns()[s] }

var strictNouns = sync.OnceValue(wordSet("radius diameter circumference perimeter period amplitude thickness focal wavelength"))

// isDistinct says that a noun in the name of a given tells it from other
// quantities of its dimension: a diameter never serves as a radius.
func isDistinct(s string) bool { return distinctNouns()[s] }

var distinctNouns = sync.OnceValue(wordSet(
	"radius diameter circumference perimeter period amplitude thickness focal wavelength average relative angular sound",
	"escape orbital terminal gauge partial vapor atmospheric molar reduced internal load reaction proper perpendicular",
	"tangential radial centripetal object image depth arc wall wave half life width separation reactance impedance critical",
	"kinetic potential elastic function barrier specific latent number",
))

// changesRelation says that a word of a question changes which relation holds.
// An operator that does not know the word does not answer the question.
func changesRelation(s string) bool { return relationWords()[s] }

var relationWords = sync.OnceValue(wordSet(
	"friction drag incline inclined slope ramp uphill downhill tilted relativistic rotational rotate rotates rotation spin",
	"roll rolls angular upward upwards downward downwards opposite backward vertically horizontally horizontal parallel",
	"series adiabatic isothermal isobaric isochoric isentropic polytropic elastic inelastic elliptical damped forced laminar",
	"turbulent compressible viscous real monatomic diatomic reversible irreversible efficiency efficient gauge alternating ac",
	"rms peak pendulum spring pulley collision collide collides orbit circular circle projectile magnetic capacitor inductor",
	"coil transformer diode transistor lens mirror nucleus nuclear decay decays root square most probable maximum minimum",
	"average hydrogen bohr doppler compton heisenberg tunnel uncertainty specific molar angle deceleration brake bounce",
	"twice double doubled triple tripled halved quadruple moon mars venus jupiter saturn neptune uranus pluto asteroid planet",
	"elevator underwater buoyancy buoyant float floats sink sinks weightless semiconductor superconductor plasma rocket thrust",
	"explosion explodes against remains left excited ionized longer shorter difference photoelectric blackbody tide",
	"swing swings oscillate oscillates oscillation vibrate vibrates frictional perpendicular tangential radial sideways",
	"van waals der acceleration slow slows slowing jump bend beam torsion torque leak efficiently reflected refracted diffraction interference",
))

// isEveryday says that a noun or verb of a question is only what the question
// tells about.
func isEveryday(s string) bool { return everydayWords()[s] }

var everydayWords = sync.OnceValue(wordSet(
	"car train ball body object runner boat stone rock man person plane bus truck cyclist bicycle bike box block particle",
	"thing girl boy woman child student cart crate vehicle ship dog horse engineer lab battery lamp bulb heater kettle wire",
	"device motor pump tank pipe tube container vessel cylinder balloon bottle ground road track street table building tower",
	"cliff bridge roof air water run runs drive drives move moves fly flies hit hits push pull lift land cross cover covers hold",
	"held connect apply applies contain fill pass passes leave leaves deliver draw produce use travel carry make cause",
	"resistor source conductor",
))

// isSoft says that a stem inside the name of what is asked may be missing from
// the operator's words without changing the meaning.
func isSoft(s string) bool { return softWords()[s] }

var softWords = sync.OnceValue(wordSet(
	"total taken needed required produced used result final instantaneous done exerted acting generated delivered consumed",
	"possessed flowing developed supplied obtained associated corresponding gained theoretical ideal approximate necessary",
	"carried become exact si body object particle",
))

// isEmptyHead says that a word stands for the thing after "of": the magnitude
// of a force is a force.
func isEmptyHead(s string) bool { return emptyHeads()[s] }

var emptyHeads = sync.OnceValue(wordSet("value magnitude amount size numerical resulting corresponding new expected quantity"))

// isMedium says that a word names a place or a material for which a default
// value cannot stand.
func isMedium(s string) bool { return media()[s] }

var media = sync.OnceValue(wordSet(
	"moon mars venus mercury jupiter saturn uranus neptune pluto sun titan europa ganymede phobos ceres asteroid planet space",
	"orbit oil alcohol ethanol glycerin glycerol honey seawater petrol gasoline helium hydrogen oxygen nitrogen argon co2 steam",
	"ice glass diamond copper aluminium aluminum silver gold iron steel lead proton neutron muon muonic",
))

// negates says that a word takes back what follows it: "without friction".
func negates(s string) bool { return negations()[s] }

var negations = sync.OnceValue(wordSet("without no neglect neglecting neglected ignore ignoring negligible disregard non not frictionless excluding"))

// isChange says that a word makes a change of the quantity beside it.
func isChange(s string) bool { return changeWords()[s] }

var changeWords = sync.OnceValue(wordSet("change difference rise increase decrease interval delta δ warmer hotter colder cooler gap drop"))

// isSlowing says that a word makes an acceleration negative.
func isSlowing(s string) bool { return slowingWords()[s] }

var slowingWords = sync.OnceValue(wordSet("deceleration brake slow slows slowing"))

// isSpread says that what follows "in" belongs to the word: an uncertainty in
// momentum, a change in temperature.
func isSpread(s string) bool { return spreadWords()[s] }

var spreadWords = sync.OnceValue(wordSet("uncertainty spread shift change difference rise increase decrease drop gain loss"))

// isReaching says that a quantity beside the word is reached in the end.
func isReaching(s string) bool { return reachingWords()[s] }

var reachingWords = sync.OnceValue(wordSet("reach attain achieve"))

// ordinals tell the inputs of one kind apart.
var ordinals = [...]string{"first", "second", "third", "fourth"}

func isOrdinal(s string) bool { return ordinalWords()[s] }

var ordinalWords = sync.OnceValue(wordSet("first second third fourth"))

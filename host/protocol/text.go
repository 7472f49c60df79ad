package protocol

import (
	"regexp"
	"strings"
	"sync"
	"unicode"
)

// plainer maps the many faces of one sign to the one that the lexer reads.
// Raised digits stay: they are powers, and the unit parser reads them.
var plainer = strings.NewReplacer(
	"−", "-", "‐", "-", "‑", "-", "‒", "-", "–", "-", "—", " - ", "’", "'", "‘", "'", "“", "\"", "”", "\"",
	"\u00a0", " ", "\u2009", " ", "\u202f", " ", "\t", " ", "\n", " ", "\r", " ",
	"½", " 1/2", "¼", " 1/4", "¾", " 3/4", "⁄", "/", "∙", "·", "✕", "×", "℃", "°C", "℉", "°F",
	"air resistance", "drag", "Air resistance", "drag", "\u212a", "K", "\u212b", "Å", "\u2126", "Ω", "µ", "μ",
	"₀", "0", "₁", "1", "₂", "2", "₃", "3", "₄", "4", "₅", "5", "₆", "6", "₇", "7", "₈", "8", "₉", "9",
)

// degrees finds "degrees Celsius", "deg. F" and "° C", which the unit parser
// would take for an angle times something.
var degrees = regexp.MustCompile(`(?i)(?:degrees?|\bdeg\b\.?|°)[ -]*(celsius|centigrade|fahrenheit|kelvins?|c\b|f\b|k\b)`)

// shortForms are abbreviations that stand for words; in capitals only.
var shortForms = regexp.MustCompile(`\b(?:KE|PE|GPE|EPE|EMF|PD)\b`)

var longForms = map[string]string{
	"KE": "kinetic energy", "PE": "potential energy", "GPE": "gravitational potential energy",
	"EPE": "elastic potential energy", "EMF": "electromotive force", "PD": "potential difference",
}

// plain normalises a query: one face for each sign, one writing for each
// temperature scale.
func plain(query string) string {
	text := shortForms.ReplaceAllStringFunc(plainer.Replace(query), func(short string) string { return longForms[short] })
	var out strings.Builder
	end := 0
	for _, match := range degrees.FindAllStringSubmatchIndex(text, -1) {
		out.WriteString(text[end:match[0]])
		switch text[match[2]] | 0x20 { // the first letter of the scale in lower case
		case 'c':
			out.WriteString(" degC")
		case 'f':
			out.WriteString(" degF")
		default:
			out.WriteString(" K")
		}
		end = match[1]
	}
	out.WriteString(text[end:])
	return out.String()
}

// stem folds a word so that its plural, past and running forms meet: dropped,
// drops and dropping are one word. It only has to be the same on both sides.
func stem(word string) string {
	w := strings.TrimSuffix(strings.ToLower(word), "'s")
	if folded, ok := irregular(w); ok {
		return folded
	}
	switch {
	case len(w) > 4 && strings.HasSuffix(w, "ies"):
		w = w[:len(w)-3] + "y"
	case len(w) > 4 && hasAnySuffix(w, "sses", "xes", "ches", "shes"):
		w = w[:len(w)-2]
	case len(w) > 3 && strings.HasSuffix(w, "s") && !hasAnySuffix(w, "ss", "us", "is"):
		w = w[:len(w)-1]
	}
	for _, ending := range [...]string{"ing", "ed"} {
		if base, cut := strings.CutSuffix(w, ending); cut && len(base) >= 3 && strings.ContainsAny(base, "aeiouy") && !strings.HasSuffix(w, "eed") {
			w = undouble(base)
			break
		}
	}
	if len(w) > 3 {
		w = strings.TrimSuffix(w, "e")
	}
	return w
}

// irregular folds what endings do not: spelling variants, strong verbs, and
// words that a question and a description use for the same thing.
func irregular(w string) (string, bool) {
	folded, known := families()[w]
	return folded, known
}

// families turns the table round once.
var families = sync.OnceValue(func() map[string]string {
	folded := map[string]string{}
	for _, family := range wordFamilies {
		for _, member := range family {
			folded[member] = family[0]
		}
	}
	return folded
})

// wordFamilies list words that count as one; the first stands for all.
var wordFamilies = [...][]string{
	{"speed", "speeds", "velocity", "velocities"},
	{"acceleration", "accelerations", "accelerate", "accelerates", "accelerated", "accelerating"},
	{"deceleration", "decelerate", "decelerates", "decelerated", "decelerating"},
	{"initial", "initially", "start", "starts", "starting", "started", "begin", "begins", "beginning", "original", "originally"},
	{"final", "finally", "end", "ends", "eventually"},
	{"height", "heights", "altitude", "elevation", "high", "tall"},
	{"thickness", "thick"},
	{"width", "wide"},
	{"depth", "deep"},
	{"length", "lengths", "long"},
	{"travel", "travels", "travelled", "traveled", "travelling", "traveling"},
	{"time", "times", "duration"},
	{"current", "currents", "amperage"},
	{"power", "powers", "wattage"},
	{"voltage", "voltages", "potential_difference"},
	{"average", "averaged", "mean"},
	{"total", "overall", "resultant", "equivalent", "combined", "net"},
	{"fall", "falls", "fell", "fallen", "falling", "freefall", "drop", "drops", "dropped", "dropping"},
	{"throw", "throws", "threw", "thrown", "throwing"},
	{"center", "centers", "centre", "centres"},
	{"vapor", "vapour"},
	{"radius", "radii"},
	{"mass", "masses"},
	{"gas", "gases", "gasses"},
	{"lens", "lenses"},
	{"frictionless", "frictionlessly"},
	{"dissipation", "dissipate", "dissipates", "dissipated", "dissipating"},
	{"relativistic", "relativistically", "relativity"},
	{"dilation", "dilate", "dilates", "dilated", "dilatation"},
	{"contraction", "contract", "contracts", "contracted"},
	{"compression", "compress", "compresses", "compressed", "compressing"},
	{"expansion", "expand", "expands", "expanded", "expanding"},
	{"uncertainty", "uncertainties", "uncertain"},
	{"parallel", "parallelly"},
	{"isothermal", "isothermally"},
	{"adiabatic", "adiabatically"},
	{"molecule", "molecules", "molecular"},
	{"brake", "brakes", "braking", "braked"},
	{"radiation", "radiate", "radiates", "radiated"},
	{"store", "stores", "stored", "storing"},
}

func hasAnySuffix(w string, endings ...string) bool {
	for _, ending := range endings {
		if strings.HasSuffix(w, ending) {
			return true
		}
	}
	return false
}

// undouble turns dropp into drop, and leaves fall, mass and buzz alone.
func undouble(w string) string {
	n := len(w)
	if n > 2 && w[n-1] == w[n-2] && !strings.ContainsRune("lsz", rune(w[n-1])) {
		return w[:n-1]
	}
	return w
}

// stems splits free text into the stems of its words, in order.
func stems(text string) []string {
	fields := strings.FieldsFunc(plainer.Replace(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\''
	})
	result := make([]string, 0, len(fields))
	for _, field := range fields {
		if s := stem(field); s != "" {
			result = append(result, s)
		}
	}
	return result
}

// contentStems are the stems that carry meaning.
func contentStems(text string) []string {
	all := stems(text)
	kept := all[:0]
	for _, s := range all {
		if !isFiller(s) {
			kept = append(kept, s)
		}
	}
	return kept
}

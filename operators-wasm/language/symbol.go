package language

import (
	"slices"
	"strings"
)

// greek are the letters that are written by name.
var greek = []string{
	"alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda", "mu", "nu", "xi",
	"pi", "rho", "sigma", "tau", "upsilon", "phi", "chi", "psi", "omega", "Gamma", "Delta", "Theta", "Lambda", "Xi",
	"Pi", "Sigma", "Upsilon", "Phi", "Psi", "Omega", "varepsilon", "vartheta", "varphi", "ell",
}

// symbolLaTeX writes an identifier: greek letters by name, digits at the end
// and everything after _ as subscripts, Delta_T as a difference.
func symbolLaTeX(name string) string {
	parts := strings.Split(name, "_")
	if parts[0] == "Delta" && len(parts) > 1 {
		return `\Delta ` + symbolLaTeX(strings.Join(parts[1:], "_"))
	}
	base := strings.TrimRight(parts[0], "0123456789")
	if base == "" {
		return `\mathrm{` + strings.ReplaceAll(name, "_", `\_`) + "}"
	}
	var below []string
	if digits := parts[0][len(base):]; digits != "" {
		below = append(below, digits)
	}
	for _, part := range parts[1:] {
		if part != "" {
			below = append(below, subscript(part))
		}
	}
	text := letters(base)
	if len(below) == 0 {
		return text
	}
	return text + "_{" + strings.Join(below, ",") + "}"
}

// accents are endings that put a mark over the letter before them.
var accents = []string{"dot", "bar", "hat"}

// letters writes a single or greek letter, one with a mark over it (mdot), a
// difference (dp, dlambda), or else a word upright.
func letters(s string) string {
	if text := letter(s); text != "" {
		return text
	}
	for _, accent := range accents {
		if text := letter(strings.TrimSuffix(s, accent)); text != "" {
			return `\` + accent + "{" + text + "}"
		}
	}
	if text := letter(strings.TrimPrefix(s, "d")); text != "" {
		return `\Delta ` + text
	}
	return `\mathrm{` + s + "}"
}

// letter writes a single or greek letter; "" if s is neither.
func letter(s string) string {
	switch {
	case slices.Contains(greek, s):
		return `\` + s
	case s == "eps":
		return `\varepsilon`
	case len(s) == 1:
		return s
	}
	return ""
}

func subscript(s string) string {
	if strings.Trim(s, "0123456789") == "" {
		return s
	}
	return letters(s)
}

package protocol

import "strings"

// greek writes the Greek letters that people type as the names that the
// catalogue uses.
var greek = strings.NewReplacer(
	"α", "alpha", "β", "beta", "γ", "gamma", "δ", "delta", "Δ", "d", "ε", "eps", "η", "eta", "θ", "theta", "κ", "kappa",
	"λ", "lambda", "μ", "mu", "ν", "nu", "π", "pi", "ρ", "rho", "σ", "sigma", "τ", "tau", "φ", "phi", "ϕ", "phi", "ω", "omega",
	"Ω", "Omega", "Φ", "Phi",
)

// plainSymbol writes a symbol without what people leave out: v_0, v0 and v₀
// are one symbol, and so are λ and lambda.
func plainSymbol(symbol string) string {
	plain := greek.Replace(symbol)
	if rest, found := strings.CutPrefix(plain, "delta_"); found && rest != "" {
		plain = "d" + rest
	}
	return strings.NewReplacer("_", "", "'", "", "{", "", "}", "").Replace(plain)
}

// baseLetter is a symbol without its index: v of v0, F of F1.
func baseLetter(plain string) string {
	if base := strings.TrimRight(plain, "0123456789"); base != "" {
		return base
	}
	return plain
}

package protocol

import (
	"slices"

	"github.com/svc-platform/svc/operators-wasm/units"
)

// readImplied reads what words state without a number: "from rest".
func (p *parser) readImplied() {
	p.readParticles()
	velocity, err := units.QuantityByName("velocity")
	if err != nil {
		return
	}
	for i, t := range p.tokens {
		r := noRole
		switch {
		case p.taken[i] || t.kind != wordToken:
		case t.is("rest") && (p.at(i-1).is("to") || p.at(i-1).is("at") && p.at(i-2).is("comes")), t.is("stop") && p.at(i-1).is("a") && p.at(i-2).is("to"), t.is("standstill") && p.at(i-2).is("to"):
			r = finalRole
		case t.is("rest") && (p.at(i-1).is("from") || p.at(i-1).is("at")), t.is("standstill"):
			r = initialRole
		case stem(t.text) == "fall" && hasAnySuffix(t.lower(), "dropped", "drop", "drops"), t.is("stationary") && !p.at(i-1).is("a"):
			r = initialRole
		}
		if r == noRole || slices.ContainsFunc(p.givens, func(g given) bool { return g.role == r && g.unit.Dim == velocity.Unit.Dim }) {
			continue
		}
		phrase := p.span(max(i-1, 0), i+1)
		p.givens = append(p.givens, given{
			text: phrase, unit: velocity.Unit, role: r, implied: phrase, digits: 15, first: i, end: i,
		})
	}
}

// particles are the bodies whose mass and charge a question may leave out.
var particles = [...]struct {
	stem, mass string
	charged    bool
}{
	{"electron", "m_e", true},
	{"positron", "m_e", true},
	{"proton", "m_p", true},
	{"neutron", "m_n", false},
	{"muon", "m_mu", true},
}

// readParticles states the mass and the charge of a particle that is named.
// Two different particles state nothing.
func (p *parser) readParticles() {
	found, at := -1, 0
	for i, t := range p.tokens {
		for k := range particles {
			if t.kind != wordToken || p.taken[i] || stem(t.text) != particles[k].stem || found == k {
				continue
			}
			if found >= 0 {
				return
			}
			found, at = k, i
		}
	}
	if found < 0 {
		return
	}
	p.imply(particles[found].mass, "mass", at)
	if particles[found].charged {
		p.imply("e_charge", "charge", at)
	}
}

func (p *parser) imply(constant, kind string, at int) {
	if c, ok := units.ConstantBySymbol(constant); ok {
		name := p.tokens[at].text
		p.givens = append(p.givens, given{
			text: name, value: c.Value, unit: c.Unit, kind: kind, implied: name, digits: 15, first: at, end: at,
		})
	}
}

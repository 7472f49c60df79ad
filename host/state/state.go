// Package state is the process state: what a question of physics comes to, as
// the interface defines it. The protocol makes it, and several areas show it.
package state

// State is the result of a computation: the nine fields of the interface, and
// the result that they are about.
type State struct {
	Query             string   `json:"query"`
	Domains           []string `json:"domains"`
	SelectedOperators []string `json:"selected_operators" doc:"ids; KO42 is always among them"`
	OperatorCount     int      `json:"operator_count" doc:"how many operators were executed"`
	MasterSum         float64  `json:"master_sum"`
	PhaseCoherence    float64  `json:"phase_coherence" doc:"1 where independent routes agree"`
	Svcond            int64    `json:"svcond" doc:"cycles of 0.777 s since the Unix epoch"`
	Phase             float64  `json:"phase" doc:"position inside the cycle, in [0,1)"`
	PrecisionMet      bool     `json:"precision_met"`
	Result            Result   `json:"result"`
	Steps             []Step   `json:"steps,omitempty" doc:"the seven steps; not shown by the gateway"`
}

// Step is one of the seven steps as a person reads it.
type Step struct {
	Name    string `json:"name"`
	Summary string `json:"summary"`
	Facts   []Fact `json:"facts"`
}

// Fact is one line of a step.
type Fact struct {
	Label string `json:"label"`
	Value string `json:"value"`
}

// Result is what was found, in coherent SI units (angles in rad, temperatures
// in K), and what it rests on.
type Result struct {
	Value        *float64      `json:"value" doc:"null where nothing fits"`
	Unit         string        `json:"unit"`
	Display      *Quantity     `json:"display,omitempty" doc:"the same in the unit that was asked for"`
	Symbol       string        `json:"symbol"`
	ErrorBound   *float64      `json:"error_bound,omitempty" doc:"absolute, of the arithmetic"`
	Digits       int           `json:"digits,omitempty" doc:"fewest significant digits among the given values"`
	Bound        []Bound       `json:"bound" doc:"what of the query went into which variable"`
	Assumed      []Assumed     `json:"assumed" doc:"what the query did not say"`
	Alternatives []Alternative `json:"alternatives" doc:"operators that fit too, and were not chosen"`
	Reason       string        `json:"reason" doc:"why there is no result, or why the precision is not met"`
}

// Quantity is a value with its unit.
type Quantity struct {
	Value float64 `json:"value"`
	Unit  string  `json:"unit"`
}

// Bound is a quantity of the query as the variable that took it up.
type Bound struct {
	Operator    string  `json:"operator"`
	Symbol      string  `json:"symbol"`
	Description string  `json:"description"`
	Value       float64 `json:"value"`
	Unit        string  `json:"unit"`
	From        string  `json:"from" doc:"as the query writes it"`
}

// Assumed is a value that the query did not give.
type Assumed struct {
	Symbol string  `json:"symbol"`
	Value  float64 `json:"value"`
	Unit   string  `json:"unit"`
	Why    string  `json:"why"`
}

// Alternative is an operator that came near.
type Alternative struct {
	Operator string `json:"operator"`
	Name     string `json:"name"`
	Reason   string `json:"reason" doc:"what it needs, or why another was preferred"`
}

// Normal is the state with empty lists where there are none: null is no list.
func (s State) Normal() State {
	s.Domains = list(s.Domains)
	s.SelectedOperators = list(s.SelectedOperators)
	s.Result.Bound = list(s.Result.Bound)
	s.Result.Assumed = list(s.Result.Assumed)
	s.Result.Alternatives = list(s.Result.Alternatives)
	return s
}

func list[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}

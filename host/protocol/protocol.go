// Package protocol answers a question about physics in seven steps: parse,
// domains, select, bind, execute, combine, verify and seal. It asks back
// rather than guess.
package protocol

import (
	"context"
	"fmt"

	"github.com/svc-platform/svc/host/state"
	"github.com/svc-platform/svc/host/timebase"
	"github.com/svc-platform/svc/operators-wasm/language"
)

// Runner executes an operator as WebAssembly. The arguments stand in the order
// of the operator's inputs, in coherent SI units, and so does the result.
type Runner interface {
	Run(ctx context.Context, operatorID string, args []float64) (value float64, fuel uint64, err error)
}

// Catalogue lists the operators that a question may use, KO42 among them.
type Catalogue interface {
	Operators() []*language.Operator
}

// Config is what the protocol needs from the host.
type Config struct {
	Catalogue Catalogue
	Runner    Runner
}

// Request is one question.
type Request struct {
	Query       string
	DomainHints []string         // names of categories that the answer is expected in
	Precision   *float64         // (0,1): relative tolerance; 1 to 15: significant digits; nil: 1e-9
	At          timebase.Instant // the time of the run
}

// Protocol answers questions over one catalogue. It is safe for concurrent use
// if the runner is.
type Protocol struct {
	index  *index
	runner Runner
}

// New prepares the catalogue's words for questions.
func New(config Config) *Protocol {
	return &Protocol{index: newIndex(config.Catalogue.Operators()), runner: config.Runner}
}

// InvalidError says that a field of a request breaks a rule of the interface.
type InvalidError struct {
	Field   string // query, domain_hints or precision
	Message string // what to do about it
}

func (e *InvalidError) Error() string { return e.Field + ": " + e.Message }

// Process runs the seven steps. Equal requests over equal catalogues give equal
// states. A question that cannot be answered is no error: its state says why.
// The error is an *InvalidError for a bad request, else what the runner
// reported.
func (p *Protocol) Process(ctx context.Context, request Request) (state.State, error) {
	tolerance, err := toleranceOf(request.Precision)
	if err != nil {
		return state.State{}, err
	}
	if err := checkHints(request.DomainHints); err != nil {
		return state.State{}, err
	}
	if p.index.tension == nil {
		return state.State{}, fmt.Errorf("the catalogue has no %s: every run needs it", tensionID)
	}
	question, err := parse(p.index, request.Query)
	if err != nil {
		return state.State{}, err
	}
	ranked := domains(p.index, question, request.DomainHints)
	selected := selectOperator(p.index, ranked)
	plan := bind(selected)
	executed, err := execute(ctx, p.runner, p.index.tension, plan, request.At)
	if err != nil {
		return state.State{}, err
	}
	return verifyAndSeal(combine(executed, tolerance), request), nil
}

func fact(label, value string) state.Fact { return state.Fact{Label: label, Value: value} }

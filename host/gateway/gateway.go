// Package gateway answers questions about the catalogue of operators, and hands
// questions of physics to whatever processes them: the routes under /api/v1.
package gateway

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/svc-platform/svc/host/fault"
	"github.com/svc-platform/svc/host/route"
	"github.com/svc-platform/svc/host/state"
)

// Operator is what the gateway needs to know of an operator.
type Operator struct {
	ID            string // canonical, e.g. "KO42"
	Name          string
	Aliases       []string
	Category      string
	Description   string
	Equation      string
	EquationLaTeX string
	MachineOnly   bool // needs live machine state: the gateway leaves it out
}

// Category is a category and the number of its operators.
type Category struct {
	Name  string `json:"name"`
	Count int    `json:"count"`
}

// Catalog is an unchanging set of operators. It is safe for concurrent use.
type Catalog struct {
	operators  []Operator
	byID       map[string]int // by folded id
	byCategory map[string][]int
	categories []Category
	index      *index
}

// NewCatalog takes the operators in the order in which they are to be listed.
// Two operators with one id, or one without id, name or category, are an error.
func NewCatalog(operators []Operator) (*Catalog, error) {
	c := &Catalog{byID: map[string]int{}, byCategory: map[string][]int{}}
	for _, op := range operators {
		if op.MachineOnly {
			continue
		}
		if op.ID == "" || op.Name == "" || op.Category == "" {
			return nil, fmt.Errorf("operator %q needs an id, a name and a category", op.ID)
		}
		if _, twice := c.byID[fold(op.ID)]; twice {
			return nil, fmt.Errorf("two operators have the id %s", op.ID)
		}
		n := len(c.operators)
		c.operators = append(c.operators, op)
		c.byID[fold(op.ID)] = n
		c.byCategory[fold(op.Category)] = append(c.byCategory[fold(op.Category)], n)
	}
	for _, members := range c.byCategory {
		c.categories = append(c.categories, Category{Name: c.operators[members[0]].Category, Count: len(members)})
	}
	slices.SortFunc(c.categories, func(a, b Category) int { return cmp.Compare(a.Name, b.Name) })
	c.index = newIndex(c.operators)
	return c, nil
}

// fold makes names that differ only in case equal.
func fold(s string) string { return strings.ToUpper(s) }

// maxSearch is the longest search, in characters.
const maxSearch = 200

// Search lists the operators that match every word of q, best first: by id,
// then name, then alias, then description. The result may be empty.
func (c *Catalog) Search(q string) ([]int, error) {
	if strings.TrimSpace(q) == "" {
		return nil, fault.New(fault.Invalid, "q is empty: give words to search for, e.g. ?q=kinetic+energy").WithCode("missing_query")
	}
	if len([]rune(q)) > maxSearch {
		return nil, fault.New(fault.Invalid, "q is too long: give at most %d characters", maxSearch)
	}
	return c.index.search(q), nil
}

// Request is a question of physics.
type Request struct {
	Query     string
	Hints     []string // categories that the asker thinks of
	Precision *float64 // in (0,1) a relative tolerance, from 1 to 15 significant digits; nil if not asked for
}

// Processor answers questions. A question that breaks a rule is an error of
// kind fault.Invalid; one that nothing fits is a state that says so.
// States are in the form that state.State.Normal gives.
type Processor interface {
	Process(ctx context.Context, r Request) (state.State, error)
}

// Desk takes questions in, has them answered and keeps a record.
type Desk struct {
	processor Processor
	journal   Journal
}

// NewDesk needs both.
func NewDesk(p Processor, j Journal) *Desk { return &Desk{processor: p, journal: j} }

// Process answers a question. The answer is on record when this returns; the
// steps that led to it are left out.
func (d *Desk) Process(ctx context.Context, r Request) (state.State, error) {
	s, err := d.processor.Process(ctx, r)
	if err != nil {
		return state.State{}, err
	}
	s.Steps = nil
	if err := d.record(ctx, r, s); err != nil {
		return state.State{}, fault.Wrap(err, "record a computation")
	}
	return s, nil
}

func (d *Desk) record(ctx context.Context, r Request, s state.State) error {
	encoded, err := route.Encode(s) // the very bytes of the answer
	if err != nil {
		return err
	}
	return d.journal.AddComputation(ctx, Computation{
		ID: "cmp_" + strings.ToLower(rand.Text()), At: time.Now().UTC().Truncate(time.Millisecond),
		Svcond: s.Svcond, Query: r.Query, Hints: r.Hints, Precision: r.Precision, State: encoded.Bytes(),
	})
}

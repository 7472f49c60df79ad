package protocol_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/svc-platform/svc/host/protocol"
	"github.com/svc-platform/svc/host/state"
	"github.com/svc-platform/svc/host/timebase"
	"github.com/svc-platform/svc/operators-wasm/catalog"
	"github.com/svc-platform/svc/operators-wasm/language"
	"github.com/svc-platform/svc/operators-wasm/units"
)

// library is a catalogue that runs its operators in Go. The WebAssembly behind
// the same interface is tested where it is made.
type library struct {
	operators []*language.Operator
	byID      map[string]*language.Operator
}

func newLibrary(operators []*language.Operator) *library {
	l := &library{operators: operators, byID: map[string]*language.Operator{}}
	for _, op := range operators {
		l.byID[op.ID] = op
	}
	return l
}

func (l *library) Operators() []*language.Operator { return l.operators }

func (l *library) Run(_ context.Context, id string, args []float64) (float64, uint64, error) {
	op, known := l.byID[id]
	if !known {
		return 0, 0, fmt.Errorf("no operator %s", id)
	}
	value, err := language.Eval(op, args)
	return value, uint64(10 * len(args)), err
}

func wholeCatalogue(t testing.TB) *library {
	t.Helper()
	operators, err := catalog.Load()
	if err != nil {
		t.Fatal(err)
	}
	return newLibrary(operators)
}

func newProtocol(l *library) *protocol.Protocol {
	return protocol.New(protocol.Config{Catalogue: l, Runner: l})
}

// noon is the instant of every run whose time does not matter.
var noon = timebase.At(1_700_000_000_000_000_000)

func ask(t testing.TB, p *protocol.Protocol, query string) state.State {
	t.Helper()
	state, err := p.Process(context.Background(), protocol.Request{Query: query, At: noon})
	if err != nil {
		t.Fatalf("%q: %v", query, err)
	}
	return state
}

func refused(s state.State) bool {
	return !s.PrecisionMet && s.Result.Value == nil && s.Result.Reason != "" && s.MasterSum == 0 && len(s.SelectedOperators) == 1
}

func near(got, want float64) bool { return math.Abs(got-want) <= 1e-9*math.Abs(want) }

// TestQuestions asks the fixed question set, whose answers testdata/questions.py
// computed. A wrong answer fails; a refusal of what could be answered counts.
func TestQuestions(t *testing.T) {
	data, err := os.ReadFile("testdata/questions.tsv")
	if err != nil {
		t.Fatal(err)
	}
	p := newProtocol(wholeCatalogue(t))
	right, refusedRightly, missed, wrong := 0, 0, 0, 0
	for _, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.Split(line, "\t")
		query, absent := fields[0], len(fields) > 2
		want, err := strconv.ParseFloat(fields[1], 64)
		mustRefuse := err != nil
		state := ask(t, p, query)
		switch {
		case refused(state) && (mustRefuse || absent):
			refusedRightly++
		case refused(state):
			missed++
			t.Logf("refused %q: %s", query, state.Result.Reason)
		case !mustRefuse && state.PrecisionMet && near(*state.Result.Value, want):
			right++
		default:
			wrong++
			t.Errorf("wrong: %q is answered by %v with %+v, want %s", query, state.SelectedOperators, state.Result, fields[1])
		}
	}
	t.Logf("questions: %d answered right, %d refused rightly, %d refused though answerable, %d answered wrong",
		right, refusedRightly, missed, wrong)
	if missed*10 > right {
		t.Errorf("%d of %d answerable questions are refused: at most a tenth may be", missed, right+missed)
	}
}

// TestOperatorsAnswerToTheirNames asks for every operator by its name and each
// alias, with the inputs of a worked example named by their descriptions. With
// an input left out there must be no other answer.
func TestOperatorsAnswerToTheirNames(t *testing.T) {
	l := wholeCatalogue(t)
	p := newProtocol(l)
	right, missed := 0, 0
	for _, op := range l.operators {
		if op.ID == "KO42" {
			continue
		}
		example := op.Examples[len(op.Examples)-1]
		for _, name := range append([]string{op.Name}, op.Aliases...) {
			for left := -1; left < len(op.Inputs); left++ {
				if left >= 0 && op.Inputs[left].Default != nil {
					continue
				}
				query := fmt.Sprintf("What is the %s for %s?", strings.ToLower(name), inputsText(op, example, left))
				state := ask(t, p, query)
				switch {
				case refused(state):
					if left < 0 {
						missed++
					}
				case !near(*state.Result.Value, example.Output):
					t.Errorf("%s: %q is answered by %v with %v, want %v or a refusal", op.ID, query, state.SelectedOperators,
						*state.Result.Value, example.Output)
				case left < 0:
					right++
				}
			}
		}
	}
	t.Logf("names: %d answered right, %d refused", right, missed)
	if missed*4 > right {
		t.Errorf("%d names are refused and %d answered: at most a quarter may be", missed, right)
	}
}

// inputsText writes the inputs of an example with their descriptions, but for
// the one at index left.
func inputsText(op *language.Operator, example language.Example, left int) string {
	var parts []string
	for j, in := range op.Inputs {
		value, given := example.Inputs[in.Symbol]
		if !given || j == left {
			continue
		}
		description, _, _ := strings.Cut(in.Description, ",")
		description, _, _ = strings.Cut(description, ";")
		parts = append(parts, strings.TrimSuffix(description+" "+units.FormatValue(value)+" "+in.Quantity.Unit.Symbol, " 1"))
	}
	return strings.Join(parts, ", ")
}

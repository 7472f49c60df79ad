package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/svc-platform/svc/host"
	"github.com/svc-platform/svc/host/protocol"
	"github.com/svc-platform/svc/host/state"
	"github.com/svc-platform/svc/host/timebase"
)

func processCommand(a *app) *cobra.Command {
	var hints []string
	var precision float64
	c := &cobra.Command{
		Use: "process QUESTION", Short: "Answer a question of physics", Args: cobra.MinimumNArgs(1),
		Example: `  svc process "kinetic energy of a 2 kg ball at 3 m/s"`,
		Long: `Answer a question of physics. A question that nothing fits is not guessed at: the
reason is printed and the exit code is 1.`,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(c *cobra.Command, words []string) error {
			request := protocol.Request{Query: strings.Join(words, " "), DomainHints: hints, At: timebase.At(time.Now().UnixNano())}
			if c.Flags().Changed("precision") {
				request.Precision = &precision
			}
			s, err := a.answer(c.Context(), request)
			if err != nil {
				return err
			}
			if err := a.print(s, func(w io.Writer) { showState(w, s) }); err != nil {
				return err
			}
			if s.Result.Value == nil {
				return exitError{exitFailure}
			}
			return nil
		},
	}
	c.Flags().StringSliceVar(&hints, "hint", nil, "category that the question may belong to; may be repeated")
	c.Flags().Float64Var(&precision, "precision", 0, "relative tolerance in (0,1), or 1 to 15 significant digits (default 1e-9)")
	completeFlag(c, "hint", completeCategory)
	return c
}

// answer puts a question to the protocol.
func (a *app) answer(ctx context.Context, request protocol.Request) (state.State, error) {
	core, done, err := a.operators(ctx)
	if err != nil {
		return state.State{}, err
	}
	defer done()
	s, err := host.NewProtocol(core).Process(ctx, request)
	var invalid *protocol.InvalidError
	if errors.As(err, &invalid) {
		return state.State{}, usageError{err}
	}
	return s, err
}

// showState prints an answer for people.
func showState(w io.Writer, s state.State) {
	r := s.Result
	if r.Value == nil {
		fmt.Fprintf(w, "no answer: %s\n", harmless(r.Reason))
		for _, alt := range r.Alternatives {
			fmt.Fprintf(w, "  %s  %s: %s\n", alt.Operator, alt.Name, harmless(alt.Reason))
		}
		return
	}
	value, unit := *r.Value, r.Unit
	if r.Display != nil {
		value, unit = r.Display.Value, r.Display.Unit
	}
	fmt.Fprintf(w, "%s = %s\n", r.Symbol, quantity(value, unit))
	for _, step := range s.Steps {
		fmt.Fprintf(w, "\n%s: %s\n", step.Name, harmless(step.Summary))
		for _, f := range step.Facts {
			fmt.Fprintf(w, "  %s: %s\n", f.Label, harmless(f.Value))
		}
	}
	if r.Reason != "" {
		fmt.Fprintf(w, "\nnote: %s\n", harmless(r.Reason))
	}
}

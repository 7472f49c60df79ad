// Package execute runs programs that callers send, each behind the sandbox's
// walls: the route /services/sandbox/execute.
package execute

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"github.com/svc-platform/svc/host/fault"
	"github.com/svc-platform/svc/host/route"
	"github.com/svc-platform/svc/sandbox"
)

// The most that a request may bring, in bytes and in arguments.
const (
	maxCode      = 256 << 10
	maxStdin     = 512 << 10
	maxArguments = 64
	maxArgument  = 4 << 10
)

// Program is what is to be run.
type Program struct {
	Language string
	Code     string
	Stdin    string
	Argv     []string
}

// Outcome is how a program ended. A program that fails is an outcome, not an error.
type Outcome struct {
	ExitCode        int    // 0 success, 1 failed, 124 out of fuel or time, 137 out of memory
	Reason          string // why it was stopped, empty if it ended by itself
	Stdout, Stderr  []byte
	StdoutTruncated bool
	StderrTruncated bool
	Usage           sandbox.Usage
}

// Runner runs programs under limits.
type Runner interface {
	Languages() []string
	// Run gives an error only where the program could not be run at all.
	Run(ctx context.Context, p Program) (Outcome, error)
}

// Code is the body of /services/sandbox/execute.
type Code struct {
	Language string   `json:"language"`
	Code     string   `json:"code"`
	Stdin    string   `json:"stdin,omitempty"`
	Argv     []string `json:"argv,omitempty" doc:"arguments, without the name of the program"`
}

// Truncated says which stream was cut.
type Truncated struct {
	Stdout bool `json:"stdout"`
	Stderr bool `json:"stderr"`
}

// Execution is the answer of /services/sandbox/execute.
type Execution struct {
	OK         bool      `json:"ok" doc:"the program ended with exit code 0"`
	ExitCode   int       `json:"exit_code" doc:"0 success, 1 the program failed, 124 out of fuel or time, 137 out of memory"`
	Stdout     string    `json:"stdout"`
	Stderr     string    `json:"stderr"`
	Truncated  Truncated `json:"truncated"`
	Reason     string    `json:"reason" doc:"why the program was stopped; empty if it ended by itself"`
	FuelUsed   uint64    `json:"fuel_used"`
	PeakMemory uint64    `json:"peak_memory" doc:"bytes"`
	DurationMS float64   `json:"duration_ms"`
	Language   string    `json:"language"`
}

type codeIn struct {
	Body Code
}

// Register adds the route.
func Register(r *route.Router, runner Runner, log *slog.Logger) {
	op := route.Op{
		ID: "sandbox-execute", Summary: "Run a program in the sandbox", Area: "sandbox", Auth: route.NoKey,
		Description: "Answers 200 also when the program fails: see exit_code.",
	}
	route.Post(r, "/services/sandbox/execute", op, func(ctx context.Context, in *codeIn) (Execution, error) {
		p := Program(in.Body)
		if err := p.check(runner.Languages()); err != nil {
			return Execution{}, err
		}
		outcome, err := runner.Run(ctx, p)
		if err != nil {
			log.ErrorContext(ctx, "program could not be run", "language", p.Language, "cause", err)
			return Execution{}, err
		}
		return outcome.shown(p.Language), nil
	})
}

// check refuses what no runner should see.
func (p Program) check(languages []string) error {
	switch {
	case !slices.Contains(languages, p.Language):
		return fault.New(fault.Invalid, "there is no language %q; the languages are: %s", p.Language, strings.Join(languages, ", ")).
			WithCode("unknown_language")
	case strings.TrimSpace(p.Code) == "":
		return fault.New(fault.Invalid, "code is empty: send the text of a program")
	case len(p.Code) > maxCode:
		return tooLarge("code", maxCode)
	case len(p.Stdin) > maxStdin:
		return tooLarge("stdin", maxStdin)
	case len(p.Argv) > maxArguments:
		return fault.New(fault.Invalid, "argv has %d arguments: give at most %d", len(p.Argv), maxArguments)
	}
	for i, arg := range p.Argv {
		if len(arg) > maxArgument {
			return tooLarge(fmt.Sprintf("argv[%d]", i), maxArgument)
		}
		if strings.ContainsRune(arg, 0) {
			return fault.New(fault.Invalid, "argv[%d] contains a NUL character, which no argument can", i)
		}
	}
	return nil
}

func tooLarge(field string, limit int) error {
	return fault.New(fault.TooLarge, "%s is too large: send at most %d bytes", field, limit)
}

// shown is the outcome as JSON can carry it: bytes that are no UTF-8 become U+FFFD.
func (o Outcome) shown(language string) Execution {
	return Execution{
		OK: o.ExitCode == 0, ExitCode: o.ExitCode,
		Stdout:    strings.ToValidUTF8(string(o.Stdout), "\uFFFD"),
		Stderr:    strings.ToValidUTF8(string(o.Stderr), "\uFFFD"),
		Truncated: Truncated{Stdout: o.StdoutTruncated, Stderr: o.StderrTruncated},
		Reason:    o.Reason, FuelUsed: o.Usage.Fuel, PeakMemory: o.Usage.PeakMemory,
		DurationMS: float64(o.Usage.Duration.Microseconds()) / 1000, Language: language,
	}
}

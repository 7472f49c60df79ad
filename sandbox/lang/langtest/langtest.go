// Package langtest is the suite that every language must pass: the same cases,
// told in the language's own words by a Programs.
package langtest

import (
	"context"
	"math"
	"testing"
	"time"

	"github.com/svc-platform/svc/sandbox"
	"github.com/svc-platform/svc/sandbox/engine"
	"github.com/svc-platform/svc/sandbox/lang"
)

// Programs are the sources of the suite in one language.
type Programs struct {
	Hello     string // prints "hello" and a newline
	Argv      string // prints its arguments, one per line
	Env       string // prints the variable GREETING
	Stdin     string // prints all of stdin in upper case
	Unicode   string // prints "Grüße, 世界 😀" to stdout and to stderr
	Uncaught  string // prints "before", then throws an error "boom" in a function named inner
	Syntax    string // does not parse, in its second line
	Exit      string // exits with the number in its first argument
	Endless   string // loops for ever
	Memory    string // takes memory for ever, and lets the failure through
	Recursion string // calls itself for ever
	Flood     string // prints "ü" without a newline a million times, in few writes, and "end" to stderr
	State     string // prints "clean" if the global `mark` is not set, then sets it
	Random    string // prints a random number and the time
	Sleep     string // sleeps for an hour, then prints "awake"
}

// Engine makes an engine that has the functions of wasi and of the language.
type Engine func(t testing.TB, funcs []engine.HostFunc) engine.Engine

// suite is one language, loaded on an engine that counts.
type suite struct {
	lang.Runtime
	engine   *counter
	programs Programs
}

// Run runs the suite.
func Run(t *testing.T, l lang.Language, newEngine Engine, programs Programs) {
	s := &suite{engine: &counter{Engine: newEngine(t, l.HostFuncs())}, programs: programs}
	r, err := l.Load(t.Context(), s.engine)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close(context.Background()) })
	s.Runtime = r
	t.Run("ordinary", s.ordinary)
	t.Run("failures", s.failures)
	t.Run("walls", s.walls)
	t.Run("output is cut", s.flood)
	t.Run("cancelled", s.cancelled)
	t.Run("deterministic", s.deterministic)
	t.Run("input errors", s.inputErrors)
	t.Run("nothing is left behind", s.leavesNothing)
	t.Run("concurrent", s.concurrent)
	if n := s.engine.live.Load(); n != 0 {
		t.Errorf("%d instances are still there at the end", n)
	}
}

// run runs a program that must at least be started.
func (s *suite) run(t testing.TB, p lang.Program) lang.Result {
	t.Helper()
	if p.Limits == (sandbox.Limits{}) {
		p.Limits = sandbox.DefaultLimits()
	}
	r, err := s.Run(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	if used := r.Usage; used.Fuel > p.Limits.Fuel || used.PeakMemory > uint64(p.Limits.MemoryPages)*sandbox.PageSize {
		t.Errorf("usage %+v does not fit the limits %+v", used, p.Limits)
	}
	return r
}

// expect compares all of a result but its usage.
func expect(t testing.TB, got, want lang.Result) {
	t.Helper()
	want.Usage = got.Usage
	if got != want {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func (s *suite) ordinary(t *testing.T) {
	for _, tt := range []struct {
		name    string
		program lang.Program
		stdout  string
	}{
		{"hello", lang.Program{Code: []byte(s.programs.Hello)}, "hello\n"},
		{"empty program", lang.Program{}, ""},
		{"argv", lang.Program{Code: []byte(s.programs.Argv), Argv: []string{"a", "two words", "ü"}}, "a\ntwo words\nü\n"},
		{"no argv", lang.Program{Code: []byte(s.programs.Argv)}, ""},
		{"environment", lang.Program{Code: []byte(s.programs.Env), Env: []string{"GREETING=héllo=there"}}, "héllo=there\n"},
		{"stdin", lang.Program{Code: []byte(s.programs.Stdin), Stdin: []byte("line one\nüber\n")}, "LINE ONE\nÜBER\n"},
		{"empty stdin", lang.Program{Code: []byte(s.programs.Stdin)}, ""},
		{"sleep takes no time", lang.Program{Code: []byte(s.programs.Sleep)}, "awake\n"},
		{"exit 0", lang.Program{Code: []byte(s.programs.Exit), Argv: []string{"0"}}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			expect(t, s.run(t, tt.program), lang.Result{Stdout: tt.stdout})
		})
	}
	t.Run("unicode", func(t *testing.T) {
		const text = "Grüße, 世界 😀\n"
		expect(t, s.run(t, lang.Program{Code: []byte(s.programs.Unicode)}), lang.Result{Stdout: text, Stderr: text})
	})
}

// endlessFuel is more fuel than any test can use.
const endlessFuel = math.MaxInt64

func (s *suite) walls(t *testing.T) {
	limits := func(change func(*sandbox.Limits)) sandbox.Limits {
		l := sandbox.DefaultLimits()
		change(&l)
		return l
	}
	for _, tt := range []struct {
		name, code string
		limits     sandbox.Limits
		exit       int
		reason     lang.Reason
	}{
		{"out of fuel", s.programs.Endless, limits(func(l *sandbox.Limits) { l.Fuel = 200_000_000 }), lang.ExitStopped, lang.ReasonFuel},
		{"out of fuel before the program begins", s.programs.Hello, limits(func(l *sandbox.Limits) { l.Fuel = 1000 }), lang.ExitStopped, lang.ReasonFuel},
		{"out of time", s.programs.Endless, limits(func(l *sandbox.Limits) { l.Fuel, l.Wall = endlessFuel, 50*time.Millisecond }), lang.ExitStopped, lang.ReasonTimeout},
		{"out of memory", s.programs.Memory, limits(func(l *sandbox.Limits) { l.Fuel, l.Wall = endlessFuel, time.Hour }), lang.ExitMemory, lang.ReasonMemory},
		{"out of memory before the program begins", s.programs.Hello, limits(func(l *sandbox.Limits) { l.MemoryPages = 1 }), lang.ExitMemory, lang.ReasonMemory},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := s.run(t, lang.Program{Code: []byte(tt.code), Limits: tt.limits})
			if r.ExitCode != tt.exit || r.Reason != tt.reason {
				t.Errorf("exit code %d, reason %q, want %d and %q; stderr: %s", r.ExitCode, r.Reason, tt.exit, tt.reason, r.Stderr)
			}
			expect(t, s.run(t, lang.Program{Code: []byte(s.programs.Hello)}), lang.Result{Stdout: "hello\n"})
		})
	}
}

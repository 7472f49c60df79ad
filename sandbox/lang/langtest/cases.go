package langtest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/svc-platform/svc/sandbox"
	"github.com/svc-platform/svc/sandbox/lang"
)

func (s *suite) failures(t *testing.T) {
	for _, tt := range []struct {
		name, code string
		argv       []string
		stdout     string
		stderr     []string // what must be in it
	}{
		{"uncaught", s.programs.Uncaught, nil, "before\n", []string{"boom", "inner", ":"}},
		{"syntax error", s.programs.Syntax, nil, "", []string{"SyntaxError", "2"}},
		{"recursion", s.programs.Recursion, nil, "", []string{"rror"}},
		{"exit 1", s.programs.Exit, []string{"1"}, "", nil},
		{"exit 3 is told as 1", s.programs.Exit, []string{"3"}, "", nil},
		{"exit 124 is not the wall's", s.programs.Exit, []string{"124"}, "", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := s.run(t, lang.Program{Code: []byte(tt.code), Argv: tt.argv})
			for _, part := range tt.stderr {
				if !strings.Contains(r.Stderr, part) {
					t.Errorf("stderr lacks %q:\n%s", part, r.Stderr)
				}
			}
			expect(t, r, lang.Result{ExitCode: lang.ExitFailure, Stdout: tt.stdout, Stderr: r.Stderr})
		})
	}
}

// flood: "ü" has two bytes, so that a limit of an odd number cuts one.
func (s *suite) flood(t *testing.T) {
	for name, limit := range map[string]int64{"64 KiB": 64 << 10, "inside a character": 65_001, "nothing kept": 0} {
		t.Run(name, func(t *testing.T) {
			l := sandbox.DefaultLimits()
			l.Output = limit
			r := s.run(t, lang.Program{Code: []byte(s.programs.Flood), Limits: l})
			want := lang.Result{Stdout: strings.Repeat("ü", int(limit/2)), Stderr: "end\n", Truncated: lang.Truncated{Stdout: true}}
			if limit == 0 {
				want.Stderr, want.Truncated.Stderr = "", true
			}
			if r.ExitCode != want.ExitCode || r.Stdout != want.Stdout || r.Stderr != want.Stderr || r.Truncated != want.Truncated {
				t.Errorf("exit code %d, %d bytes, stderr %q, truncated %+v; want 0, %d, %q, %+v", r.ExitCode, len(r.Stdout), r.Stderr, r.Truncated, len(want.Stdout), want.Stderr, want.Truncated)
			}
		})
	}
}

// fading is a context that is cancelled after it was looked at n times.
type fading struct {
	context.Context
	n int
}

func (f *fading) Err() error {
	f.n--
	if f.n < 0 {
		return context.Canceled
	}
	return nil
}

func (s *suite) cancelled(t *testing.T) {
	l := sandbox.DefaultLimits()
	l.Fuel, l.Wall = endlessFuel, time.Hour
	for name, looks := range map[string]int{"from the start": 0, "during the run": 1000} {
		t.Run(name, func(t *testing.T) {
			r, err := s.Run(&fading{t.Context(), looks}, lang.Program{Code: []byte(s.programs.Endless), Limits: l})
			if err != nil {
				t.Fatal(err)
			}
			expect(t, r, lang.Result{ExitCode: lang.ExitStopped, Reason: lang.ReasonCancelled})
		})
	}
}

func (s *suite) deterministic(t *testing.T) {
	run := func(seed uint64, start time.Time) lang.Result {
		t.Helper()
		r := s.run(t, lang.Program{Code: []byte(s.programs.Random), Seed: seed, Start: start})
		r.Usage.Duration = 0 // a measurement
		if r.ExitCode != 0 || r.Stdout == "" {
			t.Fatalf("the program failed: %+v", r)
		}
		return r
	}
	start := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	first := run(1, start)
	if diff := cmp.Diff(first, run(1, start)); diff != "" {
		t.Errorf("the same program, seed and start (-first +second):\n%s", diff)
	}
	if run(2, start).Stdout == first.Stdout {
		t.Error("another seed gives the same output")
	}
	if run(1, start.Add(time.Hour)).Stdout == first.Stdout {
		t.Error("another start gives the same output")
	}
}

func (s *suite) inputErrors(t *testing.T) {
	for name, p := range map[string]lang.Program{
		"NUL in an argument": {Argv: []string{"a\x00"}},
		"NUL in a variable":  {Env: []string{"A=\x00"}},
		"too much input":     {Stdin: make([]byte, 64<<20+1)},
	} {
		t.Run(name, func(t *testing.T) {
			p.Limits = sandbox.DefaultLimits()
			_, err := s.Run(t.Context(), p)
			var input *lang.InputError
			if !errors.As(err, &input) {
				t.Errorf("error %v, want an InputError", err)
			}
		})
	}
}

// leavesNothing: 200 runs of all sorts share nothing and leave no instance.
func (s *suite) leavesNothing(t *testing.T) {
	made := s.engine.made.Load()
	for i := range 200 {
		switch i % 4 {
		case 0, 1:
			expect(t, s.run(t, lang.Program{Code: []byte(s.programs.State)}), lang.Result{Stdout: "clean\n"})
		case 2:
			s.run(t, lang.Program{Code: []byte(s.programs.Uncaught)})
		case 3:
			l := sandbox.DefaultLimits()
			l.Fuel = 5_000_000
			s.run(t, lang.Program{Code: []byte(s.programs.Endless), Limits: l})
		}
		if n := s.engine.live.Load(); n != 0 {
			t.Fatalf("%d instances live on after run %d", n, i+1)
		}
	}
	if n := s.engine.made.Load() - made; n != 200 {
		t.Errorf("%d instances were made for 200 runs", n)
	}
}

func (s *suite) concurrent(t *testing.T) {
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			arg := fmt.Sprint("program ", i)
			r, err := s.Run(t.Context(), lang.Program{Code: []byte(s.programs.Argv), Argv: []string{arg}, Limits: sandbox.DefaultLimits()})
			if err != nil || r.Stdout != arg+"\n" {
				t.Errorf("%s: %+v, %v", arg, r, err)
			}
		})
	}
	wg.Wait()
}

package main

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/svc-platform/svc/host"
	"github.com/svc-platform/svc/sandbox"
	"github.com/svc-platform/svc/sandbox/lang"
	langs "github.com/svc-platform/svc/sandbox/lang/builtin"
)

const (
	maxProgram  = 16 << 20 // bytes of a program, and of its standard input
	pagesPerMiB = 1 << 20 / sandbox.PageSize
	maxMiB      = sandbox.MaxMemoryPages / pagesPerMiB
)

func sandboxCommand(a *app) *cobra.Command {
	return group("sandbox", "Run programs behind the walls", sandboxRunCommand(a))
}

// runFlags are the options of svc sandbox run.
type runFlags struct {
	lang    string
	fuel    uint64
	memory  uint32 // MiB
	timeout time.Duration
	seed    uint64
	stdin   bool
}

func sandboxRunCommand(a *app) *cobra.Command {
	var f runFlags
	limits := sandbox.DefaultLimits()
	c := &cobra.Command{
		Use: "run [flags] FILE [ARG...]", Short: "Run a program", Args: cobra.MinimumNArgs(1),
		DisableFlagsInUseLine: true,
		Long: `Run a program. FILE is its source, or - for standard input; what follows FILE
belongs to the program. The exit code is the program's: 0 success, 1 it failed,
124 out of fuel or time, 137 out of memory.`,
		Example: "  svc sandbox run hello.js world\n" +
			"  echo 'console.log(6*7)' | svc sandbox run --lang javascript -\n" +
			"  svc sandbox run --stdin --timeout 2s sum.js <numbers.txt",
		ValidArgsFunction: completeProgram,
		RunE:              func(c *cobra.Command, words []string) error { return a.sandboxRun(c, f, words) },
	}
	c.Flags().SetInterspersed(false)
	c.Flags().StringVar(&f.lang, "lang", "", "language; by default FILE's ending decides")
	c.Flags().Uint64Var(&f.fuel, "fuel", limits.Fuel, "most fuel")
	c.Flags().Uint32Var(&f.memory, "memory", limits.MemoryPages/pagesPerMiB, "most memory, in MiB")
	c.Flags().DurationVar(&f.timeout, "timeout", limits.Wall, "most time")
	c.Flags().Uint64Var(&f.seed, "seed", 0, "seed of the program's random numbers")
	c.Flags().BoolVar(&f.stdin, "stdin", false, "give the program standard input")
	completeFlag(c, "lang", completeLanguage)
	return c
}

// check refuses flags under which no program can run.
func (f runFlags) check(file string) error {
	switch {
	case f.fuel == 0:
		return usagef("--fuel 0: a program needs fuel, give more than 0")
	case f.memory == 0 || f.memory > maxMiB:
		return usagef("--memory %d: give 1 to %d MiB", f.memory, maxMiB)
	case f.timeout <= 0:
		return usagef("--timeout %v: give a time above 0, like 500ms or 2s", f.timeout)
	case f.stdin && file == "-":
		return usagef("standard input cannot be both the program and its input: put the program into a file")
	}
	return nil
}

// runView is the answer of svc sandbox run --json.
type runView struct {
	OK       bool   `json:"ok"`
	Language string `json:"language"`
	lang.Result
}

func (a *app) sandboxRun(c *cobra.Command, f runFlags, words []string) error {
	name, err := languageOf(f.lang, words[0])
	if err = cmp.Or(f.check(words[0]), err); err != nil {
		return err
	}
	program := lang.Program{Argv: words[1:], Seed: f.seed, Start: time.Now(), Limits: sandbox.DefaultLimits()}
	program.Limits.Fuel, program.Limits.Wall, program.Limits.MemoryPages = f.fuel, f.timeout, f.memory*pagesPerMiB
	if program.Code, err = a.read(words[0], maxProgram); err != nil {
		return err
	}
	if isWasm(program.Code) {
		return noWasm(words[0])
	}
	if f.stdin {
		if program.Stdin, err = a.read("-", maxProgram); err != nil {
			return err
		}
	}
	core, done, err := a.core(c.Context(), host.CoreConfig{Plugin: host.Nothing, Language: func(l string) bool { return l == name }})
	if err != nil {
		return err
	}
	defer done()
	result, err := core.Languages[name].Run(c.Context(), program)
	if err != nil {
		return err
	}
	if err := a.printRun(runView{OK: result.ExitCode == 0, Language: name, Result: result}); err != nil {
		return err
	}
	if result.ExitCode != 0 {
		return exitError{result.ExitCode}
	}
	return nil
}

// printRun prints the program's streams as they are, and says what was cut and
// why the program was stopped.
func (a *app) printRun(v runView) error {
	err := a.print(v, func(w io.Writer) { fmt.Fprint(w, v.Stdout) })
	if err != nil || a.json {
		return err
	}
	var b bytes.Buffer
	b.WriteString(v.Stderr)
	for _, cut := range []struct {
		stream string
		yes    bool
	}{{"stdout", v.Truncated.Stdout}, {"stderr", v.Truncated.Stderr}} {
		if cut.yes {
			fmt.Fprintf(&b, "\nsvc: %s was cut at %d bytes\n", cut.stream, sandbox.DefaultLimits().Output)
		}
	}
	if v.Reason != "" {
		fmt.Fprintf(&b, "svc: the program was stopped: %s (fuel used %d, time %v)\n", stopped(v.Reason), v.Usage.Fuel, v.Usage.Duration.Round(time.Millisecond))
	}
	_, err = a.err.Write(b.Bytes())
	return err
}

// stopped says which wall ended a program and which flag moves it.
func stopped(r lang.Reason) string {
	switch r {
	case lang.ReasonFuel:
		return "out of fuel, --fuel gives more"
	case lang.ReasonTimeout:
		return "out of time, --timeout gives more"
	case lang.ReasonMemory:
		return "out of memory, --memory gives more"
	case lang.ReasonCancelled:
		return "cancelled"
	}
	return string(r)
}

// languageOf finds a language by its name, or by the ending of a file.
func languageOf(name, file string) (string, error) {
	ending := strings.ToLower(filepath.Ext(file))
	var names []string
	for _, l := range langs.Languages() {
		names = append(names, l.Name)
		if l.Name == name || name == "" && slices.Contains(l.Extensions, ending) {
			return l.Name, nil
		}
	}
	switch {
	case name != "":
		return "", usageError{unknownWord("language", name, names, "there are "+strings.Join(names, ", "))}
	case ending == ".wasm":
		return "", noWasm(file)
	}
	return "", usagef("the ending of %q tells no language: give --lang, one of %s", file, strings.Join(names, ", "))
}

// isWasm tells a WebAssembly file by its first bytes.
func isWasm(content []byte) bool { return bytes.HasPrefix(content, []byte("\x00asm")) }

func noWasm(file string) error {
	return usagef("%s is WebAssembly: running it is not supported yet, only programs as source are; 'svc plugin inspect' says what it is", file)
}

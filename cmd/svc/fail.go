package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/svc-platform/svc/operators-wasm/units"
	"github.com/svc-platform/svc/sandbox"
)

// Exit codes of the command line.
const (
	exitFailure = 1
	exitUsage   = 2
)

// Codes of errors in JSON. Where a wall of the sandbox is the cause, the code
// is its sandbox.TrapKind.
const (
	codeUsage  = "usage"
	codeFailed = "failed"
)

// usageError is a command that was called in a wrong way.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// exitError ends the program with a code. What there is to say was said.
type exitError struct{ code int }

func (e exitError) Error() string { return fmt.Sprintf("exit code %d", e.code) }

// failure is an error as --json prints it.
type failure struct {
	Error   string `json:"error"`
	Message string `json:"message"`
}

// end reports an error and says how the program ends.
func (a *app) end(err error) int {
	var exit exitError
	var usage usageError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit):
		return exit.code
	case errors.As(err, &usage):
		a.report(codeUsage, err)
		return exitUsage
	}
	a.report(cmp.Or(string(sandbox.KindOf(err)), codeFailed), err)
	return exitFailure
}

// report writes an error to stderr. A flag that cannot be read hides those
// behind it, so --json is looked for among the words.
func (a *app) report(code string, err error) {
	if a.json || code == codeUsage && slices.Contains(a.words, "--json") {
		_ = encodeJSON(a.err, failure{code, err.Error()}, "") // there is nowhere left to complain
		return
	}
	fmt.Fprintln(a.err, "svc:", harmless(err.Error()))
}

// harmless takes out what a terminal would obey: messages quote files that
// anybody may have written.
func harmless(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return unicode.ReplacementChar
		}
		return r
	}, s)
}

// flagError explains a flag that cannot be read.
func (a *app) flagError(c *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var missing *pflag.ValueRequiredError
	var invalid *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown):
		return a.noFlag(c, unknown)
	case errors.As(err, &missing):
		return usagef("--%s needs a value: give %s", missing.GetFlag().Name, valueOf(missing.GetFlag()))
	case errors.As(err, &invalid):
		return usagef("--%s %q: give %s", invalid.GetFlag().Name, invalid.GetValue(), valueOf(invalid.GetFlag()))
	}
	return usageError{err}
}

// noFlag says that there is no such flag. In a group a word that is no command
// says more than the flag behind it.
func (a *app) noFlag(c *cobra.Command, unknown *pflag.NotExistError) error {
	if c.HasSubCommands() {
		if _, rest, _ := c.Root().Find(a.words); len(rest) > 0 && !strings.HasPrefix(rest[0], "-") {
			return noCommand(c, rest[0])
		}
	}
	name := unknown.GetSpecifiedName()
	if unknown.GetSpecifiedShortnames() != "" {
		return usagef("there is no flag -%s: '%s --help' lists them", name, c.CommandPath())
	}
	var names []string
	c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
	return usageError{unknownWord("flag", "--"+name, names, "'"+c.CommandPath()+" --help' lists them")}
}

// valueOf says what a flag takes.
func valueOf(f *pflag.Flag) string {
	switch f.Value.Type() {
	case "uint32", "uint64":
		return "a whole number"
	case "float64":
		return "a number"
	case "duration":
		return "a time like 500ms or 2s"
	case "bool":
		return "true or false"
	}
	return "a text"
}

// noCommand says that a group holds no such command.
func noCommand(c *cobra.Command, word string) error {
	var names []string
	for _, child := range c.Commands() {
		names = append(names, child.Name())
	}
	return usageError{unknownWord("command", word, names, "'"+c.CommandPath()+" --help' lists them")}
}

// unknownWord says that there is no such thing, and names one that looks alike
// or gives the advice.
func unknownWord(what, word string, known []string, advice string) error {
	if near := units.Nearest(word, known); near != "" {
		advice = fmt.Sprintf("did you mean %s?", near)
	}
	return fmt.Errorf("there is no %s %q: %s", what, word, advice)
}

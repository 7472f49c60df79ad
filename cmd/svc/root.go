package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/svc-platform/svc/host"
)

// stdio is where a command reads and writes.
type stdio struct {
	in       io.Reader
	out, err io.Writer
}

// app is what all commands share.
type app struct {
	stdio
	words []string // of the command line, without the program's name
	json  bool
}

// newRoot is the one list of commands.
func newRoot(a *app) *cobra.Command {
	root := group("svc", "Run operators, scorers and programs as WebAssembly under fuel",
		serveCommand(a),
		opCommand(a),
		processCommand(a),
		sandboxCommand(a),
		pluginCommand(a),
		versionCommand(a),
	)
	root.Long = `svc runs untrusted code as WebAssembly behind walls: fuel, memory, time.
It serves an HTTP API ("svc serve"), and does the same work from the command line.

Exit codes: 0 success, 1 failure, 2 wrong usage; "svc sandbox run" ends with the
code of the program. Errors go to stderr, with --json as {"error", "message"}.`
	root.SilenceErrors, root.SilenceUsage = true, true
	root.SetArgs(a.words)
	root.SetIn(a.in)
	root.SetOut(a.out)
	root.SetErr(a.err)
	root.PersistentFlags().BoolVar(&a.json, "json", false, "print JSON, errors too")
	root.SetFlagErrorFunc(a.flagError)
	// A group can be run, but only to say what is in it.
	root.SetUsageTemplate(strings.Replace(root.UsageTemplate(), "{{if .Runnable}}", "{{if and .Runnable (not .HasAvailableSubCommands)}}", 1))
	root.InitDefaultCompletionCmd()
	root.InitDefaultHelpCmd()
	strict(root)
	return root
}

// group is a command that only holds others.
func group(name, short string, commands ...*cobra.Command) *cobra.Command {
	c := &cobra.Command{Use: name, Short: short}
	c.AddCommand(commands...)
	return c
}

// strict has the command and all below it report wrong words as usage errors.
func strict(c *cobra.Command) {
	if check := c.Args; check != nil {
		c.Args = func(c *cobra.Command, words []string) error {
			if check(c, words) != nil {
				return usagef("wrong number of arguments (%d): call it as '%s'", len(words), c.UseLine())
			}
			return nil
		}
	}
	switch {
	case c.Name() == "help":
		c.Run, c.RunE = nil, help
	case c.HasSubCommands():
		c.Args, c.RunE = cobra.ArbitraryArgs, help
	}
	for _, child := range c.Commands() {
		strict(child)
	}
}

// help shows what is in a group, or in what the words name.
func help(c *cobra.Command, words []string) error {
	if c.Name() == "help" {
		c, words, _ = c.Root().Find(words)
	}
	if len(words) > 0 {
		return noCommand(c, words[0])
	}
	c.InitDefaultHelpFlag()
	return c.Help()
}

// print writes v as JSON if that was asked for, else what human writes. Either
// goes out in one piece, so that a full disk is noticed.
func (a *app) print(v any, human func(w io.Writer)) error {
	var b bytes.Buffer
	if !a.json {
		human(&b)
	} else if err := encodeJSON(&b, v, "  "); err != nil {
		return err
	}
	_, err := a.out.Write(b.Bytes())
	return err
}

func encodeJSON(w io.Writer, v any, indent string) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", indent)
	return enc.Encode(v)
}

// core opens what a command works on. The compile cache lies in the user's
// cache folder, so that only the first call compiles; where there is no such
// folder, every call does.
func (a *app) core(ctx context.Context, cfg host.CoreConfig) (*host.Core, func(), error) {
	if dir, err := os.UserCacheDir(); err == nil {
		if dir = filepath.Join(dir, "svc"); os.MkdirAll(dir, 0o700) == nil {
			cfg.CacheDir = dir
		}
	}
	core, err := host.OpenCore(ctx, cfg)
	if err != nil {
		return nil, nil, err
	}
	return core, func() { _ = core.Close(context.WithoutCancel(ctx)) }, nil
}

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/svc-platform/svc/operators-wasm/language"
	"github.com/svc-platform/svc/plugins"
	"github.com/svc-platform/svc/plugins/abi"
	"github.com/svc-platform/svc/sandbox"
	"github.com/svc-platform/svc/sandbox/engine"
	"github.com/svc-platform/svc/sandbox/meter"
)

func pluginCommand(a *app) *cobra.Command {
	return group("plugin", "Look at plugins", pluginInspectCommand(a))
}

// inspection is the answer of svc plugin inspect.
type inspection struct {
	File        string               `json:"file"`
	Digest      string               `json:"digest"`
	Size        int                  `json:"size"`
	MeteredSize int                  `json:"metered_size"`
	Schedule    string               `json:"fuel_schedule"`
	Functions   int                  `json:"functions"`
	MinPages    uint32               `json:"min_pages"`
	Start       bool                 `json:"has_start"`
	Imports     []string             `json:"imports"`
	Exports     []string             `json:"exports"`
	Plugin      *plugins.Description `json:"plugin"`
	Operators   []string             `json:"operators,omitempty"`
	Refused     []string             `json:"refused"` // why the walls would not let it in
}

func pluginInspectCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "inspect FILE", Short: "Say what a WebAssembly file is, without running it", Args: cobra.ExactArgs(1),
		Long: `Say what a WebAssembly file is, without running it: its imports and exports, its
description if it is a plugin, and whether it would be let in as one. Exit code
1 means that it would not, and the reasons are printed.`,
		Example:           "  svc plugin inspect scorer.wasm",
		ValidArgsFunction: completeModule,
		RunE: func(c *cobra.Command, files []string) error {
			wasm, err := a.read(files[0], int64(meter.DefaultOptions().MaxSize))
			if err != nil {
				return err
			}
			v, err := inspect(c.Context(), files[0], wasm)
			if err != nil {
				return fmt.Errorf("%s: %w", files[0], err)
			}
			if err := a.print(v, func(w io.Writer) { showInspection(w, v) }); err != nil {
				return err
			}
			if len(v.Refused) > 0 {
				return exitError{exitFailure}
			}
			return nil
		},
	}
}

// inspect reads a module. An error means that it is none, or one that nothing
// more can be said of.
func inspect(ctx context.Context, file string, wasm []byte) (*inspection, error) {
	opt := meter.DefaultOptions()
	opt.Import = func(string, string) bool { return true }
	m, err := meter.Rewrite(wasm, opt)
	if err != nil && isText(wasm) {
		return nil, sandbox.Trapf(sandbox.InvalidModule, "this is WebAssembly as text: turn it into a module first, for example with wat2wasm")
	}
	if err != nil {
		return nil, err
	}
	v := &inspection{
		File: file, Digest: plugins.Digest(wasm), Size: len(wasm), MeteredSize: len(m.Wasm), Schedule: meter.ScheduleVersion,
		Functions: m.Functions, MinPages: m.MinPages, Start: m.HasStart,
		Imports: []string{}, Exports: []string{}, Refused: []string{},
	}
	for _, i := range m.Imports {
		v.Imports = append(v.Imports, shown(i.Module+"."+i.Name)+" "+i.Type.String())
	}
	for _, e := range m.Exports {
		line := shown(e.Name)
		if e.Kind == meter.ExportFunc {
			line += " " + e.Type.String()
		}
		v.Exports = append(v.Exports, line)
	}
	if text, ok := m.Custom(plugins.OperatorsSection); ok {
		if f, err := language.Parse(plugins.OperatorsSection, text); err == nil {
			for _, op := range f.Operators {
				v.Operators = append(v.Operators, op.ID)
			}
		}
	}
	v.judge(ctx, m, wasm)
	return v, nil
}

// isText tells a file in the text format of WebAssembly.
func isText(content []byte) bool {
	content = bytes.TrimSpace(content)
	return bytes.HasPrefix(content, []byte("(module")) || bytes.HasPrefix(content, []byte("(component")) || bytes.HasPrefix(content, []byte(";;"))
}

// judge notes why the module would not be let in as a plugin. It takes those
// steps of plugins/registry that need no engine.
func (v *inspection) judge(ctx context.Context, m *meter.Module, wasm []byte) {
	refuse := func(format string, args ...any) { v.Refused = append(v.Refused, fmt.Sprintf(format, args...)) }
	d, err := plugins.Describe(wasm)
	if err != nil {
		refuse("%v", err)
		return
	}
	v.Plugin = &d
	var known []string
	for _, a := range abi.All() {
		known = append(known, a.Name)
		if a.Name != d.ABI {
			continue
		}
		for _, i := range m.Imports {
			if !a.Allows(i.Module, i.Name) {
				refuse("it imports %s, which %s does not offer", shown(i.Module+"."+i.Name), a.Name)
			}
		}
		if _, err := a.Open(ctx, m, d, uncompiled{}); err != nil {
			refuse("%v", err)
		}
		return
	}
	refuse("it speaks %q, this host knows %s", d.ABI, strings.Join(known, ", "))
}

// uncompiled stands for a compiled module where nothing is to be run.
type uncompiled struct{}

// Instantiate implements engine.Module by refusing.
func (uncompiled) Instantiate(context.Context, *engine.Budget, any) (engine.Instance, error) {
	return nil, errors.New("the module is only looked at, not run")
}

// Close implements engine.Module.
func (uncompiled) Close(context.Context) error { return nil }

func showInspection(w io.Writer, v *inspection) {
	fmt.Fprintf(w, "%s\n  %s\n  %d bytes, %d functions, %d pages of memory; metered by %s: %d bytes\n",
		shown(v.File), v.Digest, v.Size, v.Functions, v.MinPages, v.Schedule, v.MeteredSize)
	if d := v.Plugin; d != nil {
		fmt.Fprintf(w, "  plugin %s %s by %s (%s)\n  %s; kind %s, abi %s\n",
			d.Name, d.Version, shown(d.Publisher), shown(d.Licence), shown(d.Summary), d.Kind, shown(d.ABI))
		for _, f := range d.Functions {
			fmt.Fprintf(w, "    %s: %s (%d golden vectors)\n", shown(f.Name), shown(f.Summary), len(f.Vectors))
		}
	}
	if len(v.Operators) > 0 {
		fmt.Fprintf(w, "  operators: %s\n", strings.Join(v.Operators, " "))
	} else {
		for _, e := range v.Exports {
			fmt.Fprintf(w, "  exports %s\n", e)
		}
	}
	for _, i := range v.Imports {
		fmt.Fprintf(w, "  imports %s\n", i)
	}
	for _, r := range v.Refused {
		fmt.Fprintf(w, "  refused: %s\n", harmless(r))
	}
}

// shown is a text out of a module, quoted where it could deceive a terminal
// or its reader.
func shown(s string) string {
	if q := strconv.Quote(s); q != `"`+s+`"` {
		return q
	}
	return s
}

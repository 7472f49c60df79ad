// Command gen builds generation 0: it compiles each category of the catalogue
// to an op/1 plugin, packs the guests with their descriptions, and writes the
// index of all of them.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/svc-platform/svc/operators-wasm/catalog"
	"github.com/svc-platform/svc/operators-wasm/compile"
	"github.com/svc-platform/svc/operators-wasm/language"
	"github.com/svc-platform/svc/plugins"
	"github.com/svc-platform/svc/plugins/abi/op1"
	"github.com/svc-platform/svc/plugins/builtin"
)

// version of the built-in plugins. A module's identity is its digest; this is
// for people.
const version = "0.1.0"

func main() {
	guests := flag.String("guests", "bin/guests", "folder of the compiled guests, laid out like -sources")
	sources := flag.String("sources", "plugins/guests", "folder of the guests' sources, each with its plugin.json")
	out := flag.String("out", "plugins/builtin/dist", "folder to write to")
	flag.Parse()
	if err := run(*guests, *sources, *out); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

func run(guests, sources, out string) error {
	w := &writer{out: out}
	if err := w.clear(); err != nil {
		return err
	}
	if err := w.catalogue(); err != nil {
		return err
	}
	if err := w.guests(guests, sources); err != nil {
		return err
	}
	index, err := json.MarshalIndent(w.generation, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(out, builtin.IndexFile), append(index, '\n'), 0o644)
}

// writer writes modules and remembers them for the index.
type writer struct {
	out        string
	generation builtin.Generation
}

// clear removes what an earlier run left, so that nothing outlives its source.
func (w *writer) clear() error {
	if err := os.MkdirAll(w.out, 0o755); err != nil {
		return err
	}
	old, err := filepath.Glob(filepath.Join(w.out, "*.wasm"))
	if err != nil {
		return err
	}
	for _, f := range append(old, filepath.Join(w.out, builtin.IndexFile)) {
		if err := os.Remove(f); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return nil
}

// catalogue compiles each category.
func (w *writer) catalogue() error {
	all, err := catalog.Load()
	if err != nil {
		return err
	}
	byCategory := map[string][]*language.Operator{}
	for _, op := range all {
		byCategory[op.Category] = append(byCategory[op.Category], op)
	}
	categories, err := catalog.Categories()
	if err != nil {
		return err
	}
	for _, c := range categories {
		wasm, err := compile.Module(byCategory[c.Name])
		if err != nil {
			return err
		}
		text, err := catalog.Source(c.Name)
		if err != nil {
			return err
		}
		name := "operators-" + strings.ReplaceAll(c.Name, "_", "-")
		packed, err := plugins.Pack(wasm, plugins.Description{
			Schema: plugins.Schema, Name: name, Version: version, Publisher: "svc", Licence: "Apache-2.0",
			Summary: c.Title, Kind: plugins.Operators, ABI: op1.Name,
		}, plugins.Section{Name: plugins.OperatorsSection, Data: text})
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if err := w.write(name+".wasm", packed); err != nil {
			return err
		}
	}
	return nil
}

// guests packs every guest that has a plugin.json beside its source.
func (w *writer) guests(compiled, sources string) error {
	files, err := filepath.Glob(filepath.Join(sources, "*", "*", "plugin.json"))
	if err != nil {
		return err
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		d, err := plugins.ParseDescription(data)
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		place, err := filepath.Rel(sources, filepath.Dir(file))
		if err != nil {
			return err
		}
		wasm, err := os.ReadFile(filepath.Join(compiled, place+".wasm"))
		if err != nil {
			return fmt.Errorf("%s is not compiled: %w", place, err)
		}
		packed, err := plugins.Pack(wasm, d)
		if err != nil {
			return err
		}
		if err := w.write(d.Name+".wasm", packed); err != nil {
			return err
		}
	}
	return nil
}

func (w *writer) write(file string, wasm []byte) error {
	w.generation.Modules = append(w.generation.Modules, builtin.NewEntry(file, wasm))
	return os.WriteFile(filepath.Join(w.out, file), wasm, 0o644)
}

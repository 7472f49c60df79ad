package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/svc-platform/svc/operators-wasm/language"
	"github.com/svc-platform/svc/plugins"
	"github.com/svc-platform/svc/plugins/builtin"
	langs "github.com/svc-platform/svc/sandbox/lang/builtin"
	"github.com/svc-platform/svc/sandbox/meter"
)

// Completion reads what is built in without starting an engine. Where that
// fails it has nothing to offer: the command itself will say what is wrong.

type completion = func(c *cobra.Command, words []string, begun string) ([]string, cobra.ShellCompDirective)

// completeFlag offers values of a flag.
func completeFlag(c *cobra.Command, flag string, offer completion) {
	if err := c.RegisterFlagCompletionFunc(flag, offer); err != nil {
		panic(err) // a programming error: there is no such flag
	}
}

// definitions reads the catalogue out of the built-in modules.
func definitions() []*language.File {
	generation, err := builtin.Load()
	if err != nil {
		return nil
	}
	var files []*language.File
	for _, m := range generation.Modules {
		wasm, err := m.Wasm()
		if err != nil {
			continue
		}
		text, err := meter.CustomSection(wasm, plugins.OperatorsSection)
		if err != nil || text == nil {
			continue
		}
		if f, err := language.Parse(m.File, text); err == nil {
			files = append(files, f)
		}
	}
	return files
}

// completeOperator offers the ids of operators, with their names.
func completeOperator(_ *cobra.Command, words []string, begun string) ([]string, cobra.ShellCompDirective) {
	var operators []*language.Operator
	if len(words) == 0 {
		for _, f := range definitions() {
			operators = append(operators, f.Operators...)
		}
	}
	slices.SortFunc(operators, func(a, b *language.Operator) int { return language.CompareIDs(a.ID, b.ID) })
	var offers []string
	for _, op := range operators {
		offers = append(offers, cobra.CompletionWithDesc(op.ID, op.Name))
	}
	return beginning(offers, begun), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}

// completeEval offers the ids, then the inputs that are not given yet.
func completeEval(c *cobra.Command, words []string, begun string) ([]string, cobra.ShellCompDirective) {
	if len(words) == 0 {
		return completeOperator(c, words, begun)
	}
	var offers []string
	for _, f := range definitions() {
		for _, op := range f.Operators {
			if strings.EqualFold(op.ID, words[0]) {
				offers = inputsLeft(op, words[1:])
			}
		}
	}
	return beginning(offers, begun), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

func inputsLeft(op *language.Operator, words []string) []string {
	given := map[string]bool{}
	for _, word := range words {
		symbol, _, _ := strings.Cut(word, "=")
		given[symbol] = true
	}
	var offers []string
	for i := range op.Inputs {
		if in := &op.Inputs[i]; !given[in.Symbol] {
			offers = append(offers, cobra.CompletionWithDesc(in.Symbol+"=", in.Description+" ["+in.Unit.Symbol+"]"))
		}
	}
	return offers
}

func completeCategory(_ *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
	var offers []string
	for _, f := range definitions() {
		offers = append(offers, cobra.CompletionWithDesc(f.Category, f.Title))
	}
	return beginning(offers, begun), cobra.ShellCompDirectiveNoFileComp
}

func completeLanguage(_ *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
	var offers []string
	for _, l := range langs.Languages() {
		offers = append(offers, l.Name)
	}
	return beginning(offers, begun), cobra.ShellCompDirectiveNoFileComp
}

// completeProgram offers source files, and nothing for the program's own arguments.
func completeProgram(_ *cobra.Command, words []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(words) > 0 {
		return nil, cobra.ShellCompDirectiveDefault
	}
	var endings []string
	for _, l := range langs.Languages() {
		for _, e := range l.Extensions {
			endings = append(endings, strings.TrimPrefix(e, "."))
		}
	}
	return endings, cobra.ShellCompDirectiveFilterFileExt
}

func completeModule(_ *cobra.Command, words []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(words) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return []string{"wasm"}, cobra.ShellCompDirectiveFilterFileExt
}

// beginning keeps the offers that continue what was begun, without regard to case.
func beginning(offers []string, begun string) []string {
	var kept []string
	for _, offer := range offers {
		if len(offer) >= len(begun) && strings.EqualFold(offer[:len(begun)], begun) {
			kept = append(kept, offer)
		}
	}
	return kept
}

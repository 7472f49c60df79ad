package main

import (
	"encoding/hex"
	"errors"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/svc-platform/svc/plugins"
	"github.com/svc-platform/svc/plugins/builtin"
)

// want checks that a command of a script is called as it must be.
func want(ts *testscript.TestScript, neg, ok bool, usage string) {
	if neg || !ok {
		ts.Fatalf("usage: %s", usage)
	}
}

// codeCmd runs a program and compares its exit code.
func codeCmd(ts *testscript.TestScript, neg bool, args []string) {
	want(ts, neg, len(args) > 1, "code N PROGRAM ARG...")
	code, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	var exit *exec.ExitError
	got := 0
	if errors.As(err, &exit) {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != code {
		ts.Fatalf("exit code %d, want %d", got, code)
	}
}

func writeFile(ts *testscript.TestScript, name string, content []byte) {
	ts.Check(os.WriteFile(ts.MkAbs(name), content, 0o600))
}

// hexCmd writes a file from its bytes in hexadecimal.
func hexCmd(ts *testscript.TestScript, neg bool, args []string) {
	want(ts, neg, len(args) > 1, "hex FILE BYTES...")
	content, err := hex.DecodeString(strings.Join(args[1:], ""))
	ts.Check(err)
	writeFile(ts, args[0], content)
}

// sizeCmd makes a file of zeros that takes no room on the disk.
func sizeCmd(ts *testscript.TestScript, neg bool, args []string) {
	want(ts, neg, len(args) == 2, "size FILE BYTES")
	size, err := strconv.ParseInt(args[1], 10, 64)
	ts.Check(err)
	writeFile(ts, args[0], nil)
	ts.Check(os.Truncate(ts.MkAbs(args[0]), size))
}

// cutCmd keeps the first bytes of a file.
func cutCmd(ts *testscript.TestScript, neg bool, args []string) {
	want(ts, neg, len(args) == 2, "cut FILE BYTES")
	size, err := strconv.ParseInt(args[1], 10, 64)
	ts.Check(err)
	ts.Check(os.Truncate(ts.MkAbs(args[0]), size))
}

// builtinCmd writes one of the built-in modules.
func builtinCmd(ts *testscript.TestScript, neg bool, args []string) {
	want(ts, neg, len(args) == 1, "builtin FILE")
	generation, err := builtin.Load()
	ts.Check(err)
	i := slices.IndexFunc(generation.Modules, func(m builtin.Entry) bool { return m.File == args[0] })
	if i < 0 {
		ts.Fatalf("there is no built-in module %s", args[0])
	}
	wasm, err := generation.Modules[i].Wasm()
	ts.Check(err)
	writeFile(ts, args[0], wasm)
}

// packCmd attaches a description to a module, whatever it says.
func packCmd(ts *testscript.TestScript, neg bool, args []string) {
	want(ts, neg, len(args) == 2, "pack MODULE DESCRIPTION")
	section := plugins.Section{Name: plugins.DescriptionSection, Data: []byte(ts.ReadFile(args[1]))}
	writeFile(ts, args[0], plugins.Attach([]byte(ts.ReadFile(args[0])), section))
}

package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "rewrite the expected output in the scripts")

// TestMain lets the scripts call this binary as svc, and as a curl that knows
// only what every curl knows.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"svc":  main,
		"curl": func() { os.Exit(curl(os.Args[1:], os.Stdout, os.Stderr)) },
	})
}

// TestScripts runs testdata/script. All scripts share one compile cache, which
// is nobody else's.
func TestScripts(t *testing.T) {
	home := t.TempDir()
	cache := filepath.Join(home, "cache", "svc")
	if err := os.MkdirAll(cache, 0o700); err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:           "testdata/script",
		UpdateScripts: *update,
		Setup: func(env *testscript.Env) error {
			env.Setenv("HOME", home)
			env.Setenv("XDG_CACHE_HOME", filepath.Dir(cache))
			env.Setenv("CACHE", cache) // for the data folders of hosts
			env.Values[daemonKey{}] = &daemon{}
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"code":    codeCmd,
			"hex":     hexCmd,
			"size":    sizeCmd,
			"cut":     cutCmd,
			"builtin": builtinCmd,
			"pack":    packCmd,
			"start":   startCmd,
			"paste":   pasteCmd,
			"http":    httpCmd,
			"end":     endCmd,
		},
	})
}

// refusing is a disk that is full.
type refusing struct{}

func (refusing) Write([]byte) (int, error) { return 0, fmt.Errorf("no space left") }

func TestOutputThatCannotBeWrittenIsAFailure(t *testing.T) {
	for _, words := range [][]string{{"version"}, {"version", "--json"}} {
		var stderr bytes.Buffer
		code := run(context.Background(), words, stdio{bytes.NewReader(nil), refusing{}, &stderr})
		if code != exitFailure || !bytes.Contains(stderr.Bytes(), []byte("no space left")) {
			t.Errorf("svc %v: exit code %d, stderr %q", words, code, &stderr)
		}
	}
}

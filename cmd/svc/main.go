// Command svc is the plugin host and everything that goes with it: it serves
// the HTTP API, evaluates operators, answers questions and runs programs in
// the sandbox.
package main

import (
	"context"
	"os"
)

// version is set by the linker.
var version = "devel"

func main() { os.Exit(run(context.Background(), os.Args[1:], stdio{os.Stdin, os.Stdout, os.Stderr})) }

// run is the whole program, for tests too. It returns the exit code: 0 success,
// 1 failure, 2 wrong usage; sandbox run returns that of the program.
func run(ctx context.Context, words []string, s stdio) int {
	a := &app{stdio: s, words: words}
	return a.end(newRoot(a).ExecuteContext(ctx))
}

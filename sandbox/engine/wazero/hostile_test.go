package wazero_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/svc-platform/svc/sandbox"
	"github.com/svc-platform/svc/sandbox/engine"
	"github.com/svc-platform/svc/sandbox/engine/enginetest"
	"github.com/svc-platform/svc/sandbox/engine/wazero"
	"github.com/svc-platform/svc/sandbox/meter"
	"github.com/svc-platform/svc/sandbox/wasmtest"
)

const childVariable = "SVC_TEST_HOSTILE_CHILD"

func TestMain(m *testing.M) {
	if os.Getenv(childVariable) != "" {
		serveHostile()
		return
	}
	os.Exit(m.Run())
}

// serveHostile is the child: a small host that runs attacks when told to and
// answers every ping by running a well-behaved guest and a full garbage
// collection. Commands come by line, answers go by line.
func serveHostile() {
	ctx := context.Background()
	e, err := wazero.New(ctx, wazero.Config{})
	if err != nil {
		panic(err)
	}
	var mu sync.Mutex
	say := func(format string, args ...any) {
		mu.Lock()
		defer mu.Unlock()
		fmt.Printf(format+"\n", args...)
	}
	good := wasmtest.Module{Funcs: []wasmtest.Func{{Name: "f", Results: []byte{wasmtest.I32}, Code: wasmtest.I32Const(42)}}}.Encode()
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		command, name, _ := strings.Cut(in.Text(), " ")
		switch command {
		case "attack":
			go func() {
				i := slices.IndexFunc(enginetest.Attacks(), func(a enginetest.Attack) bool { return a.Name == name })
				a := enginetest.Attacks()[i]
				say("running %s", name)
				err := runGuest(ctx, e, a.Wasm, sandbox.Limits{Fuel: 1 << 50, MemoryPages: a.Pages, TableElements: 1000, Wall: time.Second}, nil)
				say("done %s", sandbox.KindOf(err))
			}()
		case "ping":
			stack := []uint64{0}
			err := runGuest(ctx, e, good, sandbox.Limits{Fuel: 100, MemoryPages: 1, Wall: time.Minute}, stack)
			runtime.GC()
			say("pong %d %v", stack[0], err)
		}
	}
}

func runGuest(ctx context.Context, e engine.Engine, wasm []byte, l sandbox.Limits, stack []uint64) error {
	m, err := meter.Rewrite(wasm, meter.DefaultOptions())
	if err != nil {
		return err
	}
	mod, err := e.Compile(ctx, m)
	if err != nil {
		return err
	}
	b := engine.NewBudget(l)
	inst, err := mod.Instantiate(ctx, b, nil)
	if err != nil {
		return err
	}
	defer func() { _ = inst.Close(ctx) }()
	f, err := inst.Func("f")
	if err != nil {
		return err
	}
	return f.Call(ctx, b, stack)
}

// TestHostileGuests runs every attack in a child process. While it runs, the
// child must go on serving; when it ends, it must be for the right reason.
func TestHostileGuests(t *testing.T) {
	// Only a watchdog: a child that hangs would never answer.
	ctx, cancel := context.WithTimeout(t.Context(), 4*time.Minute)
	defer cancel()
	child := exec.CommandContext(ctx, os.Args[0])
	child.Env = append(os.Environ(), childVariable+"=1")
	child.Stderr = os.Stderr
	in, err := child.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for _, a := range enginetest.Attacks() {
		t.Run(a.Name, func(t *testing.T) { attack(t, in, lines, a) })
	}
	_ = in.Close()
	if err := child.Wait(); err != nil {
		t.Errorf("the child did not live to the end: %v", err)
	}
}

func attack(t *testing.T, in io.Writer, lines *bufio.Scanner, a enginetest.Attack) {
	next := func() string {
		if !lines.Scan() {
			t.Fatalf("the child is gone: %v", lines.Err())
		}
		return lines.Text()
	}
	send := func(line string) {
		if _, err := io.WriteString(in, line+"\n"); err != nil {
			t.Fatalf("the child is gone: %v", err)
		}
	}
	send("attack " + a.Name)
	if got := next(); got != "running "+a.Name {
		t.Fatalf("got %q", got)
	}
	pongs, done, ended := 0, "", false
	for !ended {
		send("ping")
		for answered := false; !answered; {
			switch line := next(); {
			case line == "pong 42 <nil>":
				pongs++
				answered = true
			case strings.HasPrefix(line, "done "):
				done, ended = strings.TrimPrefix(line, "done "), true
			default:
				t.Fatalf("got %q", line)
			}
		}
	}
	if !slices.Contains(a.Want, sandbox.TrapKind(done)) {
		t.Errorf("it tries to %s and ended with %q, want one of %v", a.Tries, done, a.Want)
	}
	// An attack that lasted until its deadline was running while these were answered.
	if done == string(sandbox.OutOfTime) && pongs < 2 {
		t.Errorf("the host answered %d times while it ran", pongs)
	}
	report, _ := json.Marshal(map[string]any{"ended": done, "answers_meanwhile": pongs})
	t.Logf("%s", report)
}

package javascript_test

import (
	"context"
	"testing"

	"github.com/svc-platform/svc/sandbox"
	"github.com/svc-platform/svc/sandbox/engine"
	"github.com/svc-platform/svc/sandbox/engine/wazero"
	"github.com/svc-platform/svc/sandbox/lang"
	"github.com/svc-platform/svc/sandbox/lang/javascript"
	"github.com/svc-platform/svc/sandbox/lang/langtest"
	"github.com/svc-platform/svc/sandbox/wasi"
)

func newEngine(t testing.TB, funcs []engine.HostFunc) engine.Engine {
	t.Helper()
	e, err := wazero.New(context.Background(), wazero.Config{HostFuncs: append(wasi.Functions(), funcs...)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close(context.Background()) })
	return e
}

func TestSuite(t *testing.T) {
	langtest.Run(t, javascript.Language(), newEngine, langtest.Programs{
		Hello:     `console.log("hello")`,
		Argv:      `for (const a of process.argv.slice(1)) print(a)`,
		Env:       `console.log(process.env.GREETING)`,
		Stdin:     `process.stdout.write(require("fs").readFileSync(0, "utf8").toUpperCase())`,
		Unicode:   `console.log("Grüße, 世界 😀"); console.error("Grüße, 世界 😀")`,
		Uncaught:  "console.log('before')\nfunction inner() { throw new TypeError('boom') }\ninner()",
		Syntax:    "const a = 1\nconst b = ;",
		Exit:      `try { process.exit(Number(process.argv[1])) } finally { console.log("not reached") }`,
		Endless:   `while (true);`,
		Memory:    `const all = []; for (;;) all.push(new Array(1000).fill(all.length))`,
		Recursion: `(function f() { return 1 + f() })()`,
		Flood:     `for (let i = 0; i < 10; i++) process.stdout.write("ü".repeat(100_000)); console.error("end")`,
		State:     `console.log(globalThis.mark ?? Array.prototype.mark ?? "clean"); globalThis.mark = Array.prototype.mark = "dirty"`,
		Random:    `console.log(Math.random(), new Date().toISOString(), performance.now())`,
		Sleep:     `await new Promise((r) => setTimeout(r, 3600e3)); console.log("awake")`,
	})
}

// newRunner returns a function that runs a program with stdin "one\ntwo\n".
func newRunner(t testing.TB) func(t testing.TB, code string) lang.Result {
	t.Helper()
	l := javascript.Language()
	r, err := l.Load(t.Context(), newEngine(t, l.HostFuncs()))
	if err != nil {
		t.Fatal(err)
	}
	return func(t testing.TB, code string) lang.Result {
		t.Helper()
		res, err := r.Run(t.Context(), lang.Program{Code: []byte(code), Stdin: []byte("one\ntwo\n"), Limits: sandbox.DefaultLimits()})
		if err != nil {
			t.Fatal(err)
		}
		return res
	}
}

// TestPrograms is what the package comment promises.
func TestPrograms(t *testing.T) {
	run := newRunner(t)
	for _, tt := range []struct {
		name, code     string
		exit           int
		stdout, stderr string
	}{
		// The order of things.
		{"jobs before timers, timers by time", `setTimeout(print, 2, "c"); setTimeout(print, 1, "b"); Promise.resolve().then(() => print("a")); print("first")`, 0, "first\na\nb\nc\n", ""},
		{"interval", `let n = 0; const id = setInterval(() => { print(++n); if (n === 3) clearInterval(id) }, 10)`, 0, "1\n2\n3\n", ""},
		{"top-level await", `const v = await (async () => 42)(); print(v)`, 0, "42\n", ""},
		{"sloppy mode", `x = 010; print(x, typeof this)`, 0, "8 object\n", ""},
		{"a timer's time", `const a = performance.now(); setTimeout(() => print(Math.round(performance.now() - a)), 250)`, 0, "250\n", ""},
		// stdin.
		{"readline", `let l; while ((l = readline()) !== null) print("<" + l + ">")`, 0, "<one>\n<two>\n", ""},
		{"stdin as events", `process.stdin.setEncoding("utf8").on("data", (s) => print(s.length)).on("end", () => print("end"))`, 0, "8\nend\n", ""},
		{"stdin with for await", `for await (const s of process.stdin) print(s.trim().split("\n"))`, 0, "[ 'one', 'two' ]\n", ""},
		{"stdin as bytes", `const b = require("fs").readFileSync(0); print(b.length, b[0], b.toString().length)`, 0, "8 111 8\n", ""},
		{"no other file", `require("fs").readFileSync("/etc/passwd")`, 1, "", "Uncaught Error: ENOENT: no such file: '/etc/passwd'; only 0 and '/dev/stdin' can be read\n    at <eval> (main.js:1:14)\n"},
		{"bytes to stdout", `process.stdout.write(new Uint8Array([0xc3, 0xbc, 10]))`, 0, "ü\n", ""},
		{"half a character", `process.stdout.write("a\ud800b")`, 0, "a\ufffdb", ""},
		{"a character across two pieces", `process.stdout.write("a" + "😀".repeat(10_000)); console.error("x")`, 0, "", ""},
		// Failing.
		{"a string is thrown", `throw "text"`, 1, "", "Uncaught 'text'\n"},
		{"in a timer", `setTimeout(function tock() { null.x }, 1)`, 1, "", "Uncaught TypeError: cannot read property 'x' of null\n    at tock (main.js:1:29)\n"},
		{"in a microtask", `queueMicrotask(function job() { throw new RangeError("r") }); setTimeout(print, 1, "no")`, 1, "", "Uncaught RangeError: r\n    at job (main.js:1:43)\n"},
		{"an unhandled rejection", `Promise.reject(new Error("first")); Promise.reject(2); setTimeout(print, 1, "no")`, 1, "", "Uncaught Error: first\n    at <eval> (main.js:1:20)\n"},
		{"a rejection handled at once", `Promise.reject(1).catch(print); await 0`, 0, "1\n", ""},
		{"a rejection handled in a later job", `const p = Promise.reject(1); await 0; p.catch(print)`, 0, "1\n", ""},
		{"many rejections handled", `for (let i = 0; i < 1000; i++) Promise.reject(i).catch(() => {}); print("ok")`, 0, "ok\n", ""},
		{"waits for nothing", `await new Promise(() => {})`, 1, "", "Uncaught the program waits for a promise that nothing will ever settle\n"},
		{"exit code of its own", `process.exitCode = 7; print("done")`, 1, "done\n", ""},
		{"nothing to import", `await import("fs")`, 1, "", "Uncaught ReferenceError: could not load module 'fs'\n"},
		{"no module", `require("net")`, 1, "", "Uncaught Error: Cannot find module 'net': only 'fs' (stdin) and 'process' exist here\n    at <eval> (main.js:1:1)\n"},
		{"an error that cannot be shown", `throw new Proxy({}, { getPrototypeOf() { throw 1 }, ownKeys() { throw 2 } })`, 1, "", "Uncaught exception that cannot be shown\n"},
		{"recovers from recursion", `let n = 0; try { (function f() { n++; f() })() } catch (e) { print(e.name, n > 1000) }`, 0, "RangeError true\n", ""},
		{"recovers from deep JSON", `try { JSON.parse("[".repeat(1e6)) } catch (e) { print(e.name) }`, 0, "RangeError\n", ""},
		{"recovers from a deep expression", `try { eval("(".repeat(1e5)) } catch (e) { print(e.name) }`, 0, "RangeError\n", ""},
		// A program that breaks its own world.
		{"broken built-ins", `Uint8Array.prototype.setFromBase64 = Math.max = globalThis.btoa = JSON.parse = null; print("ok", Math.random() < 1)`, 0, "ok true\n", ""},
		{"no host function in sight", `print(Object.getOwnPropertyNames(globalThis).filter((n) => /host|svc|qjs/.test(n)))`, 0, "[]\n", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := run(t, tt.code)
			if tt.name == "a character across two pieces" {
				tt.stdout = "a" + repeat("😀", 10_000)
				tt.stderr = "x\n"
			}
			if r.ExitCode != tt.exit || r.Stdout != tt.stdout || r.Stderr != tt.stderr {
				t.Errorf("got  %d %q %q\nwant %d %q %q", r.ExitCode, r.Stdout, r.Stderr, tt.exit, tt.stdout, tt.stderr)
			}
		})
	}
}

// TestShortJobs: a program of nothing but short jobs meets its deadline, too.
func TestShortJobs(t *testing.T) {
	l := javascript.Language()
	r, err := l.Load(t.Context(), newEngine(t, l.HostFuncs()))
	if err != nil {
		t.Fatal(err)
	}
	limits := sandbox.DefaultLimits()
	limits.Fuel, limits.Wall = 1<<62, 50e6
	res, err := r.Run(t.Context(), lang.Program{Code: []byte(`setInterval(() => {}, 1)`), Limits: limits})
	if err != nil || res.ExitCode != lang.ExitStopped || res.Reason != lang.ReasonTimeout {
		t.Errorf("got %+v, %v; want a timeout", res, err)
	}
}

// BenchmarkHello is a whole run: instance, start of QuickJS, program.
func BenchmarkHello(b *testing.B) {
	run := newRunner(b)
	for b.Loop() {
		run(b, `console.log("hello")`)
	}
}

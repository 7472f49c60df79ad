package javascript_test

import (
	"strings"
	"testing"
)

func repeat(s string, n int) string { return strings.Repeat(s, n) }

// TestConsole: values are shown as people know them from Node.
func TestConsole(t *testing.T) {
	run := newRunner(t)
	for _, tt := range []struct{ code, want string }{
		{`console.log()`, "\n"},
		{`console.log("a", 1, true, null, undefined, 10n, -0, NaN, Symbol("s"))`, "a 1 true null undefined 10n -0 NaN Symbol(s)\n"},
		{`console.log(["a", 'it\'s', "\"", "\n"])`, "[ 'a', \"it's\", '\"', '\\n' ]\n"},
		{`console.log({ a: 1, "b-c": [1, 2], [Symbol("k")]: 3 })`, "{ a: 1, 'b-c': [ 1, 2 ], [Symbol(k)]: 3 }\n"},
		{`console.log([], {}, new Map(), new Set())`, "[] {} Map(0) {} Set(0) {}\n"},
		{`console.log([1, , 3])`, "[ 1, <empty>, 3 ]\n"},
		{`console.log({ a: { b: { c: { d: 1 } } }, l: [[[[1]]]] })`, "{ a: { b: { c: [Object] } }, l: [ [ [Array] ] ] }\n"},
		{`const o = { n: 1 }; o.self = o; console.log(o)`, "{ n: 1, self: [Circular] }\n"},
		{`console.log(new Map([["a", { b: 1 }]]), new Set([1, "x"]))`, "Map(1) { 'a' => { b: 1 } } Set(2) { 1, 'x' }\n"},
		{`console.log(new Uint8Array([1, 2]), new ArrayBuffer(2).byteLength)`, "Uint8Array(2) [ 1, 2 ] 2\n"},
		{`class P { x = 1 } console.log(new P(), P, () => 1, function f() {}, Object.create(null))`, "P { x: 1 } [class P] [Function (anonymous)] [Function: f] [Object: null prototype] {}\n"},
		{`console.log(new Date(0), /a/g, Promise.resolve(1), new WeakMap())`, "1970-01-01T00:00:00.000Z /a/g Promise {} WeakMap {}\n"},
		{`console.log({ get a() { throw 1 }, set b(v) {} })`, "{ a: [Getter], b: [Setter] }\n"},
		{`console.log(Array.from({ length: 102 }, () => 1).slice(0, 102).length, [..."x".repeat(101)].length)`, "102 101\n"},
		{`console.log({ long: "x".repeat(40), other: "y".repeat(40) })`, "{\n  long: '" + repeat("x", 40) + "',\n  other: '" + repeat("y", 40) + "'\n}\n"},
		{`console.log("%s is %d, %i, %f%% %j %o%c", "x", 42, 7.9, 1.5, { a: 1 }, [1], "css", "rest")`, "x is 42, 7, 1.5% {\"a\":1} [ 1 ] rest\n"},
		{`console.log("100%", 5, "%s")`, "100% 5 %s\n"},
		{`const e = new TypeError("bad"); e.stack = ""; console.log(e)`, "TypeError: bad\n"},
		{`console.log(new Proxy({}, { ownKeys() { throw 1 } }))`, "[object that cannot be shown]\n"},
		{`console.group("g"); console.log("a\nb"); console.groupEnd(); console.log("c")`, "g\n  a\n  b\nc\n"},
		{`console.count(); console.count("x"); console.count()`, "default: 1\nx: 1\ndefault: 2\n"},
		{`console.assert(true, "no"); console.info("i"); console.debug("d"); console.dir({ a: 1 })`, "i\nd\n{ a: 1 }\n"},
	} {
		t.Run(tt.code, func(t *testing.T) {
			if r := run(t, tt.code); r.Stdout != tt.want || r.ExitCode != 0 {
				t.Errorf("got  %q\nwant %q\nstderr %s", r.Stdout, tt.want, r.Stderr)
			}
		})
	}
	t.Run("many items", func(t *testing.T) {
		r := run(t, `console.log(new Array(150).fill(1))`)
		if !strings.Contains(r.Stdout, "... 50 more items") || strings.Count(r.Stdout, "1,") != 100 {
			t.Errorf("got %s", r.Stdout)
		}
	})
	t.Run("stderr", func(t *testing.T) {
		r := run(t, `console.error("e"); console.warn("w"); console.assert(false, "x"); console.trace("t")`)
		if want := "e\nw\nAssertion failed: x\nTrace: t"; !strings.HasPrefix(r.Stderr, want) || r.Stdout != "" {
			t.Errorf("got %q, want it to begin with %q", r.Stderr, want)
		}
	})
}

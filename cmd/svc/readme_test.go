package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestReadmeSession runs the commands of the README's session and compares what
// they print with what stands there. Times differ from run to run, so digits in
// front of ms count as equal.
func TestReadmeSession(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", filepath.Join(dir, "cache"))
	t.Setenv("HOME", dir)
	for name, code := range map[string]string{"hello.js": `console.log("hello", scriptArgs[0])`, "spin.js": "for (;;);"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(code), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	session := regexp.MustCompile(`(?m)^    \$ .*?bin/svc (process|op|sandbox)( [^|;\n]*)(\| head -1)?.*\n    (.*)$`)
	found := session.FindAllStringSubmatch(string(readme), -1)
	if len(found) != 5 {
		t.Fatalf("the session has %d commands, this test knows 5", len(found))
	}
	for _, m := range found {
		var out bytes.Buffer
		run(t.Context(), append([]string{m[1]}, split(m[2])...), stdio{strings.NewReader(""), &out, &out})
		first, _, _ := strings.Cut(out.String(), "\n")
		if got, want := withoutTimes(first), withoutTimes(m[4]); got != want {
			t.Errorf("svc %s%s\nprints %s\nREADME %s", m[1], m[2], got, want)
		}
	}
}

func withoutTimes(s string) string {
	return regexp.MustCompile(`[0-9.]+m?s\b`).ReplaceAllString(s, "TIME")
}

// split cuts a command line into words; double quotes hold words together.
func split(line string) []string {
	var words []string
	for _, m := range regexp.MustCompile(`(?:[^\s"]|"[^"]*")+`).FindAllString(line, -1) {
		words = append(words, strings.ReplaceAll(m, `"`, ""))
	}
	return words
}

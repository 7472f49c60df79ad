package builtin_test

import (
	"testing"

	"github.com/svc-platform/svc/sandbox/lang/builtin"
	"github.com/svc-platform/svc/sandbox/wasi"
)

// TestNamesAreUnique: callers choose a language by name or by extension, and
// one engine has the host functions of all.
func TestNamesAreUnique(t *testing.T) {
	seen := map[string]bool{}
	once := func(kind, name string) {
		t.Helper()
		if name == "" || seen[kind+name] {
			t.Errorf("%s %q is empty or there twice", kind, name)
		}
		seen[kind+name] = true
	}
	for _, l := range builtin.Languages() {
		once("language", l.Name)
		for _, e := range l.Extensions {
			once("extension", e)
		}
	}
	for _, f := range append(wasi.Functions(), builtin.HostFuncs()...) {
		once("function", f.Module+"."+f.Name)
	}
}

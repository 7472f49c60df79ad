package main_test

import (
	"path"
	"slices"
	"strings"
	"testing"
)

// mayImport says for each room which rooms of the project it may use.
func mayImport(room string) []string {
	switch room {
	case "sandbox", "manifest", "sdk", "operators-wasm":
		return []string{room}
	case "plugins":
		return []string{"plugins", "sandbox", "manifest", "sdk", "operators-wasm"}
	case "host":
		return []string{"host", "plugins", "sandbox", "manifest", "sdk", "operators-wasm"}
	case "cmd":
		return []string{"cmd", "host", "plugins", "sandbox", "manifest", "sdk", "operators-wasm"}
	}
	return nil
}

// common are the folders of host/ that are no area: words and tools that every area may use.
func common() []string { return []string{"caller", "fault", "route", "state", "timebase"} }

// foreign are the packages of others that only one folder may know.
func foreign() []struct{ prefix, folder, reason string } {
	return []struct{ prefix, folder, reason string }{
		{"github.com/gofiber", "host/route", "only host/route knows the web framework, so that areas stay plain Go"},
		{"github.com/danielgtaylor/huma", "host/route", "only host/route knows the web framework, so that areas stay plain Go"},
		{"github.com/valyala/fasthttp", "host/route", "only host/route knows the web framework, so that areas stay plain Go"},
		{"database/sql", "host/store/sqlite", "only host/store/sqlite knows SQL, so that another database needs one folder"},
		{"github.com/mattn/go-sqlite3", "host/store/sqlite", "only host/store/sqlite knows SQL, so that another database needs one folder"},
		{"github.com/tetratelabs/wazero", "sandbox/engine/wazero", "only sandbox/engine/wazero knows wazero, so that every guest runs behind the same walls"},
	}
}

// wrongImport says why the package in folder must not import imported, or "".
// Tests may use what belongs to others, but no room above their own.
func wrongImport(folder, imported string, test bool) string {
	own, ours := strings.CutPrefix(imported, modulePath+"/")
	if !ours {
		return wrongForeignImport(folder, imported, test)
	}
	from, to := strings.Split(folder, "/"), strings.Split(own, "/")
	switch {
	case !slices.Contains(mayImport(from[0]), to[0]):
		return from[0] + " may import only " + strings.Join(mayImport(from[0]), ", ")
	case within(folder, "plugins/guests") && to[0] != "sdk" && !within(own, path.Join(from[:min(3, len(from))]...)):
		return "a guest is written like anybody's plugin: with the sdk alone"
	case from[0] == "host" && to[0] == "host" && !test:
		return wrongHostImport(from, to)
	}
	return ""
}

// wrongHostImport judges imports between the folders of host/. The folder host
// itself wires everything, the store serves every area.
func wrongHostImport(from, to []string) string {
	switch {
	case len(from) == 1 || from[1] == "store" && len(to) > 1:
		return ""
	case len(to) == 1:
		return "nothing in host/ imports the place that wires it"
	case from[1] == to[1] || slices.Contains(common(), to[1]):
		return ""
	case slices.Contains(common(), from[1]):
		return "host/" + from[1] + " is used by every area and knows none"
	}
	return "an area never imports another: take a small interface, and let host.go hand the implementation in"
}

func wrongForeignImport(folder, imported string, test bool) string {
	if test {
		return ""
	}
	if within(folder, "sdk") && strings.Contains(strings.Split(imported, "/")[0], ".") {
		return "the sdk uses the standard library alone, so that importing it costs nothing"
	}
	for _, f := range foreign() {
		if within(imported, f.prefix) && !within(folder, f.folder) {
			return f.reason
		}
	}
	return ""
}

// within reports whether name is parent or lies below it.
func within(name, parent string) bool { return name == parent || strings.HasPrefix(name, parent+"/") }

// TestWrongImport shows that the rules refuse what they are there to refuse.
func TestWrongImport(t *testing.T) {
	for _, c := range []struct {
		folder, imported string
		test             bool
		allowed          bool
	}{
		{"sandbox/engine", modulePath + "/sandbox", false, true},
		{"sandbox/engine", modulePath + "/sdk/guest", false, false},
		{"sandbox/engine", modulePath + "/sdk/guest", true, false},
		{"sandbox/engine", "github.com/tetratelabs/wazero", false, false},
		{"sandbox/engine/wazero", "github.com/tetratelabs/wazero/api", false, true},
		{"operators-wasm/compile", "github.com/tetratelabs/wazero", true, true},
		{"operators-wasm/compile", modulePath + "/sandbox", true, false},
		{"sdk/guest", "encoding/json", false, true},
		{"sdk/guest", "github.com/google/go-cmp/cmp", false, false},
		{"sdk/guest", "github.com/google/go-cmp/cmp", true, true},
		{"plugins/registry", modulePath + "/plugins/abi/op1", false, true},
		{"plugins/registry", modulePath + "/host/gateway", false, false},
		{"plugins/guests/forensic/entropy", modulePath + "/sdk/guest", false, true},
		{"plugins/guests/forensic/entropy", modulePath + "/sandbox", false, false},
		{"plugins/guests/forensic/entropy", modulePath + "/plugins/registry", false, false},
		{"plugins/guests/forensic/entropy", modulePath + "/plugins/guests/forensic/words", false, true},
		{"host/gateway", modulePath + "/host/route", false, true},
		{"host/gateway", modulePath + "/host/forensic", false, false},
		{"host/gateway", modulePath + "/host/store/sqlite", false, false},
		{"host/gateway", modulePath + "/host/store/sqlite", true, true},
		{"host/gateway", modulePath + "/host", false, false},
		{"host/gateway", modulePath + "/cmd/svc", false, false},
		{"host/gateway", "github.com/gofiber/fiber/v2", false, false},
		{"host/gateway", "database/sql", false, false},
		{"host/route", "github.com/gofiber/fiber/v2", false, true},
		{"host/route", modulePath + "/host/gateway", false, false},
		{"host/store/sqlite", "database/sql", false, true},
		{"host/store/sqlite", modulePath + "/host/gateway", false, true},
		{"host", modulePath + "/host/gateway", false, true},
		{"host", "database/sql", false, false},
		{"cmd/svc", modulePath + "/host", false, true},
		{"cmd/svc", "github.com/gofiber/fiber/v2", false, false},
	} {
		reason := wrongImport(c.folder, c.imported, c.test)
		if allowed := reason == ""; allowed != c.allowed {
			t.Errorf("%s importing %s (in a test: %t): allowed %t, want %t %s", c.folder, c.imported, c.test, allowed, c.allowed, reason)
		}
	}
}

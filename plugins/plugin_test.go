package plugins_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/svc-platform/svc/plugins"
	"github.com/svc-platform/svc/sandbox/wasmtest"
)

func good() plugins.Description {
	return plugins.Description{
		Schema: plugins.Schema, Name: "a-plugin", Version: "1.2.3", Summary: "s", Kind: plugins.Scorer, ABI: "bytes/1",
		Functions: []plugins.Function{{Name: "f", Vectors: []plugins.Vector{{Input: []byte{0, 255}, Output: []byte("x")}}}},
	}
}

func TestPackAndDescribe(t *testing.T) {
	packed, err := plugins.Pack(wasmtest.Module{}.Encode(), good())
	if err != nil {
		t.Fatal(err)
	}
	got, err := plugins.Describe(packed)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(good(), got); diff != "" {
		t.Errorf("(-packed +read):\n%s", diff)
	}
}

func TestBadDescriptions(t *testing.T) {
	for name, change := range map[string]func(*plugins.Description){
		"schema":         func(d *plugins.Description) { d.Schema = "svc.plugin/2" },
		"no name":        func(d *plugins.Description) { d.Name = "" },
		"a path as name": func(d *plugins.Description) { d.Name = "../x" },
		"a long name":    func(d *plugins.Description) { d.Name = strings.Repeat("a", 65) },
		"version":        func(d *plugins.Description) { d.Version = "1" },
		"kind":           func(d *plugins.Description) { d.Kind = "thing" },
		"no abi":         func(d *plugins.Description) { d.ABI = "" },
		"same function":  func(d *plugins.Description) { d.Functions = append(d.Functions, d.Functions...) },
	} {
		d := good()
		change(&d)
		if _, err := plugins.Pack(wasmtest.Module{}.Encode(), d); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

// FuzzDescription: hostile descriptions give a description that passes its own
// checks, or an error.
func FuzzDescription(f *testing.F) {
	f.Add([]byte(`{"schema":"svc.plugin/1","name":"x","version":"1.0.0","summary":"","kind":"general","abi":"op/1"}`))
	f.Add([]byte(`{"functions":[{"name":"a","vectors":[{"input":"AA=="}]}]}`))
	f.Add([]byte(`{}{}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		d, err := plugins.ParseDescription(data)
		if err != nil {
			return
		}
		packed, err := plugins.Pack(wasmtest.Module{}.Encode(), d)
		if err != nil {
			t.Fatalf("read but not packed: %v", err)
		}
		again, err := plugins.Describe(packed)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(d, again, cmp.Comparer(func(a, b []byte) bool { return string(a) == string(b) })); diff != "" {
			t.Fatal(diff)
		}
	})
}

package gateway

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/svc-platform/svc/host/fault"
)

func searchable(t *testing.T) *Catalog {
	t.Helper()
	c, err := NewCatalog([]Operator{
		{ID: "K1", Name: "Kinetic energy", Aliases: []string{"energy of motion"}, Category: "kinematic", Description: "Energy of a moving mass at low speed"},
		{ID: "K2", Name: "Momentum", Category: "kinematic", Description: "Mass times velocity; see also kinetic energy"},
		{ID: "R1", Name: "Rest energy", Aliases: []string{"mass energy", "E=mc^2"}, Category: "relativity", Description: "Energy of a mass at rest"},
		{ID: "ENERGY", Name: "Work", Category: "kinematic", Description: "Force along a way"},
		{ID: "W1", Name: "Wärme", Category: "heat", Description: "Überschrift <b>"},
		{ID: "X1", Name: "Kinetic secret", Category: "heat", MachineOnly: true},
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestSearch(t *testing.T) {
	c := searchable(t)
	for q, want := range map[string]string{
		"k1":                      "K1",
		"K":                       "K1 K2",
		"energy":                  "ENERGY K1 R1 K2", // id, name, name, description
		"kinetic energy":          "K1 K2",
		"Energy, KINETIC":         "K1 K2",
		"energy of motion":        "K1",
		"mass energy":             "R1 K1 K2", // a whole alias before words
		"e=mc^2":                  "R1",
		"kinet":                   "K1 K2",
		"the energy of a rest":    "R1",
		"the":                     "",
		"wärme":                   "W1",
		"ÜBERSCHRIFT":             "W1",
		"secret":                  "",
		"energy unicorn":          "",
		"%' OR 1=1 --":            "",
		"***":                     "",
		"velocity velocity":       "K2",
		strings.Repeat("é", 200):  "",
		"\x00":                    "",
		"energy of a moving mass": "K1",
	} {
		found, err := c.Search(q)
		if err != nil {
			t.Errorf("%q: %v", q, err)
			continue
		}
		var ids []string
		for _, n := range found {
			ids = append(ids, c.operators[n].ID)
		}
		if got := strings.Join(ids, " "); got != want {
			t.Errorf("%q: %q, want %q", q, got, want)
		}
	}
	for _, q := range []string{"", "  \t", strings.Repeat("é", 201)} {
		if _, err := c.Search(q); fault.KindOf(err) != fault.Invalid {
			t.Errorf("%.20q: %v", q, err)
		}
	}
}

func TestNewCatalog(t *testing.T) {
	good := Operator{ID: "A", Name: "a", Category: "c"}
	tests := []struct {
		name string
		ops  []Operator
		want string
	}{
		{"empty", nil, ""},
		{"one", []Operator{good}, ""},
		{"two ids that differ in case", []Operator{good, {ID: "a", Name: "b", Category: "c"}}, "two operators"},
		{"no name", []Operator{{ID: "A", Category: "c"}}, "needs an id"},
		{"no category", []Operator{{ID: "A", Name: "a"}}, "needs an id"},
		{"a twin that stays on the machine", []Operator{good, {ID: "A", MachineOnly: true}}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := NewCatalog(tt.ops)
			if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v, want %q", err, tt.want)
			}
		})
	}
}

func TestCategoriesAddUp(t *testing.T) {
	c := searchable(t)
	want := []Category{{"heat", 1}, {"kinematic", 3}, {"relativity", 1}}
	if diff := cmp.Diff(want, c.categories); diff != "" {
		t.Error(diff)
	}
}

func FuzzSearch(f *testing.F) {
	for _, seed := range []string{"energy", "KO42", "kinetic energy of a", "\xff\xfe", "ﬃ İ ß", strings.Repeat("a ", 150)} {
		f.Add(seed)
	}
	c, err := NewCatalog([]Operator{{ID: "K1", Name: "Kinetic energy", Category: "k", Description: "İ ß energy"}, {ID: "K2", Name: "x", Category: "k"}})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, q string) {
		found, err := c.Search(q)
		if err != nil && fault.KindOf(err) != fault.Invalid {
			t.Fatal(err)
		}
		seen := map[int]bool{}
		for _, n := range found {
			if n < 0 || n > 1 || seen[n] {
				t.Fatalf("%q found %v", q, found)
			}
			seen[n] = true
		}
	})
}

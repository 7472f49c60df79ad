package language

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCompareIDs(t *testing.T) {
	ids := []string{"KO100", "KA2", "KO9", "KO042", "KO42", "K", "KO1087"}
	slices.SortStableFunc(ids, CompareIDs)
	want := []string{"K", "KA2", "KO9", "KO042", "KO42", "KO100", "KO1087"}
	if diff := cmp.Diff(want, ids); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

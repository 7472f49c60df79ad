package caller

import (
	"context"
	"testing"
)

func TestFrom(t *testing.T) {
	if c := From(context.Background()); c.Known() {
		t.Errorf("a bare context knows %+v", c)
	}
	want := Caller{KeyID: "key_a", Name: "laptop"}
	if c := From(With(context.Background(), want)); c != want || !c.Known() {
		t.Errorf("%+v", c)
	}
	if c := From(With(With(context.Background(), want), Caller{})); c.Known() {
		t.Errorf("a stranger inherits %+v", c)
	}
}

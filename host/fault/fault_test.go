package fault

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

func TestFrom(t *testing.T) {
	cause := errors.New("disk on fire at sector 7")
	tests := []struct {
		name string
		err  error
		kind Kind
		code string
		show string
	}{
		{"a fault", New(NotFound, "no operator %q", "X1"), NotFound, "not_found", `no operator "X1"`},
		{"with its own code", New(Invalid, "no such language").WithCode("unknown_language"), Invalid, "unknown_language", "no such language"},
		{"inside another error", fmt.Errorf("search: %w", New(Forbidden, "owner only")), Forbidden, "forbidden", "owner only"},
		{"with a cause", New(Unavailable, "try later").WithCause(cause), Unavailable, "unavailable", "try later"},
		{"any other error", cause, Internal, "internal", "something went wrong on our side"},
		{"a wrapped error", Wrap(cause, "save"), Internal, "internal", "something went wrong on our side"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := From(tt.err)
			if f.Kind != tt.kind || f.Stable() != tt.code || KindOf(tt.err) != tt.kind {
				t.Errorf("kind %q code %q, want %q %q", f.Kind, f.Stable(), tt.kind, tt.code)
			}
			if !strings.HasPrefix(f.Message, tt.show) {
				t.Errorf("message %q, want %q", f.Message, tt.show)
			}
			if strings.Contains(f.Message, "sector") {
				t.Errorf("message %q shows the cause", f.Message)
			}
		})
	}
	if !errors.Is(Wrap(cause, "save"), cause) || !strings.Contains(Wrap(cause, "save").Error(), "save: disk on fire") {
		t.Error("Wrap lost the cause")
	}
	if KindOf(nil) != "" {
		t.Error("nil has a kind")
	}
}

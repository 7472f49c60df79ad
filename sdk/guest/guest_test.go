package guest

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// deliver does what a host does: it asks for room and writes the input there.
func deliver(s string) (ptr, size uint32) {
	ptr = alloc(uint32(len(s)))
	copy(input, s)
	return ptr, uint32(len(s))
}

// run calls f as a host does and reads the frame that the answer names.
func run(t *testing.T, ptr, size uint32, f func([]byte) ([]byte, error)) string {
	t.Helper()
	packed := Run(ptr, size, f)
	if got, want := uint32(packed>>32), address(frame); got != want {
		t.Errorf("the answer names address %#x, the frame is at %#x", got, want)
	}
	if got := int(uint32(packed)); got != len(frame) {
		t.Errorf("the answer names %d bytes, the frame has %d", got, len(frame))
	}
	return string(frame)
}

func TestRun(t *testing.T) {
	echo := func(b []byte) ([]byte, error) { return b, nil }
	failing := func(err error) func([]byte) ([]byte, error) {
		return func([]byte) ([]byte, error) { return []byte("must not appear"), err }
	}
	panicking := func(with any) func([]byte) ([]byte, error) {
		return func([]byte) ([]byte, error) { panic(with) }
	}
	typed := &Error{Code: "insufficient", Message: "give more"}
	for _, c := range []struct {
		name  string
		input string
		f     func([]byte) ([]byte, error)
		want  string
	}{
		{"output follows a zero byte", "hello", echo, "\x00hello"},
		{"output may be any bytes", "\x00\xff\x01", echo, "\x00\x00\xff\x01"},
		{"no input, no output", "", echo, "\x00"},
		{"typed error", "x", failing(typed), "\x01" + `{"code":"insufficient","message":"give more"}`},
		{"wrapped typed error", "x", failing(fmt.Errorf("while reading: %w", typed)), "\x01" + `{"code":"insufficient","message":"give more"}`},
		{"any other error", "x", failing(errors.New(`no "such" thing`)), "\x01" + `{"code":"failed","message":"no \"such\" thing"}`},
		{"panic with a text", "x", panicking("out of luck"), "\x01" + `{"code":"panicked","message":"out of luck"}`},
		{"panic with an error", "x", panicking(errors.New("broken")), "\x01" + `{"code":"panicked","message":"broken"}`},
		{"panic with a number", "x", panicking(42), "\x01" + `{"code":"panicked","message":"with a value that is neither an error nor a string"}`},
		{"panic of the runtime", "", func(b []byte) ([]byte, error) { return b[7:], nil }, "\x01" + `{"code":"panicked","message":"runtime error: slice bounds out of range [7:0]"}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			ptr, size := deliver(c.input)
			if diff := cmp.Diff(c.want, run(t, ptr, size, c.f)); diff != "" {
				t.Errorf("frame (-want +got):\n%s", diff)
			}
		})
	}
}

func TestRunReadsOnlyWhatTheHostWasGiven(t *testing.T) {
	ptr, size := deliver("four")
	old := input // keeps the next room from being the same one
	for _, c := range []struct {
		name      string
		ptr, size uint32
		prepare   func()
	}{
		{"another address", ptr + 1, size, nil},
		{"more than there is room for", ptr, size + 1, nil},
		{"a room that was replaced", ptr, size, func() { alloc(4) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.prepare != nil {
				c.prepare()
			}
			got := run(t, c.ptr, c.size, func([]byte) ([]byte, error) {
				t.Error("the function was called")
				return nil, nil
			})
			want := "\x01" + `{"code":"bad_input","message":"write the input to the place that svc_alloc gave for it"}`
			if got != want {
				t.Errorf("frame = %q, want %q", got, want)
			}
		})
	}
	if string(old) != "four" {
		t.Errorf("the first room now holds %q", old)
	}
}

func TestRunGivesNoMoreThanTheInput(t *testing.T) {
	ptr, _ := deliver("input and more")
	got := run(t, ptr, 5, func(b []byte) ([]byte, error) { return append(b, '!'), nil })
	if got != "\x00input!" {
		t.Errorf("frame = %q", got)
	}
	if string(input) != "input and more" {
		t.Errorf("the function overwrote the rest of the room: %q", input)
	}
}

func TestAllocOfNothingHasAnAddress(t *testing.T) {
	if alloc(0) == 0 {
		t.Error("alloc(0) = 0, which a host takes for a refusal")
	}
}

func TestErrorText(t *testing.T) {
	if got := (&Error{Code: "failed", Message: "try again"}).Error(); got != "failed: try again" {
		t.Errorf("Error() = %q", got)
	}
}

func FuzzAppendJSONString(f *testing.F) {
	for _, s := range []string{"", "plain", `"\` + "\x00\x1f\x7f\n", "žluťoučký ☃ \U0001F600", "\xff\xfe cut \xe2\x98", "\u2028\ufffd"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		text := appendJSONString(nil, s)
		if !utf8.Valid(text) {
			t.Fatalf("%q is not UTF-8", text)
		}
		var got string
		if err := json.Unmarshal(text, &got); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if want := string([]rune(s)); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	})
}

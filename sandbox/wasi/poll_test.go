package wasi_test

import (
	"encoding/binary"
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/svc-platform/svc/sandbox"
	"github.com/svc-platform/svc/sandbox/wasi"
)

// clockSub and fdSub are subscriptions as a guest writes them.
func clockSub(userdata uint64, id uint32, timeout uint64, flags uint16) []byte {
	b := make([]byte, 48)
	binary.LittleEndian.PutUint64(b, userdata)
	binary.LittleEndian.PutUint32(b[16:], id)
	binary.LittleEndian.PutUint64(b[24:], timeout)
	binary.LittleEndian.PutUint16(b[40:], flags)
	return b
}

func fdSub(userdata uint64, kind byte, fd uint32) []byte {
	b := make([]byte, 48)
	binary.LittleEndian.PutUint64(b, userdata)
	b[8] = kind
	binary.LittleEndian.PutUint32(b[16:], fd)
	return b
}

type event struct {
	Userdata uint64
	Errno    wasi.Errno
	Kind     byte
	Bytes    uint64
}

// poll returns the events for the subscriptions.
func (w *world) poll(subs ...[]byte) []event {
	w.t.Helper()
	for i, s := range subs {
		copy(w.memory[dataAt+48*i:], s)
	}
	w.want(wasi.Success, "poll_oneoff", dataAt, dataAt, uint64(len(subs)), answerAt)
	events := make([]event, w.u32(answerAt))
	for i := range events {
		b := w.memory[dataAt+32*i:]
		events[i] = event{binary.LittleEndian.Uint64(b), wasi.Errno(binary.LittleEndian.Uint16(b[8:])), b[10], binary.LittleEndian.Uint64(b[16:])}
	}
	return events
}

// now reads a clock of the guest.
func (w *world) now(id uint64) uint64 {
	w.t.Helper()
	w.want(wasi.Success, "clock_time_get", id, 1, answerAt)
	return w.u64(answerAt)
}

func TestVirtualClock(t *testing.T) {
	start := time.Date(2030, 1, 2, 3, 4, 5, 6, time.UTC)
	w := newWorld(t, wasi.Config{Start: start})
	if got := w.now(0); got != uint64(start.UnixNano())+1000 {
		t.Errorf("first reading %d, want 1 us after the start", got)
	}
	if got := w.now(0); got != uint64(start.UnixNano())+2000 {
		t.Errorf("second reading %d, want 2 us after the start", got)
	}
	if got := w.now(1); got != 3000 {
		t.Errorf("the monotonic clock shows %d, want 3000", got)
	}
	w.want(wasi.EINVAL, "clock_time_get", 4, 1, answerAt)
	w.want(wasi.EINVAL, "clock_res_get", 4, answerAt)
	w.want(wasi.Success, "clock_res_get", 0, answerAt)
	if got := w.u64(answerAt); got != 1000 {
		t.Errorf("resolution %d, want 1000", got)
	}
}

func TestPoll(t *testing.T) {
	const hour = uint64(3600e9)
	for _, tt := range []struct {
		name  string
		subs  [][]byte
		want  []event
		slept uint64
	}{
		{"one sleep", [][]byte{clockSub(7, 1, hour, 0)}, []event{{Userdata: 7}}, hour},
		{"the nearest of two", [][]byte{clockSub(1, 1, hour, 0), clockSub(2, 1, 5, 0)}, []event{{Userdata: 2}}, 5},
		{"until a moment", [][]byte{clockSub(1, 1, hour, 1)}, []event{{Userdata: 1}}, hour - 2000},
		{"until a moment that has passed", [][]byte{clockSub(1, 1, 1, 1)}, []event{{Userdata: 1}}, 0},
		{"a descriptor is ready at once", [][]byte{clockSub(1, 1, hour, 0), fdSub(2, 1, 0)}, []event{{Userdata: 2, Kind: 1, Bytes: 5}}, 0},
		{"output is ready at once", [][]byte{fdSub(3, 2, 1)}, []event{{Userdata: 3, Kind: 2}}, 0},
		{"no such descriptor", [][]byte{fdSub(3, 1, 99)}, []event{{Userdata: 3, Kind: 1, Errno: wasi.EBADF}}, 0},
		{"not a descriptor to read", [][]byte{fdSub(3, 1, 1)}, []event{{Userdata: 3, Kind: 1, Errno: wasi.ENOTCAPABLE}}, 0},
		{"no such clock", [][]byte{clockSub(1, 9, hour, 0), clockSub(2, 0, 0, 0)}, []event{{Userdata: 1, Errno: wasi.EINVAL}, {Userdata: 2}}, 0},
		{"bad flags", [][]byte{clockSub(1, 0, hour, 2)}, []event{{Userdata: 1, Errno: wasi.EINVAL}}, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t, wasi.Config{Stdin: []byte("hello")})
			before := w.now(1)
			if diff := cmp.Diff(tt.want, w.poll(tt.subs...)); diff != "" {
				t.Errorf("events (-want +got):\n%s", diff)
			}
			readings := uint64(1000) // of the test itself, and one per clock that exists
			for _, s := range tt.subs {
				if s[8] == 0 && s[16] < 4 {
					readings += 1000
				}
			}
			if slept := w.now(1) - before - readings; slept != tt.slept {
				t.Errorf("slept for %d ns, want %d", slept, tt.slept)
			}
		})
	}
}

func TestPollForever(t *testing.T) {
	w := newWorld(t, wasi.Config{Start: time.Unix(1, 0)})
	w.poll(clockSub(1, 0, math.MaxUint64, 0))
	w.poll(clockSub(1, 0, math.MaxUint64, 0))
	if got := w.now(0); got != math.MaxUint64 {
		t.Errorf("the clock shows %d after an endless sleep", got)
	}
}

func TestPollRefuses(t *testing.T) {
	w := newWorld(t, wasi.Config{})
	w.want(wasi.EINVAL, "poll_oneoff", dataAt, dataAt, 0, answerAt)
	w.want(wasi.EINVAL, "poll_oneoff", 0, 0, 1025, answerAt)
	w.want(wasi.EINVAL, "poll_oneoff", 0, 0, math.MaxUint32, answerAt)
	copy(w.memory[dataAt:], fdSub(1, 3, 0))
	w.want(wasi.EINVAL, "poll_oneoff", dataAt, dataAt, 1, answerAt)
}

// TestRealSleepEnds: a real sleep of a year ends with the guest's deadline or
// its context. The budget was never begun, so its deadline has passed.
func TestRealSleepEnds(t *testing.T) {
	year := clockSub(1, 1, 365*24*3600e9, 0)
	t.Run("deadline", func(t *testing.T) {
		w := newWorld(t, wasi.Config{RealClock: true})
		copy(w.memory[dataAt:], year)
		_, err := w.do("poll_oneoff", dataAt, dataAt, 1, answerAt)
		wantTrap(t, err, sandbox.OutOfTime)
	})
	t.Run("cancelled", func(t *testing.T) {
		w := newWorld(t, wasi.Config{RealClock: true})
		w.fuel, _ = w.budget.Begin(time.Now())
		w.call.Bind(cancelled(t), w.budget)
		copy(w.memory[dataAt:], year)
		_, err := w.do("poll_oneoff", dataAt, dataAt, 1, answerAt)
		wantTrap(t, err, sandbox.Cancelled)
	})
	t.Run("short", func(t *testing.T) {
		w := newWorld(t, wasi.Config{RealClock: true})
		w.fuel, _ = w.budget.Begin(time.Now())
		before := w.now(1)
		w.poll(clockSub(1, 1, 1000, 0))
		if w.now(1) < before+1000 || w.now(0) == 0 {
			t.Error("the real clock did not advance by the sleep")
		}
	})
}

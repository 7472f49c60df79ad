package wasi_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/svc-platform/svc/sandbox"
	"github.com/svc-platform/svc/sandbox/engine"
	"github.com/svc-platform/svc/sandbox/wasi"
)

// TestFunctions compares with the 46 functions of the standard and their types.
func TestFunctions(t *testing.T) {
	want := strings.Fields(`
		args_get(i32,i32) args_sizes_get(i32,i32) clock_res_get(i32,i32) clock_time_get(i32,i64,i32)
		environ_get(i32,i32) environ_sizes_get(i32,i32) fd_advise(i32,i64,i64,i32) fd_allocate(i32,i64,i64)
		fd_close(i32) fd_datasync(i32) fd_fdstat_get(i32,i32) fd_fdstat_set_flags(i32,i32)
		fd_fdstat_set_rights(i32,i64,i64) fd_filestat_get(i32,i32) fd_filestat_set_size(i32,i64)
		fd_filestat_set_times(i32,i64,i64,i32) fd_pread(i32,i32,i32,i64,i32) fd_prestat_dir_name(i32,i32,i32)
		fd_prestat_get(i32,i32) fd_pwrite(i32,i32,i32,i64,i32) fd_read(i32,i32,i32,i32)
		fd_readdir(i32,i32,i32,i64,i32) fd_renumber(i32,i32) fd_seek(i32,i64,i32,i32) fd_sync(i32)
		fd_tell(i32,i32) fd_write(i32,i32,i32,i32) path_create_directory(i32,i32,i32)
		path_filestat_get(i32,i32,i32,i32,i32) path_filestat_set_times(i32,i32,i32,i32,i64,i64,i32)
		path_link(i32,i32,i32,i32,i32,i32,i32) path_open(i32,i32,i32,i32,i32,i64,i64,i32,i32)
		path_readlink(i32,i32,i32,i32,i32,i32) path_remove_directory(i32,i32,i32)
		path_rename(i32,i32,i32,i32,i32,i32) path_symlink(i32,i32,i32,i32,i32) path_unlink_file(i32,i32,i32)
		poll_oneoff(i32,i32,i32,i32) proc_exit(i32) proc_raise(i32) random_get(i32,i32) sched_yield()
		sock_accept(i32,i32,i32) sock_recv(i32,i32,i32,i32,i32,i32) sock_send(i32,i32,i32,i32,i32)
		sock_shutdown(i32,i32)`)
	var got []string
	for _, f := range wasi.Functions() {
		params := make([]string, len(f.Type.Params))
		for i, p := range f.Type.Params {
			params[i] = p.String()
		}
		got = append(got, f.Name+"("+strings.Join(params, ",")+")")
		if f.Module != "wasi_snapshot_preview1" || f.Price == 0 {
			t.Errorf("%s: module %q, price %d", f.Name, f.Module, f.Price)
		}
		if results := len(f.Type.Results); (f.Name == "proc_exit") == (results == 1) {
			t.Errorf("%s has %d results", f.Name, results)
		}
	}
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" || len(got) != 46 {
		t.Errorf("functions differ from the standard (-want +got):\n%s", diff)
	}
}

// TestHostilePointers calls every function with every mix of addresses at and
// beyond the end of memory: none may panic, and none may touch what is outside.
func TestHostilePointers(t *testing.T) {
	evil := []uint64{0, 3, 4, memorySize - 1, memorySize, memorySize + 1, math.MaxInt32, math.MaxUint32 - 3, math.MaxUint32}
	for _, f := range wasi.Functions() {
		t.Run(f.Name, func(t *testing.T) {
			w := newWorld(t, wasi.Config{Args: []string{"a"}, Env: []string{"A=1"}, Stdin: []byte("in"), Output: 10, Files: files(t)})
			n := len(f.Type.Params)
			params := make([]uint64, n)
			for mix := range 4000 {
				for i, seed := 0, mix; i < n; i, seed = i+1, seed/len(evil) {
					params[i] = evil[(seed+i*mix)%len(evil)]
				}
				w.budget.Reset(sandbox.Limits{Fuel: 1 << 40})
				errno, err := w.do(f.Name, params...)
				if err != nil && f.Name != "proc_exit" {
					t.Fatalf("%v: %v", params, err)
				}
				if errno > wasi.ENOTCAPABLE {
					t.Fatalf("%v: errno %d", params, errno)
				}
			}
		})
	}
}

func TestPointersOutside(t *testing.T) {
	w := newWorld(t, wasi.Config{Args: []string{"abc"}, Files: files(t)})
	w.vectors(dataAt, 4, memorySize-1, 2)
	w.want(wasi.EFAULT, "fd_write", 1, inAt, 2, answerAt)
	w.vectors(math.MaxUint32, math.MaxUint32)
	w.want(wasi.EFAULT, "fd_write", 1, inAt, 1, answerAt)
	w.want(wasi.EFAULT, "fd_write", 1, memorySize-7, 1, answerAt)
	w.vectors(dataAt, 4)
	w.want(wasi.EFAULT, "fd_write", 1, inAt, 1, memorySize-3)
	w.want(wasi.EINVAL, "fd_write", 1, inAt, 1025, answerAt)
	w.want(wasi.EFAULT, "args_get", memorySize-3, dataAt)
	w.want(wasi.EFAULT, "args_get", dataAt, memorySize-3)
	w.want(wasi.EFAULT, "random_get", 1, math.MaxUint32)
	w.want(wasi.EFAULT, "clock_time_get", 0, 0, memorySize-7)
	w.want(wasi.EFAULT, "poll_oneoff", memorySize-47, answerAt, 1, answerAt)
	w.want(wasi.EFAULT, "path_open", 3, 0, math.MaxUint32, 16, 0, 0, 0, 0, answerAt)
	w.want(wasi.EFAULT, "fd_readdir", 3, memorySize-1, 2, 0, answerAt)
	if w.Stdout.Total() != 0 {
		t.Errorf("%d bytes were written by calls that failed", w.Stdout.Total())
	}
}

func TestArgsAndEnvironment(t *testing.T) {
	w := newWorld(t, wasi.Config{Args: []string{"prog", "", "ü"}, Env: []string{"A=1", "B="}})
	w.want(wasi.Success, "args_sizes_get", answerAt, answerAt+4)
	if count, size := w.u32(answerAt), w.u32(answerAt+4); count != 3 || size != 9 {
		t.Errorf("args_sizes_get = %d strings, %d bytes, want 3 and 9", count, size)
	}
	w.want(wasi.Success, "args_get", inAt, dataAt)
	if got := string(w.memory[dataAt : dataAt+9]); got != "prog\x00\x00ü\x00" {
		t.Errorf("args = %q", got)
	}
	if a, b, c := w.u32(inAt), w.u32(inAt+4), w.u32(inAt+8); a != dataAt || b != dataAt+5 || c != dataAt+6 {
		t.Errorf("pointers = %d %d %d", a, b, c)
	}
	w.want(wasi.Success, "environ_sizes_get", answerAt, answerAt+4)
	w.want(wasi.Success, "environ_get", inAt, dataAt)
	if got := string(w.memory[dataAt : dataAt+7]); got != "A=1\x00B=\x00" {
		t.Errorf("environment = %q", got)
	}
}

func TestConfigRefused(t *testing.T) {
	for name, cfg := range map[string]wasi.Config{
		"NUL in an argument":   {Args: []string{"a\x00b"}},
		"NUL in a variable":    {Env: []string{"A=\x00"}},
		"too many arguments":   {Args: make([]string, 4097)},
		"too long, all in all": {Args: []string{strings.Repeat("x", 1<<20)}},
	} {
		if _, err := wasi.New(cfg); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestRandomIsSeeded(t *testing.T) {
	read := func(seed byte) string {
		w := newWorld(t, wasi.Config{Seed: [32]byte{seed}})
		w.want(wasi.Success, "random_get", dataAt, 5)
		w.want(wasi.Success, "random_get", dataAt+5, 27)
		return string(w.memory[dataAt : dataAt+32])
	}
	first, again, other := read(1), read(1), read(2)
	if first != again {
		t.Error("the same seed gives different bytes")
	}
	if first == other || first == strings.Repeat("\x00", 32) {
		t.Error("different seeds give the same bytes")
	}
}

func TestProcess(t *testing.T) {
	w := newWorld(t, wasi.Config{})
	if _, err := w.do("proc_exit", 42); err == nil || err.Error() != "exit status 42" {
		t.Errorf("proc_exit(42) ended with %v", err)
	}
	w.want(wasi.ENOSYS, "proc_raise", 6)
	w.want(wasi.Success, "sched_yield")
	w.want(wasi.ENOTSOCK, "sock_shutdown", 1, 0)
	w.want(wasi.EBADF, "sock_shutdown", 9, 0)
	w.want(wasi.EBADF, "sock_accept", 3, 0, answerAt)
}

func TestNoProcess(t *testing.T) {
	w := newWorld(t, wasi.Config{})
	w.call = engine.NewCall(w, "not a host")
	w.call.Bind(t.Context(), w.budget)
	_, err := w.do("sched_yield")
	wantTrap(t, err, sandbox.HostFault)
}

// TestCharges: what a guest moves is paid for before it is moved.
func TestCharges(t *testing.T) {
	w := newWorld(t, wasi.Config{Output: 1 << 20})
	before := w.budget.Usage().Fuel
	w.vectors(0, 32000, 0, 32000)
	w.want(wasi.Success, "fd_write", 1, inAt, 2, answerAt)
	if used := w.budget.Usage().Fuel - before; used != 2+64000/16 {
		t.Errorf("64000 bytes in 2 vectors cost %d units", used)
	}
	w.budget.Reset(sandbox.Limits{Fuel: 100})
	_, err := w.do("fd_write", 1, inAt, 2, answerAt)
	wantTrap(t, err, sandbox.OutOfFuel)
	if w.Stdout.Total() != 64000 {
		t.Errorf("%d bytes were written, want 64000: the second write was not paid for", w.Stdout.Total())
	}
}

func TestStream(t *testing.T) {
	for _, tt := range []struct {
		name, write string
		limit       int64
		want        string
		truncated   bool
	}{
		{"fits exactly", "héé", 5, "héé", false},
		{"cut between characters", "aé€x", 6, "aé€", true},
		{"cut inside two bytes", "aé", 2, "a", true},
		{"cut inside three bytes", "€€", 5, "€", true},
		{"cut inside four bytes", "a😀", 4, "a", true},
		{"only half a character kept", "😀", 3, "", true},
		{"not UTF-8: cut where it is", "\x80\x80\x80\x80\x80", 4, "\x80\x80\x80\x80", true},
		{"whole output that ends in half a character", "a\xc3", 5, "a\xc3", false},
		{"nothing kept", "abc", 0, "", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t, wasi.Config{Output: tt.limit})
			for i := range len(tt.write) { // byte by byte: writes cut characters, too
				w.put(dataAt, tt.write[i:i+1])
				w.want(wasi.Success, "fd_write", 2, w.vectors(dataAt, 1), 1, answerAt)
			}
			s := w.Stderr
			if s.String() != tt.want || s.Truncated() != tt.truncated || s.Total() != uint64(len(tt.write)) {
				t.Errorf("got %q, truncated %v, %d bytes; want %q, %v, %d", s.String(), s.Truncated(), s.Total(), tt.want, tt.truncated, len(tt.write))
			}
		})
	}
}

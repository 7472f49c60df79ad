package wasi_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/svc-platform/svc/sandbox/wasi"
)

func TestStdin(t *testing.T) {
	w := newWorld(t, wasi.Config{Stdin: []byte("hello stdin")})
	w.want(wasi.Success, "fd_read", 0, w.vectors(dataAt, 3, dataAt+10, 5), 2, answerAt)
	if n := w.u32(answerAt); n != 8 || string(w.memory[dataAt:dataAt+3]) != "hel" || string(w.memory[dataAt+10:dataAt+15]) != "lo st" {
		t.Errorf("read %d: %q", n, w.memory[dataAt:dataAt+20])
	}
	w.want(wasi.Success, "fd_read", 0, w.vectors(dataAt, 100), 1, answerAt)
	if n := w.u32(answerAt); n != 3 {
		t.Errorf("read %d at the end, want 3", n)
	}
	w.want(wasi.Success, "fd_read", 0, inAt, 1, answerAt)
	if n := w.u32(answerAt); n != 0 {
		t.Errorf("read %d after the end, want 0", n)
	}
	w.want(wasi.ENOTCAPABLE, "fd_write", 0, inAt, 1, answerAt)
	w.want(wasi.ENOTCAPABLE, "fd_read", 1, inAt, 1, answerAt)
	w.want(wasi.ESPIPE, "fd_seek", 0, 0, 0, answerAt)
	w.want(wasi.ESPIPE, "fd_tell", 1, answerAt)
	w.want(wasi.EBADF, "fd_read", 3, inAt, 1, answerAt)
	w.want(wasi.EBADF, "fd_read", math.MaxUint32, inAt, 1, answerAt)
}

func TestFileReadSeek(t *testing.T) {
	w := newWorld(t, wasi.Config{Files: files(t)})
	fd := w.open("hello.txt")
	read := func(want string) {
		t.Helper()
		w.want(wasi.Success, "fd_read", fd, w.vectors(dataAt, 5), 1, answerAt)
		if got := string(w.memory[dataAt : dataAt+int(w.u32(answerAt))]); got != want {
			t.Errorf("read %q, want %q", got, want)
		}
	}
	seek := func(errno wasi.Errno, offset int64, whence, want uint64) {
		t.Helper()
		w.want(errno, "fd_seek", fd, uint64(offset), whence, answerAt)
		w.want(wasi.Success, "fd_tell", fd, answerAt)
		if got := w.u64(answerAt); got != want {
			t.Errorf("at %d after a seek, want %d", got, want)
		}
	}
	read("hello")
	seek(wasi.Success, 2, 1, 7)
	read("world")
	seek(wasi.Success, -1, 2, 11)
	read("d")
	seek(wasi.EINVAL, -1, 0, 12)
	seek(wasi.EINVAL, 0, 3, 12)
	seek(wasi.EINVAL, math.MaxInt64, 1, 12)
	seek(wasi.Success, math.MaxInt64, 0, math.MaxInt64)
	read("")
	w.want(wasi.Success, "fd_pread", fd, w.vectors(dataAt, 100), 1, 7, answerAt)
	if got := string(w.memory[dataAt : dataAt+int(w.u32(answerAt))]); got != "world" {
		t.Errorf("pread = %q", got)
	}
	w.want(wasi.Success, "fd_pread", fd, inAt, 1, math.MaxUint64, answerAt)
	w.want(wasi.ENOTCAPABLE, "fd_write", fd, inAt, 1, answerAt)
	w.want(wasi.EROFS, "fd_allocate", fd, 0, 10)
	w.want(wasi.EROFS, "fd_filestat_set_size", fd, 0)
	w.want(wasi.Success, "fd_advise", fd, 0, 10, 5)
	w.want(wasi.EINVAL, "fd_advise", fd, 0, 10, 6)
	w.want(wasi.Success, "fd_sync", fd)
	w.want(wasi.Success, "fd_close", fd)
	w.want(wasi.EBADF, "fd_close", fd)
	w.want(wasi.EISDIR, "fd_read", 3, inAt, 1, answerAt)
}

func TestStat(t *testing.T) {
	w := newWorld(t, wasi.Config{Files: files(t)})
	fd := w.open("hello.txt")
	w.want(wasi.Success, "fd_filestat_get", fd, answerAt)
	if kind, size := w.memory[answerAt+16], w.u64(answerAt+32); kind != 4 || size != 12 {
		t.Errorf("a file's type %d and size %d, want 4 and 12", kind, size)
	}
	ptr, n := w.put(inAt, "lib/deep/")
	w.want(wasi.Success, "path_filestat_get", 3, 0, ptr, n, answerAt)
	if kind := w.memory[answerAt+16]; kind != 3 {
		t.Errorf("a folder's type is %d, want 3", kind)
	}
	w.want(wasi.Success, "fd_fdstat_get", fd, answerAt)
	if rights := w.u64(answerAt + 8); rights&rightRead == 0 || rights&rightWrite != 0 {
		t.Errorf("rights of a file = %b", rights)
	}
	w.want(wasi.Success, "fd_fdstat_set_flags", 1, 4)
	w.want(wasi.EINVAL, "fd_fdstat_set_flags", 1, 32)
	w.want(wasi.ENOTCAPABLE, "fd_fdstat_set_rights", fd, allRights, 0)
	w.want(wasi.Success, "fd_fdstat_set_rights", fd, 0, 0)
	w.want(wasi.ENOTCAPABLE, "fd_read", fd, inAt, 1, answerAt)
}

func TestPreopen(t *testing.T) {
	w := newWorld(t, wasi.Config{Files: files(t)})
	w.want(wasi.Success, "fd_prestat_get", 3, answerAt)
	if tag, n := w.u32(answerAt), w.u32(answerAt+4); tag != 0 || n != 1 {
		t.Errorf("prestat = %d, %d, want a folder with a name of 1 byte", tag, n)
	}
	w.want(wasi.Success, "fd_prestat_dir_name", 3, dataAt, 1)
	if w.memory[dataAt] != '/' {
		t.Errorf("name = %q, want /", w.memory[dataAt])
	}
	w.want(wasi.ENAMETOOLONG, "fd_prestat_dir_name", 3, dataAt, 0)
	w.want(wasi.EBADF, "fd_prestat_get", 4, answerAt)
	w.want(wasi.EBADF, "fd_prestat_get", 1, answerAt)
	w.want(wasi.EBADF, "fd_prestat_get", 3+1<<16, answerAt)

	none := newWorld(t, wasi.Config{})
	none.want(wasi.EBADF, "fd_prestat_get", 3, answerAt)
}

func TestReaddir(t *testing.T) {
	w := newWorld(t, wasi.Config{Files: files(t)})
	fd := w.open("lib")
	for _, size := range []uint64{24 + 8, 64, 1000} { // whole records fit from 28 up
		var got []string
		for cookie := uint64(0); ; {
			w.want(wasi.Success, "fd_readdir", fd, dataAt, size, cookie, answerAt)
			used := int(w.u32(answerAt))
			for at := 0; at+24 <= used; {
				n := int(w.u32(dataAt + at + 16))
				if at+24+n > used {
					break // cut: ask again from here
				}
				got = append(got, string(w.memory[dataAt+at+24:dataAt+at+24+n]))
				cookie = w.u64(dataAt + at)
				at += 24 + n
			}
			if used < int(size) {
				break
			}
		}
		if diff := cmp.Diff([]string{".", "..", "a.js", "b.js", "deep"}, got); diff != "" {
			t.Errorf("with a buffer of %d (-want +got):\n%s", size, diff)
		}
	}
	w.want(wasi.Success, "fd_readdir", fd, dataAt, 100, math.MaxUint64, answerAt)
	w.want(wasi.ENOTDIR, "fd_readdir", 0, dataAt, 100, 0, answerAt)
}

func TestDescriptorsAreLimited(t *testing.T) {
	w := newWorld(t, wasi.Config{Files: files(t)})
	ptr, n := w.put(inAt, "hello.txt")
	for range 124 {
		w.want(wasi.Success, "path_open", 3, 0, ptr, n, 0, rightRead, 0, 0, answerAt)
	}
	w.want(wasi.EMFILE, "path_open", 3, 0, ptr, n, 0, rightRead, 0, 0, answerAt)
	w.want(wasi.Success, "fd_close", 70)
	w.want(wasi.Success, "path_open", 3, 0, ptr, n, 0, rightRead, 0, 0, answerAt)
	if fd := w.u32(answerAt); fd != 70 {
		t.Errorf("reopened as %d, want the free number 70", fd)
	}
}

func TestRenumber(t *testing.T) {
	w := newWorld(t, wasi.Config{Files: files(t)})
	a, b := w.open("hello.txt"), w.open("lib/a.js")
	w.want(wasi.Success, "fd_renumber", a, b)
	w.want(wasi.EBADF, "fd_tell", a, answerAt)
	w.want(wasi.Success, "fd_filestat_get", b, answerAt)
	if size := w.u64(answerAt + 32); size != 12 {
		t.Errorf("size %d, want that of the moved file", size)
	}
	w.want(wasi.Success, "fd_renumber", b, b)
	w.want(wasi.Success, "fd_tell", b, answerAt)
	w.want(wasi.EBADF, "fd_renumber", b, 1000)
	w.want(wasi.EBADF, "fd_renumber", 1000, b)
	w.want(wasi.ENOTSUP, "fd_renumber", b, 3)
}

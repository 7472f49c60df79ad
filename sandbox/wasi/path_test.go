package wasi_test

import (
	"strings"
	"testing"

	"github.com/svc-platform/svc/sandbox/wasi"
)

func TestPathOpen(t *testing.T) {
	const create, directory, exclusive, truncate = 1, 2, 4, 8
	for _, tt := range []struct {
		path   string
		flags  uint64
		rights uint64
		want   wasi.Errno
	}{
		{"hello.txt", 0, rightRead, wasi.Success},
		{"./lib//deep/../a.js", 0, rightRead, wasi.Success},
		{"lib", directory, 0, wasi.Success},
		{"lib/", 0, 0, wasi.Success},
		{".", directory, 0, wasi.Success},
		{"Grüße/datei", 0, rightRead, wasi.Success},
		{"hello.txt", create, rightRead, wasi.Success},
		{"", 0, 0, wasi.ENOENT},
		{"nothing", 0, 0, wasi.ENOENT},
		{"nothing/x", create, 0, wasi.ENOENT},
		{"nothing", create, rightWrite, wasi.EROFS},
		{"hello.txt", create | exclusive, 0, wasi.EEXIST},
		{"hello.txt", truncate, 0, wasi.EROFS},
		{"hello.txt", 0, rightRead | rightWrite, wasi.EROFS},
		{"lib", 0, rightWrite, wasi.EISDIR},
		{"hello.txt", directory, 0, wasi.ENOTDIR},
		{"hello.txt/", 0, 0, wasi.ENOTDIR},
		{"hello.txt/..", 0, 0, wasi.ENOTDIR},
		{"hello.txt/x", 0, 0, wasi.ENOTDIR},
		{"hello.txt", 16, 0, wasi.EINVAL},
		{"/hello.txt", 0, 0, wasi.ENOTCAPABLE},
		{"..", 0, 0, wasi.ENOTCAPABLE},
		{"lib/../../hello.txt", 0, 0, wasi.ENOTCAPABLE},
		{"lib/../..", 0, 0, wasi.ENOTCAPABLE},
		{"hello.txt\x00", 0, 0, wasi.EINVAL},
		{"\xff\xfe", 0, 0, wasi.EILSEQ},
		{strings.Repeat("a", 256), 0, 0, wasi.ENAMETOOLONG},
		{strings.Repeat("a/", 2049), 0, 0, wasi.ENAMETOOLONG},
	} {
		t.Run(tt.path, func(t *testing.T) {
			w := newWorld(t, wasi.Config{Files: files(t)})
			ptr, n := w.put(dataAt, tt.path)
			w.want(tt.want, "path_open", 3, 1, ptr, n, tt.flags, tt.rights, allRights, 0, answerAt)
		})
	}
}

// TestSubfolderIsAWall: a descriptor of a folder gives nothing above it.
func TestSubfolderIsAWall(t *testing.T) {
	w := newWorld(t, wasi.Config{Files: files(t)})
	fd := w.open("lib/deep")
	ptr, n := w.put(dataAt, "../a.js")
	w.want(wasi.ENOTCAPABLE, "path_filestat_get", fd, 0, ptr, n, answerAt)
	ptr, n = w.put(dataAt, "c.js")
	w.want(wasi.Success, "path_filestat_get", fd, 0, ptr, n, answerAt)
	w.want(wasi.ENOTDIR, "path_filestat_get", 1, 0, ptr, n, answerAt)
	w.want(wasi.EBADF, "path_filestat_get", 77, 0, ptr, n, answerAt)
}

// TestRightsAreInherited: who gives up the right to read gets no files to read.
func TestRightsAreInherited(t *testing.T) {
	w := newWorld(t, wasi.Config{Files: files(t)})
	w.want(wasi.Success, "fd_fdstat_get", 3, answerAt)
	own, inheriting := w.u64(answerAt+8), w.u64(answerAt+16)
	w.want(wasi.Success, "fd_fdstat_set_rights", 3, own, inheriting&^rightRead)
	fd := w.open("hello.txt")
	w.want(wasi.ENOTCAPABLE, "fd_read", fd, w.vectors(dataAt, 1), 1, answerAt)
}

func TestFileSystemIsReadOnly(t *testing.T) {
	w := newWorld(t, wasi.Config{Files: files(t)})
	p, n := w.put(dataAt, "lib/new")
	up, upN := w.put(dataAt+100, "../out")
	w.want(wasi.EROFS, "path_create_directory", 3, p, n)
	w.want(wasi.EROFS, "path_remove_directory", 3, p, n)
	w.want(wasi.EROFS, "path_unlink_file", 3, p, n)
	w.want(wasi.EROFS, "path_rename", 3, p, n, 3, p, n)
	w.want(wasi.ENOTCAPABLE, "path_rename", 3, p, n, 3, up, upN)
	w.want(wasi.EROFS, "path_link", 3, 0, p, n, 3, p, n)
	w.want(wasi.ENOTCAPABLE, "path_link", 3, 0, p, n, 3, up, upN)
	w.want(wasi.EROFS, "path_symlink", p, n, 3, p, n)
	w.want(wasi.ENOTCAPABLE, "path_symlink", p, n, 3, up, upN)
	w.want(wasi.EROFS, "path_filestat_set_times", 3, 0, p, n, 0, 0, 0)
	w.want(wasi.EBADF, "path_unlink_file", 9, p, n)
	w.want(wasi.ENOENT, "path_readlink", 3, p, n, dataAt, 10, answerAt)
	p, n = w.put(dataAt, "hello.txt")
	w.want(wasi.EINVAL, "path_readlink", 3, p, n, dataAt, 10, answerAt)
}

func TestNewFilesRefuses(t *testing.T) {
	for name, contents := range map[string]map[string][]byte{
		"absolute":              {"/a": nil},
		"climbs":                {"../a": nil},
		"not clean":             {"a//b": nil},
		"the root itself":       {".": nil},
		"a NUL":                 {"a\x00": nil},
		"a file and a folder":   {"a": nil, "a/b": nil},
		"a file deep in a file": {"a/b": nil, "a/b/c/d": nil},
		"too long":              {strings.Repeat("a/", 3000) + "a": nil},
	} {
		if _, err := wasi.NewFiles(contents); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

package wasi

// Errno is what a preview1 function answers; the numbers are those of the
// standard's `errno` enumeration (WASI snapshot preview1).
type Errno uint16

// The error numbers that this implementation answers with.
const (
	Success      Errno = 0
	EBADF        Errno = 8
	EEXIST       Errno = 20
	EFAULT       Errno = 21
	EILSEQ       Errno = 25
	EINVAL       Errno = 28
	EISDIR       Errno = 31
	EMFILE       Errno = 33
	ENAMETOOLONG Errno = 37
	ENOENT       Errno = 44
	ENOSYS       Errno = 52
	ENOTDIR      Errno = 54
	ENOTSOCK     Errno = 57
	ENOTSUP      Errno = 58
	EROFS        Errno = 69
	ESPIPE       Errno = 70
	ENOTCAPABLE  Errno = 76
)

package wasi

import "math"

// Where a seek counts from.
const (
	whenceSet = 0
	whenceCur = 1
	whenceEnd = 2
)

// maxAdvice is the last of the standard's six kinds of advice.
const maxAdvice = 5

// fdRead is (fd, vectors, count, pointer to the number read).
func fdRead(c call) Errno {
	d, errno := c.p.fds.file(c.u32(0), rightRead)
	if errno != Success {
		return errno
	}
	n, errno := readAt(c, d.data, d.offset, 3)
	d.offset += n
	return errno
}

// fdPread is (fd, vectors, count, offset, pointer to the number read).
func fdPread(c call) Errno {
	d, errno := c.p.fds.seekable(c.u32(0), rightRead)
	if errno != Success {
		return errno
	}
	_, errno = readAt(c, d.data, c.u64(3), 4)
	return errno
}

// readAt fills the vectors of parameters 1 and 2 from data, and writes how
// much it was through the pointer in parameter answer.
func readAt(c call, data []byte, offset uint64, answer int) (uint64, Errno) {
	bufs, room, errno := c.mem().vectors(c.u32(1), c.u32(2))
	if errno != Success {
		return 0, errno
	}
	if _, errno := c.mem().bytes(c.u32(answer), 4); errno != Success {
		return 0, errno
	}
	rest := data[min(offset, uint64(len(data))):]
	rest = rest[:min(room, uint64(len(rest)))]
	c.Charge(uint64(len(bufs)))
	c.ChargeBytes(len(rest))
	n := uint64(len(rest))
	for _, buf := range bufs {
		rest = rest[copy(buf, rest):]
	}
	return n, c.mem().putU32(c.u32(answer), uint32(n))
}

// fdWrite is (fd, vectors, count, pointer to the number written).
func fdWrite(c call) Errno {
	d, errno := c.p.fds.file(c.u32(0), rightWrite)
	if errno != Success {
		return errno
	}
	bufs, total, errno := c.mem().vectors(c.u32(1), c.u32(2))
	if errno != Success {
		return errno
	}
	if _, errno := c.mem().bytes(c.u32(3), 4); errno != Success {
		return errno
	}
	c.Charge(uint64(len(bufs)))
	c.ChargeBytes(int(total))
	for _, buf := range bufs {
		_, _ = d.out.Write(buf) // a Stream takes everything
	}
	return c.mem().putU32(c.u32(3), uint32(total))
}

// fdPwrite: streams have no place to write at, and files are read-only.
func fdPwrite(c call) Errno {
	_, errno := c.p.fds.seekable(c.u32(0), rightWrite)
	return errno
}

// fdSeek is (fd, offset, whence, pointer to the new offset).
func fdSeek(c call) Errno {
	d, errno := c.p.fds.seekable(c.u32(0), rightSeek)
	if errno != Success {
		return errno
	}
	var base uint64
	switch c.u32(2) {
	case whenceSet:
	case whenceCur:
		base = d.offset
	case whenceEnd:
		base = uint64(len(d.data))
	default:
		return EINVAL
	}
	// The base is never negative, so a sum that wraps is.
	to := int64(base) + int64(c.u64(1))
	if to < 0 {
		return EINVAL
	}
	if errno := c.mem().putU64(c.u32(3), uint64(to)); errno != Success {
		return errno
	}
	d.offset = uint64(to)
	return Success
}

func fdTell(c call) Errno {
	d, errno := c.p.fds.seekable(c.u32(0), rightTell)
	if errno != Success {
		return errno
	}
	return c.mem().putU64(c.u32(1), d.offset)
}

// fdAdvise is (fd, offset, length, advice): nothing to gain from it in memory.
func fdAdvise(c call) Errno {
	if _, errno := c.p.fds.seekable(c.u32(0), rightAdvise); errno != Success {
		return errno
	}
	if c.u32(3) > maxAdvice || c.u64(1) > math.MaxInt64 || c.u64(2) > math.MaxInt64 {
		return EINVAL
	}
	return Success
}

func fdAllocate(c call) Errno {
	if _, errno := c.p.fds.seekable(c.u32(0), 0); errno != Success {
		return errno
	}
	return EROFS
}

// fdSync serves fd_sync and fd_datasync: nothing is ever unwritten.
func fdSync(c call) Errno {
	_, errno := c.p.fds.get(c.u32(0), 0)
	return errno
}

func fdClose(c call) Errno {
	if _, errno := c.p.fds.get(c.u32(0), 0); errno != Success {
		return errno
	}
	c.p.fds[c.u32(0)] = nil
	return Success
}

// fdRenumber moves descriptor from to the number of another open one, which
// it closes. Folders that were open from the start stay where they are.
func fdRenumber(c call) Errno {
	from, errno := c.p.fds.get(c.u32(0), 0)
	if errno != Success {
		return errno
	}
	to, errno := c.p.fds.get(c.u32(1), 0)
	if errno != Success {
		return errno
	}
	if from.preopen != "" || to.preopen != "" {
		return ENOTSUP
	}
	c.p.fds[c.u32(0)] = nil
	c.p.fds[c.u32(1)] = from
	return Success
}

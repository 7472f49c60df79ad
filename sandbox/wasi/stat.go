package wasi

import "encoding/binary"

// Sizes of the standard's records, in bytes.
const (
	fdstatSize   = 24
	filestatSize = 64
	direntSize   = 24
)

// allFlags are the five descriptor flags of the standard.
const allFlags = 1<<5 - 1

// fdStatGet is (fd, pointer to an fdstat).
func fdStatGet(c call) Errno {
	d, errno := c.p.fds.get(c.u32(0), 0)
	if errno != Success {
		return errno
	}
	b, errno := c.mem().bytes(c.u32(1), fdstatSize)
	if errno != Success {
		return errno
	}
	clear(b)
	b[0] = d.filetype
	binary.LittleEndian.PutUint16(b[2:], d.flags)
	binary.LittleEndian.PutUint64(b[8:], d.rights)
	binary.LittleEndian.PutUint64(b[16:], d.inheriting)
	return Success
}

// fdStatSetFlags is (fd, flags). The flags are kept and change nothing: no
// operation here ever waits, and nothing is left unwritten.
func fdStatSetFlags(c call) Errno {
	d, errno := c.p.fds.get(c.u32(0), rightSetFlags)
	if errno != Success {
		return errno
	}
	if c.u32(1) > allFlags {
		return EINVAL
	}
	d.flags = uint16(c.u32(1))
	return Success
}

// fdStatSetRights is (fd, rights, inheriting): rights can only be given up.
func fdStatSetRights(c call) Errno {
	d, errno := c.p.fds.get(c.u32(0), 0)
	if errno != Success {
		return errno
	}
	if c.u64(1)&^d.rights != 0 || c.u64(2)&^d.inheriting != 0 {
		return ENOTCAPABLE
	}
	d.rights, d.inheriting = c.u64(1), c.u64(2)
	return Success
}

// fdFilestatGet is (fd, pointer to a filestat).
func fdFilestatGet(c call) Errno {
	d, errno := c.p.fds.get(c.u32(0), rightFilestat)
	if errno != Success {
		return errno
	}
	return putFilestat(c, 1, d.filetype, d.node)
}

// putFilestat writes a filestat through the pointer in parameter answer. All
// times are the epoch, so that a run can be repeated.
func putFilestat(c call, answer int, filetype byte, n *node) Errno {
	b, errno := c.mem().bytes(c.u32(answer), filestatSize)
	if errno != Success {
		return errno
	}
	clear(b)
	b[16] = filetype
	binary.LittleEndian.PutUint64(b[24:], 1) // links
	if n != nil {
		binary.LittleEndian.PutUint64(b, 1) // device
		binary.LittleEndian.PutUint64(b[8:], n.ino)
		binary.LittleEndian.PutUint64(b[32:], uint64(len(n.data)))
	}
	return Success
}

// fdReadOnly answers what would change a file or its times.
func fdReadOnly(c call) Errno {
	d, errno := c.p.fds.get(c.u32(0), 0)
	switch {
	case errno != Success:
		return errno
	case d.node == nil:
		return EINVAL
	}
	return EROFS
}

// fdPrestatGet is (fd, pointer to a prestat). Guests ask for 3, 4, ... until EBADF.
func fdPrestatGet(c call) Errno {
	d, errno := c.p.fds.get(c.u32(0), 0)
	switch {
	case errno != Success:
		return errno
	case d.preopen == "":
		return EBADF
	}
	// Tag 0, a folder, and the length of its name.
	return c.mem().putU64(c.u32(1), uint64(len(d.preopen))<<32)
}

// fdPrestatDirName is (fd, pointer, length), without a final NUL.
func fdPrestatDirName(c call) Errno {
	d, errno := c.p.fds.get(c.u32(0), 0)
	switch {
	case errno != Success:
		return errno
	case d.preopen == "":
		return EBADF
	case uint64(c.u32(2)) < uint64(len(d.preopen)):
		return ENAMETOOLONG
	}
	b, errno := c.mem().bytes(c.u32(1), uint32(len(d.preopen)))
	if errno != Success {
		return errno
	}
	copy(b, d.preopen)
	return Success
}

// fdReaddir is (fd, buffer, length, cookie, pointer to the bytes used). The
// last entry may be cut: that tells the guest to come back with more room.
func fdReaddir(c call) Errno {
	d, errno := c.p.fds.folder(c.u32(0), rightReaddir)
	if errno != Success {
		return errno
	}
	buf, errno := c.mem().bytes(c.u32(1), c.u32(2))
	if errno != Success {
		return errno
	}
	if _, errno := c.mem().bytes(c.u32(4), 4); errno != Success {
		return errno
	}
	used := uint32(0)
	for i := c.u64(3); i < uint64(len(d.node.children))+2 && len(buf) > 0; i++ {
		name, n := d.node.entry(i)
		c.Charge(1)
		c.ChargeBytes(direntSize + len(name))
		var head [direntSize]byte
		binary.LittleEndian.PutUint64(head[0:], i+1)
		binary.LittleEndian.PutUint64(head[8:], n.ino)
		binary.LittleEndian.PutUint32(head[16:], uint32(len(name)))
		head[20] = n.filetype()
		written := copy(buf, head[:])
		written += copy(buf[written:], name)
		buf = buf[written:]
		used += uint32(written)
	}
	return c.mem().putU32(c.u32(4), used)
}

// entry is the one at index i of a folder, where "." and ".." come first.
func (n *node) entry(i uint64) (string, *node) {
	switch i {
	case 0:
		return ".", n
	case 1:
		return "..", n.parent
	}
	child := n.children[i-2]
	return child.name, child
}

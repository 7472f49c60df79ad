package wasi

import "encoding/binary"

func argsGet(c call) Errno         { return putStrings(c, c.p.args) }
func argsSizesGet(c call) Errno    { return putSizes(c, c.p.args) }
func environGet(c call) Errno      { return putStrings(c, c.p.env) }
func environSizesGet(c call) Errno { return putSizes(c, c.p.env) }

// sizeOf is the number of bytes of the strings, each with its final NUL.
// New saw to it that it is small.
func sizeOf(list []string) (n uint32) {
	for _, s := range list {
		n += uint32(len(s)) + 1
	}
	return n
}

// putSizes answers (count pointer, size pointer).
func putSizes(c call, list []string) Errno {
	m := c.mem()
	if errno := m.putU32(c.u32(0), uint32(len(list))); errno != Success {
		return errno
	}
	return m.putU32(c.u32(1), sizeOf(list))
}

// putStrings answers (pointers pointer, buffer pointer).
func putStrings(c call, list []string) Errno {
	at, size := c.u32(1), sizeOf(list)
	pointers, errno := c.mem().bytes(c.u32(0), 4*uint32(len(list)))
	if errno != Success {
		return errno
	}
	buf, errno := c.mem().bytes(at, size)
	if errno != Success {
		return errno
	}
	c.ChargeBytes(len(pointers) + len(buf))
	for i, s := range list {
		binary.LittleEndian.PutUint32(pointers[4*i:], at)
		n := copy(buf, s)
		buf[n] = 0
		buf, at = buf[n+1:], at+uint32(n)+1
	}
	return Success
}

package wasi

import "encoding/binary"

// maxVectors is the most buffers of one read or write, as IOV_MAX elsewhere.
const maxVectors = 1024

// memory is a guest's linear memory. Every address and length in it is the
// guest's word: each access is checked, in 64 bits so that nothing wraps.
type memory []byte

// bytes is the n bytes at ptr, or EFAULT.
func (m memory) bytes(ptr, n uint32) ([]byte, Errno) {
	end := uint64(ptr) + uint64(n)
	if end > uint64(len(m)) {
		return nil, EFAULT
	}
	return m[ptr:end:end], Success
}

func (m memory) putU32(ptr, v uint32) Errno {
	b, errno := m.bytes(ptr, 4)
	if errno == Success {
		binary.LittleEndian.PutUint32(b, v)
	}
	return errno
}

func (m memory) putU64(ptr uint32, v uint64) Errno {
	b, errno := m.bytes(ptr, 8)
	if errno == Success {
		binary.LittleEndian.PutUint64(b, v)
	}
	return errno
}

// vectors reads an array of iovec or ciovec: count pairs of address and
// length. All of them are checked before any is returned. The total length is
// below 2^32, or the answer is EINVAL.
func (m memory) vectors(ptr, count uint32) (bufs [][]byte, total uint64, errno Errno) {
	if count > maxVectors {
		return nil, 0, EINVAL
	}
	table, errno := m.bytes(ptr, 8*count)
	if errno != Success {
		return nil, 0, errno
	}
	bufs = make([][]byte, count)
	for i := range bufs {
		pair := table[8*i:]
		bufs[i], errno = m.bytes(binary.LittleEndian.Uint32(pair), binary.LittleEndian.Uint32(pair[4:]))
		if errno != Success {
			return nil, 0, errno
		}
		total += uint64(len(bufs[i]))
	}
	if total > 1<<32-1 {
		return nil, 0, EINVAL
	}
	return bufs, total, Success
}

//go:build linux || darwin

package wazero

import (
	"syscall"

	"github.com/tetratelabs/wazero/experimental"
)

// mapped is linear memory with address space for all that the guest may ever
// have, so that growing moves nothing; the system provides pages when they are
// touched.
type mapped struct{ b []byte }

func newMemory(most uint64) (experimental.LinearMemory, error) {
	if most == 0 {
		return &mapped{b: []byte{}}, nil
	}
	b, err := syscall.Mmap(-1, 0, int(most), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	return &mapped{b: b}, err
}

// Reallocate implements experimental.LinearMemory; nil refuses.
func (m *mapped) Reallocate(size uint64) []byte {
	if m.b == nil || size > uint64(len(m.b)) {
		return nil
	}
	return m.b[:size]
}

// Free implements experimental.LinearMemory. It may be called twice.
func (m *mapped) Free() {
	if len(m.b) > 0 {
		_ = syscall.Munmap(m.b)
	}
	m.b = nil
}

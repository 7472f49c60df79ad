//go:build !linux && !darwin

package wazero

import "github.com/tetratelabs/wazero/experimental"

// heap is linear memory from the Go heap, for systems without mmap.
type heap struct {
	b    []byte
	most uint64
}

func newMemory(most uint64) (experimental.LinearMemory, error) { return &heap{most: most}, nil }

// Reallocate implements experimental.LinearMemory.
func (m *heap) Reallocate(size uint64) []byte {
	if size > m.most {
		return nil
	}
	if size > uint64(cap(m.b)) {
		grown := make([]byte, size, min(m.most, size+size/2))
		copy(grown, m.b)
		m.b = grown
	}
	m.b = m.b[:size]
	return m.b
}

// Free implements experimental.LinearMemory.
func (m *heap) Free() { m.b = nil }

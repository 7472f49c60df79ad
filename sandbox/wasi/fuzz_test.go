package wasi_test

import (
	"bytes"
	"encoding/binary"
	"math"
	"testing"

	"github.com/svc-platform/svc/sandbox"
	"github.com/svc-platform/svc/sandbox/wasi"
)

// FuzzCalls lets a hostile guest fill its memory as it likes and call any
// functions in a row: the host must neither panic nor write outside memory,
// nor keep more output than allowed, nor open more files than allowed.
func FuzzCalls(f *testing.F) {
	names := make([]string, 0, 46)
	for _, fn := range wasi.Functions() {
		names = append(names, fn.Name)
	}
	index := func(name string) byte { return byte(bytes.IndexByte(indexes(names, name), 1)) }
	vector := binary.LittleEndian.AppendUint64(nil, 64|8<<32)
	f.Add(vector, []byte{index("fd_write"), 1, 0, 1, 0})
	f.Add([]byte("lib/deep/../a.js"), []byte{index("path_open"), 3, 0, 0, 16, 0, 2, 2, 0, 200})
	f.Add(clockSub(1, 1, 1000, 1), []byte{index("poll_oneoff"), 0, 100, 1, 200})
	f.Add(fdSub(1, 1, 0), []byte{index("poll_oneoff"), 0, 0, 1, 200})
	f.Add([]byte(".."), []byte{index("fd_readdir"), 3, 0, 255, 0, 200, index("fd_renumber"), 1, 2})
	f.Fuzz(func(t *testing.T, memory, program []byte) {
		w := newWorld(t, wasi.Config{Args: []string{"x"}, Env: []string{"A=b"}, Stdin: []byte("in"), Output: 100, Files: files(t)})
		w.memory = make([]byte, 4096, 8192)
		copy(w.memory, memory)
		program = program[:min(len(program), 4096)]
		for len(program) > 0 {
			fn := w.funcs[names[int(program[0])%len(names)]]
			program = program[1:]
			params := make([]uint64, len(fn.Type.Params))
			if len(program) < len(params) {
				break
			}
			for i := range params {
				params[i] = operand(program[i])
			}
			program = program[len(params):]
			w.budget.Reset(sandbox.Limits{Fuel: 1 << 16})
			if _, err := w.do(fn.Name, params...); err != nil {
				break // the guest ended: by proc_exit, or for want of fuel
			}
		}
		if !bytes.Equal(w.memory[4096:8192], make([]byte, 4096)) {
			t.Error("something was written beyond the end of memory")
		}
		if len(w.Stdout.String()) > 100 || len(w.Stderr.String()) > 100 {
			t.Error("more output was kept than allowed")
		}
		if errno, err := w.do("fd_fdstat_get", 128, 0); errno != wasi.EBADF || err != nil {
			t.Errorf("descriptor 128 is open: errno %d, %v", errno, err)
		}
	})
}

// operand makes one byte of a fuzzed program a parameter: small numbers, and
// from 240 up the interesting ones around the edges.
func operand(b byte) uint64 {
	edges := []uint64{
		4095, 4096, 4097, 4088, math.MaxInt32, 1 << 31, math.MaxUint32, math.MaxUint32 - 7,
		1 << 32, math.MaxInt64, 1 << 63, math.MaxUint64, 1024, 1025, 512, 2048,
	}
	if b < 240 {
		return uint64(b)
	}
	return edges[b-240]
}

// indexes has a 1 where names is name.
func indexes(names []string, name string) []byte {
	out := make([]byte, len(names))
	for i, n := range names {
		if n == name {
			out[i] = 1
		}
	}
	return out
}

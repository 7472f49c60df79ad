package compile

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
)

const pageSize = 65536

// Ids of the sections that a module of ours may have.
const (
	sectionCustom   = 0
	sectionType     = 1
	sectionFunction = 3
	sectionMemory   = 5
	sectionGlobal   = 6
	sectionExport   = 7
	sectionCode     = 10
	sectionData     = 11
)

// header is the magic number and the version of WebAssembly 1.0.
const header = "\x00asm\x01\x00\x00\x00"

// module is a WebAssembly module as far as the linker must know it: functions
// by their parts, the rest as bytes.
type module struct {
	types     []string          // encoded function types
	typeOf    []uint32          // by function
	bodies    [][]byte          // by function, without the size
	functions map[string]uint32 // exported functions of the library, by name
	pages     uint32
	globals   [][]byte
	data      [][]byte // whole segments
	dataEnd   uint32   // first byte of memory behind all tables of the library
	exports   [][]byte
}

// scalarType is (f64 * inputs) -> f64, encoded.
func scalarType(inputs int) string {
	t := binary.AppendUvarint([]byte{0x60}, uint64(inputs))
	for range inputs {
		t = append(t, typeF64)
	}
	return string(append(t, 1, typeF64))
}

// vectorType is (i32, i32, i32) -> (), encoded.
const vectorType = "\x60\x03\x7f\x7f\x7f\x00"

// add appends a function and returns its index.
func (m *module) add(functionType string, body []byte) uint32 {
	index := slices.Index(m.types, functionType)
	if index < 0 {
		index = len(m.types)
		m.types = append(m.types, functionType)
	}
	m.typeOf = append(m.typeOf, uint32(index))
	m.bodies = append(m.bodies, body)
	return uint32(len(m.bodies) - 1)
}

const (
	exportFunction = 0
	exportMemory   = 2
	exportGlobal   = 3
)

func (m *module) export(name string, function uint32) {
	m.exports = append(m.exports, exportEntry(name, exportFunction, function))
}

func exportEntry(name string, kind byte, index uint32) []byte {
	entry := append(binary.AppendUvarint(nil, uint64(len(name))), name...)
	return binary.AppendUvarint(append(entry, kind), uint64(index))
}

// reserve gives the module memory for its data and size bytes more, and
// exports both the memory and where the free part begins.
func (m *module) reserve(size uint32) {
	base := (m.dataEnd + 15) &^ 15
	m.pages = (base + size + pageSize - 1) / pageSize
	global := appendSigned([]byte{typeI32, 0, opI32Const}, int64(base))
	m.globals = append(m.globals, append(global, opEnd))
	m.exports = append(m.exports,
		exportEntry(MemoryExport, exportMemory, 0), exportEntry(BaseExport, exportGlobal, uint32(len(m.globals)-1)))
}

// bytes encodes the module.
func (m *module) bytes() []byte {
	types := make([][]byte, len(m.types))
	for i, t := range m.types {
		types[i] = []byte(t)
	}
	functions := make([][]byte, len(m.typeOf))
	for i, t := range m.typeOf {
		functions[i] = binary.AppendUvarint(nil, uint64(t))
	}
	code := make([][]byte, len(m.bodies))
	for i, body := range m.bodies {
		code[i] = append(binary.AppendUvarint(nil, uint64(len(body))), body...)
	}
	memory := binary.AppendUvarint([]byte{0}, uint64(m.pages))
	out := []byte(header)
	for _, section := range []struct {
		id      byte
		entries [][]byte
	}{
		{sectionType, types},
		{sectionFunction, functions},
		{sectionMemory, [][]byte{memory}},
		{sectionGlobal, m.globals},
		{sectionExport, m.exports},
		{sectionCode, code},
		{sectionData, m.data},
	} {
		if len(section.entries) == 0 {
			continue
		}
		payload := binary.AppendUvarint(nil, uint64(len(section.entries)))
		for _, entry := range section.entries {
			payload = append(payload, entry...)
		}
		out = append(binary.AppendUvarint(append(out, section.id), uint64(len(payload))), payload...)
	}
	return out
}

// appendSigned encodes a signed LEB128 number.
func appendSigned(b []byte, value int64) []byte {
	for {
		low := byte(value & 0x7f)
		value >>= 7
		if (value == 0 && low&0x40 == 0) || (value == -1 && low&0x40 != 0) {
			return append(b, low)
		}
		b = append(b, low|0x80)
	}
}

var errTruncated = errors.New("the module ends too early")

// reader walks over encoded bytes; after a mistake it stays at the end.
type reader struct {
	b   []byte
	at  int
	err error
}

func (r *reader) fail(err error) {
	if r.err == nil {
		r.err = err
	}
	r.at = len(r.b)
}

func (r *reader) more() bool { return r.err == nil && r.at < len(r.b) }

func (r *reader) byte() byte {
	if r.at >= len(r.b) {
		r.fail(errTruncated)
		return 0
	}
	r.at++
	return r.b[r.at-1]
}

// u32 reads an unsigned LEB128 number.
func (r *reader) u32() uint32 {
	value, n := binary.Uvarint(r.b[r.at:])
	if n <= 0 || n > 5 || value > 1<<32-1 {
		r.fail(errTruncated)
		return 0
	}
	r.at += n
	return uint32(value)
}

// i64 reads a signed LEB128 number of up to 64 bits.
func (r *reader) i64() int64 {
	var value int64
	for shift := 0; shift < 70; shift += 7 {
		b := r.byte()
		value |= int64(b&0x7f) << min(shift, 63)
		if b&0x80 == 0 {
			if shift < 57 && b&0x40 != 0 {
				value |= -1 << (shift + 7)
			}
			return value
		}
	}
	r.fail(errTruncated)
	return 0
}

func (r *reader) take(n uint32) []byte {
	if uint64(n) > uint64(len(r.b)-r.at) {
		r.fail(errTruncated)
		return nil
	}
	r.at += int(n)
	return r.b[r.at-int(n) : r.at]
}

// count reads the length of a list; no entry is shorter than a byte.
func (r *reader) count() int {
	n := r.u32()
	if uint64(n) > uint64(len(r.b)-r.at) {
		r.fail(errTruncated)
		return 0
	}
	return int(n)
}

// unexpected is the error for what our build of the library never holds.
func unexpected(what string, value uint32) error {
	return fmt.Errorf("unexpected %s 0x%x: the linker reads only what the library is made of", what, value)
}

package compile

import (
	"encoding/binary"
	"errors"
)

// readModule reads the library. It accepts what the AssemblyScript compiler
// makes of libm.ts: no imports, no tables, no start function.
func readModule(wasm []byte) (*module, error) {
	m := &module{functions: map[string]uint32{}}
	r := &reader{b: wasm}
	if string(r.take(uint32(len(header)))) != header {
		return nil, errTruncated
	}
	for r.more() {
		id := r.byte()
		section := &reader{b: r.take(r.u32())}
		if r.err != nil {
			break
		}
		if id == sectionCustom {
			continue
		}
		m.section(id, section)
		if section.err == nil && section.more() {
			section.fail(unexpected("bytes at the end of section", uint32(id)))
		}
		if section.err != nil {
			return nil, section.err
		}
	}
	if r.err == nil && len(m.bodies) != len(m.typeOf) {
		r.fail(errTruncated)
	}
	for _, index := range m.typeOf {
		if int(index) >= len(m.types) {
			r.fail(unexpected("type", index))
		}
	}
	m.findTablesEnd(r)
	return m, r.err
}

// findTablesEnd reads the constant that the library's function tablesEnd
// returns: trailing zeros of its tables are in no data segment.
func (m *module) findTablesEnd(r *reader) {
	index, ok := m.functions["tablesEnd"]
	if !ok || int(index) >= len(m.bodies) {
		r.fail(errors.New("the library does not export tablesEnd"))
		return
	}
	body := &reader{b: m.bodies[index]}
	if body.count() != 0 {
		body.fail(unexpected("locals in function", index))
	}
	m.dataEnd = uint32(body.constant())
	if body.err != nil {
		r.fail(body.err)
	}
}

func (m *module) section(id byte, r *reader) {
	for range r.count() {
		start := r.at
		switch id {
		case sectionType:
			if form := r.byte(); form != 0x60 {
				r.fail(unexpected("type", uint32(form)))
			}
			r.take(r.u32()) // parameters
			r.take(r.u32()) // results
			m.types = append(m.types, string(r.b[start:r.at]))
		case sectionFunction:
			m.typeOf = append(m.typeOf, r.u32())
		case sectionMemory:
			if r.byte() != 0 {
				r.u32()
			}
			r.u32()
		case sectionGlobal:
			r.take(2)
			r.constant()
			m.globals = append(m.globals, r.b[start:r.at])
		case sectionExport:
			name, kind := string(r.take(r.u32())), r.byte()
			if index := r.u32(); kind == exportFunction {
				m.functions[name] = index
			}
		case sectionCode:
			m.bodies = append(m.bodies, r.take(r.u32()))
		case sectionData:
			if mode := r.u32(); mode != 0 {
				r.fail(unexpected("data segment of mode", mode))
			}
			r.constant()
			r.take(r.u32())
			m.data = append(m.data, r.b[start:r.at])
		default:
			r.fail(unexpected("section", uint32(id)))
		}
		if r.err != nil {
			return
		}
	}
}

// constant reads an initialiser: one constant instruction and end. It returns
// the value of an integer.
func (r *reader) constant() int64 {
	var value int64
	switch opcode := r.byte(); opcode {
	case opI32Const, opI64Const:
		value = r.i64()
	case opF64Const:
		r.take(8)
	default:
		r.fail(unexpected("initialiser", uint32(opcode)))
	}
	if end := r.byte(); end != opEnd {
		r.fail(unexpected("initialiser", uint32(end)))
	}
	return value
}

// reach marks the functions that the named ones need.
func (m *module) reach(names map[string]bool) ([]bool, error) {
	needed := make([]bool, len(m.bodies))
	var waiting []uint32
	for name := range names {
		if index, ok := m.functions[name]; ok {
			waiting = append(waiting, index)
		}
	}
	for len(waiting) > 0 {
		index := waiting[len(waiting)-1]
		waiting = waiting[:len(waiting)-1]
		if int(index) >= len(needed) {
			return nil, unexpected("function", index)
		}
		if needed[index] {
			continue
		}
		needed[index] = true
		if _, err := rewrite(m.bodies[index], func(callee uint32) uint32 {
			waiting = append(waiting, callee)
			return callee
		}); err != nil {
			return nil, err
		}
	}
	return needed, nil
}

// keep copies the module with the marked functions only, renumbered. Data
// stays as long as a function does: tables are small and calls cross them.
func (m *module) keep(needed []bool) (*module, error) {
	out := &module{functions: map[string]uint32{}}
	number := make([]uint32, len(needed))
	kept := uint32(0)
	for old, keep := range needed {
		if keep {
			number[old] = kept
			kept++
		}
	}
	for old, keep := range needed {
		if !keep {
			continue
		}
		body, err := rewrite(m.bodies[old], func(callee uint32) uint32 { return number[callee] })
		if err != nil {
			return nil, err
		}
		out.add(m.types[m.typeOf[old]], body)
	}
	for name, old := range m.functions {
		if needed[old] {
			out.functions[name] = number[old]
		}
	}
	if kept > 0 {
		out.globals, out.data, out.dataEnd = m.globals, m.data, m.dataEnd
	}
	return out, nil
}

// Opcodes that only the library uses.
const (
	opI64Const = 0x42
	opF32Const = 0x43
	opBrTable  = 0x0e
	opPrefix   = 0xfc
)

// rewrite copies a function body and gives every callee a new number.
func rewrite(body []byte, renumber func(callee uint32) uint32) ([]byte, error) {
	r := &reader{b: body}
	for range r.count() { // groups of locals
		r.u32()
		r.byte()
	}
	out := append([]byte(nil), body[:r.at]...)
	for r.more() {
		start := r.at
		opcode := r.byte()
		if opcode == opCall {
			out = binary.AppendUvarint(append(out, opCall), uint64(renumber(r.u32())))
			continue
		}
		r.operands(opcode)
		out = append(out, body[start:r.at]...)
	}
	return out, r.err
}

// operands skips what follows an opcode. The list is that of WebAssembly 1.0
// with sign extension and saturating truncation.
func (r *reader) operands(opcode byte) {
	switch {
	case opcode == opBlock || opcode == opLoop || opcode == opIf, opcode == opI32Const, opcode == opI64Const:
		r.i64()
	case opcode == opBr || opcode == opBrIf, opcode >= opLocalGet && opcode <= 0x24:
		r.u32()
	case opcode == opBrTable:
		for range r.count() {
			r.u32()
		}
		r.u32()
	case opcode >= 0x28 && opcode <= 0x3e: // loads and stores
		r.u32()
		r.u32()
	case opcode == opF32Const:
		r.take(4)
	case opcode == opF64Const:
		r.take(8)
	case opcode == opPrefix:
		if sub := r.u32(); sub > 7 {
			r.fail(unexpected("instruction 0xfc", sub))
		}
	case opcode <= 0x01, opcode == 0x05, opcode == opEnd, opcode == 0x0f, opcode == 0x1a, opcode == opSelect, opcode >= 0x45 && opcode <= 0xc4:
	default:
		r.fail(unexpected("instruction", uint32(opcode)))
	}
}

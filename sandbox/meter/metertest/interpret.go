package metertest

import (
	"encoding/binary"

	"github.com/svc-platform/svc/sandbox"
)

// Machine is an instance of a program that an interpreter runs.
type Machine struct {
	Memory  []byte
	Globals [len(globalTypes)]uint64
	Fuel    uint64 // by fuel/1
	p       *Program
	stack   []uint64
}

// NewMachine makes an instance.
func (p *Program) NewMachine() *Machine {
	m := &Machine{p: p, Memory: make([]byte, Pages*sandbox.PageSize)}
	m.Globals[0] = uint64(uint32(p.Rounds))
	return m
}

// most is the fuel at which the interpreter gives up, for callers that change
// programs: those that Generate makes stay far below.
const most = 1 << 20

// How a piece of code ends; a branch ends it with the depth of its target.
const (
	through  = -1
	returned = -2
	trapped  = -3
)

// Call runs function i. False is a trap.
func (m *Machine) Call(i int, args []uint64) ([]uint64, bool) {
	m.stack = append(m.stack[:0], args...)
	ok := m.call(i)
	return m.stack, ok
}

func (m *Machine) call(i int) bool {
	if m.Fuel++; m.Fuel > most {
		return false
	}
	t, f := m.p.Signature(i), &m.p.Funcs[i]
	base := len(m.stack) - len(t.Params)
	locals := append(append([]uint64{}, m.stack[base:]...), make([]uint64, len(f.Locals))...)
	m.stack = m.stack[:base]
	if m.run(f.Body, locals) == trapped {
		return false
	}
	m.keep(len(t.Results), base)
	return true
}

// keep leaves the topmost n values on a stack of that height.
func (m *Machine) keep(n, height int) {
	m.stack = append(m.stack[:height], m.stack[len(m.stack)-n:]...)
}

func (m *Machine) pop() uint64 {
	v := m.stack[len(m.stack)-1]
	m.stack = m.stack[:len(m.stack)-1]
	return v
}

func (m *Machine) push(v uint64) { m.stack = append(m.stack, v) }

func (m *Machine) run(code []Instr, locals []uint64) int {
	for i := range code {
		in := &code[i]
		switch in.Op {
		case unreachable:
			return trapped
		case nop, block, loop, returnOp:
		case drop:
			m.pop()
		default:
			m.Fuel++
		}
		switch in.Op {
		case block, loop, ifOp:
			if to := m.block(in, locals); to != through {
				return to
			}
		case br:
			return int(in.Index)
		case brIf:
			if m.pop() != 0 {
				return int(in.Index)
			}
		case brTable:
			return int(in.Targets[min(m.pop(), uint64(len(in.Targets)-1))])
		case returnOp:
			return returned
		case call:
			if !m.call(int(in.Index)) {
				return trapped
			}
		case callIndirect:
			if !m.call(int(m.pop())) {
				return trapped
			}
		default:
			m.plain(in, locals)
		}
	}
	return through
}

// block runs a block; its answer is how the code around it goes on.
func (m *Machine) block(in *Instr, locals []uint64) int {
	body := in.Body
	if in.Op == ifOp && m.pop() == 0 {
		body = in.Else
	}
	t := m.p.Types[in.Index]
	height, arity := len(m.stack)-len(t.Params), len(t.Results)
	if in.Op == loop {
		arity = len(t.Params)
	}
	for {
		to := m.run(body, locals)
		if to > 0 {
			return to - 1
		} else if to < 0 {
			return to
		}
		m.keep(arity, height)
		if in.Op != loop {
			return through
		}
	}
}

// plain runs an instruction that does not change what comes next.
func (m *Machine) plain(in *Instr, locals []uint64) {
	le := binary.LittleEndian
	switch in.Op {
	case selectOp:
		c, b, a := m.pop(), m.pop(), m.pop()
		if c == 0 {
			a = b
		}
		m.push(a)
	case localGet:
		m.push(locals[in.Index])
	case localSet:
		locals[in.Index] = m.pop()
	case localTee:
		locals[in.Index] = m.stack[len(m.stack)-1]
	case globalGet:
		m.push(m.Globals[in.Index])
	case globalSet:
		m.Globals[in.Index] = m.pop()
	case i32Const:
		m.push(uint64(uint32(in.Value)))
	case i64Const:
		m.push(uint64(in.Value))
	case i32Load:
		m.push(uint64(le.Uint32(m.Memory[m.pop():])))
	case i64Load:
		m.push(le.Uint64(m.Memory[m.pop():]))
	case i32Store:
		v, at := m.pop(), m.pop()
		le.PutUint32(m.Memory[at:], uint32(v))
	case i64Store:
		v, at := m.pop(), m.pop()
		le.PutUint64(m.Memory[at:], v)
	case memorySize:
		m.push(uint64(len(m.Memory) / sandbox.PageSize))
	case memoryGrow:
		m.grow(m.pop())
	case i32RemU:
		n := m.pop()
		m.push(m.pop() % n)
	case misc:
		m.bulk(in.Sub)
	default:
		m.arithmetic(in.Op)
	}
}

func (m *Machine) grow(n uint64) {
	had := uint64(len(m.Memory) / sandbox.PageSize)
	if had+n > MaxPages {
		m.push(1<<32 - 1)
		return
	}
	m.Fuel += n * sandbox.PageSize / 16
	m.Memory = append(m.Memory, make([]byte, n*sandbox.PageSize)...)
	m.push(had)
}

func (m *Machine) bulk(sub byte) {
	n, from, to := m.pop(), m.pop(), m.pop()
	m.Fuel += n / 16
	if sub == memoryCopy {
		copy(m.Memory[to:], m.Memory[from:from+n])
		return
	}
	for i := range m.Memory[to : to+n] {
		m.Memory[to:][i] = byte(from)
	}
}

func (m *Machine) arithmetic(op byte) {
	if u, ok := unary[op]; ok {
		m.push(u.do(m.pop()))
	} else if b, ok := binaryTable[op]; ok {
		y, x := m.pop(), m.pop()
		m.push(b.do(x, y))
	}
}

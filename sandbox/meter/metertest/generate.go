package metertest

import (
	"maps"
	"math/rand/v2"
	"slices"
)

var (
	unaryOps  = slices.Sorted(maps.Keys(unary))
	binaryOps = slices.Sorted(maps.Keys(binaryTable))
)

// generator writes one function after another. It keeps the types on the
// operand stack, so that what it writes is valid.
type generator struct {
	*rand.Rand
	p       *Program
	typ     Type   // of the function
	callees int    // index of the first function that may be called
	locals  []byte // parameters included
	labels  []label
	stack   []byte
	out     []Instr
	left    int // instructions to write, about
}

// label is an open block: what a branch to it takes, and where its stack begins.
type label struct {
	types []byte
	base  int
}

// Generate makes a program from random numbers.
func Generate(r *rand.Rand) *Program {
	p := &Program{Rounds: r.Int32N(60)}
	for range 1 + r.IntN(5) {
		p.Funcs = append(p.Funcs, Func{Type: p.intern(Type{randomTypes(r, 3), randomTypes(r, 3)})})
	}
	for i := range p.Funcs {
		f := &p.Funcs[i]
		f.Locals = randomTypes(r, 4)
		t := p.Types[f.Type]
		g := &generator{Rand: r, p: p, typ: t, locals: append(slices.Clone(t.Params), f.Locals...), left: 10 + r.IntN(150)}
		counts := r.IntN(4) > 0
		if !counts {
			g.callees = i + 1 // or it could call itself for ever
		}
		f.Body = g.body(nil, t.Results, t.Results, counts)
	}
	return p
}

func randomTypes(r *rand.Rand, most int) []byte {
	types := make([]byte, r.IntN(most))
	for i := range types {
		types[i] = i32 - byte(r.IntN(2)) // i64 is one below
	}
	return types
}

func (g *generator) emit(in Instr) { g.left--; g.out = append(g.out, in) }

func (g *generator) op(op byte, index uint32) { g.emit(Instr{Op: op, Index: index}) }

func (g *generator) push(types ...byte) { g.stack = append(g.stack, types...) }

func (g *generator) pop(n int) { g.stack = g.stack[:len(g.stack)-n] }

// body writes what is in a block whose parameters lie on the stack, and leaves
// the stack as it is after the block's end.
func (g *generator) body(params, branch, results []byte, counts bool) []Instr {
	outer := g.out
	g.out = nil
	base := len(g.stack) - len(params)
	g.labels = append(g.labels, label{branch, base})
	if counts {
		g.countDown()
	}
	for range g.IntN(9) {
		if g.left > 0 {
			g.statement()
		}
	}
	if !slices.Equal(g.stack[base:], results) {
		g.dropTo(base)
		g.values(results)
	}
	g.labels = g.labels[:len(g.labels)-1]
	g.stack = append(g.stack[:base], results...)
	inner := g.out
	g.out = outer
	return inner
}

func (g *generator) dropTo(base int) {
	for range len(g.stack) - base {
		g.op(drop, 0)
		g.pop(1)
	}
}

// countDown returns from the function when the counting global reaches zero.
func (g *generator) countDown() {
	g.op(globalGet, 0)
	g.emit(Instr{Op: i32Const, Value: 1})
	g.op(0x6b, 0)
	g.op(globalSet, 0)
	g.op(globalGet, 0)
	g.emit(Instr{Op: i32Const})
	g.op(0x48, 0)
	in := Instr{Op: ifOp, Index: g.p.intern(Type{})}
	for _, t := range g.typ.Results {
		in.Body = append(in.Body, constant(t, 77))
	}
	in.Body = append(in.Body, Instr{Op: returnOp})
	g.emit(in)
}

func constant(t byte, v int64) Instr {
	if t == i32 {
		return Instr{Op: i32Const, Value: int64(int32(v))}
	}
	return Instr{Op: i64Const, Value: v}
}

func (g *generator) values(types []byte) {
	for _, t := range types {
		g.value(t, 2)
	}
}

// value pushes a value of a type, by an expression of at most that depth.
func (g *generator) value(t byte, depth int) {
	switch g.IntN(8) {
	case 0, 1:
		if i := g.pick(g.locals, t); i >= 0 {
			g.op(localGet, uint32(i))
			g.push(t)
			return
		}
	case 2:
		g.op(globalGet, uint32(g.pick(globalTypes[:], t)))
		g.push(t)
		return
	case 3:
		if depth > 0 {
			g.address(depth)
			g.op(map[byte]byte{i32: i32Load, i64: i64Load}[t], 0)
			g.pop(1)
			g.push(t)
			return
		}
	case 4, 5:
		if depth > 0 && g.arithmetic(t, depth) {
			return
		}
	case 6:
		if depth > 0 {
			g.value(t, depth-1)
			g.value(t, depth-1)
			g.value(i32, depth-1)
			g.op(selectOp, 0)
			g.pop(2)
			return
		}
	}
	g.emit(constant(t, g.Int64N(9)-4))
	g.push(t)
}

// arithmetic pushes the result of a random operator, if it is of type t.
func (g *generator) arithmetic(t byte, depth int) bool {
	if op := binaryOps[g.IntN(len(binaryOps))]; binaryTable[op].to == t {
		g.value(binaryTable[op].from, depth-1)
		g.value(binaryTable[op].from, depth-1)
		g.op(op, 0)
		g.pop(2)
	} else if op := unaryOps[g.IntN(len(unaryOps))]; unary[op].to == t {
		g.value(unary[op].from, depth-1)
		g.op(op, 0)
		g.pop(1)
	} else {
		return false
	}
	g.push(t)
	return true
}

// address pushes an i32 below 4096.
func (g *generator) address(depth int) {
	g.value(i32, depth-1)
	g.emit(Instr{Op: i32Const, Value: 4096})
	g.op(i32RemU, 0)
}

// pick is a random index of what is of type t, or -1.
func (g *generator) pick(types []byte, t byte) int {
	if !slices.Contains(types, t) {
		return -1
	}
	for {
		if i := g.IntN(len(types)); types[i] == t {
			return i
		}
	}
}

func (g *generator) statement() {
	switch g.IntN(16) {
	case 0, 1, 2:
		g.nested()
	case 3, 4, 5:
		g.branch()
	case 6:
		for range 1 + g.IntN(3) {
			g.call()
		}
	case 7:
		if g.IntN(5) == 0 {
			g.op(unreachable, 0)
		} else {
			g.values(g.typ.Results)
			g.op(returnOp, 0)
		}
		g.dead()
	case 8:
		g.bulk()
	case 9:
		g.op(nop, 0)
		g.value(i32, 2)
	case 10, 11:
		g.address(2)
		t := i32 - byte(g.IntN(2))
		g.value(t, 2)
		g.op(map[byte]byte{i32: i32Store, i64: i64Store}[t], 0)
		g.pop(2)
	default:
		g.assign()
	}
}

func (g *generator) assign() {
	t := i32 - byte(g.IntN(2))
	g.value(t, 3)
	i := g.pick(g.locals, t)
	switch {
	case i >= 0 && g.IntN(3) == 0:
		g.op(localTee, uint32(i))
	case i >= 0:
		g.op(localSet, uint32(i))
		g.pop(1)
	case t == i64:
		g.op(globalSet, 2)
		g.pop(1)
	default:
		g.op(globalSet, 1)
		g.pop(1)
	}
}

// nested writes a block, a loop or an if.
func (g *generator) nested() {
	if len(g.labels) > 8 {
		return
	}
	t := Type{randomTypes(g.Rand, 3), randomTypes(g.Rand, 3)}
	g.values(t.Params)
	in := Instr{Op: block + byte(g.IntN(3)), Index: g.p.intern(t)}
	branch := t.Results
	if in.Op == loop {
		branch = t.Params
	}
	if in.Op == ifOp {
		g.value(i32, 2)
		g.pop(1)
	}
	before := slices.Clone(g.stack)
	in.Body = g.body(t.Params, branch, t.Results, in.Op == loop)
	if in.Op == ifOp && (g.IntN(2) == 0 || !slices.Equal(t.Params, t.Results)) {
		g.stack = before
		in.Else = append([]Instr{}, g.body(t.Params, branch, t.Results, false)...)
	}
	g.emit(in)
}

// dead goes on behind code that does not: the stack is what the block began with.
func (g *generator) dead() { g.stack = g.stack[:g.labels[len(g.labels)-1].base] }

func (g *generator) branch() {
	depth := g.IntN(len(g.labels))
	types := g.at(depth).types
	g.values(types)
	switch g.IntN(4) {
	case 0:
		g.op(br, uint32(depth))
		g.dead()
	case 1:
		in := Instr{Op: brTable, Targets: []uint32{uint32(depth)}}
		for range g.IntN(5) {
			if d := g.IntN(len(g.labels)); slices.Equal(g.at(d).types, types) {
				in.Targets = append(in.Targets, uint32(d))
			}
		}
		g.value(i32, 2)
		g.emit(in)
		g.dead()
	default:
		g.value(i32, 2)
		g.op(brIf, uint32(depth))
		g.pop(1)
	}
}

func (g *generator) at(depth int) label { return g.labels[len(g.labels)-1-depth] }

func (g *generator) call() {
	if g.callees == len(g.p.Funcs) {
		return
	}
	i := g.callees + g.IntN(len(g.p.Funcs)-g.callees)
	t := g.p.Signature(i)
	g.values(t.Params)
	if g.IntN(3) == 0 {
		g.emit(Instr{Op: i32Const, Value: int64(i)})
		g.op(callIndirect, g.p.Funcs[i].Type)
	} else {
		g.op(call, uint32(i))
	}
	g.pop(len(t.Params))
	g.push(t.Results...)
}

// bulk writes memory.fill, memory.copy, memory.grow or memory.size.
func (g *generator) bulk() {
	switch g.IntN(4) {
	case 0:
		g.op(memorySize, 0)
		g.push(i32)
	case 1:
		g.emit(Instr{Op: i32Const, Value: g.Int64N(3)})
		g.op(memoryGrow, 0)
		g.push(i32)
	default:
		for range 3 {
			g.address(2)
		}
		g.emit(Instr{Op: misc, Sub: memoryCopy + byte(g.IntN(2))})
		g.pop(3)
	}
}

package meter

import "github.com/svc-platform/svc/sandbox"

// body rewrites one function after another, keeping its buffers.
//
// Every basic block is charged when it is entered. Where a function has loops,
// the counter lives in a local for as long as no other function can look at
// it; elsewhere it stays in the global. Function entries and loop heads also
// check it: every cycle passes through one of the two. A short function that
// calls nothing is not checked at its entry, since its callers are, after every
// few calls.
type body struct {
	w     *writer
	d     decoder
	in    instr
	out   []byte
	local bool   // the counter is cached in a local
	tmp   uint32 // index of that local, or of the scratch local of a check
	frame int32  // words of stack that a call is counted with; 0: it is not

	labels []label
	calls  int    // written since the last check
	start  int    // where in out the basic block being written begins
	cost   uint64 // of that block so far
	check  bool   // it begins at a function entry or a loop head
	entry  bool   // it is the function's first
	dead   bool   // it cannot be reached
}

type label struct {
	op        byte // opBlock, opLoop, opIf, opElse; 0 is the function
	targeted  bool
	entryDead bool
	alive     bool   // the end is reached from another branch than the present one
	wrapped   bool   // a loop of ours is around this one
	added     uint32 // labels that the pass added up to and including this one
}

// A leaf function of up to longBody bytes is not checked, and after every
// callsBetween calls there is a check: together they bound the work between two
// checks.
const (
	longBody     = 256
	callsBetween = 64
)

func (b *body) rewrite(i int, s shape, recursive bool) ([]byte, error) {
	o := b.w.o
	d, runs, err := o.bodyReader(i)
	if err != nil {
		return nil, err
	}
	b.d, b.out = d, b.out[:0]
	b.local, b.frame = s.cacheInLocal(), 0
	b.tmp = d.locals
	b.labels = append(b.labels[:0], label{})
	b.dead, b.cost = false, EntryFuel
	if recursive {
		b.frame = frameWords(d.locals, len(o.bodies[i]))
		b.takeStack()
	}
	if b.oneExit() {
		b.out = append(b.out, opBlock)
		b.out = b.appendBlockType(o.types[o.defined[i]].Results)
	}
	b.begin(s.calls > 0 || s.loops > 0 || len(o.bodies[i]) > longBody)
	b.entry = true
	for len(b.labels) > 0 {
		b.d.next(&b.in)
		if b.d.r.err != nil {
			return nil, b.d.r.err
		}
		b.instruction()
	}
	if b.d.r.pos != len(b.d.r.b) {
		return nil, sandbox.Trapf(sandbox.InvalidModule, "function %d has bytes behind its end", i+len(o.imports))
	}
	runs = append(runs, localRun{1, I64})
	if recursive {
		runs = append(runs, localRun{1, I32})
	}
	return assemble(runs, b.out), b.d.r.err
}

// oneExit: something is to be done on the way out, so returning becomes leaving
// a block around the body.
func (b *body) oneExit() bool { return b.local || b.frame > 0 }

func (b *body) appendBlockType(results []ValueType) []byte {
	switch len(results) {
	case 0:
		return append(b.out, emptyBlock)
	case 1:
		return append(b.out, byte(results[0]))
	}
	return appendS64(b.out, int64(b.w.typeIndex(FuncType{Results: results})))
}

// copyInstr writes the instruction as it was.
func (b *body) copyInstr() { b.out = append(b.out, b.in.code...) }

// instruction writes the decoded instruction with what it needs around it.
func (b *body) instruction() {
	in := &b.in
	b.cost += price(in.op)
	switch in.op {
	case opBlock:
		b.push()
		b.copyInstr()
	case opLoop:
		b.loop()
	case opIf:
		b.cut()
		b.push()
		b.copyInstr()
		b.begin(false)
	case opElse:
		b.elseBranch()
	case opEnd:
		b.endBlock()
	case opBr, opBrIf, opBrTable:
		b.branch()
	case opReturn, opUnreachable:
		b.leave()
	case opCall:
		b.call((&asm{}).idx(opCall, b.w.o.shift(in.index)).b)
	case opCallIndirect:
		b.call(in.code)
	case opRefFunc:
		a := asm{b.out}
		b.out = a.i32(int32(b.w.reference(in.index))).idx(opTableGet, b.w.referenceTable()).b
	case opMemoryGrow:
		b.callHelper(helperKey{op: keyMemoryGrow})
	case opMisc:
		if bulk(in.sub) {
			b.callHelper(helperKey{in.sub, in.index, in.second})
		} else {
			b.copyInstr()
		}
	default:
		b.copyInstr()
	}
}

// bulk tells whether the price of a 0xfc instruction depends on an operand.
func bulk(sub uint32) bool {
	switch sub {
	case miscMemoryInit, miscMemoryCopy, miscMemoryFill, miscTableInit, miscTableCopy, miscTableGrow, miscTableFill:
		return true
	}
	return false
}

func (b *body) push() *label {
	added := b.labels[len(b.labels)-1].added
	b.labels = append(b.labels, label{op: b.in.op, entryDead: b.dead, added: added})
	return &b.labels[len(b.labels)-1]
}

// loop writes a loop that checks the counter each time round. The refill is
// kept out of it, in a second loop around it: a call inside would make the
// engine spill whatever the loop keeps in registers, which costs up to three
// times what the check costs. All of a loop's state is in locals, so leaving
// and coming back changes nothing. A loop with parameters has state on the
// operand stack too and gets the plain check.
func (b *body) loop() {
	b.cut()
	l := b.push()
	if b.dead || b.in.params {
		b.copyInstr()
		b.begin(true)
		return
	}
	l.wrapped = true
	l.added++
	b.copyInstr()
	b.checkHere(func(a *asm) { b.refill(a.op(opIf, emptyBlock)).op(opEnd) })
	b.copyInstr()
	b.checkHere(func(a *asm) { a.idx(opBrIf, 1) })
	b.begin(false)
}

func (b *body) elseBranch() {
	l := &b.labels[len(b.labels)-1]
	if l.op != opIf {
		b.d.r.fail("else without if")
		return
	}
	b.cut()
	l.op, l.alive = opElse, l.alive || !b.dead
	b.dead = l.entryDead
	b.copyInstr()
	b.begin(false)
}

func (b *body) endBlock() {
	l := b.labels[len(b.labels)-1]
	b.labels = b.labels[:len(b.labels)-1]
	// A loop's label is its head: its end is reached only from above. So is the
	// end of a block that nothing branches to, and the basic block goes on.
	merges := l.op == opIf || l.op == opElse || l.op == 0 || l.op == opBlock && l.targeted
	if merges {
		b.cut()
	}
	reached := l.alive || l.op == opBlock && l.targeted || l.op == opElse && l.targeted || l.op == opIf
	b.dead = l.entryDead || b.dead && !reached
	b.copyInstr()
	if l.wrapped {
		b.out = append(b.out, opEnd)
	}
	if l.op == 0 {
		b.functionEnd()
		return
	}
	if merges {
		b.begin(false)
	}
}

// functionEnd closes the function: with one exit, the end just copied closed the
// block around the body.
func (b *body) functionEnd() {
	if !b.oneExit() {
		return
	}
	a := &asm{b.out}
	if b.local {
		a.get(b.tmp).idx(opGlobalSet, b.w.fuelGlobal())
	}
	if b.frame > 0 {
		a.idx(opGlobalGet, b.w.stackGlobal()).i32(b.frame).op(opI32Add).idx(opGlobalSet, b.w.stackGlobal())
	}
	b.out = a.op(opEnd).b
}

func (b *body) branch() {
	in := &b.in
	a := &asm{}
	if in.op == opBrTable {
		a.idx(opBrTable, uint32(len(in.labels)-1))
		for _, l := range in.labels {
			a.b = appendU32(a.b, b.target(l))
		}
	} else {
		a.idx(in.op, b.target(in.index))
	}
	b.cut()
	b.out = append(b.out, a.b...)
	b.dead = b.dead || in.op != opBrIf
	b.begin(false)
}

// target marks the label as branched to and returns its depth in what is
// written, where the pass's own labels count too.
func (b *body) target(depth uint32) uint32 {
	top := len(b.labels) - 1
	l := &b.labels[top-int(depth)]
	l.targeted = true
	return depth + b.labels[top].added - l.added
}

// leave is return and unreachable. With one exit, return becomes a branch to it;
// unreachable saves a counter that is in a local first.
func (b *body) leave() {
	b.cut()
	switch {
	case b.oneExit() && b.in.op == opReturn:
		b.out = appendU32(append(b.out, opBr), b.target(uint32(len(b.labels)-1)))
	case b.local:
		a := asm{b.out}
		b.out = a.get(b.tmp).idx(opGlobalSet, b.w.fuelGlobal()).op(opUnreachable).b
	default:
		b.copyInstr()
	}
	b.dead = true
	b.begin(false)
}

func (b *body) callHelper(key helperKey) {
	if _, known := b.w.byKey[key]; !known && len(b.w.helpers) == b.w.o.opt.MaxBulk {
		b.d.r.fail("more than %d different bulk operations", b.w.o.opt.MaxBulk)
		return
	}
	b.call((&asm{}).idx(opCall, b.w.helper(key)).b)
}

// call hands the counter over to another function and takes it back.
func (b *body) call(instr []byte) {
	a := asm{b.out}
	if b.local {
		a.get(b.tmp).idx(opGlobalSet, b.w.fuelGlobal())
	}
	a.op(instr...)
	if b.local {
		a.idx(opGlobalGet, b.w.fuelGlobal()).set(b.tmp)
	}
	b.out = a.b
	if b.calls++; b.calls >= callsBetween {
		b.cut()
		b.begin(true)
	}
}

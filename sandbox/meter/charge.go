package meter

// How a basic block pays, and where the counter is looked at.

// begin starts a basic block here.
func (b *body) begin(check bool) {
	b.start, b.check, b.entry = len(b.out), check, false
	if check {
		b.calls = 0
	}
	if b.dead {
		b.cost = 0
	}
}

// cut ends the basic block and puts its charge in front of it.
func (b *body) cut() {
	if !b.dead {
		if seq := b.chargeSequence(); len(seq) > 0 {
			n := len(b.out)
			b.out = append(b.out, seq...)
			copy(b.out[b.start+len(seq):], b.out[b.start:n])
			copy(b.out[b.start:], seq)
		}
	}
	b.cost = 0
}

// chargeSequence is the code that charges the block, neutral to the operand stack.
func (b *body) chargeSequence() []byte {
	fuel := b.w.fuelGlobal()
	a := &asm{}
	if b.cost == 0 && !b.check && (!b.local || !b.entry) {
		return nil
	}
	if b.local && !b.entry {
		a.get(b.tmp)
	} else {
		a.idx(opGlobalGet, fuel)
	}
	if b.cost > 0 {
		a.i64(int64(b.cost)).op(opI64Sub)
	}
	switch {
	case b.local && !b.check:
		return a.set(b.tmp).b
	case b.local:
		a.idx(opLocalTee, b.tmp).i64(0).op(opI64LtS, opIf, emptyBlock)
		return a.get(b.tmp).idx(opCall, b.w.tick()).set(b.tmp).op(opEnd).b
	case !b.check:
		return a.idx(opGlobalSet, fuel).b
	}
	a.idx(opLocalTee, b.tmp).idx(opGlobalSet, fuel)
	a.get(b.tmp).i64(0).op(opI64LtS, opIf, emptyBlock)
	return a.get(b.tmp).idx(opCall, b.w.tick()).idx(opGlobalSet, fuel).op(opEnd).b
}

// checkHere leaves on the stack whether the counter is used up, for then.
func (b *body) checkHere(then func(*asm)) {
	a := &asm{b.out}
	b.load(a).i64(0).op(opI64LtS)
	then(a)
	b.out = a.b
}

// load pushes the counter from where it is kept.
func (b *body) load(a *asm) *asm {
	if b.local {
		return a.get(b.tmp)
	}
	return a.idx(opGlobalGet, b.w.fuelGlobal())
}

// refill calls tick with the counter and keeps what it returns.
func (b *body) refill(a *asm) *asm {
	b.load(a).idx(opCall, b.w.tick())
	if b.local {
		return a.set(b.tmp)
	}
	return a.idx(opGlobalSet, b.w.fuelGlobal())
}

// takeStack counts the call against the stack, at the function's entry. There
// is one function that stops guests, so it is told by a fuel that no slice has.
func (b *body) takeStack() {
	stack, tmp := b.w.stackGlobal(), b.tmp+1
	a := &asm{b.out}
	a.idx(opGlobalGet, stack).i32(b.frame).op(opI32Sub).idx(opLocalTee, tmp).idx(opGlobalSet, stack)
	a.get(tmp).i32(0).op(opI32LtS, opIf, emptyBlock)
	a.i64(OutOfStack).idx(opCall, b.w.tick()).op(opDrop, opUnreachable, opEnd)
	b.out = a.b
}

package meter

// keyMemoryGrow is the helperKey.op of memory.grow, beyond all sub-opcodes.
const keyMemoryGrow = 1 << 16

// chunk is how many bytes a bulk operation moves between two looks at the fuel:
// about a tenth of a millisecond.
const chunk = 1 << 20

// buildHelper writes the function that replaces an instruction of variable price.
func (w *writer) buildHelper(key helperKey) (t FuncType, locals []localRun, code []byte) {
	three := FuncType{Params: []ValueType{I32, I32, I32}}
	a := &asm{}
	switch key.op {
	case keyMemoryGrow:
		t = FuncType{Params: []ValueType{I32}, Results: []ValueType{I32}}
		locals = []localRun{{1, I64}, {1, I32}}
		w.grow(a, growth{
			count: 0, fuel: 1, result: 2, limit: w.pagesGlobal(), price: PageFuel,
			size: func() { a.op(opMemorySize, 0) },
			grow: func() { a.get(0).op(opMemoryGrow, 0) },
		})
	case miscTableGrow:
		t = FuncType{Params: []ValueType{w.o.tableTypes[key.a], I32}, Results: []ValueType{I32}}
		locals = []localRun{{1, I64}, {1, I32}}
		w.grow(a, growth{
			count: 1, fuel: 2, result: 3, limit: w.elementsGlobal(), price: ElementFuel,
			size: func() { a.misc(miscTableSize, key.a) },
			grow: func() { a.get(0).get(1).misc(miscTableGrow, key.a) },
		})
	case miscMemoryFill:
		t, locals = three, []localRun{{1, I64}}
		w.fill(a)
	case miscMemoryCopy:
		t, locals = three, []localRun{{1, I64}}
		w.copy(a)
	case miscMemoryInit:
		t, locals = three, []localRun{{1, I64}}
		w.charge(a, 3, func() { a.get(2).op(opI64ExtendU).i64(4).op(opI64ShrU) })
		a.get(0).get(1).get(2).misc(key.op, key.a, 0)
	case miscTableFill:
		t = FuncType{Params: []ValueType{I32, w.o.tableTypes[key.a], I32}}
		locals = []localRun{{1, I64}}
		w.charge(a, 3, func() { a.get(2).op(opI64ExtendU) })
		a.get(0).get(1).get(2).misc(key.op, key.a)
	default: // table.init, table.copy
		t, locals = three, []localRun{{1, I64}}
		w.charge(a, 3, func() { a.get(2).op(opI64ExtendU) })
		a.get(0).get(1).get(2).misc(key.op, key.a, key.b)
	}
	return t, locals, a.op(opEnd).b
}

// charge takes an amount that is on the operand stack after amount() from the
// fuel global, and refills when it is used up. tmp is an i64 local.
func (w *writer) charge(a *asm, tmp uint32, amount func()) {
	a.idx(opGlobalGet, w.fuelGlobal())
	amount()
	a.op(opI64Sub).idx(opLocalTee, tmp).idx(opGlobalSet, w.fuelGlobal())
	a.get(tmp).i64(0).op(opI64LtS, opIf, emptyBlock)
	a.get(tmp).idx(opCall, w.tick()).idx(opGlobalSet, w.fuelGlobal())
	a.op(opEnd)
}

type growth struct {
	count, fuel, result uint32 // locals
	limit               uint32 // global that holds the limit
	price               int64  // fuel for one unit
	size, grow          func() // leave the present size, and the result of growing
}

// grow refuses what is over the limit, remembers every refusal (guests turn
// them into ordinary failures), and charges for what was granted.
func (w *writer) grow(a *asm, g growth) {
	g.size()
	a.op(opI64ExtendU).get(g.count).op(opI64ExtendU, opI64Add)
	a.idx(opGlobalGet, g.limit).op(opI64ExtendU, opI64GtU, opIf, emptyBlock)
	a.i32(1).idx(opGlobalSet, w.refusedGlobal()).i32(-1).op(opReturn)
	a.op(opEnd)
	g.grow()
	a.idx(opLocalTee, g.result).i32(-1).op(opI32Eq, opIf, emptyBlock)
	a.i32(1).idx(opGlobalSet, w.refusedGlobal())
	a.op(opElse)
	w.charge(a, g.fuel, func() { a.get(g.count).op(opI64ExtendU).i64(g.price).op(opI64Mul) })
	a.op(opEnd).get(g.result)
}

// outOfBounds leaves 1 if the n bytes (local 2) at the address do not lie in memory.
func outOfBounds(a *asm, address uint32) {
	a.get(address).op(opI64ExtendU).get(2).op(opI64ExtendU, opI64Add)
	a.op(opMemorySize, 0, opI64ExtendU).i64(16).op(opI64Shl, opI64GtU)
}

func (w *writer) chargeChunk(a *asm) {
	w.charge(a, 3, func() { a.i64(chunk / BytesPerFuel) })
}

func (w *writer) chargeRest(a *asm) {
	w.charge(a, 3, func() { a.get(2).op(opI64ExtendU).i64(4).op(opI64ShrU) })
}

// fill is memory.fill(d, v, n) in chunks. What is out of bounds goes to the
// instruction as it is, which traps before it writes.
func (w *writer) fill(a *asm) {
	outOfBounds(a, 0)
	a.op(opIf, emptyBlock).get(0).get(1).get(2).misc(miscMemoryFill, 0).op(opReturn, opEnd)
	a.op(opLoop, emptyBlock)
	a.get(2).i32(chunk).op(opI32GtU, opIf, emptyBlock)
	w.chargeChunk(a)
	a.get(0).get(1).i32(chunk).misc(miscMemoryFill, 0)
	a.get(0).i32(chunk).op(opI32Add).set(0)
	a.get(2).i32(chunk).op(opI32Sub).set(2)
	a.idx(opBr, 1).op(opEnd, opEnd)
	w.chargeRest(a)
	a.get(0).get(1).get(2).misc(miscMemoryFill, 0)
}

// copy is memory.copy(d, s, n) in chunks, from the end where the ranges overlap upwards.
func (w *writer) copy(a *asm) {
	for address := range uint32(2) {
		outOfBounds(a, address)
		a.op(opIf, emptyBlock).get(0).get(1).get(2).misc(miscMemoryCopy, 0, 0).op(opReturn, opEnd)
	}
	a.op(opLoop, emptyBlock)
	a.get(2).i32(chunk).op(opI32GtU, opIf, emptyBlock)
	w.chargeChunk(a)
	a.get(2).i32(chunk).op(opI32Sub).set(2)
	a.get(0).get(1).op(opI32GtU, opIf, emptyBlock)
	a.get(0).get(2).op(opI32Add).get(1).get(2).op(opI32Add).i32(chunk).misc(miscMemoryCopy, 0, 0)
	a.op(opElse)
	a.get(0).get(1).i32(chunk).misc(miscMemoryCopy, 0, 0)
	a.get(0).i32(chunk).op(opI32Add).set(0)
	a.get(1).i32(chunk).op(opI32Add).set(1)
	a.op(opEnd)
	a.idx(opBr, 1).op(opEnd, opEnd)
	w.chargeRest(a)
	a.get(0).get(1).get(2).misc(miscMemoryCopy, 0, 0)
}

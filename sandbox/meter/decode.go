package meter

// instr is one decoded instruction.
type instr struct {
	op     byte
	sub    uint32 // behind opMisc and opVector
	index  uint32 // function, local, global, type, label depth, segment or table
	second uint32 // the other index of two
	labels []uint32
	params bool // of a block: its type has parameters
	// code is the instruction in its shortest form. The engine gets this, never
	// the guest's bytes: engines differ in how they read integers that are
	// longer than they need to be, and what one reads as an operand another
	// would run as code.
	code []byte
}

// decoder reads the instructions of one function body and checks every index
// against the original module, so that nothing the pass adds can be named by
// the guest.
type decoder struct {
	r       reader
	m       *original
	locals  uint32
	depth   int // open blocks; the function body itself is one
	in      *instr
	targets int // of all br_table so far
}

// next decodes one instruction into in, whose slices are reused.
func (d *decoder) next(in *instr) {
	r := &d.r
	*in = instr{labels: in.labels[:0], code: in.code[:0]}
	d.in = in
	in.op = d.byte()
	switch op := in.op; {
	case plain(op), op == opUnreachable, op == opNop, op == opReturn:
	case memoryAccess(op):
		d.memoryArgument()
	default:
		d.immediate(in)
	}
	if r.err != nil {
		in.code = in.code[:0]
	}
}

// The reads of an instruction's parts, each of which writes what it read.

func (d *decoder) byte() byte {
	c := d.r.byte()
	d.in.code = append(d.in.code, c)
	return c
}

func (d *decoder) bytes(n uint32) { d.in.code = append(d.in.code, d.r.bytes(n)...) }

func (d *decoder) u32() uint32 {
	v := d.r.u32()
	d.in.code = appendU32(d.in.code, v)
	return v
}

func (d *decoder) signed(size uint) int64 {
	v := d.r.signed(size)
	d.in.code = appendS64(d.in.code, v)
	return v
}

func (d *decoder) immediate(in *instr) {
	r, m := &d.r, d.m
	switch in.op {
	case opBlock, opLoop, opIf:
		d.blockType(in)
		if d.depth++; d.depth > m.opt.MaxNesting {
			r.fail("blocks nested deeper than %d", m.opt.MaxNesting)
		}
	case opElse:
	case opEnd:
		d.depth--
	case opBr, opBrIf:
		in.index = d.label()
	case opBrTable:
		n := r.count("branch targets", m.opt.MaxBranchTargets-d.targets)
		d.targets += n
		for range n + 1 {
			in.labels = append(in.labels, d.label())
		}
	case opCall, opRefFunc:
		in.index = d.index("function", m.functions())
	case opCallIndirect:
		in.index = d.index("type", len(m.types))
		in.second = d.index("table", m.tables)
	case opSelectTyped:
		n := r.count("types of select", 1)
		in.code = appendU32(in.code, uint32(n))
		for range n {
			d.valueType()
		}
	case opLocalGet, opLocalSet, opLocalTee:
		in.index = d.index("local", int(d.locals))
	case opGlobalGet, opGlobalSet:
		in.index = d.index("global", m.globals)
	case opTableGet, opTableSet:
		in.index = d.index("table", m.tables)
	case opMemorySize, opMemoryGrow:
		d.zero("memory")
	case opI32Const:
		d.signed(32)
	case opI64Const:
		d.signed(64)
	case opF32Const:
		d.bytes(4)
	case opF64Const:
		d.bytes(8)
	case opRefNull:
		if t := d.byte(); t != byte(FuncRef) && t != byte(ExternRef) {
			r.fail("unknown reference type 0x%02x", t)
		}
	case opMisc:
		d.misc(in)
	case opVector:
		d.vector(in)
	default:
		if name := outside(in.op); name != "" {
			r.fail("opcode 0x%02x is not accepted: %s", in.op, name)
		} else {
			r.fail("unknown opcode 0x%02x", in.op)
		}
	}
}

func (d *decoder) misc(in *instr) {
	r, m := &d.r, d.m
	in.sub = d.u32()
	switch in.sub {
	case 0, 1, 2, 3, 4, 5, 6, 7: // saturating conversions
	case miscMemoryInit:
		in.index = d.index("data segment", m.dataSegments)
		d.zero("memory")
	case miscDataDrop:
		in.index = d.index("data segment", m.dataSegments)
	case miscMemoryCopy:
		d.zero("memory")
		d.zero("memory")
	case miscMemoryFill:
		d.zero("memory")
	case miscTableInit:
		in.index = d.index("element segment", m.elements)
		in.second = d.index("table", m.tables)
	case miscElemDrop:
		in.index = d.index("element segment", m.elements)
	case miscTableCopy:
		in.index = d.index("table", m.tables)
		in.second = d.index("table", m.tables)
	case miscTableGrow, miscTableSize, miscTableFill:
		in.index = d.index("table", m.tables)
	default:
		r.fail("unknown opcode 0xfc %d", in.sub)
	}
}

func (d *decoder) vector(in *instr) {
	r := &d.r
	in.sub = d.u32()
	switch vectorImmediate(in.sub) {
	case vectorPlain:
	case vectorMemory:
		d.memoryArgument()
	case vectorMemoryLane:
		d.memoryArgument()
		d.byte()
	case vectorLane:
		d.byte()
	case vectorBytes:
		d.bytes(16)
	case vectorOutside:
		r.fail("SIMD opcode %d is not accepted: relaxed SIMD", in.sub)
	}
}

func (d *decoder) memoryArgument() {
	if align := d.u32(); align >= 32 {
		d.r.fail("memory argument not accepted: multiple memories")
	}
	d.u32()
}

// zero reads an index that must be 0: there is one memory at most.
func (d *decoder) zero(what string) {
	if d.byte() != 0 {
		d.r.fail("%s index other than 0 is not accepted: multiple memories", what)
	}
}

func (d *decoder) index(what string, n int) uint32 {
	i := d.u32()
	if d.r.err == nil && uint64(i) >= uint64(n) {
		d.r.fail("%s %d does not exist", what, i)
		return 0
	}
	return i
}

func (d *decoder) label() uint32 {
	i := d.u32()
	if d.r.err == nil && uint64(i) >= uint64(d.depth) {
		d.r.fail("label %d does not exist", i)
		return 0
	}
	return i
}

func (d *decoder) blockType(in *instr) {
	r := &d.r
	if r.pos < len(r.b) && (r.b[r.pos] == emptyBlock || ValueType(r.b[r.pos]).known()) {
		d.byte()
		return
	}
	t := d.signed(33)
	if r.err == nil && (t < 0 || t >= int64(len(d.m.types))) {
		r.fail("block type %d does not exist", t)
	}
	if r.err == nil {
		in.params = len(d.m.types[t].Params) > 0
	}
}

func (d *decoder) valueType() ValueType {
	t := ValueType(d.byte())
	if d.r.err == nil && !t.known() {
		d.r.fail("unknown value type 0x%02x", byte(t))
	}
	return t
}

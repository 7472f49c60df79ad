package meter

import "github.com/svc-platform/svc/sandbox"

// The sections that describe a module's state: tables, memory, globals,
// segments, and the bodies that work on them.

func (m *original) tableSection(r *reader) {
	m.tables = r.count("tables", m.opt.MaxTables)
	items := r.pos
	for range m.tables {
		t := ValueType(r.byte())
		if r.err == nil && t != FuncRef && t != ExternRef {
			r.fail("table type 0x%02x is not accepted: typed function references", byte(t))
		}
		lo, _, _ := limits(r, "table")
		m.minTable = max(m.minTable, lo)
		m.tableTypes = append(m.tableTypes, t)
	}
	m.tableItems = r.b[items:r.pos]
}

func (m *original) memorySection(r *reader) {
	n := r.u32()
	if n > 1 {
		r.fail("%d memories are not accepted: multiple memories", n)
	}
	if r.err != nil || n == 0 {
		return
	}
	m.hasMemory = true
	m.minPages, m.maxPages, m.hasMaxPages = limits(r, "memory")
	if r.err == nil && (m.minPages > 65536 || m.maxPages > 65536) {
		r.fail("a memory of more than 65536 pages")
	}
}

// limits reads the minimum and maximum of a table or memory.
func limits(r *reader, what string) (lo, hi uint32, hasMax bool) {
	switch flag := r.byte(); {
	case r.err != nil:
		return 0, 0, false
	case flag > 7:
		r.fail("%s limits of kind %d are not known", what, flag)
	case flag&4 != 0:
		r.fail("a 64-bit %s is not accepted: memory64", what)
	case flag&2 != 0:
		r.fail("a shared %s is not accepted: threads", what)
	default:
		hasMax = flag == 1
	}
	lo = r.u32()
	if hasMax {
		hi = r.u32()
		if r.err == nil && hi < lo {
			r.fail("the maximum of a %s is below its minimum", what)
		}
	}
	return lo, hi, hasMax
}

func (m *original) globalSection(r *reader) {
	n := r.count("globals", m.opt.MaxGlobals)
	for range n {
		at := r.pos
		t := m.valueType(r)
		if mutable := r.byte(); r.err == nil && mutable > 1 {
			r.fail("mutability %d is not known", mutable)
		}
		m.globalItems = append(m.globalItems, r.b[at:r.pos]...)
		m.globalItems = m.constant(r, m.globalItems)
		if r.err != nil {
			return
		}
		m.globals++
		m.globalTypes = append(m.globalTypes, t)
	}
}

// constant copies a constant expression to out, in its shortest form and with
// function indices shifted. A global.get would have to name an imported global,
// and none can be imported.
func (m *original) constant(r *reader, out []byte) []byte {
	op := r.byte()
	out = append(out, op)
	switch op {
	case opI32Const:
		out = appendS64(out, r.signed(32))
	case opI64Const:
		out = appendS64(out, r.signed(64))
	case opF32Const:
		out = append(out, r.bytes(4)...)
	case opF64Const:
		out = append(out, r.bytes(8)...)
	case opVector:
		sub := r.u32()
		if sub != 12 {
			r.fail("SIMD opcode %d in a constant expression", sub)
		}
		out = append(appendU32(out, sub), r.bytes(16)...)
	case opRefNull:
		t := r.byte()
		if r.err == nil && t != byte(FuncRef) && t != byte(ExternRef) {
			r.fail("unknown reference type 0x%02x", t)
		}
		out = append(out, t)
	case opRefFunc:
		f := m.functionIndex(r)
		if r.err == nil {
			m.take(f)
		}
		out = appendU32(out, m.shift(f))
	case opGlobalGet:
		r.fail("a constant expression names a global that is not imported")
	default:
		r.fail("opcode 0x%02x in a constant expression is not accepted", op)
	}
	if end := r.byte(); r.err == nil && end != opEnd {
		r.fail("constant expressions of more than one instruction are not accepted")
	}
	return append(out, opEnd)
}

// elementSection rewrites every segment: its function indices move.
func (m *original) elementSection(r *reader) {
	n := r.count("element segments", m.opt.MaxSegments)
	for range n {
		flag := r.u32()
		if r.err == nil && flag > 7 {
			r.fail("element segment of kind %d", flag)
		}
		out := appendU32(m.elementItems, flag)
		if flag&1 == 0 { // active
			if flag&2 != 0 {
				t := r.u32()
				if r.err == nil && uint64(t) >= uint64(m.tables) {
					r.fail("table %d does not exist", t)
				}
				out = appendU32(out, t)
			} else if r.err == nil && m.tables == 0 {
				r.fail("an element segment without a table")
			}
			out = m.constant(r, out)
		}
		if flag&3 != 0 {
			out = append(out, r.byte()) // element kind or reference type
		}
		m.elementItems = m.elementItemsOf(r, out, flag&4 != 0)
		if r.err != nil {
			return
		}
		m.elements++
	}
}

func (m *original) elementItemsOf(r *reader, out []byte, expressions bool) []byte {
	n := r.count("elements of all segments", m.opt.MaxElements-m.elementCount)
	m.elementCount += n
	out = appendU32(out, uint32(n))
	for range n {
		if expressions {
			out = m.constant(r, out)
		} else {
			f := m.functionIndex(r)
			if r.err == nil {
				m.take(f)
			}
			out = appendU32(out, m.shift(f))
		}
		if r.err != nil {
			return out
		}
	}
	return out
}

func (m *original) codeSection(r *reader) {
	n := r.count("function bodies", len(m.defined))
	m.bodies = make([][]byte, 0, n)
	for range n {
		size := r.u32()
		if r.err == nil && uint64(size) > uint64(m.opt.MaxBody) {
			r.fail("a function body of %d bytes, the limit is %d", size, m.opt.MaxBody)
		}
		m.bodies = append(m.bodies, r.bytes(size))
	}
}

// countData walks over the data segments: their number must agree with the
// data count section, and nothing in them needs to change.
func (m *original) countData(r *reader, n int) {
	if m.dataSegments >= 0 && n != m.dataSegments {
		r.fail("%d data segments where the data count says %d", n, m.dataSegments)
	}
	for range n {
		switch flag := r.u32(); {
		case r.err != nil:
			return
		case flag > 1:
			r.fail("a data segment for another memory is not accepted: multiple memories")
			return
		case flag == 0:
			if !m.hasMemory {
				r.fail("a data segment without a memory")
			}
			m.constant(r, nil)
		}
		r.bytes(r.u32())
		if r.err != nil {
			return
		}
	}
}

// bodyReader starts a reader on a function body, past its local declarations,
// whose types it returns as (count, type) runs.
func (m *original) bodyReader(i int) (d decoder, runs []localRun, err error) {
	t := m.types[m.defined[i]]
	d = decoder{r: reader{b: m.bodies[i]}, m: m, depth: 1}
	total := uint64(len(t.Params))
	groups := d.r.count("groups of locals", m.opt.MaxLocals)
	for range groups {
		run := localRun{n: d.r.u32(), t: m.valueType(&d.r)}
		if total += uint64(run.n); total > uint64(m.opt.MaxLocals) {
			return d, nil, sandbox.Trapf(sandbox.InvalidModule, "function %d has more than %d locals", i+len(m.imports), m.opt.MaxLocals)
		}
		runs = append(runs, run)
	}
	d.locals = uint32(total)
	return d, runs, d.r.err
}

// localRun is a group of locals of one type.
type localRun struct {
	n uint32
	t ValueType
}

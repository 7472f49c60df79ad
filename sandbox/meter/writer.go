package meter

import "slices"

// writer builds the rewritten module: the original's functions with charges,
// then the helpers that they call.
type writer struct {
	o       *original
	extra   []FuncType        // types that the original did not have
	types   map[string]uint32 // index of each type, by its encoding
	code    [][]byte          // bodies in the order of their indices
	helpers []helper
	byKey   map[helperKey]uint32 // place in helpers
	refs    []uint32             // functions that ref.func names, as the original counts them
	refSlot map[uint32]uint32    // place in refs
}

// helper is a function of ours that stands in for an instruction whose price
// depends on an operand.
type helper struct {
	key  helperKey
	typ  uint32
	body []byte
}

type helperKey struct{ op, a, b uint32 } // sub-opcode (or opMemoryGrow) and its indices

func newWriter(o *original) *writer {
	w := &writer{o: o, types: make(map[string]uint32, len(o.types)), byKey: map[helperKey]uint32{}, refSlot: map[uint32]uint32{}}
	for i, t := range o.types {
		if _, ok := w.types[t.key()]; !ok {
			w.types[t.key()] = uint32(i)
		}
	}
	return w
}

// Indices of what the pass adds, all behind what the original can name.
func (w *writer) tick() uint32           { return uint32(len(w.o.imports)) }
func (w *writer) fuelGlobal() uint32     { return uint32(w.o.globals) }
func (w *writer) pagesGlobal() uint32    { return uint32(w.o.globals + 1) }
func (w *writer) elementsGlobal() uint32 { return uint32(w.o.globals + 2) }
func (w *writer) refusedGlobal() uint32  { return uint32(w.o.globals + 3) }
func (w *writer) stackGlobal() uint32    { return uint32(w.o.globals + 4) }

// typeIndex finds or adds a function type.
func (w *writer) typeIndex(t FuncType) uint32 {
	i, ok := w.types[t.key()]
	if !ok {
		i = uint32(len(w.o.types) + len(w.extra))
		w.extra = append(w.extra, t)
		w.types[t.key()] = i
	}
	return i
}

// helper returns the function index of the helper for key, building it on first use.
func (w *writer) helper(key helperKey) uint32 {
	i, ok := w.byKey[key]
	if !ok {
		t, locals, code := w.buildHelper(key)
		i = uint32(len(w.helpers))
		w.helpers = append(w.helpers, helper{key: key, typ: w.typeIndex(t), body: assemble(locals, code)})
		w.byKey[key] = i
	}
	return uint32(w.o.functions()) + 1 + i
}

// reference returns the slot of a function in the table of references. A
// ref.func becomes a read of that table, because wazero allocates for every
// ref.func that runs, and frees with the instance.
func (w *writer) reference(f uint32) uint32 {
	slot, ok := w.refSlot[f]
	if !ok {
		slot = uint32(len(w.refs))
		w.refs = append(w.refs, f)
		w.refSlot[f] = slot
	}
	return slot
}

// referenceTable is the index of that table, behind the original's.
func (w *writer) referenceTable() uint32 { return uint32(w.o.tables) }

func (w *writer) canGrow() bool {
	return slices.ContainsFunc(w.helpers, func(h helper) bool {
		return h.key.op == keyMemoryGrow || h.key.op == miscTableGrow
	})
}

// bodies looks at every function, and then rewrites them.
func (w *writer) bodies() error {
	b := &body{w: w}
	shapes := make([]shape, len(w.o.bodies))
	for i := range w.o.bodies {
		d, _, err := w.o.bodyReader(i)
		if err == nil {
			shapes[i], err = b.scan(d)
		}
		if err != nil {
			return err
		}
	}
	recursive := w.o.graph(shapes).recursive(len(w.o.types))
	w.code = make([][]byte, len(w.o.bodies))
	for i := range w.o.bodies {
		code, err := b.rewrite(i, shapes[i], recursive[i])
		if err != nil {
			return err
		}
		w.code[i] = code
	}
	return nil
}

// module writes the sections in order. Custom sections are left out: the host
// has them, engines do not need them.
func (w *writer) module() []byte {
	o := w.o
	tickType := w.typeIndex(FuncType{Params: []ValueType{I64}, Results: []ValueType{I64}})
	b := slices.Clone(header)

	s := append(appendU32(nil, uint32(len(o.types)+len(w.extra))), o.typeItems...)
	for _, t := range w.extra {
		s = typeBytes(typeBytes(append(s, 0x60), t.Params), t.Results)
	}
	b = appendSection(b, secType, s)

	s = append(appendU32(nil, uint32(len(o.imports)+1)), o.importItems...)
	s = appendU32(append(appendName(appendName(s, TickModule), TickName), byte(ExportFunc)), tickType)
	b = appendSection(b, secImport, s)

	s = appendU32(nil, uint32(len(o.defined)+len(w.helpers)))
	for _, t := range o.defined {
		s = appendU32(s, t)
	}
	for _, h := range w.helpers {
		s = appendU32(s, h.typ)
	}
	b = appendSection(b, secFunction, s)

	if s := w.tables(); s != nil {
		b = appendSection(b, secTable, s)
	}
	if o.hasMemory {
		b = appendSection(b, secMemory, w.memory())
	}
	b = appendSection(b, secGlobal, w.globals())
	b = appendSection(b, secExport, w.exports())
	if s := w.elementSection(); s != nil {
		b = appendSection(b, secElement, s)
	}
	if o.dataCountSec != nil {
		b = appendSection(b, secDataCount, o.dataCountSec)
	}
	b = appendSection(b, secCode, w.codeSection())
	if o.dataSec != nil {
		b = appendSection(b, secData, o.dataSec)
	}
	return b
}

// maxMemory is what the rewritten memory states as its maximum: always one, so
// that an engine can reserve address space instead of moving the memory when it
// grows, and never the full 4 GiB, whose length does not fit 32 bits.
func (m *original) maxMemory() uint32 {
	hi := uint32(65535)
	if m.hasMaxPages {
		hi = min(hi, m.maxPages)
	}
	return max(hi, m.minPages)
}

func (w *writer) memory() []byte {
	return appendU32(appendU32([]byte{1, 1}, w.o.minPages), w.o.maxMemory())
}

// tables is the original's tables and, where it is needed, that of references.
func (w *writer) tables() []byte {
	n := len(w.refs)
	if w.o.tables == 0 && n == 0 {
		return nil
	}
	s := append(appendU32(nil, uint32(w.o.tables+min(n, 1))), w.o.tableItems...)
	if n > 0 {
		s = appendU32(append(s, byte(FuncRef), 1), uint32(n))
		s = appendU32(s, uint32(n))
	}
	return s
}

func (w *writer) elementSection() []byte {
	n := len(w.refs)
	if w.o.elements == 0 && n == 0 {
		return nil
	}
	s := append(appendU32(nil, uint32(w.o.elements+min(n, 1))), w.o.elementItems...)
	if n > 0 { // active, for a table by index, functions by index
		s = appendU32(append(s, 2), w.referenceTable())
		s = appendU32(append(s, opI32Const, 0, opEnd, 0), uint32(n))
		for _, f := range w.refs {
			s = appendU32(s, w.o.shift(f))
		}
	}
	return s
}

func (w *writer) globals() []byte {
	s := append(appendU32(nil, uint32(w.o.globals+5)), w.o.globalItems...)
	s = append(s, byte(I64), 1, opI64Const, 0, opEnd) // fuel
	for range 3 {                                     // pages, elements, refused
		s = append(s, byte(I32), 1, opI32Const, 0, opEnd)
	}
	a := asm{append(s, byte(I32), 1)}
	return a.i32(stackWords).op(opEnd).b
}

func (w *writer) exports() []byte {
	o := w.o
	n := len(o.exports) + 4
	if o.start >= 0 {
		n++
	}
	s := appendU32(nil, uint32(n))
	for i, e := range o.exports {
		s = appendU32(append(appendName(s, e.Name), byte(e.Kind)), o.exportIndex[i])
	}
	for i, name := range []string{FuelGlobal, PagesGlobal, ElementsGlobal, RefusedGlobal} {
		s = appendU32(append(appendName(s, name), byte(ExportGlobal)), w.fuelGlobal()+uint32(i))
	}
	if o.start >= 0 {
		s = appendU32(append(appendName(s, StartFunc), byte(ExportFunc)), o.shift(uint32(o.start)))
	}
	return s
}

func (w *writer) codeSection() []byte {
	n := 10
	for _, c := range w.code {
		n += len(c) + 5
	}
	s := appendU32(make([]byte, 0, n), uint32(len(w.code)+len(w.helpers)))
	for _, c := range w.code {
		s = append(appendU32(s, uint32(len(c))), c...)
	}
	for _, h := range w.helpers {
		s = append(appendU32(s, uint32(len(h.body))), h.body...)
	}
	return s
}

// assemble puts local declarations in front of code.
func assemble(locals []localRun, code []byte) []byte {
	b := appendU32(make([]byte, 0, len(code)+len(locals)*3+2), uint32(len(locals)))
	for _, l := range locals {
		b = append(appendU32(b, l.n), byte(l.t))
	}
	return append(b, code...)
}

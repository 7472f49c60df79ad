package meter

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/svc-platform/svc/sandbox"
)

// Section ids of the binary format.
const (
	secCustom = iota
	secType
	secImport
	secFunction
	secTable
	secMemory
	secGlobal
	secExport
	secStart
	secElement
	secCode
	secData
	secDataCount
	secTag
)

// original is the decoded module. Sections that the pass only passes on are
// kept as bytes.
type original struct {
	opt     Options
	types   []FuncType
	imports []Import
	defined []uint32 // type index of each defined function

	tables       int
	tableTypes   []ValueType
	hasMemory    bool
	globals      int
	globalTypes  []ValueType
	minPages     uint32
	maxPages     uint32
	hasMaxPages  bool
	minTable     uint32
	elements     int
	elementCount int // of all segments
	dataSegments int
	start        int // function index, or -1
	exports      []Export
	exportIndex  []uint32
	bodies       [][]byte
	taken        []bool // by defined function: a table may hold it
	customs      []Custom
	customBytes  int

	// Content of the sections, without their counts where items are appended.
	typeItems, importItems, globalItems []byte
	tableItems, dataSec, dataCountSec   []byte
	elementItems                        []byte // function indices already shifted
}

func (m *original) functions() int { return len(m.imports) + len(m.defined) }

func (m *original) funcType(i uint32) FuncType {
	if n := uint32(len(m.imports)); i >= n {
		return m.types[m.defined[i-n]]
	}
	return m.imports[i].Type
}

// shift maps a function index of the original to the rewritten module, where
// the tick import stands between the imported and the defined functions.
func (m *original) shift(i uint32) uint32 {
	if i >= uint32(len(m.imports)) {
		return i + 1
	}
	return i
}

var header = []byte{0, 'a', 's', 'm', 1, 0, 0, 0}

// order is the place of each section in a module; custom sections go anywhere.
var order = [...]byte{
	secType: 1, secImport: 2, secFunction: 3, secTable: 4, secMemory: 5, secTag: 6, secGlobal: 7,
	secExport: 8, secStart: 9, secElement: 10, secDataCount: 11, secCode: 12, secData: 13, secCustom: 0,
}

func parse(wasm []byte, opt Options) (*original, error) {
	if !bytes.HasPrefix(wasm, header) {
		return nil, notAModule(wasm)
	}
	m := &original{opt: opt, start: -1, dataSegments: -1}
	r := &reader{b: wasm, pos: len(header)}
	var last byte
	for !r.done() {
		id := r.byte()
		size := r.u32()
		at := r.pos
		body := r.bytes(size)
		if r.err != nil {
			break
		}
		if int(id) >= len(order) {
			r.fail("unknown section %d", id)
			break
		}
		if o := order[id]; o != 0 {
			if o <= last {
				r.fail("section %d is out of order", id)
				break
			}
			last = o
		}
		// A reader over the whole module up to the section's end keeps offsets meaningful.
		s := &reader{b: wasm[:at+len(body)], pos: at}
		m.section(id, s)
		if s.err == nil && id != secCustom && s.pos != len(s.b) {
			s.fail("section %d is longer than its content", id)
		}
		if s.err != nil {
			return nil, s.err
		}
	}
	if r.err != nil {
		return nil, r.err
	}
	m.dataSegments = max(m.dataSegments, 0)
	if len(m.bodies) != len(m.defined) {
		return nil, sandbox.Trapf(sandbox.InvalidModule, "%d functions are declared and %d have a body", len(m.defined), len(m.bodies))
	}
	return m, nil
}

// CustomSection finds a custom section without decoding the rest, so that a
// host can learn what a module is before it decides what the module may import.
// It returns nil if there is none.
func CustomSection(wasm []byte, name string) ([]byte, error) {
	if !bytes.HasPrefix(wasm, header) {
		return nil, notAModule(wasm)
	}
	r := &reader{b: wasm, pos: len(header)}
	for !r.done() {
		id := r.byte()
		s := &reader{b: r.bytes(r.u32())}
		if id == secCustom && s.name() == name && s.err == nil {
			return s.b[s.pos:], r.err
		}
	}
	return nil, r.err
}

func notAModule(wasm []byte) error {
	switch {
	case len(wasm) >= 8 && bytes.HasPrefix(wasm, header[:4]) && wasm[6] == 1:
		return sandbox.Trapf(sandbox.InvalidModule, "this is a component, not a core module: build a core module for wasm32-wasip1, or extract it with 'wasm-tools component unbundle'")
	case bytes.HasPrefix(wasm, header[:4]):
		return sandbox.Trapf(sandbox.InvalidModule, "the version of the WebAssembly format is not 1")
	}
	return sandbox.Trapf(sandbox.InvalidModule, "this is not a WebAssembly module: it does not begin with \\0asm")
}

func (m *original) section(id byte, r *reader) {
	switch id {
	case secCustom:
		m.custom(r)
	case secType:
		m.typeSection(r)
	case secImport:
		m.importSection(r)
	case secFunction:
		m.functionSection(r)
	case secTable:
		m.tableSection(r)
	case secMemory:
		m.memorySection(r)
	case secGlobal:
		m.globalSection(r)
	case secExport:
		m.exportSection(r)
	case secStart:
		m.startSection(r)
	case secElement:
		m.elementSection(r)
	case secDataCount:
		m.dataCountSec = r.b[r.pos:]
		n := r.u32()
		if n > uint32(m.opt.MaxSegments) {
			r.fail("%d data segments, the limit is %d", n, m.opt.MaxSegments)
		}
		m.dataSegments = int(n)
	case secCode:
		m.codeSection(r)
	case secData:
		m.dataSec = r.b[r.pos:]
		n := r.count("data segments", m.opt.MaxSegments)
		m.countData(r, n)
	case secTag:
		r.fail("a tag section is not accepted: exception handling")
	}
}

// startSection takes the start function, which the engine will call like any other.
func (m *original) startSection(r *reader) {
	i := m.functionIndex(r)
	if r.err != nil {
		return
	}
	if t := m.funcType(i); i < uint32(len(m.imports)) || len(t.Params)+len(t.Results) > 0 {
		r.fail("the start function must be the module's own, without parameters and results")
	}
	m.start = int(i)
}

func (m *original) custom(r *reader) {
	size := len(r.b) - r.pos
	name := r.name()
	if m.customBytes += size; m.customBytes > m.opt.MaxCustom || len(m.customs) == m.opt.MaxCustoms {
		r.fail("more than %d custom sections, or than %d bytes of them", m.opt.MaxCustoms, m.opt.MaxCustom)
	}
	if r.err == nil {
		m.customs = append(m.customs, Custom{Name: name, Data: r.b[r.pos:]})
	}
}

func (m *original) typeSection(r *reader) {
	n := r.count("types", m.opt.MaxTypes)
	items := r.pos
	for range n {
		if form := r.byte(); r.err == nil && form != 0x60 {
			r.fail("type form 0x%02x is not accepted: garbage collection", form)
		}
		t := FuncType{Params: m.valueTypes(r), Results: m.valueTypes(r)}
		if r.err != nil {
			return
		}
		m.types = append(m.types, t)
	}
	m.typeItems = r.b[items:r.pos]
}

func (m *original) valueTypes(r *reader) []ValueType {
	n := r.count("parameters or results", m.opt.MaxParams)
	ts := make([]ValueType, 0, n)
	for range n {
		ts = append(ts, m.valueType(r))
	}
	return ts
}

func (m *original) valueType(r *reader) ValueType {
	t := ValueType(r.byte())
	if r.err == nil && !t.known() {
		r.fail("unknown value type 0x%02x", byte(t))
	}
	return t
}

func (m *original) importSection(r *reader) {
	n := r.count("imports", m.opt.MaxFunctions)
	items := r.pos
	for range n {
		module, name, kind := r.name(), r.name(), r.byte()
		if r.err != nil {
			return
		}
		if kind != byte(ExportFunc) {
			r.err = sandbox.Trapf(sandbox.ForbiddenImport, "%q.%q: only functions can be imported", module, name)
			return
		}
		t := m.typeIndex(r)
		if r.err != nil {
			return
		}
		if module == TickModule || m.opt.Import == nil || !m.opt.Import(module, name) {
			r.err = sandbox.Trapf(sandbox.ForbiddenImport, "%q.%q is not offered to this kind of module", module, name)
			return
		}
		m.imports = append(m.imports, Import{module, name, m.types[t]})
	}
	m.importItems = r.b[items:r.pos]
}

func (m *original) functionSection(r *reader) {
	n := r.count("functions", m.opt.MaxFunctions-len(m.imports))
	for range n {
		t := m.typeIndex(r)
		if r.err != nil {
			return
		}
		m.defined = append(m.defined, t)
	}
	m.taken = make([]bool, n)
}

func (m *original) exportSection(r *reader) {
	n := r.count("exports", m.opt.MaxExports)
	for range n {
		e := Export{Name: r.name(), Kind: ExportKind(r.byte())}
		if r.err == nil && (strings.HasPrefix(e.Name, Prefix) || !utf8.ValidString(e.Name)) {
			r.fail("export %q: the name is reserved or not UTF-8", e.Name)
		}
		index := r.u32()
		if r.err != nil {
			return
		}
		if uint64(index) >= uint64(m.exportable(e.Kind)) {
			r.fail("export %q names something that does not exist", e.Name)
			return
		}
		if e.Kind == ExportFunc {
			e.Type = m.funcType(index)
			index = m.shift(index)
		}
		m.exports = append(m.exports, e)
		m.exportIndex = append(m.exportIndex, index)
	}
}

// exportable counts what exists of a kind of export.
func (m *original) exportable(k ExportKind) int {
	switch k {
	case ExportFunc:
		return m.functions()
	case ExportTable:
		return m.tables
	case ExportGlobal:
		return m.globals
	case ExportMemory:
		if m.hasMemory {
			return 1
		}
	}
	return 0
}

func (m *original) typeIndex(r *reader) uint32 {
	t := r.u32()
	if r.err == nil && uint64(t) >= uint64(len(m.types)) {
		r.fail("type %d does not exist", t)
	}
	return t
}

func (m *original) functionIndex(r *reader) uint32 {
	i := r.u32()
	if r.err == nil && uint64(i) >= uint64(m.functions()) {
		r.fail("function %d does not exist", i)
	}
	return i
}

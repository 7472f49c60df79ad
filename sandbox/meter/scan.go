package meter

import (
	"slices"

	"github.com/svc-platform/svc/sandbox"
)

// shape is what a first look at the body finds.
type shape struct {
	loops, calls, loopCalls, loopBlocks int

	leads []uint32 // nodes of the call graph, each once
}

// scan decodes the whole body once, to check its limits and to choose how the
// counter is kept.
func (b *body) scan(d decoder) (s shape, err error) {
	opt := b.w.o.opt
	blocks, loopDepth, kinds := 0, 0, []bool{false}
	for len(kinds) > 0 {
		d.next(&b.in)
		if d.r.err != nil {
			return s, d.r.err
		}
		switch op := b.in.op; op {
		case opBlock, opLoop, opIf:
			loop := op == opLoop
			kinds = append(kinds, loop)
			if loop {
				s.loops++
				loopDepth++
			}
			blocks++
		case opElse, opBr, opBrIf, opBrTable, opReturn:
			blocks++
		case opEnd:
			if kinds[len(kinds)-1] {
				loopDepth--
			}
			kinds = kinds[:len(kinds)-1]
		case opCall, opCallIndirect:
			s.calls++
			if loopDepth > 0 {
				s.loopCalls++
			}
			s.leads = b.w.o.lead(s.leads, &b.in)
		case opRefFunc:
			b.w.o.take(b.in.index)
		}
		if op := b.in.op; loopDepth > 0 && (op == opLoop || op == opIf || op == opElse || op == opBrIf) {
			s.loopBlocks++
		}
		if blocks > opt.MaxBlocks || s.loops > opt.MaxLoops || loopDepth > opt.MaxLoopNesting {
			return s, sandbox.Trapf(sandbox.InvalidModule, "a function has more than %d blocks and branches, %d loops or %d loops within loops",
				opt.MaxBlocks, opt.MaxLoops, opt.MaxLoopNesting)
		}
	}
	s.leads = unique(s.leads)
	return s, nil
}

// lead adds the node of the call graph that a call leads to. Imported functions
// lead nowhere: the host does not call back.
func (m *original) lead(leads []uint32, in *instr) []uint32 {
	switch imports := uint32(len(m.imports)); {
	case in.op == opCallIndirect:
		return append(leads, uint32(len(m.defined))+in.index)
	case in.index >= imports:
		leads = append(leads, in.index-imports)
	}
	if len(leads) >= 2*len(m.defined)+len(m.types) {
		return unique(leads)
	}
	return leads
}

func unique(nodes []uint32) []uint32 {
	slices.Sort(nodes)
	return slices.Compact(nodes)
}

// take notes that a table may hold the function.
func (m *original) take(f uint32) {
	if n := uint32(len(m.imports)); f >= n {
		m.taken[f-n] = true
	}
}

// graph is the call graph of the module, after all bodies were scanned.
func (m *original) graph(shapes []shape) *callGraph {
	g := &callGraph{calls: make([][]uint32, len(shapes)), taken: map[uint32][]uint32{}}
	canonical := map[string]uint32{} // equal types are one type to call_indirect
	first := make([]uint32, len(m.types))
	for i, t := range m.types {
		if _, ok := canonical[t.key()]; !ok {
			canonical[t.key()] = uint32(i)
		}
		first[i] = canonical[t.key()]
	}
	functions := uint32(len(shapes))
	for i, s := range shapes {
		for k, n := range s.leads {
			if n >= functions {
				s.leads[k] = functions + first[n-functions]
			}
		}
		g.calls[i] = s.leads
		if m.taken[i] {
			t := first[m.defined[i]]
			g.taken[t] = append(g.taken[t], uint32(i))
		}
	}
	return g
}

// cacheInLocal: a local saves a load and a store for each block, and costs one
// of each for each call.
func (s shape) cacheInLocal() bool { return s.loops > 0 && s.loopBlocks >= s.loopCalls }

package meter

import "github.com/svc-platform/svc/sandbox"

// shape is what a first look at the body finds.
type shape struct{ loops, calls, loopCalls, loopBlocks int }

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
		}
		if op := b.in.op; loopDepth > 0 && (op == opLoop || op == opIf || op == opElse || op == opBrIf) {
			s.loopBlocks++
		}
		if blocks > opt.MaxBlocks || s.loops > opt.MaxLoops || loopDepth > opt.MaxLoopNesting {
			return s, sandbox.Trapf(sandbox.InvalidModule, "a function has more than %d blocks and branches, %d loops or %d loops within loops",
				opt.MaxBlocks, opt.MaxLoops, opt.MaxLoopNesting)
		}
	}
	return s, nil
}

// cacheInLocal: a local saves a load and a store for each block, and costs one
// of each for each call.
func (s shape) cacheInLocal() bool { return s.loops > 0 && s.loopBlocks >= s.loopCalls }

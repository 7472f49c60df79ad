package meter

// Recursion is bounded by a counter of ours, so that running out of stack is
// the same trap at the same place on every engine. Only functions that can call
// themselves, directly or through others, pay for it: a chain of other functions
// ends by itself.

// The stack that recursion may take, in words of 8 bytes as frameWords estimates
// them: about 32 MB.
const stackWords = 4 << 20

// frameWords estimates what a call of a function takes of the stack. It has to
// be the same everywhere, not exact: engines have limits of their own beyond it.
func frameWords(locals uint32, bodyBytes int) int32 {
	return int32(16 + int(locals) + min(bodyBytes/64, 512))
}

// callGraph says which defined function may call which.
type callGraph struct {
	// calls holds, for each defined function, the nodes it leads to: a defined
	// function, or functions + t for a call through a table by type t.
	calls [][]uint32
	// taken are the defined functions that a table may hold, by type.
	taken map[uint32][]uint32
}

// recursive tells for each defined function whether it can be entered again
// before it returns: whether it lies on a cycle of the graph (Tarjan's
// algorithm, without recursion of its own).
func (g *callGraph) recursive(types int) []bool {
	t := &tarjan{
		g: g, functions: uint32(len(g.calls)),
		number: make([]uint32, len(g.calls)+types), low: make([]uint32, len(g.calls)+types), onStack: make([]bool, len(g.calls)+types),
		cyclic: make([]bool, len(g.calls)+types),
	}
	for n := range t.functions {
		if t.number[n] == 0 {
			t.visit(n)
		}
	}
	return t.cyclic[:len(g.calls)]
}

// leads lists the nodes that follow a node.
func (g *callGraph) leads(n uint32) []uint32 {
	if functions := uint32(len(g.calls)); n >= functions {
		return g.taken[n-functions]
	}
	return g.calls[n]
}

type tarjan struct {
	g           *callGraph
	functions   uint32
	count       uint32
	number, low []uint32 // 0 is a node not seen yet
	onStack     []bool
	stack       []uint32
	cyclic      []bool
	path        []step
}

// step is a node on the path being followed, and the next of its edges.
type step struct {
	node uint32
	edge int
}

func (t *tarjan) visit(root uint32) {
	t.enter(root)
	for len(t.path) > 0 {
		at := &t.path[len(t.path)-1]
		next := t.g.leads(at.node)
		if at.edge == len(next) {
			t.leave()
			continue
		}
		to := next[at.edge]
		at.edge++
		switch {
		case t.number[to] == 0:
			t.enter(to)
		case t.onStack[to]:
			t.low[at.node] = min(t.low[at.node], t.number[to])
			t.cyclic[to] = t.cyclic[to] || to == at.node
		}
	}
}

func (t *tarjan) enter(n uint32) {
	t.count++
	t.number[n], t.low[n], t.onStack[n] = t.count, t.count, true
	t.stack = append(t.stack, n)
	t.path = append(t.path, step{node: n})
}

// leave ends a node: if nothing above it is reached from it, all that is on the
// stack from it on is one component, a cycle if it has more than one node.
func (t *tarjan) leave() {
	n := t.path[len(t.path)-1].node
	t.path = t.path[:len(t.path)-1]
	if len(t.path) > 0 {
		up := t.path[len(t.path)-1].node
		t.low[up] = min(t.low[up], t.low[n])
	}
	if t.low[n] != t.number[n] {
		return
	}
	alone := t.stack[len(t.stack)-1] == n
	for m := ^uint32(0); m != n; {
		m = t.stack[len(t.stack)-1]
		t.stack = t.stack[:len(t.stack)-1]
		t.onStack[m] = false
		t.cyclic[m] = t.cyclic[m] || !alone
	}
}

package meter

// asm writes the few instructions that the pass itself needs.
type asm struct{ b []byte }

func (a *asm) op(ops ...byte) *asm { a.b = append(a.b, ops...); return a }

func (a *asm) idx(op byte, i uint32) *asm { a.b = appendU32(append(a.b, op), i); return a }

func (a *asm) get(local uint32) *asm { return a.idx(opLocalGet, local) }
func (a *asm) set(local uint32) *asm { return a.idx(opLocalSet, local) }

func (a *asm) i32(v int32) *asm { a.b = appendS64(append(a.b, opI32Const), int64(v)); return a }
func (a *asm) i64(v int64) *asm { a.b = appendS64(append(a.b, opI64Const), v); return a }

// misc writes an instruction behind the 0xfc prefix with its indices.
func (a *asm) misc(sub uint32, indices ...uint32) *asm {
	a.b = appendU32(append(a.b, opMisc), sub)
	for _, i := range indices {
		a.b = appendU32(a.b, i)
	}
	return a
}

func typeBytes(b []byte, ts []ValueType) []byte {
	b = appendU32(b, uint32(len(ts)))
	for _, t := range ts {
		b = append(b, byte(t))
	}
	return b
}

package meter

// The opcodes that the pass treats in a way of their own.
const (
	opUnreachable  = 0x00
	opNop          = 0x01
	opBlock        = 0x02
	opLoop         = 0x03
	opIf           = 0x04
	opElse         = 0x05
	opEnd          = 0x0b
	opBr           = 0x0c
	opBrIf         = 0x0d
	opBrTable      = 0x0e
	opReturn       = 0x0f
	opCall         = 0x10
	opCallIndirect = 0x11
	opDrop         = 0x1a
	opSelectTyped  = 0x1c
	opLocalGet     = 0x20
	opLocalSet     = 0x21
	opLocalTee     = 0x22
	opGlobalGet    = 0x23
	opGlobalSet    = 0x24
	opTableGet     = 0x25
	opTableSet     = 0x26
	opMemorySize   = 0x3f
	opMemoryGrow   = 0x40
	opI32Const     = 0x41
	opI64Const     = 0x42
	opF32Const     = 0x43
	opF64Const     = 0x44
	opRefNull      = 0xd0
	opRefFunc      = 0xd2
	opMisc         = 0xfc
	opVector       = 0xfd

	emptyBlock = 0x40

	opI32Eqz     = 0x45
	opI32Eq      = 0x46
	opI32LtS     = 0x48
	opI32GtU     = 0x4b
	opI64LtS     = 0x53
	opI64GtU     = 0x56
	opI32Add     = 0x6a
	opI32Sub     = 0x6b
	opI64Add     = 0x7c
	opI64Sub     = 0x7d
	opI64Mul     = 0x7e
	opI64Shl     = 0x86
	opI64ShrU    = 0x88
	opI64ExtendU = 0xad
)

// Sub-opcodes behind opMisc.
const (
	miscMemoryInit = 8
	miscDataDrop   = 9
	miscMemoryCopy = 10
	miscMemoryFill = 11
	miscTableInit  = 12
	miscElemDrop   = 13
	miscTableCopy  = 14
	miscTableGrow  = 15
	miscTableSize  = 16
	miscTableFill  = 17
)

// outside names the prefixes and opcodes of proposals that the pass refuses,
// so that the error can say what the module asked for.
func outside(op byte) string {
	switch op {
	case 0x06, 0x07, 0x08, 0x09, 0x0a, 0x18, 0x19, 0x1f:
		return "exception handling"
	case 0x12, 0x13:
		return "tail calls"
	case 0x14, 0x15:
		return "typed function references"
	case 0xd3, 0xd4, 0xd5, 0xd6, 0xfb:
		return "garbage collection"
	case 0xfe:
		return "threads"
	}
	return ""
}

// plain tells whether op has no immediate: comparison, arithmetic, conversion.
func plain(op byte) bool {
	return op >= 0x45 && op <= 0xc4 || op == 0x1a || op == 0x1b || op == 0xd1
}

// load or store: a memory argument follows.
func memoryAccess(op byte) bool { return op >= 0x28 && op <= 0x3e }

// vectorShape is what follows a SIMD sub-opcode.
type vectorShape byte

const (
	vectorPlain vectorShape = iota
	vectorMemory
	vectorMemoryLane
	vectorLane
	vectorBytes // 16 bytes: a constant or a shuffle
	vectorOutside
)

// vectorImmediate tells what follows the SIMD sub-opcode. Gaps in the numbering of
// WebAssembly 2.0 are refused here; the engine refuses them again.
func vectorImmediate(sub uint32) vectorShape {
	switch {
	case sub <= 11, sub == 92, sub == 93:
		return vectorMemory
	case sub == 12, sub == 13:
		return vectorBytes
	case sub >= 21 && sub <= 34:
		return vectorLane
	case sub >= 84 && sub <= 91:
		return vectorMemoryLane
	case sub > 255:
		return vectorOutside // relaxed SIMD begins at 256
	}
	return vectorPlain
}

package metertest

// The opcodes that programs are made of, beside those of the two tables.
const (
	unreachable  = 0x00
	nop          = 0x01
	block        = 0x02
	loop         = 0x03
	ifOp         = 0x04
	elseOp       = 0x05
	end          = 0x0b
	br           = 0x0c
	brIf         = 0x0d
	brTable      = 0x0e
	returnOp     = 0x0f
	call         = 0x10
	callIndirect = 0x11
	drop         = 0x1a
	selectOp     = 0x1b
	localGet     = 0x20
	localSet     = 0x21
	localTee     = 0x22
	globalGet    = 0x23
	globalSet    = 0x24
	i32Load      = 0x28
	i64Load      = 0x29
	i32Store     = 0x36
	i64Store     = 0x37
	memorySize   = 0x3f
	memoryGrow   = 0x40
	i32Const     = 0x41
	i64Const     = 0x42
	i32RemU      = 0x70
	misc         = 0xfc

	memoryCopy = 10
	memoryFill = 11
)

// unary and binaryTable are the arithmetic, on values whose upper half is 0 for
// i32. There is no "and": wazero 1.12.0 compiles a branch on 0 < (x & y) wrongly
// for amd64.
var unary = map[byte]struct {
	from, to byte
	do       func(a uint64) uint64
}{
	0x45: {i32, i32, func(a uint64) uint64 { return bit(a == 0) }},
	0x50: {i64, i32, func(a uint64) uint64 { return bit(a == 0) }},
	0xa7: {i64, i32, func(a uint64) uint64 { return a & 0xffffffff }},
	0xac: {i32, i64, func(a uint64) uint64 { return uint64(int64(int32(a))) }},
	0xad: {i32, i64, func(a uint64) uint64 { return a }},
}

var binaryTable = map[byte]struct {
	from, to byte
	do       func(a, b uint64) uint64
}{
	0x46: {i32, i32, func(a, b uint64) uint64 { return bit(a == b) }},
	0x48: {i32, i32, func(a, b uint64) uint64 { return bit(int32(a) < int32(b)) }},
	0x49: {i32, i32, func(a, b uint64) uint64 { return bit(a < b) }},
	0x53: {i64, i32, func(a, b uint64) uint64 { return bit(int64(a) < int64(b)) }},
	0x6a: {i32, i32, func(a, b uint64) uint64 { return (a + b) & 0xffffffff }},
	0x6b: {i32, i32, func(a, b uint64) uint64 { return (a - b) & 0xffffffff }},
	0x6c: {i32, i32, func(a, b uint64) uint64 { return (a * b) & 0xffffffff }},
	0x72: {i32, i32, func(a, b uint64) uint64 { return a | b }},
	0x73: {i32, i32, func(a, b uint64) uint64 { return a ^ b }},
	0x7c: {i64, i64, func(a, b uint64) uint64 { return a + b }},
	0x7d: {i64, i64, func(a, b uint64) uint64 { return a - b }},
	0x7e: {i64, i64, func(a, b uint64) uint64 { return a * b }},
}

func bit(v bool) uint64 {
	if v {
		return 1
	}
	return 0
}

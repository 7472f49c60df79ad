package compile

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/svc-platform/svc/operators-wasm/language"
)

// Opcodes that operators are made of.
const (
	opUnreachable = 0x00
	opBlock       = 0x02
	opLoop        = 0x03
	opIf          = 0x04
	opEnd         = 0x0b
	opBr          = 0x0c
	opBrIf        = 0x0d
	opCall        = 0x10
	opSelect      = 0x1b
	opLocalGet    = 0x20
	opLocalSet    = 0x21
	opLocalTee    = 0x22
	opF64Load     = 0x2b
	opF64Store    = 0x39
	opI32Const    = 0x41
	opF64Const    = 0x44
	opI32GtU      = 0x4b
	opI32GeU      = 0x4f
	opF64Eq       = 0x61
	opI32Add      = 0x6a
	opI32Mul      = 0x6c
	opI32Shl      = 0x74
	opF64Abs      = 0x99
	opF64Neg      = 0x9a
	opF64Floor    = 0x9c
	opF64Sqrt     = 0x9f
	opF64Add      = 0xa0
	opF64Sub      = 0xa1
	opF64Mul      = 0xa2
	opF64Div      = 0xa3
	opF64Min      = 0xa4
	opF64Max      = 0xa5

	typeI32   = 0x7f
	typeF64   = 0x7c
	typeEmpty = 0x40
)

// instructions are the functions that are one instruction.
var instructions = map[string]byte{
	"sqrt": opF64Sqrt, "abs": opF64Abs, "floor": opF64Floor, "min": opF64Min, "max": opF64Max,
}

// maxMultiply is the largest whole exponent that becomes multiplications.
const maxMultiply = 64

// emitter writes the body of one operator. An expression leaves its value on
// the stack.
type emitter struct {
	code      []byte
	params    int
	locals    int // f64 locals beside the parameters
	functions map[string]uint32
	err       error
}

// scalarBody is the function body of an operator.
func scalarBody(op *language.Operator, functions map[string]uint32) ([]byte, error) {
	e := &emitter{params: len(op.Inputs), functions: functions}
	e.expression(op.Expr)
	result := e.local() // canonical NaN: engines may choose sign and payload
	e.op(opLocalTee, result)
	e.constant(math.Float64frombits(0x7ff8000000000000))
	e.op(opLocalGet, result)
	e.op(opLocalGet, result)
	e.code = append(e.code, opF64Eq, opSelect, opEnd)
	return functionBody(e.locals, typeF64, e.code), e.err
}

// functionBody puts the declaration of locals of one type before the code.
func functionBody(locals int, valueType byte, code []byte) []byte {
	if locals == 0 {
		return append([]byte{0}, code...)
	}
	body := append(binary.AppendUvarint([]byte{1}, uint64(locals)), valueType)
	return append(body, code...)
}

func (e *emitter) local() uint32 {
	e.locals++
	return uint32(e.params + e.locals - 1)
}

func (e *emitter) op(opcode byte, operand uint32) {
	e.code = binary.AppendUvarint(append(e.code, opcode), uint64(operand))
}

func (e *emitter) constant(value float64) {
	e.code = binary.LittleEndian.AppendUint64(append(e.code, opF64Const), math.Float64bits(value))
}

func (e *emitter) library(name string) {
	index, ok := e.functions[name]
	if !ok {
		e.err = fmt.Errorf("the library has no function %s", name)
	}
	e.op(opCall, index)
}

func (e *emitter) expression(x language.Expr) {
	switch n := x.(type) {
	case *language.Number:
		e.constant(n.Value)
	case *language.Symbol:
		e.op(opLocalGet, uint32(n.Index))
	case *language.Constant:
		e.constant(n.Constant.Value)
	case *language.Negate:
		e.expression(n.X)
		e.code = append(e.code, opF64Neg)
	case *language.Binary:
		e.binary(n)
	case *language.Call:
		e.call(n)
	default:
		e.err = fmt.Errorf("no code for a %T", x)
	}
}

// arithmetic are the signs that are one instruction.
var arithmetic = map[byte]byte{'+': opF64Add, '-': opF64Sub, '*': opF64Mul, '/': opF64Div}

func (e *emitter) binary(n *language.Binary) {
	if n.Op == '^' {
		e.power(n)
		return
	}
	e.expression(n.X)
	e.expression(n.Y)
	e.code = append(e.code, arithmetic[n.Op])
}

// multiplied says whether a power is done by multiplications and a square
// root: whole and half exponents of moderate size.
func multiplied(n *language.Binary) (num, den int, ok bool) {
	num, den, ok = language.Ratio(n.Y)
	return num, den, ok && den <= 2 && max(num, -num) <= maxMultiply
}

func (e *emitter) power(n *language.Binary) {
	num, den, ok := multiplied(n)
	if !ok {
		e.expression(n.X)
		e.expression(n.Y)
		e.library("pow")
		return
	}
	if num < 0 {
		e.constant(1)
	}
	e.expression(n.X)
	if den == 2 {
		e.halfPower(max(num, -num))
	} else {
		e.wholePower(max(num, -num))
	}
	if num < 0 {
		e.code = append(e.code, opF64Div)
	}
}

// wholePower raises the value on the stack by squaring, from the exponent's
// highest bit down.
func (e *emitter) wholePower(exponent int) {
	base, square := e.local(), e.local()
	e.op(opLocalTee, base)
	if exponent == 0 {
		e.op(opLocalSet, square)
		e.constant(1)
		return
	}
	bit := 1
	for bit*2 <= exponent {
		bit *= 2
	}
	for bit /= 2; bit > 0; bit /= 2 {
		e.op(opLocalTee, square)
		e.op(opLocalGet, square)
		e.code = append(e.code, opF64Mul)
		if exponent&bit != 0 {
			e.op(opLocalGet, base)
			e.code = append(e.code, opF64Mul)
		}
	}
}

// halfPower raises the value on the stack to exponent/2, exponent odd.
func (e *emitter) halfPower(exponent int) {
	if exponent == 1 {
		e.code = append(e.code, opF64Sqrt)
		return
	}
	value := e.local()
	e.op(opLocalTee, value)
	e.wholePower(exponent / 2)
	e.op(opLocalGet, value)
	e.code = append(e.code, opF64Sqrt, opF64Mul)
}

func (e *emitter) call(n *language.Call) {
	for i, arg := range n.Args {
		e.expression(arg)
		if instruction := instructions[n.Func.Name]; instruction != 0 && (i > 0 || len(n.Args) == 1) {
			e.code = append(e.code, instruction)
		}
	}
	switch _, inline := instructions[n.Func.Name]; {
	case inline:
	case n.Func.Name == "frac":
		value := e.local()
		e.op(opLocalTee, value)
		e.op(opLocalGet, value)
		e.code = append(e.code, opF64Floor, opF64Sub)
	default:
		e.library(n.Func.Name)
	}
}

// libraryCalls names the library functions that operators call.
func libraryCalls(ops []*language.Operator) map[string]bool {
	names := map[string]bool{}
	for _, op := range ops {
		language.Walk(op.Expr, func(x language.Expr) {
			switch n := x.(type) {
			case *language.Call:
				if _, inline := instructions[n.Func.Name]; !inline && n.Func.Name != "frac" {
					names[n.Func.Name] = true
				}
			case *language.Binary:
				if n.Op == '^' {
					if _, _, ok := multiplied(n); !ok {
						names["pow"] = true
					}
				}
			}
		})
	}
	return names
}

// vectorBody loops over count and calls the scalar form.
func vectorBody(inputs int, scalar uint32) []byte {
	const count, in, out, index = 0, 1, 2, 3
	e := &emitter{}
	e.op(opLocalGet, count)
	e.i32(1 << 29 / int32(max(inputs, 1)))
	e.code = append(e.code, opI32GtU, opIf, typeEmpty, opUnreachable, opEnd, opBlock, typeEmpty, opLoop, typeEmpty)
	e.op(opLocalGet, index)
	e.op(opLocalGet, count)
	e.code = append(e.code, opI32GeU)
	e.op(opBrIf, 1)
	e.address(out, 0)
	for column := range inputs {
		e.address(in, column)
		e.code = append(e.code, opF64Load, 0, 0)
	}
	e.op(opCall, scalar)
	e.code = append(e.code, opF64Store, 0, 0)
	e.op(opLocalGet, index)
	e.i32(1)
	e.code = append(e.code, opI32Add)
	e.op(opLocalSet, index)
	e.op(opBr, 0)
	e.code = append(e.code, opEnd, opEnd, opEnd)
	return functionBody(1, typeI32, e.code)
}

// address leaves pointer + 8*(column*count + index) on the stack.
func (e *emitter) address(pointer uint32, column int) {
	const count, index = 0, 3
	e.op(opLocalGet, pointer)
	e.op(opLocalGet, count)
	e.i32(int32(column))
	e.code = append(e.code, opI32Mul)
	e.op(opLocalGet, index)
	e.code = append(e.code, opI32Add)
	e.i32(3)
	e.code = append(e.code, opI32Shl, opI32Add)
}

func (e *emitter) i32(value int32) {
	e.code = appendSigned(append(e.code, opI32Const), int64(value))
}

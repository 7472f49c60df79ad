package meter

import "github.com/svc-platform/svc/sandbox"

// reader decodes hostile bytes. The first error sticks; after it every read
// returns zero, so that callers check once per item.
type reader struct {
	b   []byte
	pos int
	err error
}

func (r *reader) fail(format string, args ...any) {
	if r.err == nil {
		args = append(args, r.pos)
		r.err = sandbox.Trapf(sandbox.InvalidModule, format+" at offset %d", args...)
		r.pos = len(r.b)
	}
}

func (r *reader) done() bool { return r.err != nil || r.pos >= len(r.b) }

func (r *reader) byte() byte {
	if r.pos >= len(r.b) {
		r.fail("unexpected end of the module")
		return 0
	}
	c := r.b[r.pos]
	r.pos++
	return c
}

// bytes returns the next n bytes without copying them.
func (r *reader) bytes(n uint32) []byte {
	if uint64(n) > uint64(len(r.b)-r.pos) {
		r.fail("length %d goes past the end", n)
		return nil
	}
	s := r.b[r.pos : r.pos+int(n) : r.pos+int(n)]
	r.pos += int(n)
	return s
}

// u32 reads an unsigned LEB128 of at most 32 bits and 5 bytes.
func (r *reader) u32() uint32 {
	// One byte is by far the most common length.
	if r.pos < len(r.b) && r.b[r.pos] < 0x80 {
		r.pos++
		return uint32(r.b[r.pos-1])
	}
	var v uint32
	for i := range 5 {
		c := r.byte()
		if i == 4 && c > 0x0f {
			r.fail("integer larger than 32 bits")
			return 0
		}
		v |= uint32(c&0x7f) << (7 * i)
		if c < 0x80 {
			return v
		}
	}
	return v
}

// signed reads a signed LEB128 of at most size bits.
func (r *reader) signed(size uint) int64 {
	var v int64
	for shift := uint(0); ; shift += 7 {
		c := r.byte()
		if r.err != nil {
			return 0
		}
		v |= int64(c&0x7f) << shift
		if rest := size - shift; rest <= 7 {
			// The last byte: no continuation, and its spare bits repeat the sign.
			sign := int8(c<<1) >> rest // arithmetic: all ones or all zeros above the value's bits
			if c >= 0x80 || (sign != 0 && sign != -1) {
				r.fail("integer larger than %d bits", size)
				return 0
			}
		}
		if c < 0x80 {
			if shift+7 < 64 && c&0x40 != 0 {
				v |= -1 << (shift + 7)
			}
			return v
		}
	}
}

// count reads the length of a vector whose items take at least one byte each,
// and refuses it before anything is allocated if that cannot be true.
func (r *reader) count(what string, most int) int {
	n := r.u32()
	if r.err != nil {
		return 0
	}
	if uint64(n) > uint64(most) {
		r.fail("%d %s, the limit is %d", n, what, most)
		return 0
	}
	if uint64(n) > uint64(len(r.b)-r.pos) {
		r.fail("%d %s do not fit in what is left", n, what)
		return 0
	}
	return int(n)
}

// maxName is the longest name of an import, export or section, in bytes.
const maxName = 4096

func (r *reader) name() string {
	n := r.u32()
	if r.err == nil && n > maxName {
		r.fail("a name of %d bytes, the limit is %d", n, maxName)
	}
	return string(r.bytes(n))
}

func appendU32(b []byte, v uint32) []byte {
	for v >= 0x80 {
		b = append(b, byte(v)|0x80)
		v >>= 7
	}
	return append(b, byte(v))
}

func appendS64(b []byte, v int64) []byte {
	for {
		c := byte(v & 0x7f)
		v >>= 7
		if (v == 0 && c&0x40 == 0) || (v == -1 && c&0x40 != 0) {
			return append(b, c)
		}
		b = append(b, c|0x80)
	}
}

func appendName(b []byte, s string) []byte {
	return append(appendU32(b, uint32(len(s))), s...)
}

// appendSection writes a section: its id, its length, its content.
func appendSection(b []byte, id byte, content []byte) []byte {
	b = append(b, id)
	b = appendU32(b, uint32(len(content)))
	return append(b, content...)
}

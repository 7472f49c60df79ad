package wasi

import "unicode/utf8"

// Stream keeps the beginning of what a guest writes and counts the rest: a
// program is not stopped for writing more than is kept.
type Stream struct {
	kept  []byte
	limit int64 // bytes
	total uint64
}

// Write takes all of b and never fails.
func (s *Stream) Write(b []byte) (int, error) {
	s.total += uint64(len(b))
	if room := s.limit - int64(len(s.kept)); room > 0 {
		s.kept = append(s.kept, b[:min(int64(len(b)), room)]...)
	}
	return len(b), nil
}

// Total is the number of bytes that the guest wrote.
func (s *Stream) Total() uint64 { return s.total }

// Truncated tells whether the guest wrote more than was kept.
func (s *Stream) Truncated() bool { return s.total > uint64(len(s.kept)) }

// String is what was kept. Where it was cut, it ends with a whole UTF-8 character.
func (s *Stream) String() string {
	if !s.Truncated() {
		return string(s.kept)
	}
	return string(s.kept[:boundary(s.kept)])
}

// boundary is the length of b without an incomplete UTF-8 sequence at its
// end. Bytes that are not UTF-8 are left alone.
func boundary(b []byte) int {
	for i := 1; i <= min(utf8.UTFMax-1, len(b)); i++ {
		if last := b[len(b)-i:]; utf8.RuneStart(last[0]) {
			if !utf8.FullRune(last) {
				return len(b) - i
			}
			break
		}
	}
	return len(b)
}

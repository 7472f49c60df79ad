package main

import (
	"math"
	"strconv"
)

// appendJSON writes the report. It spells the few fields out because
// encoding/json would make this guest 3.1 MB instead of 1.9.
func (r report) appendJSON(out []byte) []byte {
	out = appendNumber(out, `{"score":`, r.value/maxEntropy)
	out = appendNumber(out, `,"value":`, r.value)
	out = appendInteger(out, `,"unit":"bit/byte","length":`, r.length)
	out = r.windows.appendJSON(append(out, `,"windows":`...))
	out = append(out, `,"explanation":"`...)
	out = append(out, r.explanation()...) // plain words and digits: nothing to escape
	return append(out, `"}`...)
}

func (w windows) appendJSON(out []byte) []byte {
	out = appendInteger(out, `{"size":`, windowSize)
	out = appendInteger(out, `,"step":`, windowStep)
	out = appendInteger(out, `,"count":`, w.count)
	out = appendNumber(out, `,"min":`, w.min)
	out = appendNumber(out, `,"max":`, w.max)
	out = appendNumber(out, `,"mean":`, w.mean)
	out = append(out, `,"peaks":[`...)
	for i, p := range w.peaks {
		if i > 0 {
			out = append(out, ',')
		}
		out = appendInteger(out, `{"offset":`, p.offset)
		out = appendInteger(out, `,"length":`, p.length)
		out = appendNumber(out, `,"value":`, p.value)
		out = append(out, '}')
	}
	return append(out, `]}`...)
}

func appendNumber(out []byte, key string, v float64) []byte {
	return strconv.AppendFloat(append(out, key...), v, 'g', -1, 64)
}

func appendInteger(out []byte, key string, v int) []byte {
	return strconv.AppendInt(append(out, key...), int64(v), 10)
}

// explanation says in words what the number suggests, and how far it can be
// trusted: n bytes hold at most n values, so they cannot exceed log2(n).
func (r report) explanation() string {
	text := decimals(r.value) + " of 8 bits per byte over " + strconv.Itoa(r.length) + " bytes: " + r.likeness()
	if limit := math.Log2(float64(r.length)); limit < maxEntropy {
		text += "; so few bytes cannot exceed " + decimals(limit)
	}
	return text
}

// likeness names the usual contents of such a value.
func (r report) likeness() string {
	switch {
	case r.value == 0:
		return "one byte value, repeated"
	case r.value < 3:
		return "few byte values, or one that prevails"
	case r.value < 5.5:
		return "usual for text and source code"
	case r.value < 7.2:
		return "usual for programs and mixed binary data"
	}
	return "usual for compressed, encrypted or random data"
}

func decimals(v float64) string { return strconv.FormatFloat(v, 'f', 3, 64) }

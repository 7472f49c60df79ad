// Package guest is what a plugin author imports to write a bytes/1 plugin in
// Go: bytes in, bytes or a typed error out.
//
// A plugin is a main package built as a library:
//
//	GOOS=wasip1 GOARCH=wasm go build -buildmode=c-shared -o reverse.wasm .
//
// Each function that the host may call is a thin export around Run:
//
//	//go:wasmexport reverse
//	func exportReverse(ptr, size uint32) uint64 { return guest.Run(ptr, size, reverse) }
//
//	func reverse(input []byte) ([]byte, error) { ... }
//
//	func main() {}
//
// The binary interface, for those who write their guest in another language:
// the module exports its memory, svc_alloc(size i32) -> i32, and functions
// (ptr i32, len i32) -> i64. The host asks svc_alloc for a place, writes the
// input there and calls a function with that place. The function answers
// ptr<<32 | len of a result frame: one byte, 0 for success or 1 for an error,
// and then the output, or the error as a JSON object of two strings, code and
// message. Where the module exports _initialize, the host calls it first.
package guest

import (
	"errors"
	"unsafe"
)

// First byte of a result frame.
const (
	frameOK    = 0
	frameError = 1
)

// Error is a refusal that the caller can act on.
type Error struct {
	Code    string // stable, in lower_snake_case, for programs
	Message string // for people: what to do about it
}

func (e *Error) Error() string { return e.Code + ": " + e.Message }

// Codes of the errors that this package itself makes.
const (
	CodeFailed   = "failed"    // the function returned an error that is not an *Error
	CodePanicked = "panicked"  // the function panicked; the message says with what
	CodeBadInput = "bad_input" // the host named bytes that svc_alloc never gave it
)

// The host sees these two buffers through bare addresses, which the garbage
// collector does not count as references: they must stay reachable from here
// until the next call replaces them. A guest has one thread and serves one
// call at a time.
var input, frame []byte //nolint:gochecknoglobals // see above: they are the roots that keep both alive

// alloc gives the host room for the input of the next call. The room is valid
// until alloc is called again.
//
//go:wasmexport svc_alloc
func alloc(size uint32) uint32 {
	input = make([]byte, size, max(size, 1)) // never empty: even no bytes have an address
	return address(input)
}

// Run answers one call of the host: it hands the input to f and returns where
// the result frame lies, as ptr<<32 | len. The frame stays valid until the
// next Run. f may keep neither its argument nor what it returns.
func Run(ptr, size uint32, f func(input []byte) ([]byte, error)) uint64 {
	frame = call(ptr, size, f)
	return uint64(address(frame))<<32 | uint64(len(frame))
}

// call runs f on the bytes at ptr and frames what it answers.
func call(ptr, size uint32, f func([]byte) ([]byte, error)) (result []byte) {
	defer func() {
		if p := recover(); p != nil {
			result = errorFrame(&Error{CodePanicked, panicText(p)})
		}
	}()
	bytes, err := inputAt(ptr, size)
	if err != nil {
		return errorFrame(err)
	}
	output, err := f(bytes)
	if err != nil {
		return errorFrame(err)
	}
	return append([]byte{frameOK}, output...)
}

// panicText says what a function panicked with. It names the usual kinds
// itself: fmt would add 0.7 MB to every guest.
func panicText(p any) string {
	switch p := p.(type) {
	case error:
		return p.Error()
	case string:
		return p
	}
	return "with a value that is neither an error nor a string"
}

// inputAt turns what the host said into bytes. It compares with the one buffer
// that the host was given instead of trusting an address.
func inputAt(ptr, size uint32) ([]byte, error) {
	if size == 0 {
		return nil, nil
	}
	if ptr != address(input) || uint64(size) > uint64(len(input)) {
		return nil, &Error{CodeBadInput, "write the input to the place that svc_alloc gave for it"}
	}
	return input[:size:size], nil
}

// errorFrame frames err: as it is where it wraps an *Error, as CodeFailed otherwise.
func errorFrame(err error) []byte {
	var typed *Error
	if !errors.As(err, &typed) {
		typed = &Error{CodeFailed, err.Error()}
	}
	out := append([]byte{frameError}, `{"code":`...)
	out = appendJSONString(out, typed.Code)
	out = append(out, `,"message":`...)
	out = appendJSONString(out, typed.Message)
	return append(out, '}')
}

// address is where b starts, as the host sees it. On a native build, where
// addresses are longer, it is only good for comparing.
func address(b []byte) uint32 {
	return uint32(uintptr(unsafe.Pointer(unsafe.SliceData(b))))
}

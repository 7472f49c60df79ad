// Command entropy is the built-in forensic scorer shannon: how evenly a content
// uses its byte values, as a whole and in windows. It is a bytes/1 guest.
package main

import "github.com/svc-platform/svc/sdk/guest"

//go:wasmexport shannon
func exportShannon(ptr, size uint32) uint64 { return guest.Run(ptr, size, shannon) }

// shannon takes the raw content and answers a report as JSON. Empty content is
// refused as insufficient.
func shannon(content []byte) ([]byte, error) {
	if len(content) == 0 {
		return nil, &guest.Error{Code: "insufficient", Message: "the content is empty: give at least one byte"}
	}
	return measure(content).appendJSON(nil), nil
}

func main() {}

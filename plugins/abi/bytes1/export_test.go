package bytes1

// Decode is decode, for the fuzz test.
func Decode(frame []byte) ([]byte, error) { return decode(frame) }

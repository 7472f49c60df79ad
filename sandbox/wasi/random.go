package wasi

// randomGet fills (pointer, length) with the next bytes of the seeded stream.
func randomGet(c call) Errno {
	buf, errno := c.mem().bytes(c.u32(0), c.u32(1))
	if errno != Success {
		return errno
	}
	c.ChargeBytes(len(buf))
	_, _ = c.p.random.Read(buf) // ChaCha8.Read never fails
	return Success
}

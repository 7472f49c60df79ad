package wasi

import "github.com/svc-platform/svc/sandbox"

// procExit ends the guest with its own exit code; it does not return.
func procExit(c call) Errno {
	c.Stop(&sandbox.Exit{Code: c.u32(0)})
	return Success
}

// procRaise: there are no signals here.
func procRaise(call) Errno { return ENOSYS }

// schedYield: there is nobody to yield to.
func schedYield(call) Errno { return Success }

// sock answers all four socket functions: no descriptor is ever a socket.
func sock(c call) Errno {
	if _, errno := c.p.fds.get(c.u32(0), 0); errno != Success {
		return errno
	}
	return ENOTSOCK
}

package wasi

import (
	"encoding/binary"
	"math"
)

// The records of poll_oneoff, and the most subscriptions of one call.
const (
	subscriptionSize = 48
	eventSize        = 32
	maxSubscriptions = 1024
)

// Kinds of events.
const (
	eventClock   = 0
	eventFdRead  = 1
	eventFdWrite = 2
)

// clockAbsolute is the flag of a timeout that is a point in time.
const clockAbsolute = 1

// subscription is what a guest waits for, as the host understood it.
type subscription struct {
	userdata uint64
	kind     byte
	ready    bool   // at once
	errno    Errno  // of the subscription itself; it is then ready
	wait     uint64 // of a clock: ns from now
	bytes    uint64 // of a descriptor: how many can be read
}

// pollOneoff is (subscriptions, events, count, pointer to the number of
// events). Descriptors are always ready here; so it waits only where there is
// nothing but clocks, and then only for the nearest.
func pollOneoff(c call) Errno {
	count := c.u32(2)
	if count == 0 || count > maxSubscriptions {
		return EINVAL
	}
	in, errno := c.mem().bytes(c.u32(0), count*subscriptionSize)
	if errno != Success {
		return errno
	}
	if _, errno := c.mem().bytes(c.u32(1), count*eventSize); errno != Success {
		return errno
	}
	if _, errno := c.mem().bytes(c.u32(3), 4); errno != Success {
		return errno
	}
	c.Charge(uint64(count))
	c.ChargeBytes(int(count) * (subscriptionSize + eventSize))

	// All are read before any event is written: the two may overlap.
	subs := make([]subscription, count)
	sleep := uint64(math.MaxUint64)
	for i := range subs {
		if subs[i], errno = c.p.subscribe(in[subscriptionSize*i:]); errno != Success {
			return errno
		}
		sleep = min(sleep, subs[i].wait) // 0 where it is ready
	}
	if sleep > 0 {
		c.p.Sleep(c.Call, sleep)
	}
	return putEvents(c, subs, sleep)
}

// subscribe reads one subscription; EINVAL where there is no such kind.
func (p *Process) subscribe(b []byte) (subscription, Errno) {
	s := subscription{userdata: binary.LittleEndian.Uint64(b), kind: b[8]}
	switch s.kind {
	case eventClock:
		s.wait, s.errno = p.timeout(b[16:])
		s.ready = s.errno != Success
	case eventFdRead, eventFdWrite:
		s.ready = true
		need := rightRead
		if s.kind == eventFdWrite {
			need = rightWrite
		}
		d, errno := p.fds.get(binary.LittleEndian.Uint32(b[16:]), need|rightPoll)
		if s.errno = errno; errno == Success && s.kind == eventFdRead {
			s.bytes = uint64(len(d.data)) - min(d.offset, uint64(len(d.data)))
		}
	default:
		return s, EINVAL
	}
	return s, Success
}

// timeout reads a clock subscription: how long from now it fires.
func (p *Process) timeout(b []byte) (uint64, Errno) {
	now, errno := p.clock.read(binary.LittleEndian.Uint32(b))
	if errno != Success {
		return 0, errno
	}
	at := binary.LittleEndian.Uint64(b[8:])
	switch flags := binary.LittleEndian.Uint16(b[24:]); {
	case flags&^clockAbsolute != 0:
		return 0, EINVAL
	case flags == 0:
		return at, Success
	case at <= now:
		return 0, Success
	}
	return at - now, Success
}

// putEvents writes an event for each subscription that is ready after a sleep.
func putEvents(c call, subs []subscription, slept uint64) Errno {
	at, fired := c.u32(1), uint32(0)
	for _, s := range subs {
		if !s.ready && (s.kind != eventClock || s.wait > slept) {
			continue
		}
		b, errno := c.mem().bytes(at+fired*eventSize, eventSize)
		if errno != Success {
			return errno
		}
		clear(b)
		binary.LittleEndian.PutUint64(b, s.userdata)
		binary.LittleEndian.PutUint16(b[8:], uint16(s.errno))
		b[10] = s.kind
		binary.LittleEndian.PutUint64(b[16:], s.bytes)
		fired++
	}
	return c.mem().putU32(c.u32(3), fired)
}

// Package timebase counts cycles: it turns a Unix time into the svcond and the
// phase that the pulse, the protocol and every record share.
package timebase

// Cycle is the length of one cycle in nanoseconds. It is an exact integer, so
// that a boundary never falls to the wrong side as it does with floor(t/0.777).
const Cycle = 777_000_000

// Instant is a place in the count of cycles.
type Instant struct {
	Svcond int64   // whole cycles since the Unix epoch
	Phase  float64 // part of the present cycle that has passed, in [0, 1)
}

// At returns the instant of a Unix time in nanoseconds. Times before the epoch
// count downwards, with a phase that still runs from 0 to 1.
func At(unixNano int64) Instant {
	count, rest := unixNano/Cycle, unixNano%Cycle
	if rest < 0 {
		count, rest = count-1, rest+Cycle
	}
	return Instant{Svcond: count, Phase: float64(rest) / Cycle}
}

// Start returns the Unix time in nanoseconds at which a cycle starts. It is
// exact for every count whose time fits an int64 (years 1678 to 2262).
func Start(svcond int64) int64 { return svcond * Cycle }

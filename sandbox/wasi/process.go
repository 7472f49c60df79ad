package wasi

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"
)

// Most arguments and variables, and most bytes of them together.
const (
	maxStrings     = 4096
	maxStringBytes = 1 << 20
)

// Config is the world that one guest is given.
type Config struct {
	Args   []string // argv, with the program's name first
	Env    []string // "NAME=value"
	Stdin  []byte
	Output int64    // bytes kept of each of stdout and stderr
	Files  *Files   // the file system under "/"; nil: none, no preopened folder
	Seed   [32]byte // of the random numbers

	// Start is what the clock shows first. It advances by one microsecond per
	// reading, and by the length of every sleep. The zero time is the epoch.
	Start time.Time
	// RealClock grants the host's clock instead; sleeps then take their time.
	RealClock bool
}

// Process is the state of one guest. It is not safe for concurrent use and
// serves one instance only.
type Process struct {
	Stdout, Stderr *Stream

	args, env []string
	fds       table
	clock     clock
	random    *rand.ChaCha8
}

// New makes a process. It refuses strings that C cannot hold (a NUL inside)
// and more of them than the limits.
func New(cfg Config) (*Process, error) {
	if err := checkStrings("argument", cfg.Args); err != nil {
		return nil, err
	}
	if err := checkStrings("environment variable", cfg.Env); err != nil {
		return nil, err
	}
	p := &Process{
		Stdout: &Stream{limit: cfg.Output},
		Stderr: &Stream{limit: cfg.Output},
		args:   cfg.Args,
		env:    cfg.Env,
		clock:  newClock(cfg.Start, cfg.RealClock),
		random: rand.NewChaCha8(cfg.Seed),
	}
	p.fds = newTable(cfg.Stdin, p.Stdout, p.Stderr, cfg.Files)
	return p, nil
}

// WASI makes a Process a Host.
func (p *Process) WASI() *Process { return p }

func checkStrings(what string, list []string) error {
	if len(list) > maxStrings {
		return fmt.Errorf("%d %ss are more than %d", len(list), what, maxStrings)
	}
	size := 0
	for i, s := range list {
		if strings.IndexByte(s, 0) >= 0 {
			return fmt.Errorf("%s %d holds a NUL byte: remove it", what, i)
		}
		size += len(s) + 1
	}
	if size > maxStringBytes {
		return fmt.Errorf("the %ss are %d bytes long together, more than %d", what, size, maxStringBytes)
	}
	return nil
}

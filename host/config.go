package host

import (
	"log/slog"
)

// Config is what a host needs to know. The zero value of every field has a
// sensible meaning except DataDir.
type Config struct {
	// DataDir is the folder for the database and the compile cache. It is
	// made, for its owner alone, if it does not exist.
	DataDir string
	// Keys are the gateway's keys, comma-separated, as in SVC_API_KEYS. With
	// none, the first start makes one: see Host.FirstKey.
	Keys string
	// Log receives what happens; the default discards it.
	Log *slog.Logger
	// Progress hears of each module that is loaded; it may be nil.
	Progress func(done, total int, name string)
}

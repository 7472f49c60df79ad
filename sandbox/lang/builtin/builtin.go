// Package builtin lists the languages that come with the host.
package builtin

import (
	"github.com/svc-platform/svc/sandbox/engine"
	"github.com/svc-platform/svc/sandbox/lang"
	"github.com/svc-platform/svc/sandbox/lang/javascript"
)

// Languages are the languages that come with the host, in the order in which
// they are shown.
func Languages() []lang.Language {
	return []lang.Language{
		javascript.Language(),
	}
}

// HostFuncs are the functions of all built-in languages. An engine that loads
// them needs these and wasi.Functions.
func HostFuncs() []engine.HostFunc {
	var all []engine.HostFunc
	for _, l := range Languages() {
		all = append(all, l.HostFuncs()...)
	}
	return all
}

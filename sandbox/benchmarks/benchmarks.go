// Package benchmarks measures the walls: the same kernels with and without the
// metering pass, side by side in one run, printed as ratios.
package benchmarks

import "embed"

// dist holds kernels.wasm, which "make generate" builds from kernels.ts.
//
//go:embed all:dist
var dist embed.FS

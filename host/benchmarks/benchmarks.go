// Package benchmarks measures the host beside the bare tools that it is built
// on, in one run, and prints ratios.
package benchmarks

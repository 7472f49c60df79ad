package main

import (
	"fmt"
	"io"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/svc-platform/svc/sandbox/engine/wazero"
	"github.com/svc-platform/svc/sandbox/meter"
)

// versionInfo is the answer of svc version.
type versionInfo struct {
	Version string `json:"version"`
	Engine  string `json:"engine"`
	Fuel    string `json:"fuel_schedule"`
	Go      string `json:"go"`
	System  string `json:"system"`
}

func versionCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print the version", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			v := versionInfo{
				Version: version, Engine: wazero.Name, Fuel: meter.ScheduleVersion,
				Go: runtime.Version(), System: runtime.GOOS + "/" + runtime.GOARCH,
			}
			return a.print(v, func(w io.Writer) {
				fmt.Fprintf(w, "svc %s (%s, %s, %s, %s)\n", v.Version, v.Engine, v.Fuel, v.Go, v.System)
			})
		},
	}
}

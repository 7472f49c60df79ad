// Package health answers whether the service is up.
package health

import (
	"context"
	"time"

	"github.com/svc-platform/svc/host/route"
)

// Version is the version that the health answer reports.
const Version = "1.287.5"

// Health is the answer of /api-health.
type Health struct {
	Status  string  `json:"status"`
	Service string  `json:"service"`
	Version string  `json:"version"`
	Uptime  float64 `json:"uptime" doc:"seconds since the start, to the millisecond"`
}

// Register adds the route. Since gives the time since the service started.
func Register(r *route.Router, since func() time.Duration) {
	op := route.Op{ID: "health", Summary: "Whether the service is up", Area: "health", Auth: route.NoKey}
	route.Get(r, "/api-health", op, func(context.Context, *struct{}) (Health, error) {
		uptime := float64(since().Milliseconds()) / 1000
		return Health{Status: "ok", Service: "svc", Version: Version, Uptime: uptime}, nil
	})
}

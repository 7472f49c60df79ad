package health_test

import (
	"testing"
	"time"

	"github.com/svc-platform/svc/host/health"
	"github.com/svc-platform/svc/host/route/routetest"
)

func TestHealth(t *testing.T) {
	r := routetest.New()
	health.Register(r, func() time.Duration { return 777*time.Millisecond + 300*time.Microsecond })
	routetest.Run(t, r, []routetest.Scenario{
		{Name: "up", URL: "/api-health", Status: 200, Contains: []string{`{"status":"ok","service":"svc","version":"1.287.5","uptime":0.777}`}},
		{Name: "wrong method", Method: "POST", URL: "/api-health", Body: "{}", Status: 405, Error: "method_not_allowed"},
	})
}

package benchmarks

import (
	"context"
	"fmt"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"github.com/svc-platform/svc/host"
	"github.com/svc-platform/svc/host/route/routetest"
)

const operatorPath = "/api/v1/operators/KO84"

// BenchmarkRatioGateway prints how many reads of one operator a second the host
// answers over TCP, beside a bare fiber handler that sends the same bytes.
func BenchmarkRatioGateway(b *testing.B) {
	node, err := host.New(context.Background(), host.Config{DataDir: b.TempDir(), Keys: routetest.Key})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = node.Close(context.Background()) })
	ours := listen(b, func(ctx context.Context, ln net.Listener) { _ = node.Serve(ctx, ln) })
	body := get(b, ours)

	app := fiber.New(fiber.Config{Immutable: true, DisableStartupMessage: true})
	app.Get("/api/v1/operators/:id", func(c *fiber.Ctx) error {
		c.Set(fiber.HeaderContentType, "application/json; charset=utf-8")
		return c.Send(body)
	})
	bare := listen(b, func(_ context.Context, ln net.Listener) { _ = app.Listener(ln) })
	b.Cleanup(func() { _ = app.Shutdown() })
	if string(get(b, bare)) != string(body) {
		b.Fatal("the two do not send the same bytes")
	}
	for _, clients := range []int{1, 8} {
		var best [2]float64
		for range 7 { // interleaved, so that both see the same machine
			for i, addr := range []string{ours, bare} {
				best[i] = max(best[i], rate(b, addr, clients))
			}
		}
		fmt.Printf("GET operators/:id, %d clients: host %.0f/s, bare fiber %.0f/s: ratio %.2f\n", clients, best[0], best[1], best[0]/best[1])
		b.ReportMetric(best[0]/best[1], fmt.Sprintf("ratio-%d-clients", clients))
	}
	b.ReportMetric(0, "ns/op")
}

// listen serves on a free port until the benchmark ends.
func listen(b *testing.B, serve func(context.Context, net.Listener)) (addr string) {
	b.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	b.Cleanup(cancel)
	go serve(ctx, ln)
	return ln.Addr().String()
}

func request(addr string) (*fasthttp.HostClient, *fasthttp.Request) {
	req := fasthttp.AcquireRequest()
	req.SetRequestURI("http://" + addr + operatorPath)
	req.Header.Set("X-API-Key", routetest.Key)
	return &fasthttp.HostClient{Addr: addr, MaxConns: 64}, req
}

func get(b *testing.B, addr string) []byte {
	b.Helper()
	client, req := request(addr)
	var res fasthttp.Response
	if err := client.Do(req, &res); err != nil || res.StatusCode() != 200 {
		b.Fatal(res.StatusCode(), err)
	}
	return append([]byte(nil), res.Body()...)
}

// rate is requests a second of so many clients, each on a connection of its own.
func rate(b *testing.B, addr string, clients int) float64 {
	b.Helper()
	const requests = 8000
	var wg sync.WaitGroup
	start := time.Now()
	for range clients {
		client, req := request(addr)
		wg.Go(func() {
			var res fasthttp.Response
			for range requests / clients {
				if err := client.Do(req, &res); err != nil || res.StatusCode() != 200 {
					b.Errorf("%d %v", res.StatusCode(), err)
					return
				}
			}
		})
	}
	wg.Wait()
	return requests / time.Since(start).Seconds()
}

package route_test

import (
	"context"
	"io"
	"log/slog"
	"net"
	"testing"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"github.com/svc-platform/svc/host/route"
	"github.com/svc-platform/svc/host/route/routetest"
)

const payload = `{"id":"KE1","name":"Kinetic energy","category":"kinematic","description":"Energy of a mass that moves",` +
	`"equation":"E = m*v^2/2","equationLaTeX":"E = \\frac{m v^{2}}{2}"}`

// ours is a router with one keyed route that picks prepared bytes.
func ours(b *testing.B, log io.Writer) *route.Router {
	b.Helper()
	r := route.New(route.Config{Keys: routetest.OneKey{}, Log: slog.New(slog.NewJSONHandler(log, nil))})
	data, err := route.Encode(map[string]string{"payload": payload})
	if err != nil {
		b.Fatal(err)
	}
	route.Get(r, "/api/v1/operators/{id}", route.Op{ID: "op", Summary: "op", Area: "bench", Auth: route.RequiredKey},
		func(_ context.Context, _ *struct {
			ID string `path:"id" maxLength:"100"`
		},
		) (route.Encoded[map[string]string], error) {
			return data, nil
		})
	return r
}

// bare is fiber alone with a handler that sends as many bytes.
func bare() *fiber.App {
	app := fiber.New(fiber.Config{Immutable: true, DisableStartupMessage: true})
	app.Get("/api/v1/operators/:id", func(c *fiber.Ctx) error {
		c.Set(fiber.HeaderContentType, "application/json; charset=utf-8")
		return c.SendString(`{"payload":` + payload + `}`)
	})
	return app
}

func BenchmarkHandler(b *testing.B) {
	run := func(b *testing.B, h fasthttp.RequestHandler) {
		var c fasthttp.RequestCtx
		b.ReportAllocs()
		for b.Loop() {
			c.Request.Reset()
			c.Response.Reset()
			c.Request.Header.SetMethod("GET")
			c.Request.SetRequestURI("/api/v1/operators/KE1")
			c.Request.Header.Set("X-API-Key", routetest.Key)
			h(&c)
		}
		if c.Response.StatusCode() != 200 {
			b.Fatal(c.Response.String())
		}
	}
	b.Run("bare", func(b *testing.B) { run(b, bare().Handler()) })
	b.Run("ours", func(b *testing.B) { run(b, ours(b, io.Discard).Handler()) })
}

// BenchmarkServed asks over TCP, one request after the other on one connection.
func BenchmarkServed(b *testing.B) {
	run := func(b *testing.B, serve func(net.Listener) error) {
		ln, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			b.Fatal(err)
		}
		served := make(chan error, 1)
		go func() { served <- serve(ln) }()
		client := &fasthttp.HostClient{Addr: ln.Addr().String()}
		req, res := fasthttp.AcquireRequest(), fasthttp.AcquireResponse()
		req.SetRequestURI("http://" + ln.Addr().String() + "/api/v1/operators/KE1")
		req.Header.Set("X-API-Key", routetest.Key)
		for b.Loop() {
			if err := client.Do(req, res); err != nil || res.StatusCode() != 200 {
				b.Fatal(err, res.StatusCode())
			}
		}
		client.CloseIdleConnections()
		_ = ln.Close()
		if err := <-served; err != nil {
			b.Log(err) // a closed listener
		}
	}
	b.Run("bare", func(b *testing.B) { run(b, bare().Listener) })
	b.Run("ours", func(b *testing.B) {
		r := ours(b, io.Discard)
		run(b, func(ln net.Listener) error { return r.Serve(context.Background(), ln) })
	})
}

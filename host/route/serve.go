package route

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"

	"github.com/valyala/fasthttp"
)

// Serve answers requests on ln until ctx ends, then lets those in flight
// finish within the grace period. It closes ln, and returns nil after an
// orderly end.
func (r *Router) Serve(ctx context.Context, ln net.Listener) error {
	r.seal()
	served := make(chan error, 1)
	go func() { served <- r.app.Listener(ln) }()
	select {
	case err := <-served:
		r.stop()
		return fmt.Errorf("serve %s: %w", ln.Addr(), err)
	case <-ctx.Done():
	}
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), r.cfg.Grace)
	defer cancel()
	err := r.app.ShutdownWithContext(grace)
	r.stop()
	// A shutdown that comes before the server took the listener closes nothing.
	if closed := ln.Close(); closed != nil && !errors.Is(closed, net.ErrClosed) {
		err = errors.Join(err, closed)
	}
	if end := <-served; !errors.Is(end, net.ErrClosed) {
		err = errors.Join(err, end)
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("shut down: requests were still running after %s", r.cfg.Grace)
	}
	return err
}

// Handler is the router as fasthttp knows it, for measurements.
func (r *Router) Handler() fasthttp.RequestHandler {
	r.seal()
	return r.app.Server().Handler
}

// Do answers one request without a network, for tests. Unlike fiber's own
// helper it also shows what is answered to requests that break off early.
func (r *Router) Do(req *http.Request) (*http.Response, error) {
	r.seal()
	client, server := net.Pipe()
	defer func() { _ = client.Close() }()
	go func() {
		_ = r.app.Server().ServeConn(server) // what goes wrong is in the answer
		_ = server.Close()
	}()
	go func() { _ = req.Write(client) }()
	res, err := http.ReadResponse(bufio.NewReader(client), req)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(res.Body)
	res.Body = io.NopCloser(bytes.NewReader(body))
	return res, err
}

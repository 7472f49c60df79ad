package route_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/svc-platform/svc/host/route"
	"github.com/svc-platform/svc/host/route/routetest"
)

// newLog writes to w in text, from the level on.
func newLog(w io.Writer, level slog.Level) *slog.Logger {
	return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{Level: level}))
}

// mounted are the routes that fiber serves, HEAD left out.
func mounted(r *route.Router) []string {
	var list []string
	for _, m := range r.Mounted() {
		if !strings.HasPrefix(m, "HEAD ") {
			list = append(list, m)
		}
	}
	slices.Sort(list)
	return list
}

func listen(t *testing.T) net.Listener {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return ln
}

func TestServeLetsRequestsFinish(t *testing.T) {
	r := routetest.New()
	entered, release := make(chan struct{}), make(chan struct{})
	route.Get(r, "/slow", route.Op{ID: "slow", Summary: "slow", Area: "test"},
		func(context.Context, *struct{}) (string, error) {
			close(entered)
			<-release
			return "finished", nil
		})
	ln := listen(t)
	ctx, cancel := context.WithCancel(context.Background())
	served, answered := make(chan error, 1), make(chan string, 1)
	go func() { served <- r.Serve(ctx, ln) }()
	go func() { answered <- fetch("http://" + ln.Addr().String() + "/slow") }()
	<-entered
	cancel()
	close(release)
	if got := <-answered; got != `200 "finished"` {
		t.Errorf("the request in flight got %q", got)
	}
	if err := <-served; err != nil {
		t.Errorf("Serve: %v", err)
	}
	if got := fetch("http://" + ln.Addr().String() + "/api/endpoints"); !strings.Contains(got, "refused") {
		t.Errorf("after the end: %q", got)
	}
}

// fetch gives the status and body, or the error's text.
func fetch(url string) string {
	res, err := http.Get(url)
	if err != nil {
		return err.Error()
	}
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		return err.Error()
	}
	return fmt.Sprintf("%d %s", res.StatusCode, body)
}

func TestServeDoesNotWaitForEver(t *testing.T) {
	r := route.New(route.Config{Keys: routetest.OneKey{}, Grace: time.Millisecond})
	entered := make(chan struct{})
	route.Get(r, "/stuck", route.Op{ID: "stuck", Summary: "stuck", Area: "test"},
		func(ctx context.Context, _ *struct{}) (string, error) {
			close(entered)
			<-ctx.Done() // ends when the grace period is over
			return "", ctx.Err()
		})
	ln := listen(t)
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- r.Serve(ctx, ln) }()
	go fetch("http://" + ln.Addr().String() + "/stuck")
	<-entered
	cancel()
	if err := <-served; err == nil || !strings.Contains(err.Error(), "still running") {
		t.Errorf("Serve: %v", err)
	}
}

func TestServeEndsWhenAlreadyCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := routetest.New().Serve(ctx, listen(t)); err != nil {
		t.Errorf("Serve: %v", err)
	}
}

func TestServeReportsABrokenListener(t *testing.T) {
	ln := listen(t)
	if err := ln.Close(); err != nil {
		t.Fatal(err)
	}
	if err := routetest.New().Serve(context.Background(), ln); err == nil {
		t.Error("no error")
	}
}

func TestMalformedHTTP(t *testing.T) {
	r := routetest.New()
	ln := listen(t)
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- r.Serve(ctx, ln) }()
	conn, err := net.Dial("tcp", ln.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(conn, "NONSENSE\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	answer, err := io.ReadAll(conn)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"400 Bad Request", `{"error":"invalid_request"`, "X-Request-Id", "nosniff"} {
		if !strings.Contains(strings.ToLower(string(answer)), strings.ToLower(want)) {
			t.Errorf("the answer lacks %q: %s", want, answer)
		}
	}
	cancel()
	if err := <-served; err != nil {
		t.Error(err)
	}
}

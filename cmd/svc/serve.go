package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/svc-platform/svc/host"
)

// serveFlags are the options of svc serve.
type serveFlags struct{ listen, data, level string }

func serveCommand(a *app) *cobra.Command {
	var f serveFlags
	c := &cobra.Command{
		Use: "serve", Short: "Start the host", Args: cobra.NoArgs,
		Long: `Start the host on its embedded default: SQLite, built-in modules, nothing to install.
It runs until it is interrupted, then lets requests in flight finish.

Environment: SVC_API_KEYS holds the gateway's keys, comma-separated. Without it
the first start makes one, prints it once and stores its hash.`,
		Example: "  svc serve --listen 127.0.0.1:8080 --data .svc-data",
		RunE:    func(c *cobra.Command, _ []string) error { return a.serve(c.Context(), f) },
	}
	c.Flags().StringVar(&f.listen, "listen", "127.0.0.1:8080", "address to listen on; port 0 takes a free one and prints it")
	c.Flags().StringVar(&f.data, "data", ".svc-data", "folder for the database and the compile cache")
	c.Flags().StringVar(&f.level, "log-level", "info", "debug, info, warn or error")
	completeFlag(c, "log-level", cobra.FixedCompletions([]string{"debug", "info", "warn", "error"}, cobra.ShellCompDirectiveNoFileComp))
	return c
}

func (a *app) serve(ctx context.Context, f serveFlags) error {
	var level slog.Level
	if err := level.UnmarshalText([]byte(f.level)); err != nil {
		return usagef("--log-level %q: give debug, info, warn or error", f.level)
	}
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second interrupt ends the program at once
	// The address comes first: nothing is loaded for a port that is taken.
	ln, err := listen(ctx, f.listen)
	if err != nil {
		return err
	}
	h, err := host.New(ctx, host.Config{
		DataDir: f.data, Keys: os.Getenv("SVC_API_KEYS"),
		Log:      slog.New(slog.NewJSONHandler(a.err, &slog.HandlerOptions{Level: level})),
		Progress: a.progress,
	})
	if err != nil {
		return errors.Join(err, ln.Close())
	}
	end := func() error { return h.Close(context.WithoutCancel(ctx)) }
	if err := a.welcome(h.FirstKey(), ln.Addr(), f.data); err != nil {
		return errors.Join(err, ln.Close(), end())
	}
	return errors.Join(h.Serve(ctx, ln), end())
}

func (a *app) progress(done, total int, name string) {
	if !a.json {
		fmt.Fprintf(a.err, "loading %d/%d %s\n", done, total, name)
	}
}

// listen takes the address. One that makes no sense is a usage error.
func listen(ctx context.Context, address string) (net.Listener, error) {
	ln, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
	var malformed *net.AddrError
	var unknownHost *net.DNSError
	var failed *net.OpError
	switch {
	case err == nil:
		return ln, nil
	case errors.As(err, &malformed):
		return nil, usagef("--listen %q: %s; give HOST:PORT, like 127.0.0.1:8080", address, malformed.Err)
	case errors.As(err, &unknownHost):
		return nil, usagef("--listen %q: %s; give HOST:PORT, like 127.0.0.1:8080", address, unknownHost.Err)
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fmt.Errorf("the address %s is in use: give another with --listen, or port 0 for a free one", address)
	case errors.As(err, &failed):
		err = failed.Err
	}
	return nil, fmt.Errorf("cannot listen on %s: %w: give another address with --listen", address, err)
}

// listening is what svc serve --json prints once it is ready.
type listening struct {
	URL      string `json:"url"`
	Address  string `json:"address"`
	FirstKey string `json:"first_key,omitempty"`
}

// welcome says where the host is and what to try next.
func (a *app) welcome(firstKey string, address net.Addr, data string) error {
	v := listening{URL: reachable(address), Address: address.String(), FirstKey: firstKey}
	return a.print(v, func(w io.Writer) {
		fmt.Fprintf(w, "\nsvc %s is listening on %s\n", version, v.URL)
		if v.FirstKey != "" {
			fmt.Fprintf(w, "\nYour API key, shown only now (its hash is kept in %s):\n\n  %s\n", data, v.FirstKey)
		}
		showTries(w, v.URL, v.FirstKey)
		fmt.Fprintf(w, "\nEvery operation: %s/api-docs\n\n", v.URL)
	})
}

// showTries prints three lines that work when they are pasted into a shell:
// with the key that was just made, or without one.
func showTries(w io.Writer, url, firstKey string) {
	line := func(key, path, body string) {
		fmt.Fprint(w, "  curl -s")
		if key != "" {
			fmt.Fprintf(w, ` -H "X-API-Key: %s"`, key)
		}
		if body != "" {
			fmt.Fprintf(w, " -H 'Content-Type: application/json' -d '%s'", body)
		}
		fmt.Fprintf(w, " %s%s\n", url, path)
	}
	question := func(key string) {
		line(key, "/api/v1/process", `{"query":"kinetic energy of a 2 kg ball at 3 m/s"}`)
	}
	fmt.Fprint(w, "\nTry:\n\n")
	line("", "/api/v1/status", "")
	if firstKey != "" {
		question(firstKey)
	} else {
		line("", "/services/forensic/analyze", `{"content":"How random is this text?"}`)
	}
	line("", "/services/sandbox/execute", `{"language":"javascript","code":"console.log(6*7)"}`)
	if firstKey == "" {
		fmt.Fprint(w, "\nWith KEY set to one of SVC_API_KEYS, or to the key that the first start printed:\n\n")
		question("$KEY")
	}
}

// reachable is a URL at which the address can be reached from this machine.
func reachable(address net.Addr) string {
	tcp, ok := address.(*net.TCPAddr)
	if !ok || !tcp.IP.IsUnspecified() {
		return "http://" + address.String()
	}
	return fmt.Sprintf("http://127.0.0.1:%d", tcp.Port)
}

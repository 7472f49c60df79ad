package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// daemon is a host that a script started.
type daemon struct {
	cmd     *exec.Cmd
	stderr  bytes.Buffer // whole once the host ended
	welcome string
}

type daemonKey struct{}

func daemonOf(ts *testscript.TestScript) *daemon { return ts.Value(daemonKey{}).(*daemon) }

// startCmd starts svc serve in the background and reads what it says until it
// is ready. It sets URL and ADDRESS, and KEY where a key was made.
func startCmd(ts *testscript.TestScript, neg bool, args []string) {
	want(ts, neg, true, "start ARG...")
	path, err := exec.LookPath("svc")
	ts.Check(err)
	d := daemonOf(ts)
	*d = daemon{cmd: exec.Command(path, append([]string{"serve", "--listen", "127.0.0.1:0"}, args...)...)}
	d.cmd.Dir = ts.MkAbs(".")
	for _, name := range []string{"PATH", "HOME", "XDG_CACHE_HOME", "SVC_API_KEYS"} {
		d.cmd.Env = append(d.cmd.Env, name+"="+ts.Getenv(name))
	}
	d.cmd.Stderr = &d.stderr
	out, err := d.cmd.StdoutPipe()
	ts.Check(err)
	ts.Check(d.cmd.Start())
	ts.Defer(func() { _ = d.cmd.Process.Kill() }) // if the script breaks off
	if d.welcome = readWelcome(out); d.welcome == "" {
		_ = d.cmd.Wait()
		ts.Fatalf("the host ended: %s", &d.stderr)
	}
	fmt.Fprint(ts.Stdout(), d.welcome)
	url := regexp.MustCompile(`http://[0-9.:]+`).FindString(d.welcome)
	ts.Setenv("URL", url)
	ts.Setenv("ADDRESS", strings.TrimPrefix(url, "http://"))
	if key := regexp.MustCompile(`svc_[A-Z0-9]+`).FindString(d.welcome); key != "" {
		ts.Setenv("KEY", key)
	}
}

// readWelcome reads up to the last line of what svc serve prints, or gives "".
func readWelcome(r io.Reader) string {
	var b strings.Builder
	for lines := bufio.NewScanner(r); lines.Scan(); {
		fmt.Fprintln(&b, lines.Text())
		if lines.Text() == "}" || strings.HasPrefix(lines.Text(), "Every operation:") {
			return b.String()
		}
	}
	return ""
}

// endCmd interrupts the host: it must end with exit code 0. What it wrote to
// stderr is then there to be matched.
func endCmd(ts *testscript.TestScript, neg bool, args []string) {
	want(ts, neg, len(args) == 0, "end")
	d := daemonOf(ts)
	ts.Check(d.cmd.Process.Signal(os.Interrupt))
	if err := d.cmd.Wait(); err != nil {
		ts.Fatalf("the host ended with %v: %s", err, &d.stderr)
	}
	fmt.Fprint(ts.Stderr(), d.stderr.String())
}

// pasteCmd runs every curl line that the host printed in a shell.
func pasteCmd(ts *testscript.TestScript, neg bool, args []string) {
	want(ts, neg, len(args) == 1, "paste COUNT")
	lines := regexp.MustCompile(`(?m)^ +(curl .*)$`).FindAllStringSubmatch(daemonOf(ts).welcome, -1)
	if fmt.Sprint(len(lines)) != args[0] {
		ts.Fatalf("the host printed %d lines with curl, want %s", len(lines), args[0])
	}
	var answers strings.Builder
	for _, line := range lines {
		if err := ts.Exec("sh", "-c", line[1]); err != nil {
			ts.Fatalf("%s: %v", line[1], err)
		}
		fmt.Fprintln(&answers, ts.ReadFile("stdout"))
	}
	fmt.Fprint(ts.Stdout(), answers.String())
}

// httpCmd asks the host: stdout is the status, then the body.
func httpCmd(ts *testscript.TestScript, neg bool, args []string) {
	want(ts, neg, len(args) >= 2 && len(args) <= 4, "http METHOD PATH [KEY|-] [BODY]")
	key, body := "", ""
	if len(args) > 2 && args[2] != "-" {
		key = args[2]
	}
	if len(args) > 3 {
		body = args[3]
	}
	status, answer, err := ask(args[0], ts.Getenv("URL")+args[1], key, body)
	ts.Check(err)
	fmt.Fprintf(ts.Stdout(), "%d\n%s\n", status, answer)
}

func ask(method, url, key, body string) (status int, answer []byte, err error) {
	req, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	if key != "" {
		req.Header.Set("X-API-Key", key)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, nil, err
	}
	answer, err = io.ReadAll(res.Body)
	return res.StatusCode, answer, errors.Join(err, res.Body.Close())
}

// curl is a curl of any age: it knows -s, -H and -d, nothing newer, and fails
// of a status that is not 200.
func curl(args []string, stdout, stderr io.Writer) int {
	fail := func(format string, args ...any) int {
		fmt.Fprintf(stderr, "curl: "+format+"\n", args...)
		return 2
	}
	method, url, body, header := http.MethodGet, "", "", http.Header{}
	for i := 0; i < len(args); i++ {
		switch arg := args[i]; {
		case arg == "-s":
		case arg == "-d" && i+1 < len(args):
			i++
			method, body = http.MethodPost, args[i]
		case arg == "-H" && i+1 < len(args):
			i++
			name, value, _ := strings.Cut(args[i], ":")
			header.Set(name, strings.TrimSpace(value))
		case strings.HasPrefix(arg, "-") || url != "":
			return fail("what is %q?", arg)
		default:
			url = arg
		}
	}
	if body != "" && header.Get("Content-Type") != "application/json" {
		return fail("a body that does not say that it is JSON")
	}
	status, answer, err := ask(method, url, header.Get("X-API-Key"), body)
	if err != nil || status != http.StatusOK {
		return fail("%v, status %d: %s", err, status, answer)
	}
	_, _ = stdout.Write(answer)
	return 0
}

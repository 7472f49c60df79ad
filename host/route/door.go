package route

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"log/slog"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"github.com/svc-platform/svc/host/caller"
	"github.com/svc-platform/svc/host/fault"
)

// newApp is fiber as we want it. Immutable is a must: without it the strings
// that handlers get are overwritten by the next request.
func (r *Router) newApp() *fiber.App {
	app := fiber.New(fiber.Config{
		Immutable:                    true,
		CaseSensitive:                true,
		DisableStartupMessage:        true,
		DisablePreParseMultipartForm: true,
		BodyLimit:                    r.cfg.BodyLimit,
		ReadBufferSize:               16 << 10, // also the most that a request's headers may take
		ReadTimeout:                  r.cfg.ReadTimeout,
		IdleTimeout:                  2 * time.Minute,
		ErrorHandler:                 r.refuse,
	})
	server := app.Server()
	server.Handler = r.door(app, server.Handler)
	refused := server.ErrorHandler
	server.ErrorHandler = func(c *fasthttp.RequestCtx, err error) {
		r.enter(c)
		refused(c, err)
		r.log(c, time.Now())
	}
	return app
}

// door is what every request passes, also those that reach no route.
func (r *Router) door(app *fiber.App, next fasthttp.RequestHandler) fasthttp.RequestHandler {
	methods := app.Config().RequestMethods // Config copies much: not for every request
	fail := func(c *fasthttp.RequestCtx, err error) {
		fc := app.AcquireCtx(c)
		defer app.ReleaseCtx(fc)
		_ = r.refuse(fc, err) // it fails only on marshalling three strings
	}
	return func(c *fasthttp.RequestCtx) {
		start := time.Now()
		r.enter(c)
		defer func() {
			if p := recover(); p != nil {
				c.Response.Reset()
				r.enter(c)
				fail(c, fault.Wrap(fmt.Errorf("%v\n%s", p, debug.Stack()), "panic"))
			}
			r.log(c, start)
		}()
		if !slices.Contains(methods, string(c.Method())) {
			fail(c, fiber.ErrNotImplemented) // fiber would answer in plain text
			return
		}
		next(c)
	}
}

// header is a header field as fasthttp keeps it.
type header struct{ name, value []byte }

// securityHeaders stand on every answer; a page with scripts replaces the policy.
func securityHeaders() []header {
	return []header{
		{[]byte(fiber.HeaderXContentTypeOptions), []byte("nosniff")},
		{[]byte(fiber.HeaderXFrameOptions), []byte("DENY")},
		{[]byte(fiber.HeaderReferrerPolicy), []byte("no-referrer")},
		{[]byte(fiber.HeaderContentSecurityPolicy), []byte("default-src 'none'; frame-ancestors 'none'")},
		{[]byte(fiber.HeaderCacheControl), []byte("no-store")},
	}
}

// enter gives the answer its request id and its security headers.
func (r *Router) enter(c *fasthttp.RequestCtx) {
	h := &c.Response.Header
	if id := c.Request.Header.Peek(fiber.HeaderXRequestID); saneID(id) {
		h.SetBytesV(fiber.HeaderXRequestID, id)
	} else {
		var b [48]byte
		h.SetBytesV(fiber.HeaderXRequestID, r.ids.append(b[:0]))
	}
	for _, f := range r.headers {
		h.SetCanonical(f.name, f.value)
	}
}

// log writes one line for the request. Of keys and queries it says nothing. A
// read that went well is for debugging only: the line would cost more than the
// read itself.
func (r *Router) log(c *fasthttp.RequestCtx, start time.Time) {
	status := c.Response.StatusCode()
	level := slog.LevelInfo
	switch {
	case status >= fiber.StatusInternalServerError:
		level = slog.LevelError
	case status < fiber.StatusBadRequest && (c.IsGet() || c.IsHead()):
		level = slog.LevelDebug
	}
	if !r.cfg.Log.Enabled(c, level) {
		return
	}
	r.cfg.Log.LogAttrs(c, level, "request",
		slog.String("id", requestID(c)),
		slog.String("method", string(c.Method())),
		slog.String("path", string(c.Path())),
		slog.Int("status", status),
		slog.Duration("took", time.Since(start)),
		slog.String("from", c.RemoteIP().String()))
}

// requestID is the id that enter gave.
func requestID(c *fasthttp.RequestCtx) string {
	return string(c.Response.Header.Peek(fiber.HeaderXRequestID))
}

// saneID accepts ids of other systems that are short and cannot forge a log line.
func saneID(id []byte) bool {
	if len(id) == 0 || len(id) > 64 {
		return false
	}
	const allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_."
	for _, b := range id {
		if strings.IndexByte(allowed, b) < 0 {
			return false
		}
	}
	return true
}

// requestIDs makes ids that no other process makes: a random prefix and a count.
type requestIDs struct {
	prefix string
	count  atomic.Uint64
}

func newRequestIDs() *requestIDs {
	var b [6]byte
	_, _ = rand.Read(b[:]) // it never fails: the runtime ends the process instead
	return &requestIDs{prefix: hex.EncodeToString(b[:]) + "-"}
}

func (r *requestIDs) append(b []byte) []byte {
	return strconv.AppendUint(append(b, r.prefix...), r.count.Add(1), 10)
}

// errKey is the answer to every missing or bad key.
func errKey() *fault.Error {
	return fault.New(fault.Unauthenticated, "Missing or invalid key")
}

// identify finds out who is calling, as far as the route wants to know. Every
// key that was sent must be good, also where none is needed.
func (r *Router) identify(c *fiber.Ctx, auth Auth) (context.Context, error) {
	if auth == NoKey {
		return r.base, nil
	}
	secrets, err := sentKeys(c)
	if err != nil {
		return nil, err
	}
	if len(secrets) == 0 && auth == RequiredKey {
		return nil, errKey()
	}
	ctx := r.base
	for _, secret := range secrets {
		who, err := r.cfg.Keys.Authenticate(r.base, secret)
		if fault.KindOf(err) == fault.Unauthenticated {
			return nil, errKey().WithCause(err)
		}
		if err != nil {
			return nil, err
		}
		ctx = caller.With(r.base, who)
	}
	return ctx, nil
}

// sentKeys are the keys in X-API-Key and Authorization, at most one of each.
func sentKeys(c *fiber.Ctx) ([]string, error) {
	var secrets []string
	if bearer := c.Get(fiber.HeaderAuthorization); bearer != "" {
		scheme, secret, _ := strings.Cut(bearer, " ")
		if secret = strings.TrimSpace(secret); !strings.EqualFold(scheme, "Bearer") || secret == "" {
			return nil, errKey()
		}
		secrets = append(secrets, secret)
	}
	if secret := c.Get("X-API-Key"); secret != "" {
		secrets = append(secrets, secret)
	}
	return secrets, nil
}

package route

import (
	"errors"
	"fmt"
	"log/slog"

	"github.com/gofiber/fiber/v2"

	"github.com/svc-platform/svc/host/fault"
)

// problem is an error as HTTP knows it. Only this room makes one; the domain
// speaks fault.
type problem struct {
	status  int
	code    string
	message string
	details []fault.Detail
	cause   error
}

func (p problem) Error() string { return p.code + ": " + p.message }

// Failure is the one error body.
type Failure struct {
	Error   string         `json:"error" doc:"stable code"`
	Message string         `json:"message" doc:"what to do about it"`
	Details []fault.Detail `json:"details,omitempty" doc:"each thing that is wrong with the request"`
}

// statusOf is the one map from the domain's errors to HTTP.
func statusOf(kind fault.Kind) int {
	switch kind {
	case fault.Invalid:
		return fiber.StatusBadRequest
	case fault.Unauthenticated:
		return fiber.StatusUnauthorized
	case fault.Forbidden:
		return fiber.StatusForbidden
	case fault.NotFound:
		return fiber.StatusNotFound
	case fault.Conflict:
		return fiber.StatusConflict
	case fault.TooLarge:
		return fiber.StatusRequestEntityTooLarge
	case fault.Unavailable:
		return fiber.StatusServiceUnavailable
	default:
		return fiber.StatusInternalServerError
	}
}

// toProblem makes a problem of any error.
func (r *Router) toProblem(err error) problem {
	var p problem
	if errors.As(err, &p) {
		return p
	}
	var f *fiber.Error
	if errors.As(err, &f) {
		return r.fromFiber(f)
	}
	d := fault.From(err)
	return problem{status: statusOf(d.Kind), code: d.Stable(), message: d.Message, details: d.Details, cause: d.Err}
}

// fromFiber words what fiber itself refuses.
func (r *Router) fromFiber(f *fiber.Error) problem {
	p := problem{status: f.Code, cause: f}
	switch f.Code {
	case fiber.StatusNotFound:
		p.code, p.message = "not_found", "there is nothing at this path; GET /api/endpoints lists what there is"
	case fiber.StatusMethodNotAllowed:
		p.code, p.message = "method_not_allowed", "this path does not take this method; the Allow header lists those it takes"
	case fiber.StatusRequestEntityTooLarge:
		p.code, p.message = "too_large", fmt.Sprintf("the request body is too large; send at most %d bytes", r.cfg.BodyLimit)
	case fiber.StatusRequestHeaderFieldsTooLarge:
		p.code, p.message = "headers_too_large", "the request line and headers are too large; send less"
	case fiber.StatusRequestTimeout:
		p.code, p.message = "request_timeout", "the request took too long to arrive; send it again"
	case fiber.StatusNotImplemented:
		p.code, p.message = "unknown_method", "this is no HTTP method that the service knows"
	case fiber.StatusBadRequest:
		p.code, p.message = "invalid_request", "this is not a well-formed HTTP request"
	default:
		d := fault.Wrap(f, "fiber")
		p.status, p.code, p.message = fiber.StatusInternalServerError, d.Stable(), d.Message
	}
	return p
}

// refuse answers a request with an error. It is fiber's ErrorHandler, and is
// so reached by everything that goes wrong before, in and after a route.
func (r *Router) refuse(c *fiber.Ctx, err error) error {
	p := r.toProblem(err)
	if p.status >= fiber.StatusInternalServerError {
		r.cfg.Log.LogAttrs(c.Context(), slog.LevelError, "request failed",
			slog.String("id", requestID(c.Context())), slog.String("path", c.Path()), slog.Any("cause", p.cause))
	}
	data, err := marshal(Failure{Error: p.code, Message: p.message, Details: p.details})
	if err != nil {
		return err
	}
	if p.status == fiber.StatusUnauthorized {
		c.Set(fiber.HeaderWWWAuthenticate, "Bearer")
	}
	c.Status(p.status)
	return send(c, data)
}

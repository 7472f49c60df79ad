// Package fault is the one error type that the domain shows to the world: a
// kind out of a short list, a stable code, and a message that is safe to show
// and says what to do. The cause stays inside, for the log. host/route alone
// turns kinds into HTTP statuses.
package fault

import (
	"errors"
	"fmt"
)

// Kind says what sort of thing went wrong.
type Kind string

// The kinds. Their values are the codes of errors that carry no code of their own.
const (
	Invalid         Kind = "invalid_request"
	Unauthenticated Kind = "unauthorized"
	Forbidden       Kind = "forbidden"
	NotFound        Kind = "not_found"
	Conflict        Kind = "conflict"
	TooLarge        Kind = "too_large"
	Unavailable     Kind = "unavailable"
	Internal        Kind = "internal"
)

// Detail is one of several things wrong with a request.
type Detail struct {
	Field   string `json:"field" doc:"where it is, e.g. body.query"`
	Message string `json:"message" doc:"what is wrong there"`
}

// Error is a fault. Only Kind and Message are always set.
type Error struct {
	Kind    Kind
	Code    string // stable, e.g. "unknown_language"; empty means the kind's own
	Message string // safe to show; says what to do about it
	Details []Detail
	Err     error // the cause, never shown
}

// New makes a fault of the given kind.
func New(kind Kind, format string, args ...any) *Error {
	return &Error{Kind: kind, Message: fmt.Sprintf(format, args...)}
}

// Wrap makes an internal fault out of an unexpected error: the world sees only
// that it happened, the log sees what was being done and why it failed.
func Wrap(err error, doing string) *Error {
	return &Error{
		Kind:    Internal,
		Message: "something went wrong on our side; try again, and report the request id if it stays",
		Err:     fmt.Errorf("%s: %w", doing, err),
	}
}

// WithCode gives the fault a stable code of its own.
func (e *Error) WithCode(code string) *Error {
	e.Code = code
	return e
}

// WithCause keeps err for the log.
func (e *Error) WithCause(err error) *Error {
	e.Err = err
	return e
}

func (e *Error) Error() string {
	if e.Err != nil {
		return fmt.Sprintf("%s: %s: %v", e.Stable(), e.Message, e.Err)
	}
	return e.Stable() + ": " + e.Message
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// Stable is the code that the world sees.
func (e *Error) Stable() string {
	if e.Code != "" {
		return e.Code
	}
	return string(e.Kind)
}

// From finds the fault in err's chain; whatever is no fault becomes an internal one.
func From(err error) *Error {
	var f *Error
	if errors.As(err, &f) {
		return f
	}
	return Wrap(err, "unexpected")
}

// KindOf is the kind of the fault in err's chain, Internal for other errors, "" for nil.
func KindOf(err error) Kind {
	if err == nil {
		return ""
	}
	return From(err).Kind
}

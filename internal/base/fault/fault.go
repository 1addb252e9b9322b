// Package fault is how a feature refuses.
//
// A refusal is declared once, beside the rule it enforces (`faults.go`), with a kind, a stable code and a
// sentence that says what to do. It travels as an error; one function at the surface turns it into bytes.
// Features know kinds, never HTTP statuses. Any error that is not a *Fault is internal: logged in full, shown
// as nothing.
package fault

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Kind says what sort of refusal it is. The zero Kind is Internal, so that a forgotten kind shows nothing.
type Kind int

// The kinds. Each surface has one table from kind to status.
const (
	Internal        Kind = iota
	Invalid              // the request itself is wrong
	Unauthenticated      // no proof of who is calling
	Forbidden            // known, but not allowed
	NotFound             // absent, or of another business: the two are never told apart
	Conflict             // the record's state does not permit it
	Stale                // the caller's version is not the present one
	TooLarge             // more bytes than the door takes
	Unprocessable        // readable, but contradicts an earlier request
	Limited              // too many requests; RetryAfter says how long to wait
	Unavailable          // a part of the service is away; the same call may work later
)

// Fault is a refusal. Treat it as a value: the methods that add to it return a copy.
type Fault struct {
	Kind Kind
	// Code is the word programs branch on; empty for validation failures, by the contract (SERR-02).
	Code string
	// Message is a sentence for people. {0}, {1}… stand for Params.
	Message string
	// Params are the values that Message interpolates; p0, p1… on the wire.
	Params []any
	// Fields are the sentences of a validation failure, each starting with the member's path.
	Fields []string
	// Details is an extra member some refusals of the contract carry.
	Details any
	// Results tell what became of each part, where a whole was refused because of some.
	Results any
	// RetryAfter is how long to wait, for Limited and Unavailable.
	RetryAfter time.Duration

	cause error
}

// New declares a refusal.
func New(kind Kind, code, message string) *Fault {
	return &Fault{Kind: kind, Code: code, Message: message}
}

// InvalidFields is a validation failure that names every offending member at once.
func InvalidFields(fields ...string) *Fault {
	return &Fault{Kind: Invalid, Fields: fields}
}

// With gives the values for {0}, {1}… of the message.
func (f *Fault) With(params ...any) *Fault {
	c := *f
	c.Params = params
	return &c
}

// WithDetails adds the extra member.
func (f *Fault) WithDetails(details any) *Fault {
	c := *f
	c.Details = details
	return &c
}

// WithResults adds what became of each part.
func (f *Fault) WithResults(results any) *Fault {
	c := *f
	c.Results = results
	return &c
}

// After says how long to wait before another try.
func (f *Fault) After(d time.Duration) *Fault {
	c := *f
	c.RetryAfter = d
	return &c
}

// Because keeps the error behind the refusal for the log; callers never see it.
func (f *Fault) Because(err error) *Fault {
	c := *f
	c.cause = err
	return &c
}

// Text is the message with its values filled in, or the sentences of a validation failure.
func (f *Fault) Text() string {
	if len(f.Fields) > 0 {
		return strings.Join(f.Fields, "; ")
	}
	text := f.Message
	for i, p := range f.Params {
		text = strings.ReplaceAll(text, "{"+strconv.Itoa(i)+"}", fmt.Sprint(p))
	}
	return text
}

// Error implements error, for logs: code, text and cause.
func (f *Fault) Error() string {
	text := f.Text()
	if f.Code != "" {
		text = f.Code + ": " + text
	}
	if f.cause != nil {
		text += ": " + f.cause.Error()
	}
	return text
}

// Unwrap gives the cause.
func (f *Fault) Unwrap() error { return f.cause }

// Is reports whether target is the same declared refusal, whatever values either carries.
func (f *Fault) Is(target error) bool {
	t, ok := target.(*Fault)
	return ok && f.Kind == t.Kind && f.Code == t.Code && f.Message == t.Message
}

// From finds the refusal inside err. Without one it is nil: err is a malfunction.
func From(err error) *Fault {
	if err == nil {
		return nil
	}
	var f *Fault
	if errors.As(err, &f) {
		return f
	}
	return nil
}

// KindOf is the kind of the refusal inside err, Internal if there is none.
func KindOf(err error) Kind {
	if f := From(err); f != nil {
		return f.Kind
	}
	return Internal
}

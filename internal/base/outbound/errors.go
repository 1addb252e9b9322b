package outbound

import (
	"errors"
	"strconv"
	"time"
)

// Reason is why there is no answer. The set is closed; programs branch on it and count by it.
type Reason string

// The reasons, each with the words it shows. Reasons marked … complete their words.
const (
	ReasonNone         Reason = ""            // there was no error of this package
	ReasonURL          Reason = "url"         // URL must use https, …: the URL itself is refused
	ReasonRequest      Reason = "request"     // request not valid: a mistake of our own
	ReasonAddress      Reason = "address"     // address not allowed; also hides failures of internal addresses
	ReasonName         Reason = "name"        // name not found
	ReasonLookup       Reason = "lookup"      // name lookup failed: the resolver, not the name
	ReasonRefused      Reason = "refused"     // connection refused
	ReasonUnreachable  Reason = "unreachable" // host unreachable
	ReasonTimeout      Reason = "timeout"     // timed out after 10 s, connection timed out after 3 s, …
	ReasonTLS          Reason = "tls"         // TLS handshake failed: certificate expired, …
	ReasonReset        Reason = "reset"       // connection reset
	ReasonClosed       Reason = "closed"      // connection closed before an answer
	ReasonHeadersLarge Reason = "headers"     // response headers too large
	ReasonMalformed    Reason = "malformed"   // response not valid HTTP
	ReasonCanceled     Reason = "canceled"    // stopped before an answer: by the caller, not by the other side
	ReasonFailed       Reason = "failed"      // connection failed: any other cause
)

var words = map[Reason]string{
	ReasonRequest:      "request not valid",
	ReasonAddress:      "address not allowed",
	ReasonName:         "name not found",
	ReasonLookup:       "name lookup failed",
	ReasonRefused:      "connection refused",
	ReasonUnreachable:  "host unreachable",
	ReasonTimeout:      "timed out",
	ReasonTLS:          "TLS handshake failed",
	ReasonReset:        "connection reset",
	ReasonClosed:       "connection closed before an answer",
	ReasonHeadersLarge: "response headers too large",
	ReasonMalformed:    "response not valid HTTP",
	ReasonCanceled:     "stopped before an answer",
	ReasonFailed:       "connection failed",
}

// Error is a refusal or a failed attempt. Error() holds only words of this package, never text of the other
// side or of our network, and may be shown to the owner of the URL.
type Error struct {
	Reason Reason
	words  string
	cause  error
}

// Error implements error: the words for the delivery log.
func (e *Error) Error() string { return e.words }

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.cause }

// Detail is the whole story with addresses and causes. Only the operator's log may have it.
func (e *Error) Detail() string {
	if e.cause == nil {
		return e.words
	}
	if inner, ok := e.cause.(*Error); ok {
		return e.words + ": " + inner.Detail()
	}
	return e.words + ": " + e.cause.Error()
}

// ReasonOf is the reason inside err, ReasonNone if there is none.
func ReasonOf(err error) Reason {
	var e *Error
	if errors.As(err, &e) {
		return e.Reason
	}
	return ReasonNone
}

// Lost reports whether the other side took a connection and threw it away, without having taken its time: what making one costs
// is spent for nothing, and can be spent again at once. It is no word for the owner of the URL.
func Lost(err error) bool {
	var e *Error
	if !errors.As(err, &e) {
		return false
	}
	if inner, hidden := e.cause.(*Error); hidden {
		return Lost(inner)
	}
	switch e.Reason {
	case ReasonTLS, ReasonReset, ReasonClosed, ReasonHeadersLarge, ReasonMalformed:
		return true
	}
	return false
}

func fail(r Reason, cause error) *Error { return &Error{Reason: r, words: words[r], cause: cause} }

func refuseURL(what string) *Error { return &Error{Reason: ReasonURL, words: "URL " + what} }

func timedOut(what string, limit time.Duration, cause error) *Error {
	text := words[ReasonTimeout] + " after " + plainDuration(limit)
	if what != "" {
		text = what + " " + text
	}
	return &Error{Reason: ReasonTimeout, words: text, cause: cause}
}

// hidden gives e the words of a denied address: see the package comment.
func hidden(e *Error) *Error {
	switch e.Reason {
	case ReasonURL, ReasonRequest, ReasonAddress, ReasonCanceled:
		return e
	}
	return fail(ReasonAddress, e)
}

// plainDuration writes a limit for people: 10 s, 1.5 s, 250 ms.
func plainDuration(d time.Duration) string {
	if d < time.Second {
		return strconv.FormatInt(d.Milliseconds(), 10) + " ms"
	}
	return strconv.FormatFloat(d.Round(100*time.Millisecond).Seconds(), 'f', -1, 64) + " s"
}

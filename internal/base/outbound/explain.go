package outbound

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"strings"
	"syscall"
	"time"
)

// explain says why there is no answer, in words for the owner of the URL.
func (a *attempt) explain(limit time.Duration, err error) *Error {
	e := a.reason(limit, err)
	if a.internal.Load() {
		return hidden(e)
	}
	return e
}

// reason puts a failed round trip into the closed set. Failures of lookup, connect and TLS arrive as *Error
// from our dialers; what remains happened on an established connection.
func (a *attempt) reason(limit time.Duration, err error) *Error {
	var own *Error
	switch {
	case errors.As(err, &own):
		return own
	case a.ctx.Err() != nil:
		return stopped(context.Cause(a.ctx), limit, err)
	case !a.gotConn.Load() && a.dials.Load() == 0:
		return fail(ReasonRequest, err) // refused by net/http before it dialled: a bad method or header
	case errors.Is(err, errFlood) || saysAny(err, headersLarge):
		return fail(ReasonHeadersLarge, err)
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return fail(ReasonReset, err)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), saysAny(err, closed):
		return fail(ReasonClosed, err)
	}
	return fail(ReasonMalformed, err)
}

// net/http has no types for these. A test provokes each, so that a change of wording there is noticed.
var (
	headersLarge = []string{
		"server response headers exceeded",                  // HTTP/1
		"response header list larger than advertised limit", // HTTP/2
		"header list too large",                             // HTTP/2, interim answers
	}
	closed = []string{
		"server closed idle connection", // HTTP/1, a kept connection ended as we used it
		"GOAWAY",                        // HTTP/2
		"client conn",                   // HTTP/2: closed, not usable, could not be established
	}
)

func saysAny(err error, texts []string) bool {
	for _, text := range texts {
		if strings.Contains(err.Error(), text) {
			return true
		}
	}
	return false
}

// stopped names what ended the context: our limit, the caller's deadline, or the caller.
func stopped(cause error, limit time.Duration, err error) *Error {
	switch {
	case errors.Is(cause, errAttemptOver):
		return timedOut("", limit, err)
	case errors.Is(cause, context.DeadlineExceeded):
		return fail(ReasonTimeout, err)
	}
	return fail(ReasonCanceled, cause)
}

// tlsFailure says in our own words why a handshake failed: a certificate's text is the peer's.
func tlsFailure(err error) *Error {
	e := fail(ReasonTLS, err)
	e.words += ": " + tlsWords(err)
	return e
}

func tlsWords(err error) string {
	var (
		name      x509.HostnameError
		authority x509.UnknownAuthorityError
		invalid   x509.CertificateInvalidError
		record    tls.RecordHeaderError
		network   *net.OpError
	)
	switch {
	case errors.As(err, &name):
		return "certificate is for another name"
	case errors.As(err, &authority):
		return "certificate not trusted"
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return "certificate expired or not yet valid"
	case errors.As(err, &invalid):
		return "certificate not valid"
	case errors.As(err, &record):
		return "not a TLS server"
	case strings.Contains(err.Error(), "protocol version"):
		return "TLS 1.2 or later is required"
	case errors.As(err, &network) && network.Op == "remote error":
		return "refused by the server"
	case errors.Is(err, io.EOF), errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return "connection closed"
	}
	return "protocol error"
}

package wire

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/netip"

	"daybook/internal/base/trail"
)

type contextKey struct{}

// about is what a surface knows of the request at hand, and the context that tells it.
type about struct {
	context.Context
	requestID string
	client    netip.Addr
	log       *slog.Logger
	header    http.Header
	body      io.ReadCloser // without the host's limit
}

// Value implements context.Context. Features that keep a trail of what they do find here where it comes from.
func (a *about) Value(key any) any {
	switch key.(type) {
	case contextKey:
		return a
	case trail.Key:
		return a
	}
	return a.Context.Value(key)
}

// Origin implements trail.Source.
func (a *about) Origin() trail.Origin {
	return trail.Origin{IP: a.client.String(), RequestID: a.requestID, UserAgent: a.header.Get("User-Agent")}
}

var nothingKnown about

func aboutOf(ctx context.Context) *about {
	if a, ok := ctx.Value(contextKey{}).(*about); ok {
		return a
	}
	return &nothingKnown
}

// RequestID is the id under which the request is logged and answered.
func RequestID(ctx context.Context) string { return aboutOf(ctx).requestID }

// ClientIP is the address the request came from, behind trusted proxies.
func ClientIP(ctx context.Context) netip.Addr { return aboutOf(ctx).client }

// ClientKey is what limits count a client by: the IPv4 address, or the /64 of an IPv6 one, because whoever has one
// address there has all of them.
func ClientKey(ctx context.Context) string {
	ip := ClientIP(ctx)
	if ip.Is6() {
		if network, err := ip.Prefix(64); err == nil {
			return network.String()
		}
	}
	return ip.String()
}

// Logger writes lines that carry the request id.
func Logger(ctx context.Context) *slog.Logger {
	if a := aboutOf(ctx); a.log != nil {
		return a.log.With(slog.String("requestId", a.requestID)) // made when it is needed: most requests log one line
	}
	return slog.Default()
}

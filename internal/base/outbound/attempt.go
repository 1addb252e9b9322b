package outbound

import (
	"context"
	"errors"
	"net/http/httptrace"
	"sync"
	"sync/atomic"
)

// errAttemptOver is the cause of a context that reached the attempt's own limit, as opposed to the caller's.
var errAttemptOver = errors.New("the attempt's limit is reached")

// maxDials is how often one attempt may connect: a kept connection may turn out dead, and a new one may be sent
// away politely. The transport has no such bound: it dials again for as long as an HTTP/2 peer answers each
// connection with GOAWAY.
const maxDials = 2

var errTooManyDials = errors.New("every connection was sent away")

// attempt is what the dialer and the transport report about one request under way.
type attempt struct {
	ctx      context.Context
	internal atomic.Bool // an address that is allowed but not public was used or about to be
	gotConn  atomic.Bool // a connection was given, new or kept
	dials    atomic.Int32

	mu     sync.Mutex
	made   []*conn // by a dial of this attempt
	given  []*conn // to the request: more than one when the transport had to try again
	failed bool
}

type attemptKey struct{}

// begin attaches an attempt to ctx, which the transport hands on to our dialers.
func begin(ctx context.Context, maxBody int64) (context.Context, *attempt) {
	a := &attempt{ctx: ctx}
	ctx = context.WithValue(ctx, attemptKey{}, a)
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn: func(info httptrace.GotConnInfo) {
			a.gotConn.Store(true)
			if own := connOf(info.Conn); own != nil {
				a.give(own, maxBody)
			}
		},
	}), a
}

// adopt notes a connection that a dial of this attempt made, perhaps too late.
func (a *attempt) adopt(c *conn) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.made = append(a.made, c)
	if a.failed {
		c.doom()
	}
}

func (a *attempt) give(c *conn, maxBody int64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	c.grant(maxBody)
	a.given = append(a.given, c)
	if c.standing == internal {
		a.internal.Store(true)
	}
}

// fail gives up the connections of an attempt without an answer. HTTP/2 would keep them for the next request,
// and a peer that makes every attempt fail could have us hold as many as it likes.
func (a *attempt) fail() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.failed = true
	for _, list := range [][]*conn{a.made, a.given} {
		for _, c := range list {
			c.doom()
		}
	}
}

// end settles the account of every connection used.
func (a *attempt) end() {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, c := range a.given {
		c.settle()
	}
}

// attemptOf finds the attempt; the transport is only ever used by Do, so there is one.
func attemptOf(ctx context.Context) *attempt { return ctx.Value(attemptKey{}).(*attempt) }

// boundToAttempt makes a dial end with the attempt that started it. The transport lets dials run on, hoping
// for a later request; with receivers that hang in the handshake such dials would pile up.
func boundToAttempt(ctx context.Context) (context.Context, func()) {
	a := attemptOf(ctx)
	ctx, cancel := context.WithCancelCause(ctx)
	release := context.AfterFunc(a.ctx, func() { cancel(context.Cause(a.ctx)) })
	return ctx, func() {
		release()
		cancel(nil)
	}
}

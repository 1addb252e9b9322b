package outbound

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"sync"
	"time"
)

// Header is net/http's, under a name that those who only send may use.
type Header = http.Header

// Request is one attempt.
type Request struct {
	Method string // GET when empty
	URL    string
	Header http.Header // the client's from then on
	Body   []byte
	// Timeout bounds everything: lookup, connect, TLS, headers and body. Limits.Attempt when zero.
	Timeout time.Duration
	// MaxBody is how much of the answer's body is kept, in bytes. DefaultMaxBody when zero.
	MaxBody int64
	// BodyTime is how long the body may take after the headers, within Timeout. Limits.Body when zero.
	BodyTime time.Duration
}

// Response is an answer, of any status: redirects and failures of the other side are answers too.
type Response struct {
	Status int
	Header http.Header
	Body   []byte
	// Truncated says that Body is not the whole body: it was larger than MaxBody, slower than BodyTime, or
	// broken off.
	Truncated bool
	// Lost says that the connection cannot be used again: the other side closes it, or the body had no end that was waited for.
	Lost bool
	// Duration is from the start to the headers, in whole milliseconds.
	Duration time.Duration
}

// Do makes one attempt. Its outcome is decided by status and headers; a body that is late, endless or broken
// only sets Truncated. Do returns within Timeout (plus scheduling), and holds a caller for at most BodyTime
// after the headers.
//
// The error is always an *Error.
func (c *Client) Do(ctx context.Context, r Request) (*Response, error) {
	started := c.options.Clock.Now()
	plan, err := c.plan(r.Method, r.URL)
	if err != nil {
		return nil, err
	}
	r = c.withDefaults(r)
	ctx, stop := context.WithTimeoutCause(ctx, r.Timeout, errAttemptOver)
	defer stop()
	ctx, a := begin(ctx, r.MaxBody)
	defer a.end()
	hr := plan.WithContext(ctx)
	hr.Header = c.header(r.Header)
	setBody(hr, r.Body)
	res, err := c.transport.RoundTrip(hr)
	if err != nil {
		a.fail()
		return nil, a.explain(r.Timeout, err)
	}
	answer := &Response{
		Status:   res.StatusCode,
		Header:   res.Header,
		Duration: max(c.options.Clock.Now().Sub(started), 0),
	}
	if res.Body != http.NoBody {
		// Ending the context is what interrupts a read that a dripping peer keeps waiting.
		timer := time.AfterFunc(r.BodyTime, stop)
		defer timer.Stop()
	}
	var ended bool
	answer.Body, answer.Truncated, ended = readBody(res, r.MaxBody)
	answer.Lost = res.Close || !ended
	return answer, nil
}

func (c *Client) withDefaults(r Request) Request {
	if r.Timeout <= 0 {
		r.Timeout = c.options.Limits.Attempt
	}
	if r.MaxBody <= 0 {
		r.MaxBody = DefaultMaxBody
	}
	if r.BodyTime <= 0 {
		r.BodyTime = c.options.Limits.Body
	}
	return r
}

// header never leaves User-Agent unset: net/http would name itself.
func (c *Client) header(h http.Header) http.Header {
	if h == nil {
		h = http.Header{}
	}
	if len(h.Values("User-Agent")) == 0 {
		h.Set("User-Agent", c.options.UserAgent)
	}
	return h
}

// setBody gives a request its body, which may have to be sent a second time, over another connection.
func setBody(hr *http.Request, body []byte) {
	if len(body) == 0 {
		hr.Body = http.NoBody
		return
	}
	hr.ContentLength = int64(len(body))
	hr.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	hr.Body, _ = hr.GetBody()
}

// plans are requests without what changes from one to the next. Most go to few addresses, and taking one apart costs as much as signing
// what is sent there.
type plans struct {
	mu   sync.RWMutex
	made map[planKey]*http.Request
}

type planKey struct{ method, url string }

// maxPlans bounds what strangers can have us keep: some two megabytes of usual addresses, eighteen of the longest.
const maxPlans = 4096

func (c *Client) plan(method, url string) (*http.Request, error) {
	key := planKey{method, url}
	c.plans.mu.RLock()
	known := c.plans.made[key]
	c.plans.mu.RUnlock()
	if known != nil {
		return known, nil
	}
	t, err := c.parse(url)
	if err != nil {
		return nil, err
	}
	hr, err := http.NewRequest(method, t.String(), nil)
	if err != nil {
		return nil, fail(ReasonRequest, err)
	}
	c.plans.mu.Lock()
	defer c.plans.mu.Unlock()
	if c.plans.made == nil || len(c.plans.made) >= maxPlans {
		c.plans.made = map[planKey]*http.Request{}
	}
	c.plans.made[key] = hr
	return hr, nil
}

package limit

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/redis/rueidis"

	"daybook/internal/base/clock"
)

// Redis counts for all nodes that share a server, each call in one round trip whatever the number of keys.
//
// It reports failures, so it is no Limiter: wrap it in a Resilient. It speaks to one server (or the endpoint
// of a primary), not to a cluster.
type Redis struct {
	clock  clock.Clock
	where  string // host and port, for people
	script *rueidis.Lua

	once   sync.Once // the first call connects, so that starting does not depend on Redis
	open   func() (rueidis.Client, error)
	client rueidis.Client
	err    error
	scrub  func(error) error
}

var errClosed = errors.New("closed")

// OpenRedis reads the address, redis://user:password@host:port/database or rediss:// for TLS, and does not
// connect yet. No error of this package shows the password.
func OpenRedis(address string, c clock.Clock) (*Redis, error) {
	opt, err := parseAddress(address)
	if err != nil {
		return nil, err
	}
	opt = tune(opt)
	return &Redis{
		clock:  c,
		where:  opt.InitAddress[0],
		script: rueidis.NewLuaScript(script),
		open:   func() (rueidis.Client, error) { return rueidis.NewClient(opt) },
		scrub:  func(err error) error { return scrub(err, opt.Password) },
		err:    errClosed,
	}, nil
}

// String is where the server is; never the credentials.
func (r *Redis) String() string { return "redis at " + r.where }

// Take counts every hit and says how each key stands.
func (r *Redis) Take(ctx context.Context, hits ...Hit) ([]Window, error) {
	q := ask(hitItems(hits), r.now())
	spans, err := r.answer(ctx, q)
	if err != nil {
		return nil, err
	}
	return windows(hits, spans, q.now), nil
}

// Locked is the longest time any of the keys is still locked.
func (r *Redis) Locked(ctx context.Context, marks ...Mark) (time.Duration, error) {
	q := ask(markItems(verbLook, marks), r.now())
	spans, err := r.answer(ctx, q)
	return longestLock(q.items, spans, q.now), err
}

// Fail counts one failure for every key.
func (r *Redis) Fail(ctx context.Context, marks ...Mark) error {
	_, err := r.answer(ctx, ask(markItems(verbCount, marks), r.now()))
	return err
}

// Ping tries everything a call needs: connection, credentials, script, a write.
func (r *Redis) Ping(ctx context.Context) error {
	_, err := r.answer(ctx, r.ping())
	return err
}

func (r *Redis) ping() question {
	return ask([]item{{verbCount, "p:", "ping", "", law{max: endless, per: 1}}}, r.now())
}

func (r *Redis) now() int64 { return clock.Millis(r.clock.Now()) }

// answer runs the script. The first one connects, which ctx does not cut short, but connectTime does.
func (r *Redis) answer(ctx context.Context, q question) ([]span, error) {
	if len(q.items) == 0 {
		return nil, nil
	}
	r.once.Do(func() {
		// A client comes back even when the server is away; it connects again by itself.
		if r.client, r.err = r.open(); r.client != nil {
			r.err = nil
		}
	})
	if r.err != nil {
		return nil, r.wrap(r.err)
	}
	spans, err := q.read(r.script.Exec(ctx, r.client, q.keys, q.args))
	if err != nil {
		return nil, r.wrap(err)
	}
	return spans, nil
}

func (r *Redis) wrap(err error) error { return fmt.Errorf("%s: %w", r, r.scrub(err)) }

// scrub takes the password out of an error: old servers repeat the greeting they do not understand.
func scrub(err error, password string) error {
	if text := err.Error(); password != "" && strings.Contains(text, password) {
		return errors.New(strings.ReplaceAll(text, password, "***"))
	}
	return err
}

// Close gives the connection back. Calls that wait, and later ones, fail.
func (r *Redis) Close() {
	r.once.Do(func() {})
	if r.client != nil {
		r.client.Close()
	}
}

func windows(hits []Hit, spans []span, now int64) []Window {
	windows := make([]Window, len(hits))
	for i := range hits {
		windows[i] = hits[i].Rule.window(spans[i], now)
	}
	return windows
}

func longestLock(items []item, spans []span, now int64) time.Duration {
	var longest time.Duration
	for i, s := range spans {
		longest = max(longest, items[i].law.lockRest(s, now))
	}
	return longest
}

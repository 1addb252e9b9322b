package usage

import (
	"strings"
	"time"
)

// Call is one API call that was answered.
type Call struct {
	AppID      string
	BusinessID string
	Method     string
	Route      string // the route's pattern, never the path: paths are without number
	Status     int
	Version    string // the API version that was used; empty when there was none
	// RateLimited says that a limit refused it.
	RateLimited bool
	Duration    time.Duration
	At          time.Time
}

// Other is what a route, a version or a business is called when there were too many different ones to tell apart.
const Other = "other"

// The lengths of time that rows add up.
const (
	minute = time.Minute
	hour   = time.Hour
	day    = 24 * time.Hour
)

// key is what calls are told apart by: those with the same key are added up.
type key struct {
	at       int64 // the first millisecond of the span
	app      string
	business string
	method   string
	route    string
	status   int
	version  string
}

// tally is what is known of the calls with one key.
type tally struct {
	limited int64
	took    histogram
}

func (t *tally) add(o tally) {
	t.limited += o.limited
	t.took.add(o.took)
}

// key of a call, in its minute. An answer of no known status, or a refusal that claims to be none, is still an error.
func (c *Call) key() key {
	status := c.Status
	switch {
	case c.RateLimited && status < 400:
		status = 429
	case status < 100 || status > 599:
		status = 500
	}
	return key{at: floor(c.At, minute), app: c.AppID, business: c.BusinessID, method: c.Method, route: c.Route, status: status, version: c.Version}
}

// coarser gives up detail, so that more calls share a key: first what was called, then by whom. App, minute and whether it was
// an error remain.
func (k key) coarser() key {
	if k.route != Other || k.method != "" || k.version != Other {
		k.method, k.route, k.version = "", Other, Other
		return k
	}
	k.business = Other
	k.status -= k.status % 100
	return k
}

// longest word that is stored, in bytes. A key must fit into a page of an index.
const longest = 200

// clean makes a key that any store takes and that stays the same when it is read back.
func (k key) clean() key {
	for _, word := range []*string{&k.app, &k.business, &k.method, &k.route, &k.version} {
		if len(*word) > longest {
			*word = (*word)[:longest]
		}
		*word = strings.ReplaceAll(strings.ToValidUTF8(*word, ""), "\x00", "")
	}
	return k
}

// floor is the first millisecond of the span that an instant lies in.
func floor(t time.Time, span time.Duration) int64 {
	ms := t.UnixMilli()
	return ms - ms%span.Milliseconds()
}

package oauth

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"daybook/internal/base/db"
	"daybook/internal/base/fault"
	"daybook/internal/platform/app"
	"daybook/internal/platform/scope"
)

// rows are the seed's state tables for installations, codes, refresh tokens and device codes, row by row, and every
// description of an invalid_grant.
var rows = []string{
	"uninstalled: code cancelled", "uninstalled: refresh refused", "access revoked: code cancelled",
	"request finished too late", "request decided again", "request denied",
	"code exchanged", "code exchanged again", "code replayed in full: its tokens revoked", "code older than 10 minutes",
	"refresh token refreshed", "refresh token refreshed again", "refresh token revoked by the app", "refresh token revoked by the business",
	"refresh token revoked by reuse", "refresh token revoked by replay of its code", "refresh token older than 30 days",
	"access token dead: access revoked", "access token dead: uninstalled", "access token dead: app suspended",
	"access token dead: user suspended or restricted",
	"access token dead: signed out", "access token lives again",
	"device: polled before the decision", "device: polled faster than the interval", "device: approved", "device: denied", "device: 10 minutes elapsed",
	"device: collected", "device: cancelled by uninstalling", "device: cancelled by revoking access", "device: decided too late",
	"device: too many guesses",
	"told invalid_grant", "told invalid_grant: code already used", "told invalid_grant: expired", "told invalid_grant: redirect_uri mismatch",
	"told invalid_grant: PKCE verification failed", "told invalid_grant: revoked", "told invalid_grant: refresh token reuse detected",
	"told invalid_request: code_verifier is missing: the code was issued with a code_challenge",
	"told invalid_scope: scope may only narrow what was granted",
	"told invalid_client", "exchanged",
}

// coverage counts how often each row was hit.
type coverage struct {
	mu   sync.Mutex
	hits map[string]int
}

func (c *coverage) hit(row string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.hits[row]++
}

// F-18: whatever is done in whatever order, every answer is the reference's, and so is the life of every token ever issued.
func TestAuthorizationFollowsTheReference(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		most := 120
		if w.db().Dialect() == db.Postgres {
			most = 25
		}
		covered := &coverage{hits: map[string]int{}}
		steps := 0
		rapid.Check(t, func(r *rapid.T) {
			p := newPlay(t, r, w, covered)
			for range rapid.IntRange(most, 2*most).Draw(r, "moves") {
				verb := among(r, "verb", verbs)
				moves[verb](p)
				p.compare(verb)
				steps++
			}
		})
		for _, row := range slices.Sorted(maps.Keys(covered.hits)) {
			if !slices.Contains(rows, row) {
				t.Errorf("%q was hit and is not among the rows", row)
			}
		}
		for _, row := range rows {
			t.Logf("%5d %s", covered.hits[row], row)
			if covered.hits[row] == 0 && steps > 10_000 { // as many as it takes to meet all of them
				t.Errorf("never hit: %s", row)
			}
		}
		t.Logf("%d steps", steps)
	})
}

// play is one sequence of moves: a world of its own beside its reference.
type play struct {
	*rapid.T
	w       *world // with an app, a business and a person of this play
	ref     *reference
	covered *coverage
	before  map[*refToken]bool // what was alive before this move
}

func newPlay(t *testing.T, r *rapid.T, w *world, c *coverage) *play {
	own := *w
	own.owner = own.person(t)
	own.mine, own.shop, own.session = own.newClient(t, app.Confidential), own.newBusiness(t), own.signIn(t, own.owner)
	return &play{T: r, w: &own, covered: c, before: map[*refToken]bool{}, ref: &reference{now: w.Clock.Now(), signedIn: true, hit: c.hit}}
}

// pick chooses among what there is, mostly the newest; the zero value when there is nothing.
func pick[V any](p *play, name string, all []V) (v V, ok bool) {
	if len(all) == 0 {
		return v, false
	}
	return all[len(all)-1-min(max(evenly(p.T, name, len(all)+3)-3, 0), len(all)-1)], true
}

// evenly draws a number below n, each as likely as another; rapid's own numbers are mostly small.
func evenly(r *rapid.T, name string, n int) int {
	return eightBits.Draw(r, name) % n
}

var eightBits = rapid.Custom(func(r *rapid.T) (v int) {
	for range 8 {
		v *= 2
		if rapid.Bool().Draw(r, "bit") {
			v++
		}
	}
	return v
})

func among[V any](r *rapid.T, name string, all []V) V { return all[evenly(r, name, len(all))] }

func (p *play) rarely(what string) bool { return evenly(p.T, what, 6) == 5 }

type prover func(context.Context, Proof) (Client, bool, error)

// grant proves the client and carries a grant out. The app that is suspended is nobody.
func (p *play) grant(c client, prove prover, run func(app.App) (Tokens, *Denial, error)) (Tokens, string) {
	proven, failed, err := prove(ctx, c.proof())
	if err != nil {
		p.Fatal(err)
	}
	if failed {
		return Tokens{}, "invalid_client"
	}
	tokens, denial, err := run(proven.App)
	if err != nil {
		p.Fatal(err)
	}
	if denial == denyUnproven {
		return Tokens{}, "invalid_client"
	}
	return tokens, say(denial)
}

// client draws who asks: the app itself, or rarely another one.
func (p *play) client() (c client, foreign bool) {
	if p.rarely("foreign") {
		return p.w.other, true
	}
	return p.w.mine, false
}

// told compares an answer with the reference's. A suspended app hears one thing only.
func (p *play) told(foreign bool, got string, answer func() string) bool {
	want := "invalid_client"
	if foreign || !p.ref.suspendedApp {
		want = answer()
	}
	if got != want {
		p.Fatalf("told %q, want %q", got, want)
	}
	if strings.HasPrefix(got, "invalid_") {
		p.covered.hit("told " + got)
	}
	return got == "tokens"
}

func (p *play) must(err error) {
	if err != nil {
		p.Fatal(err)
	}
}

// refusedBy compares a refusal of the pages.
func (p *play) refusedBy(err error, want *fault.Fault) {
	if want == nil && err != nil || want != nil && !errors.Is(err, want) {
		p.Fatalf("got %v, want %v", err, want)
	}
}

// compare asks about every token that was ever issued.
func (p *play) compare(verb string) {
	for i, t := range p.ref.tokens {
		in, failed, err := p.w.Introspect(ctx, p.w.mine.proof(), t.value)
		if err != nil || failed {
			p.Fatalf("introspection failed: %v", err)
		}
		want := p.ref.live(t)
		if in.Active != want {
			p.Fatalf("after %s token %d (refresh: %v) is active: %v, want %v", verb, i, t.isRefresh(), in.Active, want)
		}
		if want && (!in.Scopes.Equal(t.scopes) || !in.ExpiresAt.Equal(t.until) || in.Subject != p.w.owner || in.ClientID != p.w.mine.ClientID) {
			p.Fatalf("after %s token %d is told as %+v", verb, i, in)
		}
		if !t.isRefresh() && (i == len(p.ref.tokens)-1 || want != p.before[t]) { // a call each time would cost too much
			caller, err := p.w.Authenticate(ctx, t.value)
			if want && (err != nil || !caller.Scopes.Equal(t.scopes)) || !want && !errors.Is(err, ErrToken) {
				p.Fatalf("after %s a call gives %+v, %v", verb, caller, err)
			}
		}
		p.noteLife(t, want)
	}
	if n := len(p.ref.tokens); n > 0 { // INTR-03: to another client it is as if it did not exist
		if in, failed, err := p.w.Introspect(ctx, p.w.other.proof(), among(p.T, "token", p.ref.tokens).value); err != nil || failed || in.Active || in.Subject != "" {
			p.Fatalf("another client is told %+v, %v, %v", in, failed, err)
		}
	}
}

// noteLife covers the rows of access tokens.
func (p *play) noteLife(t *refToken, live bool) {
	was, known := p.before[t]
	p.before[t] = live
	if !known || t.isRefresh() || was == live {
		return
	}
	switch f := t.family; {
	case live:
		p.covered.hit("access token lives again")
	case p.ref.suspendedApp:
		p.covered.hit("access token dead: app suspended")
	case !f.installation.active:
		p.covered.hit("access token dead: uninstalled")
	case f.consent.ended() || f.embedded && f.revocations != f.installation.revocations:
		p.covered.hit("access token dead: access revoked")
	case p.ref.suspended || p.ref.restricted:
		p.covered.hit("access token dead: user suspended or restricted")
	case f.embedded && !p.ref.signedIn:
		p.covered.hit("access token dead: signed out")
	}
}

// narrower are the scopes a refresh may ask for; nil asks for none in particular, the last one for too much.
var narrower = []scope.Set{nil, nil, nil, scope.Of(scope.ProfileRead), scope.Of(scope.InvoicesRead), asked, scope.Of(scope.ProfileRead, scope.CustomersRead)}

// jumps are how far the clock may be turned.
var jumps = []time.Duration{
	time.Millisecond, time.Second, time.Second, 5 * time.Second, 5 * time.Second, 5 * time.Second, time.Minute, time.Minute, 5 * time.Minute, time.Hour, 30 * 24 * time.Hour,
}

func (p *play) advance(d time.Duration) {
	p.ref.now = p.w.Clock.Advance(d)
	p.must(p.w.RotateKeys(ctx))
}

// installationID is that of the present installation.
func (p *play) installationID() string {
	list, err := p.w.Installs.List(ctx, p.w.shop, p.w.owner)
	p.must(err)
	for _, i := range list {
		if i.AppID == p.w.mine.ID {
			return i.ID
		}
	}
	return ""
}

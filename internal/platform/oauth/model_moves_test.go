package oauth

import (
	"net/url"
	"time"

	"daybook/internal/base/fault"
	"daybook/internal/platform/install"
)

// verbs are drawn from, the usual ones more often.
var verbs = []string{
	"hold", "hold", "hold", "decide", "decide", "decide", "redeem", "redeem", "redeem", "redeem", "refresh", "refresh", "refresh", "refresh", "refresh",
	"start", "start", "poll", "poll", "poll", "poll", "decide device", "decide device", "decide device", "embed", "embed", "exchange",
	"exchange", "revoke",
	"uninstall", "revoke access", "suspend app", "suspend user", "restrict user", "sign out", "all is well", "all is well", "all is well", "all is well",
	"wait", "wait", "to the edge",
}

var moves = map[string]func(*play){
	"hold": (*play).hold, "decide": (*play).decide, "redeem": (*play).redeem, "refresh": (*play).refresh,
	"start": (*play).start, "poll": (*play).poll, "decide device": (*play).decideDevice, "embed": (*play).embed, "exchange": (*play).exchange,
	"revoke": (*play).revoke, "uninstall": (*play).uninstall, "revoke access": (*play).revokeAccess, "suspend app": (*play).suspendApp,
	"suspend user": (*play).suspendUser, "restrict user": (*play).restrictUser, "sign out": (*play).signInOrOut, "all is well": (*play).allIsWell,
	"wait": (*play).wait, "to the edge": (*play).toTheEdge,
}

func (p *play) hold() {
	ask := Ask{ClientID: p.w.mine.ClientID, RedirectURI: callback, Scopes: asked}
	pkce := !p.rarely("without PKCE")
	if pkce {
		ask.Challenge = challenge
	}
	handle, err := p.w.Hold(ctx, p.w.mine.App, ask, p.w.session)
	p.must(err)
	p.ref.requests = append(p.ref.requests, &refRequest{handle: handle, pkce: pkce, until: p.ref.now.Add(5 * time.Minute)})
}

// decide is the consent page. Whoever may not act does not get to see it.
func (p *play) decide() {
	q, ok := pick(p, "request", p.ref.requests)
	if !ok || p.ref.suspended || p.ref.restricted {
		return
	}
	d, stranger := p.w.yes(), p.rarely("another browser")
	if d.Allow = !p.rarely("deny"); stranger {
		d.SessionID = "another"
	}
	target, err := p.w.Decide(ctx, q.handle, d)
	late := !p.ref.now.Before(q.until)
	switch {
	case stranger || late || q.decided:
		if p.refusedBy(err, nil); target != "" {
			p.Fatalf("decided to %q", target)
		}
		if late && !q.decided {
			p.covered.hit("request finished too late")
		} else if q.decided {
			p.covered.hit("request decided again")
		}
	case !d.Allow:
		if p.must(err); target != callback+"?error=access_denied&iss="+url.QueryEscape(issuer) {
			p.Fatalf("denied to %q", target)
		}
		q.decided = true
		p.covered.hit("request denied")
	case p.ref.suspendedApp:
		p.refusedBy(err, install.ErrAppNotActive)
	default:
		p.must(err)
		u, err := url.Parse(target)
		p.must(err)
		q.decided = true
		p.ref.codes = append(p.ref.codes, &refCode{
			value: codeIn(p.T, u.String()), refGrant: p.ref.approve(asked), pkce: q.pkce, until: p.ref.now.Add(10 * time.Minute),
		})
	}
}

func (p *play) redeem() {
	c, ok := pick(p, "code", p.ref.codes)
	if !ok {
		return
	}
	asker, foreign := p.client()
	r := Redemption{Code: c.value, RedirectURI: callback}
	if c.pkce {
		r.Verifier = verifier
	}
	wrongURI := p.rarely("wrong redirect URI")
	if wrongURI {
		r.RedirectURI += "/"
	}
	if p.rarely("wrong verifier") {
		r.Verifier = among(p.T, "verifier", []string{"", verifier + "x", verifier})
	}
	got, told := p.grant(asker, p.w.ProveForGrant, func(a appOf) (Tokens, *Denial, error) { return p.w.Redeem(ctx, a, r) })
	if p.told(foreign, told, func() string { return p.ref.redeem(c, foreign, wrongURI, r.Verifier) }) {
		p.ref.issue(c.family, got, c.scopes)
	}
}

func (p *play) refresh() {
	var all []*refToken
	for _, t := range p.ref.tokens {
		if t.isRefresh() {
			all = append(all, t)
		}
	}
	t, ok := pick(p, "refresh token", all)
	if !ok {
		return
	}
	asker, foreign := p.client()
	scopes := among(p.T, "scopes", narrower)
	got, told := p.grant(asker, p.w.ProveForGrant, func(a appOf) (Tokens, *Denial, error) {
		return p.w.Refresh(ctx, a, Renewal{Token: t.value, Scopes: scopes})
	})
	if scopes == nil {
		scopes = t.family.scopes
	}
	if p.told(foreign, told, func() string { return p.ref.refresh(t, foreign, scopes) }) {
		p.ref.issue(t.family, got, scopes)
	}
}

func (p *play) start() {
	if p.ref.suspendedApp {
		return
	}
	p.ref.devices = append(p.ref.devices, &refDevice{
		start: p.w.deviceStart(p.T, p.w.mine), refGrant: refGrant{scopes: asked}, status: "pending", until: p.ref.now.Add(10 * time.Minute),
	})
}

func (p *play) poll() {
	d, ok := pick(p, "device", p.ref.devices)
	if !ok {
		return
	}
	asker, foreign := p.client()
	got, told := p.grant(asker, p.w.Prove, func(a appOf) (Tokens, *Denial, error) { return p.w.Poll(ctx, a, d.start.DeviceCode) })
	if p.told(foreign, told, func() string { return p.ref.poll(d, foreign) }) {
		p.ref.issue(&refFamily{refGrant: d.refGrant}, got, d.scopes)
	}
}

// decideDevice is the device page.
func (p *play) decideDevice() {
	d, ok := pick(p, "device", p.ref.devices)
	if !ok || p.ref.suspended || p.ref.restricted {
		return
	}
	decision := p.w.yes()
	decision.Allow = !p.rarely("deny")
	err := p.w.DecideDevice(ctx, d.start.UserCode, decision)
	recent, daily := 0, 0
	for _, g := range p.ref.guesses {
		if g.After(p.ref.now.Add(-10 * time.Minute)) {
			recent++
		}
		if g.After(p.ref.now.Add(-24 * time.Hour)) {
			daily++
		}
	}
	switch {
	case recent >= 5 || daily >= 20:
		p.refusedBy(err, ErrGuesses)
		p.covered.hit("device: too many guesses")
	case d.status != "pending" || !p.ref.now.Before(d.until):
		p.refusedBy(err, ErrNoDevice)
		p.ref.guesses = append(p.ref.guesses, p.ref.now)
		if d.status == "pending" {
			p.covered.hit("device: decided too late")
		}
	case !decision.Allow:
		p.must(err)
		d.status = "denied"
	case p.ref.suspendedApp:
		p.refusedBy(err, install.ErrAppNotActive)
	default:
		p.must(err)
		d.status, d.refGrant = "approved", p.ref.approve(asked)
		p.covered.hit("device: approved")
	}
}

// embed asks for a session token as the page around an embedded app does.
func (p *play) embed() {
	if p.ref.suspended || p.ref.restricted || !p.ref.signedIn {
		return
	}
	token, err := p.w.IssueSessionToken(ctx, Embedding{ClientID: p.w.mine.ClientID, BusinessID: p.w.shop, UserID: p.w.owner, SessionID: p.w.session})
	var refusal *fault.Fault
	if p.ref.current == nil || !p.ref.current.active || p.ref.suspendedApp {
		refusal = ErrNotInstalled
	}
	if p.refusedBy(err, refusal); refusal == nil {
		until := p.ref.now.Truncate(time.Second).Add(time.Minute) // in whole seconds, as JWTs have them
		p.ref.sessions = append(p.ref.sessions, &refSessionToken{value: token, installation: p.ref.current, until: until})
	}
}

func (p *play) exchange() {
	s, ok := pick(p, "session token", p.ref.sessions)
	if !ok {
		return
	}
	asker, foreign := p.client()
	got, told := p.grant(asker, p.w.Prove, func(a appOf) (Tokens, *Denial, error) { return p.w.Exchange(ctx, a, s.value, nil) })
	if p.told(foreign, told, func() string { return p.ref.exchange(s, foreign) }) {
		f := &refFamily{refGrant: refGrant{installation: s.installation, scopes: asked}, embedded: true, revocations: s.installation.revocations}
		p.ref.issue(f, got, asked)
		p.covered.hit("exchanged")
	}
}

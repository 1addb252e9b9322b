package oauth

import (
	"errors"
	"time"

	"daybook/internal/platform/app"
	"daybook/internal/platform/install"
)

type appOf = app.App

func (p *play) revoke() {
	t, ok := pick(p, "token", p.ref.tokens)
	if !ok {
		return
	}
	switch evenly(p.T, "by", 3) {
	case 0: // whoever holds it
		p.must(p.w.Revoke(ctx, nil, t.value))
		p.ref.revoke(t, false)
	case 1:
		p.must(p.w.Revoke(ctx, &p.w.mine.App, t.value))
		p.ref.revoke(t, false)
	default:
		p.must(p.w.Revoke(ctx, &p.w.other.App, t.value))
		p.ref.revoke(t, true)
	}
}

func (p *play) uninstall() {
	if p.rarely("after all not") || p.ref.suspended || p.ref.restricted {
		return
	}
	if p.ref.current == nil || !p.ref.current.active {
		if _, err := p.w.Installs.Uninstall(ctx, p.w.shop, p.w.owner, "ins_1"); !errors.Is(err, install.ErrNotFound) {
			p.Fatalf("uninstalled what is not there: %v", err)
		}
		return
	}
	_, err := p.w.Installs.Uninstall(ctx, p.w.shop, p.w.owner, p.installationID())
	p.must(err)
	p.ref.uninstall()
}

func (p *play) revokeAccess() {
	if p.ref.current == nil || !p.ref.current.active || p.ref.suspended || p.ref.restricted {
		return
	}
	p.must(p.w.Installs.RevokeAccess(ctx, p.w.shop, p.w.owner, p.installationID()))
	p.ref.revokeAccess()
}

func (p *play) suspendApp() {
	var err error
	if p.ref.suspendedApp {
		_, err = p.w.Apps.Unsuspend(ctx, p.w.mine.ID)
	} else {
		_, err = p.w.Apps.Suspend(ctx, p.w.mine.ID, "a reason")
	}
	p.must(err)
	p.ref.suspendedApp = !p.ref.suspendedApp
}

func (p *play) suspendUser() {
	p.ref.suspended = !p.ref.suspended
	p.switchUser(`UPDATE users SET suspended_at = $2 WHERE id = $1`, p.ref.suspended)
}

func (p *play) restrictUser() {
	p.ref.restricted = !p.ref.restricted
	p.switchUser(`UPDATE users SET restricted_at = $2 WHERE id = $1`, p.ref.restricted)
}

func (p *play) switchUser(sql string, on bool) {
	var since *time.Time
	if on {
		since = &p.ref.now
	}
	p.w.exec(p.T, sql, p.w.owner, since)
}

// signInOrOut takes the session away, or puts the same one back.
func (p *play) signInOrOut() {
	if p.ref.signedIn {
		p.w.exec(p.T, `UPDATE sessions SET expires_at = $2 WHERE id = $1`, p.w.session, p.ref.now)
	} else {
		p.w.exec(p.T, `UPDATE sessions SET expires_at = $2 WHERE id = $1`, p.w.session, p.ref.now.AddDate(10, 0, 0))
	}
	p.ref.signedIn = !p.ref.signedIn
}

// allIsWell turns every switch back.
func (p *play) allIsWell() {
	if p.ref.suspendedApp {
		p.suspendApp()
	}
	if p.ref.suspended {
		p.suspendUser()
	}
	if p.ref.restricted {
		p.restrictUser()
	}
	if !p.ref.signedIn {
		p.signInOrOut()
	}
}

func (p *play) wait() { p.advance(among(p.T, "jump", jumps)) }

// toTheEdge turns the clock to where something ends, or to the last instant before.
func (p *play) toTheEdge() {
	var ends []time.Time
	for _, q := range p.ref.requests {
		ends = append(ends, q.until)
	}
	for _, c := range p.ref.codes {
		ends = append(ends, c.until)
	}
	for _, d := range p.ref.devices {
		ends = append(ends, d.until, d.polled.Add(5*time.Second-250*time.Millisecond))
	}
	for _, s := range p.ref.sessions {
		ends = append(ends, s.until, s.until.Add(5*time.Second))
	}
	for _, t := range p.ref.tokens {
		ends = append(ends, t.until)
	}
	var later []time.Time
	for _, e := range ends {
		if e.After(p.ref.now) {
			later = append(later, e)
		}
	}
	if len(later) > 0 {
		edge := among(p.T, "edge", later)
		before := time.Duration(evenly(p.T, "before", 2)) * time.Millisecond
		p.advance(max(edge.Add(-before).Sub(p.ref.now), 0))
	}
}

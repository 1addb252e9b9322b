package contract_test

import (
	"net/http"
	"net/url"
	"testing"

	"daybook/test/harness"
)

// TestInstallations holds INST-01 to INST-04, the list of a business's apps, and tokens in one call, on nodes that all its
// cases share.
func TestInstallations(t *testing.T) {
	eachOAuth(t, func(t *testing.T, n *oauthNode) {
		t.Run("a business sees its apps", func(t *testing.T) { connectedApps(t, n) })
		t.Run("a business uninstalls an app", func(t *testing.T) { uninstalling(t, n) })
		t.Run("a business revokes access", func(t *testing.T) { revokingAccess(t, n) })
		t.Run("an app or a person is stopped", func(t *testing.T) { stopping(t, n) })
		t.Run("a token in one call", func(t *testing.T) { devTokens(t, n) })
	})
}

// grant is everything an app may hold of a business, at one time.
type grant struct {
	set    tokenSet    // redeemed and used
	code   string      // not redeemed yet
	device deviceStart // approved, not collected
}

// connectFully connects the app by every way there is.
func (n *oauthNode) connectFully(t *testing.T, browser *http.Client, user, clientID, businessID string) grant {
	t.Helper()
	return grant{
		set:    n.issue(t, clientID, user, businessID, "invoices:read"),
		code:   n.code(t, browser, ask(clientID, "invoices:read"), businessID),
		device: n.approved(t, browser, clientID, "invoices:read", businessID),
	}
}

// dead proves that nothing of a grant is good for anything any more.
func (n *oauthNode) dead(t *testing.T, clientID string, g grant, refreshed string) {
	t.Helper()
	inactive(t, n.introspect(t, clientID, g.set.AccessToken))
	inactive(t, n.introspect(t, clientID, g.set.RefreshToken))
	oauthError(t, n.refresh(t, clientID, g.set.RefreshToken, ""), http.StatusBadRequest, "invalid_grant", refreshed)
	invalidGrant(t, n.redeem(t, clientID, g.code, returnURI, ""))
	invalidGrant(t, n.poll(t, clientID, g.device.DeviceCode))
}

// uninstalling holds INST-01.
func uninstalling(t *testing.T, n *oauthNode) {
	bakery, catering := n.business(t, "Bakery Brandt"), n.business(t, "Brandt Catering")
	olivia, sam := n.worksIn(t, "olivia", "Bakery Brandt"), n.worksIn(t, "sam", "Bakery Brandt")
	for name, uninstall := range map[string]func(t *testing.T, id string){
		"by the call": func(t *testing.T, id string) {
			if a := harness.Send(t, olivia, http.MethodDelete, n.BaseURL+"/installations/"+id, nil, ""); a.Status != http.StatusNoContent || a.Body != "" {
				t.Errorf("%d %s", a.Status, a.Body)
			}
		},
		"by the page": func(t *testing.T, id string) {
			seeOther(t, harness.PostForm(t, olivia, n.AuthURL+"/apps/"+id+"/uninstall", nil), "/apps")
		},
	} {
		t.Run("INST-01 "+name, func(t *testing.T) {
			mine, sams := n.connectFully(t, olivia, "olivia", syncApp, bakery), n.issue(t, syncApp, "sam", bakery, "invoices:read")
			elsewhere, another := n.issue(t, syncApp, "olivia", catering, "invoices:read"), n.issue(t, tillApp, "olivia", bakery, "invoices:read")
			id, _ := n.installation(t, olivia, syncApp)
			uninstall(t, id)
			n.dead(t, syncApp, mine, "")
			inactive(t, n.introspect(t, syncApp, sams.AccessToken))
			n.live(t, "the app in another business", syncApp, elsewhere.AccessToken, true)
			tokens(t, n.refresh(t, tillApp, another.RefreshToken, ""))
			if left, _ := n.installation(t, olivia, syncApp); left != "" {
				t.Errorf("still listed as %s", left)
			}
			standard(t, harness.Send(t, olivia, http.MethodDelete, n.BaseURL+"/installations/"+id, nil, ""), http.StatusNotFound) // once is enough
			standard(t, harness.Send(t, olivia, http.MethodPost, n.BaseURL+"/installations/"+id+"/revoke-access", nil, ""), http.StatusNotFound)

			again := n.issue(t, syncApp, "olivia", bakery, "invoices:read")
			if next, granted := n.installation(t, olivia, syncApp); next == "" || next == id || len(granted) != 1 {
				t.Errorf("installed again as %q (was %q) with %v", next, id, granted)
			}
			n.live(t, "installed again", syncApp, again.AccessToken, true)
			n.dead(t, syncApp, mine, "") // REF-06: nothing comes back to life
		})
	}
	t.Run("INST-01 only who manages apps may", func(t *testing.T) {
		set := n.issue(t, syncApp, "olivia", bakery, "invoices:read")
		id, _ := n.installation(t, sam, syncApp)
		standard(t, harness.Send(t, sam, http.MethodDelete, n.BaseURL+"/installations/"+id, nil, ""), http.StatusForbidden)
		page(t, harness.PostForm(t, sam, n.AuthURL+"/apps/"+id+"/uninstall", nil), http.StatusForbidden)
		standard(t, harness.Send(t, plain(t), http.MethodDelete, n.BaseURL+"/installations/"+id, nil, ""), http.StatusUnauthorized)
		header := http.Header{"Origin": {"https://elsewhere.example"}, "Sec-Fetch-Site": {"cross-site"}}
		standard(t, harness.Send(t, olivia, http.MethodDelete, n.BaseURL+"/installations/"+id, header, ""), http.StatusForbidden)
		n.live(t, "after refusals", syncApp, set.AccessToken, true)
	})
}

// revokingAccess holds INST-02.
func revokingAccess(t *testing.T, n *oauthNode) {
	bakery, catering := n.business(t, "Bakery Brandt"), n.business(t, "Brandt Catering")
	olivia, sam := n.worksIn(t, "olivia", "Bakery Brandt"), n.worksIn(t, "sam", "Bakery Brandt")
	for name, revoke := range map[string]func(t *testing.T, id string){
		"by the call": func(t *testing.T, id string) {
			if a := harness.Send(t, olivia, http.MethodPost, n.BaseURL+"/installations/"+id+"/revoke-access", nil, ""); a.Status != http.StatusNoContent || a.Body != "" {
				t.Errorf("%d %s", a.Status, a.Body)
			}
		},
		"by the page": func(t *testing.T, id string) {
			seeOther(t, harness.PostForm(t, olivia, n.AuthURL+"/apps/"+id+"/revoke-access", nil), "/apps")
		},
	} {
		t.Run("INST-02 "+name, func(t *testing.T) {
			mine, sams := n.connectFully(t, olivia, "olivia", syncApp, bakery), n.issue(t, syncApp, "sam", bakery, "invoices:read")
			elsewhere, another := n.issue(t, syncApp, "olivia", catering, "invoices:read"), n.issue(t, tillApp, "olivia", bakery, "invoices:read")
			id, granted := n.installation(t, olivia, syncApp)
			revoke(t, id)
			n.dead(t, syncApp, mine, "revoked")
			inactive(t, n.introspect(t, syncApp, sams.AccessToken))
			oauthError(t, n.refresh(t, syncApp, sams.RefreshToken, ""), http.StatusBadRequest, "invalid_grant", "revoked")
			n.live(t, "the app in another business", syncApp, elsewhere.AccessToken, true)
			tokens(t, n.refresh(t, tillApp, another.RefreshToken, ""))
			still, now := n.installation(t, olivia, syncApp)
			if still != id {
				t.Errorf("the installation is %q, was %q", still, id)
			}
			sameScopes(t, now, granted)
			again := n.issue(t, syncApp, "olivia", bakery, "invoices:read")
			n.live(t, "consented again", syncApp, again.AccessToken, true)
			n.dead(t, syncApp, mine, "revoked")
		})
	}
	t.Run("INST-02 every token: that of an embedded page too", func(t *testing.T) {
		n.issue(t, syncApp, "olivia", bakery, "invoices:read")
		set := exchanged(t, n.exchange(t, syncApp, n.sessionToken(t, olivia, syncApp, nil), nil))
		n.revokeAccess(t, olivia, syncApp)
		n.live(t, "an exchanged token", syncApp, set.AccessToken, false)
	})
	t.Run("INST-02 a member who manages no apps revokes only what is theirs", func(t *testing.T) {
		olivias, sams := n.issue(t, syncApp, "olivia", bakery, "invoices:read"), n.issue(t, syncApp, "sam", bakery, "invoices:read")
		id, _ := n.installation(t, sam, syncApp)
		seeOther(t, harness.PostForm(t, sam, n.AuthURL+"/apps/"+id+"/revoke-access", nil), "/apps")
		n.live(t, "their own", syncApp, sams.AccessToken, false)
		n.live(t, "the owner's", syncApp, olivias.AccessToken, true)
		harness.Send(t, sam, http.MethodPost, n.BaseURL+"/installations/"+id+"/revoke-access", nil, "")
		n.live(t, "the owner's, after the call", syncApp, olivias.AccessToken, true)
	})
}

// stopping holds INST-03 and INST-04.
func stopping(t *testing.T, n *oauthNode) {
	bakery := n.business(t, "Bakery Brandt")
	olivia, sam := n.worksIn(t, "olivia", "Bakery Brandt"), n.worksIn(t, "sam", "Bakery Brandt")
	for name, suspend := range map[string]bool{"suspended": true, "deactivated": false} {
		t.Run("INST-03 an app that is "+name, func(t *testing.T) {
			g, burnt := n.connectFully(t, olivia, "olivia", syncApp, bakery), n.issue(t, syncApp, "olivia", bakery, "invoices:read")
			emptySuccess(t, n.revoke(t, nil, url.Values{"token": {burnt.RefreshToken}}))
			handle := n.held(t, olivia, ask(syncApp, "invoices:read"))
			undo := n.stop(t, syncApp, suspend)
			inactive(t, n.introspect(t, syncApp, g.set.AccessToken))
			for _, a := range []harness.Answer{n.refresh(t, syncApp, g.set.RefreshToken, ""), n.redeem(t, syncApp, g.code, returnURI, ""), n.poll(t, syncApp, g.device.DeviceCode)} {
				oauthError(t, a, http.StatusUnauthorized, "invalid_client", "*")
			}
			refusalPage(t, n.authorize(t, olivia, ask(syncApp, "invoices:read")), http.StatusBadRequest, "Invalid client_id")
			refusalPage(t, n.decide(t, olivia, handle, bakery, "allow"), http.StatusBadRequest, "Invalid client_id")
			undo()
			n.live(t, "running again", syncApp, g.set.AccessToken, true)
			inactive(t, n.introspect(t, syncApp, burnt.AccessToken)) // what was revoked stays so
			tokens(t, n.refresh(t, syncApp, g.set.RefreshToken, ""))
			tokens(t, n.redeem(t, syncApp, g.code, returnURI, ""))
			tokens(t, n.poll(t, syncApp, g.device.DeviceCode))
		})
	}
	people, id := n.people(t), n.User(t, "sam").ID
	for _, one := range []struct {
		name     string
		do, undo func() error
	}{
		{"under a processing restriction", func() error { return people.Restrict(t.Context(), id) }, func() error { return people.Unrestrict(t.Context(), id) }},
		{"suspended", func() error { return people.Suspend(t.Context(), id) }, func() error { return people.Unsuspend(t.Context(), id) }},
	} {
		t.Run("INST-04 a person who is "+one.name, func(t *testing.T) {
			g, olivias := n.connectFully(t, sam, "sam", syncApp, bakery), n.issue(t, syncApp, "olivia", bakery, "invoices:read")
			must(t, one.do())
			inactive(t, n.introspect(t, syncApp, g.set.AccessToken))
			invalidGrant(t, n.refresh(t, syncApp, g.set.RefreshToken, ""))
			invalidGrant(t, n.redeem(t, syncApp, g.code, returnURI, ""))
			invalidGrant(t, n.poll(t, syncApp, g.device.DeviceCode))
			n.live(t, "somebody else's", syncApp, olivias.AccessToken, true)
			must(t, one.undo())
			n.live(t, "lifted", syncApp, g.set.AccessToken, true)
			tokens(t, n.refresh(t, syncApp, g.set.RefreshToken, ""))
		})
	}
}

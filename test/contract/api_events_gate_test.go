package contract_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
)

// eventGates proves EVTS-01: an app sees what its token, what it registered and what the business granted let through.
func eventGates(t *testing.T, n *apiNode) {
	c := n.by(t, fullApp, "olivia", "stall")
	l := n.fill(t, c)
	c.do(t, "POST", "/invoices/"+l.draft+"/issue", nil)
	all, _ := c.events(t, "")
	if len(all) < 10 {
		t.Fatalf("only %v happened", kinds(all))
	}
	family := func(kind string) string { f, _, _ := strings.Cut(kind, "."); return f }
	scopes := map[string]string{
		"invoice": "invoices:read", "payment": "payments:read", "customer": "customers:read", "supplier": "suppliers:read", "account": "accounts:read",
		"journal_entry": "journal:read",
	}
	sees := func(t *testing.T, c caller, held ...string) {
		t.Helper()
		var want []string
		for _, k := range kinds(all) {
			if s, needs := scopes[family(k)]; !needs || slices.Contains(held, s) {
				want = append(want, k)
			}
		}
		list, _ := c.events(t, "")
		if got := kinds(list); !slices.Equal(got, want) {
			t.Errorf("with %v it sees %v, want %v", held, got, want)
		}
	}
	t.Run("EVTS-01 CALL-03 events:read is needed", func(t *testing.T) {
		for _, path := range []string{"/events", "/events/evt_" + nowhere} {
			r := refused(t, n.by(t, fullApp, "olivia", "stall", without("events:read")...).do(t, "GET", path, nil), http.StatusForbidden, "INSUFFICIENT_SCOPE")
			if !strings.HasPrefix(r.text, "Insufficient scope") {
				t.Error(r.text)
			}
		}
	})
	t.Run("EVTS-01 each event needs its scope in the token", func(t *testing.T) {
		for _, s := range scopes {
			sees(t, n.by(t, fullApp, "olivia", "stall", "events:read", s), s)
		}
		sees(t, n.by(t, fullApp, "olivia", "stall", "events:read"))
	})
	held := everyScope
	t.Run("EVTS-01 in what the app registered", func(t *testing.T) {
		n.sql(t, `UPDATE apps SET scopes = $2 WHERE id = $1`, n.ids["full"], strings.Join(without("invoices:read", "journal:read"), " "))
		sees(t, c, without("invoices:read", "journal:read")...)
		n.sql(t, `UPDATE apps SET scopes = $2 WHERE id = $1`, n.ids["full"], strings.Join(held, " "))
		sees(t, c, held...)
	})
	t.Run("EVTS-01 and in what the business granted", func(t *testing.T) {
		grant := func(scopes []string) {
			n.sql(t, `UPDATE installations SET granted_scopes = $3 WHERE business_id = $1 AND app_id = $2`, n.ids["stall"], n.ids["full"], strings.Join(scopes, " "))
		}
		grant(without("payments:read"))
		sees(t, c, without("payments:read")...)
		grant([]string{"events:read"})
		sees(t, c)
		grant(held)
		sees(t, c, held...)
	})
	t.Run("EVTS-01 another app sees its own installation, not this one's", func(t *testing.T) {
		list, _ := n.by(t, twinApp, "olivia", "stall").events(t, "?types=app.installed")
		mine, _ := c.events(t, "?types=app.installed")
		if len(list) != 1 || len(mine) != 1 || list[0]["id"] == mine[0]["id"] {
			t.Errorf("%v and %v", list, mine)
		}
	})
	t.Run("EVTS-01 CALL-06 another business is another log", func(t *testing.T) {
		list, _ := n.by(t, fullApp, "olivia", "bakery").events(t, "")
		for _, e := range list {
			if e["businessId"] != n.ids["bakery"] || slices.ContainsFunc(all, func(o object) bool { return o["id"] == e["id"] }) {
				t.Errorf("from elsewhere: %v", e)
			}
		}
		if got := kinds(list); !slices.Equal(got, []string{"app.installed"}) {
			t.Errorf("%v", got)
		}
	})
	t.Run("EVTS-01 after a new installation the earlier ones' notices are still its own", func(t *testing.T) {
		owner := n.session(t, "olivia", "stall").http
		n.uninstall(t, owner, fullApp)
		unauthenticated(t, c.do(t, "GET", "/events", nil))
		list, _ := n.by(t, fullApp, "olivia", "stall").events(t, "?types=app.installed,app.uninstalled")
		if got := kinds(list); !slices.Equal(got, []string{"app.installed", "app.uninstalled", "app.installed"}) {
			t.Errorf("%v", got)
		}
	})
}

// eventVersions proves that events are shown as the caller's version shows them (VERS-01), whatever was current when they happened.
func eventVersions(t *testing.T, n *apiNode) {
	c := n.by(t, fullApp, "olivia", "store")
	l := n.fill(t, c)
	one := func(c caller, envelope, kind string) object {
		t.Helper()
		a := c.do(t, "GET", "/events?limit=1&types="+kind, nil)
		list, ok := said(t, a, http.StatusOK)[envelope].([]any)
		if !ok || len(list) != 1 {
			t.Fatalf("no %s: %s", kind, a.Body)
		}
		return list[0].(object)
	}
	for version, envelope := range map[string]string{oldest: "items", older: "data", newest: "data"} {
		t.Run("VERS-01 EVTS-01 in "+version, func(t *testing.T) {
			c := c.speaking(version)
			n.speaks(t, c.do(t, "GET", "/events", nil), version)
			issued, paid := one(c, envelope, "invoice.issued"), one(c, envelope, "payment.received")
			status, data := "SENT", paid["data"].(object)
			if version == newest {
				status = "OPEN"
				if first := data["allocations"].([]any)[0].(object); first["invoiceId"] != l.invoice || data["invoiceId"] != nil {
					t.Error(data)
				}
			} else if _, has := data["allocations"]; has || data["invoiceId"] != l.invoice {
				t.Error(data)
			}
			if issued["apiVersion"] != version || issued["data"].(object)["status"] != status {
				t.Error(issued)
			}
			if got := c.get(t, "/events/"+paid["id"].(string)); got["apiVersion"] != version || got["data"].(object)["invoiceId"] != data["invoiceId"] {
				t.Error(got)
			}
		})
	}
	t.Run("VERS-01 EVTS-01 the cursor of the oldest envelope", func(t *testing.T) {
		page := c.speaking(oldest).get(t, "/events?limit=2")
		if len(page) != 2 || page["cursor"] != page["items"].([]any)[1].(object)["id"] {
			t.Error(page)
		}
	})
	t.Run("VERS-01 EVTS-01 by pin", func(t *testing.T) {
		n.pin(t, "full", older)
		defer n.pin(t, "full", "")
		if e := one(c, "data", "invoice.issued"); e["apiVersion"] != older || e["data"].(object)["status"] != "SENT" {
			t.Error(e)
		}
	})
}

package contract_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"daybook/internal/base/clock"
	"daybook/internal/base/db"
)

// TestEventsAPI proves EVTS-01 to EVTS-05.
func TestEventsAPI(t *testing.T) {
	eachAPI(t, func(t *testing.T, n *apiNode) {
		t.Run("pages", func(t *testing.T) { eventPages(t, n) })
		t.Run("parameters", func(t *testing.T) { eventParameters(t, n) })
		t.Run("cursors", func(t *testing.T) { eventCursors(t, n) })
		t.Run("one event", func(t *testing.T) { oneEvent(t, n) })
		t.Run("gates", func(t *testing.T) { eventGates(t, n) })
		t.Run("versions", func(t *testing.T) { eventVersions(t, n) })
		t.Run("sessions", func(t *testing.T) { eventSessions(t, n) })
		t.Run("waiting", func(t *testing.T) { eventWaits(t, n) })
		t.Run("30 days", func(t *testing.T) { eventAges(t, n) }) // last: the clock goes far
	}, "--clock", "2026-09-01T12:00:00Z")
}

// told is every event of a business as the store has it, in its order: id and type.
func (n *apiNode) told(t testing.TB, business string) (all []struct{ id, kind string }) {
	t.Helper()
	ctx := context.Background()
	d, err := db.Open(ctx, db.Options{Database: n.database, Clock: clock.System{}})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	err = d.Read(ctx, func(tx *db.Tx) (err error) {
		all, err = db.All(ctx, tx, func(scan db.Scan) (e struct{ id, kind string }, err error) {
			err = scan(&e.id, &e.kind)
			return e, err
		}, `SELECT id, type FROM events WHERE business_id = $1 ORDER BY number`, n.ids[business])
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// events reads a page: the events, and the whole answer.
func (c caller) events(t testing.TB, query string) ([]object, object) {
	t.Helper()
	page := c.get(t, "/events"+query)
	var list []object
	for _, one := range page["data"].([]any) {
		list = append(list, one.(object))
	}
	return list, page
}

// kinds are the types of events, in their order.
func kinds(list []object) []string {
	var out []string
	for _, e := range list {
		out = append(out, e["type"].(string))
	}
	return out
}

// customers makes so many, each of which is one event.
func (c caller) customers(t testing.TB, count int) {
	t.Helper()
	for i := range count {
		c.make(t, "/customers", object{"displayName": fmt.Sprint("Customer ", i)})
	}
}

// eventPages proves EVTS-01: oldest first, strictly after the cursor, with pages of 1 to 100.
func eventPages(t *testing.T, n *apiNode) {
	c := n.by(t, fullApp, "olivia", "shop")
	c.customers(t, 101) // and the installation before them
	all := n.told(t, "shop")
	t.Run("EVTS-01 a page has 100 events by default, and a cursor to go on", func(t *testing.T) {
		list, page := c.events(t, "")
		if len(list) != 100 || page["hasMore"] != true || page["nextCursor"] != all[99].id || len(page) != 3 {
			t.Errorf("%d events, more %v, cursor %v", len(list), page["hasMore"], page["nextCursor"])
		}
		rest, page := c.events(t, "?after="+all[99].id)
		if len(rest) != len(all)-100 || page["hasMore"] != false || page["nextCursor"] != all[len(all)-1].id {
			t.Errorf("%d more, %v", len(rest), page)
		}
		for i, e := range append(list, rest...) {
			if e["id"] != all[i].id || e["type"] != all[i].kind {
				t.Fatalf("event %d is %v, want %v", i, e, all[i])
			}
		}
	})
	t.Run("EVTS-01 a page that is exactly full has no more", func(t *testing.T) {
		for limit, more := range map[int]bool{1: false, 2: false} {
			list, page := c.events(t, fmt.Sprintf("?limit=%d&after=%s", limit, all[len(all)-1-limit].id))
			if len(list) != limit || page["hasMore"] != more || page["nextCursor"] != all[len(all)-1].id {
				t.Errorf("%d: %v", limit, page)
			}
		}
		if list, page := c.events(t, "?limit=1&after="+all[len(all)-3].id); len(list) != 1 || page["hasMore"] != true {
			t.Error(page)
		}
	})
	t.Run("EVTS-01 at the end the cursor stays where it is", func(t *testing.T) {
		last := all[len(all)-1].id
		if list, page := c.events(t, "?after="+last); len(list) != 0 || page["nextCursor"] != last || page["hasMore"] != false {
			t.Error(page)
		}
		if list, page := c.events(t, "?types=invoice.voided"); len(list) != 0 || page["nextCursor"] != nil {
			t.Error(page)
		}
	})
	t.Run("EVTS-01 an event has the members of a webhook body, its own id in place of the delivery's", func(t *testing.T) {
		list, _ := c.events(t, "?types=customer.created&limit=1")
		e := list[0]
		created := time.Unix(int64(e["created"].(float64)), 0)
		if len(e) != 6 || e["businessId"] != n.ids["shop"] || e["apiVersion"] != newest || n.time(t).Sub(created) > time.Minute || !strings.HasPrefix(e["id"].(string), "evt_") {
			t.Error(e)
		}
		data := e["data"].(object)
		if actor := data["actor"].(object); actor["type"] != "APP" || actor["appId"] != n.ids["full"] || !strings.HasPrefix(data["customerId"].(string), "cus_") {
			t.Error(data)
		}
	})
}

// eventParameters proves EVTS-03 and the bounds of each parameter (EVTS-01).
func eventParameters(t *testing.T, n *apiNode) {
	c := n.by(t, fullApp, "olivia", "shop")
	for query, member := range map[string]string{
		"limit=0": "limit", "limit=101": "limit", "limit=x": "limit", "wait=31": "wait", "wait=-1": "wait", "wait=1.5": "wait", "limit=1&limit=1": "limit",
		"cursor=x": "cursor", "sort=id": "sort", "businessId=" + n.ids["store"]: "businessId", "types=" + strings.Repeat("invoice.paid,", 45) + "invoice.paid": "types",
	} {
		t.Run("EVTS-01 SERR-02 "+query[:min(len(query), 30)], func(t *testing.T) { offends(t, c.do(t, "GET", "/events?"+query, nil), member) })
	}
	offends(t, c.do(t, "GET", "/events?limit=0&wait=99&x=1", nil), "limit", "wait", "x")
	for _, query := range []string{"limit=1", "limit=100", "wait=0", "types=" + strings.Repeat("invoice.paid,", 44) + "invoice.paid"} {
		c.events(t, "?"+query)
	}
	for _, types := range []string{"invoice.eaten", "", "invoice.paid,", "INVOICE.PAID", "invoice.paid,customer.created,nothing", "invoice", "invoice.*"} {
		t.Run("EVTS-03 "+types, func(t *testing.T) {
			refused(t, c.do(t, "GET", "/events?types="+types, nil), http.StatusBadRequest, "UNKNOWN_EVENT_TYPE_TYPES")
		})
	}
	t.Run("EVTS-01 types with commas and repeated", func(t *testing.T) {
		c.make(t, "/suppliers", object{"displayName": "Mill"})
		for _, query := range []string{"types=supplier.created,app.installed", "types=supplier.created&types=app.installed"} {
			list, _ := c.events(t, "?"+query)
			if got := kinds(list); !slices.Equal(got, []string{"app.installed", "supplier.created"}) {
				t.Errorf("%s: %v", query, got)
			}
		}
	})
}

// eventCursors proves EVTS-02.
func eventCursors(t *testing.T, n *apiNode) {
	c := n.by(t, fullApp, "olivia", "shop")
	n.by(t, fullApp, "olivia", "store").customers(t, 1)
	theirs := n.told(t, "store")
	for what, after := range map[string]string{
		"of another business": theirs[len(theirs)-1].id, "of nobody": "evt_" + nowhere, "no id": "x", "empty": "", "an id of something else": "cus_" + nowhere,
		"in upper case": strings.ToUpper(n.told(t, "shop")[0].id), "with a zero byte": "evt_%00", "very long": strings.Repeat("e", 4000),
	} {
		t.Run("EVTS-02 a cursor "+what, func(t *testing.T) {
			refused(t, c.do(t, "GET", "/events?after="+after, nil), http.StatusBadRequest, "UNKNOWN_CURSOR")
		})
	}
	t.Run("EVTS-02 any event of the business is a cursor, seen or not", func(t *testing.T) {
		narrow := n.by(t, fullApp, "olivia", "shop", "events:read", "suppliers:read")
		for i, e := range n.told(t, "shop") {
			if i%10 == 0 || e.kind != "customer.created" {
				narrow.events(t, "?limit=1&after="+e.id)
			}
		}
	})
}

// oneEvent proves EVTS-04.
func oneEvent(t *testing.T, n *apiNode) {
	c, twin := n.by(t, fullApp, "olivia", "shop"), n.by(t, twinApp, "olivia", "shop")
	list, _ := c.events(t, "?limit=2")
	t.Run("EVTS-04 an event by itself is as it is in the list", func(t *testing.T) {
		for _, e := range list {
			if got := c.get(t, "/events/"+e["id"].(string)); fmt.Sprint(got) != fmt.Sprint(e) {
				t.Errorf("%v, in the list %v", got, e)
			}
		}
		offends(t, c.do(t, "GET", "/events/"+list[0]["id"].(string)+"?wait=1", nil), "wait")
	})
	lacking := func(what string, c caller, id string) {
		t.Run("EVTS-04 "+what, func(t *testing.T) {
			a := c.do(t, "GET", "/events/"+id, nil)
			refused(t, a, http.StatusNotFound, "EVENT_NOT_FOUND")
			if absent := c.do(t, "GET", "/events/evt_"+nowhere, nil); absent.Body != a.Body {
				t.Errorf("%s is told apart from nothing: %s", a.Body, absent.Body)
			}
		})
	}
	lacking("of another business", c, n.told(t, "store")[0].id)
	lacking("of no form", c, "x")
	lacking("without its scope", n.by(t, fullApp, "olivia", "shop", "events:read", "invoices:read"), list[1]["id"].(string))
	lacking("for another app", twin, list[0]["id"].(string)) // app.installed
}

// eventSessions proves EVTS-05.
func eventSessions(t *testing.T, n *apiNode) {
	pages := n.session(t, "olivia", "shop")
	for _, path := range []string{"/events", "/events?limit=0", "/events?types=x", "/events/evt_" + nowhere, "/events/" + n.told(t, "shop")[0].id} {
		t.Run("EVTS-05 "+path, func(t *testing.T) {
			refused(t, pages.do(t, "GET", path, nil), http.StatusForbidden, "EVENT_LOG_AVAILABLE_CONNECTED_APPS_ONLY")
		})
	}
	unauthenticated(t, n.nobody().do(t, "GET", "/events", nil))
}

// eventAges proves EVTS-02 at the edge of 30 days, with the hourly clean-up and before it.
func eventAges(t *testing.T, n *apiNode) {
	old := n.told(t, "shop")[0]
	first := time.Unix(int64(n.by(t, fullApp, "olivia", "shop").get(t, "/events/"+old.id)["created"].(float64)), 0)
	const life = 30 * 24 * time.Hour
	t.Run("EVTS-02 up to 30 days", func(t *testing.T) {
		n.setClock(t, first.Add(life-20*time.Second))
		c := n.by(t, fullApp, "olivia", "shop")
		c.events(t, "?limit=1&after="+old.id)
		if list, _ := c.events(t, "?limit=1"); list[0]["id"] != old.id {
			t.Error(list)
		}
	})
	t.Run("EVTS-02 EVTS-04 and no longer", func(t *testing.T) {
		n.setClock(t, first.Add(life+2*time.Second))
		gone := func() {
			t.Helper()
			c := n.by(t, fullApp, "olivia", "shop")
			refused(t, c.do(t, "GET", "/events?after="+old.id, nil), http.StatusBadRequest, "UNKNOWN_CURSOR")
			refused(t, c.do(t, "GET", "/events/"+old.id, nil), http.StatusNotFound, "EVENT_NOT_FOUND")
			if list, _ := c.events(t, "?limit=1"); len(list) > 0 && list[0]["id"] == old.id {
				t.Error("it is still in the list")
			}
		}
		gone()
		n.Advance(t, "1h1s") // the clean-up has run
		gone()
		if slices.ContainsFunc(n.told(t, "shop"), func(e struct{ id, kind string }) bool { return e.id == old.id }) {
			t.Error("it was not cleaned up")
		}
	})
	t.Run("EVTS-02 the log goes on", func(t *testing.T) {
		c := n.by(t, fullApp, "olivia", "shop")
		c.customers(t, 1)
		list, _ := c.events(t, "?types=customer.created")
		if len(list) != 1 {
			t.Errorf("%d events", len(list))
		}
	})
}

package contract_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"daybook/internal/platform/event"
)

// TestEveryEventIsTriggered proves EVTS-06 by the console: each of the 45 events is made to happen in a sandbox by the real thing,
// is told once, to those who may hear of it, and is as its schema says.
func TestEveryEventIsTriggered(t *testing.T) {
	eachAPI(t, func(t *testing.T, n *apiNode) {
		dan := n.console(t, "dan")
		one, id := n.lab(t, dan)
		app := n.with(n.issue(t, fullApp, "dan", id).AccessToken)
		n.declare(t, "twin", "CUSTOMER", "colour", "CHOICE", object{"choices": []string{"red", "blue"}})
		trigger := func(t *testing.T, kind event.Type, more object) object {
			t.Helper()
			body := object{"type": kind}
			for name, value := range more {
				body[name] = value
			}
			return said(t, dan.do(t, "POST", one+"/trigger", body), http.StatusOK)
		}
		t.Run("for every app", func(t *testing.T) {
			for _, e := range event.Catalog {
				if e.Audience == event.ForApp || e.Type == event.PlanLimitReached {
					continue
				}
				after := last(t, app)
				out := trigger(t, e.Type, nil)
				told := rowsOf(app.get(t, "/events?after="+after))
				if got, want := idsOf(told), idsOf(rowsOf(object{"data": out["events"]})); !slices.Equal(got, want) {
					t.Errorf("%s: GET /events has %v, the answer says %v", e.Type, got, want)
				}
				same := slices.DeleteFunc(told, func(o object) bool { return o["type"] != string(e.Type) })
				if len(same) != 1 {
					t.Errorf("EVTS-06 %s was told %d times: %v", e.Type, len(same), out)
					continue
				}
				concerns(t, out, same[0])
			}
		})
		t.Run("for one app", func(t *testing.T) {
			for _, step := range []struct {
				kind event.Type
				more object
			}{
				{event.AppInstalled, object{"overrides": object{"scopes": []string{"profile:read", "customers:read"}}}},
				{event.AppScopesUpdated, nil}, {event.AppDataUpdated, nil}, {event.AppUninstalled, nil}, {event.BusinessRedact, nil},
				{event.AppInstalled, nil}, {event.BusinessRedact, nil}, // of one that is installed: it is uninstalled for it
			} {
				before := n.counted(t, `SELECT count(*) FROM events WHERE business_id = $1 AND type = $2 AND app_id = $3`, id, string(step.kind), n.ids["twin"])
				more := object{"clientId": twinApp}
				for name, value := range step.more {
					more[name] = value
				}
				trigger(t, step.kind, more)
				if n.counted(t, `SELECT count(*) FROM events WHERE business_id = $1 AND type = $2 AND app_id = $3`, id, string(step.kind), n.ids["twin"]) != before+1 {
					t.Errorf("EVTS-06 %s was not told once", step.kind)
				}
			}
		})
		t.Run("the ceiling", func(t *testing.T) {
			for range 2 { // it can be reached again
				after := last(t, app)
				trigger(t, event.PlanLimitReached, nil)
				if told := rowsOf(app.get(t, "/events?types=business.plan_limit_reached&after="+after)); len(told) != 1 {
					t.Errorf("EVTS-06 told %v", told)
				}
			}
			refused(t, dan.do(t, "POST", one+"/trigger", object{"type": "invoice.created"}), http.StatusForbidden, "PLAN_INVOICE_LIMIT_REACHED")
		})
		seen := fitting(t, n)
		for _, e := range event.Catalog {
			if seen[e.Type] == 0 {
				t.Errorf("EVTS-06 %s never happened", e.Type)
			}
		}
		app.balanced(t)
	})
}

// last is the id of the newest event that an app can see; there is at least that of its own installation.
func last(t *testing.T, app caller) string {
	t.Helper()
	for after := ""; ; {
		page := app.get(t, "/events?limit=100"+after)
		after = "&after=" + page["nextCursor"].(string)
		if page["hasMore"] == false {
			return page["nextCursor"].(string)
		}
	}
}

func idsOf(events []object) (ids []string) {
	for _, e := range events {
		ids = append(ids, e["id"].(string))
	}
	return ids
}

// concerns proves that an event is about the record that the answer names.
func concerns(t *testing.T, out, told object) {
	t.Helper()
	worked := out["record"].(object)
	if worked["type"] == "business" {
		return
	}
	words := strings.Split(worked["type"].(string), "_")
	for i := range words[1:] {
		words[i+1] = strings.ToUpper(words[i+1][:1]) + words[i+1][1:]
	}
	if name := strings.Join(words, "") + "Id"; told["data"].(object)[name] != worked["id"] {
		t.Errorf("%s: the event is about %v, the answer names %v", told["type"], told["data"].(object)[name], worked)
	}
}

package browser

import (
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"

	"daybook/test/harness"
)

// TestScreenshots takes pictures of the ten main pages into the folder that DAYBOOK_SCREENSHOTS names, as `make screenshots` does:
// light and dark, wide and on a phone. Without a folder there is nothing to do.
func TestScreenshots(t *testing.T) {
	if os.Getenv("DAYBOOK_SCREENSHOTS") == "" {
		t.Skip("DAYBOOK_SCREENSHOTS names no folder")
	}
	holdChromium(t)
	w := openOn(t, startBusiness(t))
	w.begin("dan")
	atWork(w, 40)
	d, r := newDeveloper(w, "dan"), newReceiver(t)
	till := tillPath(w)
	d.do("PUT", till+"/scopes", map[string]any{"scopes": []string{"invoices:read", "customers:read", "payments:read", "profile:read", "events:read"}})
	hook := d.webhook(till, r.url, "invoice.paid", "invoice.created", "customer.created", "payment.received")
	lab := "/developer/sandbox-businesses/" + w.node.User(t, "dan").Businesses[0].ID
	for _, kind := range []string{"invoice.created", "customer.created", "payment.received", "invoice.paid"} {
		d.test(hook, kind)
		d.do("POST", lab+"/trigger", map[string]any{"type": kind})
	}
	for hour, calls := range []int{3, 5, 9, 14, 11, 8, 12, 17, 13, 6, 4} {
		busy(w, calls, hour%3)
		w.node.Advance(t, "1h")
	}
	r.answers(http.StatusServiceUnavailable, `{"error":"the database is being moved","retryAfter":3600}`)
	failed := d.test(hook, "invoice.paid")
	d.test(hook, "invoice.created")
	w.node.Advance(t, "9h")
	busy(w, 7, 0)
	w.node.Advance(t, "20m")
	r.answers(http.StatusOK, "thank you")
	newDeveloper(w, "rosa").do("POST", "/operator/apps/"+w.node.app(t, "Ledger Sync")+"/suspend", map[string]any{"reason": "Sends the same invoice hundreds of times. Fix the loop, then write to us."})
	for i, s := range []struct{ who, name, path string }{
		{"olivia", "business home", "/"},
		{"olivia", "invoices", "/invoices"},
		{"olivia", "balance sheet", "/reports/balance-sheet"},
		{"dan", "overview", till},
		{"dan", "deliveries", till + "/deliveries"},
		{"dan", "delivery", failed},
		{"dan", "analytics", till + "/analytics?period=day"},
		{"dan", "events", till + "/events"},
		{"dan", "sandbox", lab},
		{"rosa", "audit log", "/operator/audit"},
	} {
		w.forget()
		w.begin(s.who)
		for _, width := range []int64{desk, phone} {
			w.resize(width)
			if status := w.visit(s.path); status != http.StatusOK {
				t.Errorf("%s: %d", s.path, status)
			}
			w.takePictures(strings.ReplaceAll(fmt.Sprintf("%02d %s %d", i+1, s.name, width), " ", "-"))
		}
	}
}

// busy has the till make so many calls in the sandbox, and some that are refused.
func busy(w *window, calls, refused int) {
	w.t.Helper()
	dan := w.node.User(w.t, "dan")
	a := harness.PostJSON(w.t, http.DefaultClient, w.node.BaseURL+"/dev/tokens", fmt.Sprintf(`{"clientId":"cli_demotill","userEmail":%q,"businessId":%q,"scopes":["invoices:read","customers:read"]}`, dan.Email, dan.Businesses[0].ID))
	token, _ := a.JSON(w.t)["access_token"].(string)
	for i := range calls + refused {
		path := []string{"/invoices", "/customers", "/invoices?limit=5"}[i%3]
		if i >= calls {
			path = "/reports/balance-sheet"
		}
		harness.Send(w.t, http.DefaultClient, http.MethodGet, w.node.BaseURL+path, http.Header{"Authorization": {"Bearer " + token}}, "")
	}
}

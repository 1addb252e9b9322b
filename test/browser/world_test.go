package browser

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"daybook/internal/base/db"
)

// otherSite serves a page on another origin and gives its address: on another port of 127.0.0.1, which is the same site,
// so that cookies go along; or of localhost, which is another site.
func otherSite(t *testing.T, host, page string) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte("<!doctype html><html lang=en><title>Another site</title><link rel=icon href=data:,>" + page))
	}))
	t.Cleanup(server.Close)
	return strings.Replace(server.URL, "127.0.0.1", host, 1)
}

// postingPage has a form that goes to the given address with the given fields.
func postingPage(action string, fields url.Values) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<form method="post" action=%q>`, action)
	for name := range fields {
		fmt.Fprintf(&b, `<input type="hidden" name=%q value=%q>`, name, fields.Get(name))
	}
	return b.String() + `<button>Send</button></form>`
}

// postHere sends a form with one field from the page of ours that the window shows, as a form of that page would.
func postHere(w *window, action, kind, field, value string) (status int) {
	w.t.Helper()
	return w.load(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`{
		const form = document.createElement("form"), field = document.createElement("input");
		form.method = "post"; form.action = %q; form.enctype = %q; field.name = %q; field.value = %q;
		form.append(field); document.body.append(form); form.submit();
	}`, action, kind, field, value), byHand))
}

const crowdEmail, crowdPassword = "maximiliane.wolfeschlegelsteinhausenbergerdorff@accounting.department.example", "a crowd of words"

// loadCrowd adds a person with a long name who belongs to many businesses, with long names too.
func loadCrowd(w *window) {
	w.t.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, "users:\n  - {key: max, email: %s, password: %s, name: Maximiliane Wolfeschlegelsteinhausenbergerdorff-Hohenlohe-Langenburg}\n", crowdEmail, crowdPassword)
	b.WriteString("organizations:\n  - {key: o, name: The Very Long Named Software Company of the Lower Countries, members: [{user: max, role: OWNER}]}\nbusinesses:\n")
	for i, name := range []string{
		"Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft", "Kiosk", "Sister Company of the Second Part, Import and Export of Fine Goods since 1887",
		"Bakery Two", "Bakery Three", "Bakery Four", "Bakery Five", "Bakery Six", "Bakery Seven", "Bakery Eight", "Bakery Nine", "Bakery Ten",
	} {
		fmt.Fprintf(&b, "  - {key: b%d, name: %q, country: NL, currency: EUR, plan: FREE, books: EMPTY, members: [{user: max, role: OWNER}]}\n", i, name)
	}
	b.WriteString("  - {key: s, name: A sandbox to try things in, country: NL, currency: EUR, sandboxOf: o, books: EMPTY, members: [{user: max, role: OWNER}]}\n")
	file := filepath.Join(w.t.TempDir(), "crowd.yaml")
	if err := os.WriteFile(file, []byte(b.String()), 0o600); err != nil {
		w.t.Fatal(err)
	}
	w.node.fixture(w.t, file)
}

// breakDatabase takes a table away from the running node.
func breakDatabase(w *window) {
	w.t.Helper()
	w.node.past(w.t, func(ctx context.Context, tx *db.Tx) error {
		_, err := tx.Exec(ctx, `ALTER TABLE organization_members RENAME TO gone`)
		return err
	})
}

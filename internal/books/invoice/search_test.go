package invoice_test

import (
	"errors"
	"strings"
	"testing"

	"daybook/internal/base/fault"
	"daybook/internal/books/party"
	"daybook/internal/books/record"
)

func TestPeopleFindInvoicesByWhatTheyRemember(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		zuid := w.party(party.New{DisplayName: "Café Zuid"})
		first := w.issued(w.bare("1")) // INV-000001 for Ada
		for _, price := range []string{"2", "3"} {
			n := w.bare(price)
			n.CustomerID, n.Reference = zuid.ID, ptr("PO-7 "+price)
			w.issued(n)
		}
		n := w.bare("4")
		n.Number = ptr("2026-0099")
		w.draft(n)
		other := w.world(t, "EUR")
		other.issued(other.bare("5"))
		find := func(text string, params map[string][]string) string {
			t.Helper()
			page, err := w.invoices.Search(ctx, w.by, text, params)
			must(t, err)
			var found []string
			for _, i := range page.Data {
				found = append(found, i.Number)
			}
			return strings.Join(found, " ")
		}
		for text, want := range map[string]string{
			"INV-000001": "INV-000001", "inv-00000": "INV-000003 INV-000002 INV-000001", "1": "INV-000001", "3": "INV-000003", "000002": "INV-000002",
			"café": "INV-000003 INV-000002", "ZUID": "", "po-7": "INV-000003 INV-000002", "po-7 3": "INV-000003", "2026": "2026-0099", "ada": "2026-0099 INV-000001",
			"%": "", "_": "", "' OR 1=1": "", "": "2026-0099 INV-000003 INV-000002 INV-000001",
		} {
			if got := find(text, map[string][]string{"sort": {"-createdAt"}}); got != want {
				t.Errorf("%q: found %s, want %s", text, got, want)
			}
		}
		if got := find("ada", map[string][]string{"status": {"OPEN"}}); got != first.Number {
			t.Errorf("with a status: %s", got)
		}
		page, err := w.invoices.Search(ctx, w.by, "café", map[string][]string{"limit": {"1"}})
		must(t, err)
		if got := find("café", map[string][]string{"limit": {"1"}, "cursor": {*page.Next}}); got != "INV-000002" {
			t.Errorf("the next page: %s", got)
		}
		if _, err := w.invoices.Search(ctx, w.by, "ada", map[string][]string{"limit": {"1"}, "cursor": {*page.Next}}); !errors.Is(err, record.ErrCursor) {
			t.Errorf("a cursor of another search: %v", err)
		}
		if _, err := w.invoices.Search(ctx, w.by, strings.Repeat("x", 201), nil); fault.KindOf(err) != fault.Invalid {
			t.Errorf("a long text: %v", err)
		}
	})
}

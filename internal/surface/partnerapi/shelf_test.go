package partnerapi

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"daybook/internal/books/invoice"
	"daybook/internal/tenancy/business"
)

// What comes from the shelf is, byte for byte, what would have been written anew, for every caller and on every day.
func TestTheShelfGivesWhatWouldBeWritten(t *testing.T) {
	evil := `"externalId":null,"overdue":false`
	for _, i := range []invoice.Invoice{
		{ID: "inv_1", Version: 3, Status: invoice.Open, DueDate: "2026-05-04", AmountDue: 5},
		{ID: "inv_1", Version: 3, Status: invoice.PartiallyPaid, DueDate: "2026-05-04", AmountDue: 5, Number: evil},
		{ID: "inv_1", Version: 3, Status: invoice.Paid, DueDate: "2026-05-04"},
		{ID: "inv_1", Version: 3, Status: invoice.Draft, DueDate: "2026-05-04", AmountDue: 5, Notes: &evil},
	} {
		d, err := shelve(i)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []*string{nil, &evil} {
			for _, today := range []string{"2026-05-04", "2026-05-05"} {
				i.ExternalID = name
				i.Overdue = today > i.DueDate && i.AmountDue > 0 && (i.Status == invoice.Open || i.Status == invoice.PartiallyPaid)
				want, err := json.Marshal(newInvoiceDoc(i))
				if err != nil {
					t.Fatal(err)
				}
				if got := string(d.append(nil, name, today)); got != string(want) {
					t.Errorf("%s on %s:\n%s\n%s", i.Status, today, got, want)
				}
			}
		}
	}
}

// A full shelf starts anew, and a newer version takes the place of an older one.
func TestTheShelfIsBounded(t *testing.T) {
	var s shelf
	big := &shelved{version: 1, rest: []byte(strings.Repeat("x", maxShelf/4))}
	for _, id := range []string{"a", "b", "c", "d", "e"} {
		s.put(id, big)
	}
	if len(s.docs) != 1 || s.find("e") == nil || s.size != big.bytes() {
		t.Errorf("%d documents of %d bytes", len(s.docs), s.size)
	}
	s.put("e", &shelved{version: 2})
	if s.find("e").version != 2 || len(s.docs) != 1 || s.size > 1000 {
		t.Errorf("%d documents of %d bytes", len(s.docs), s.size)
	}
}

// Two nodes with a shelf each, changes by one and by the clock: nobody is ever shown an old document, nor another app's name
// for it, nor another business's.
func TestTheShelfNeverShowsAnythingOld(t *testing.T) {
	eachStore(t, func(t *testing.T, w *world) {
		token := w.all()
		other := *w.api
		node := w.node(&other)
		id := w.call(bearer(token), "POST", "/invoices", object{
			"customerId": w.customer(token), "issue": true, "externalId": "mine", "lines": []object{{"description": "Bread", "unitPrice": "12.50"}},
		}).is(201, "").text("id")
		alike := func(what string) {
			t.Helper()
			for range 2 { // written, and from the shelf
				here := w.call(bearer(token), "GET", "/invoices/"+id, nil).is(200, "")
				there := w.send(ctx, node, bearer(token), "GET", "/invoices/"+id, nil).is(200, "")
				list := w.send(ctx, node, bearer(token), "GET", "/invoices", nil).is(200, "").Body.String()
				if here.Body.String() != there.Body.String() || !strings.Contains(list, there.Body.String()) || here.Header().Get("ETag") != there.Header().Get("ETag") {
					t.Errorf("%s:\n%s\n%s\n%s", what, here.Body, there.Body, list)
				}
			}
		}
		alike("new")
		w.call(bearer(token), "PATCH", "/invoices/"+id, object{"notes": "changed"}).is(200, "")
		alike("changed")
		if got := w.send(ctx, node, bearer(token), "GET", "/invoices/"+id, nil); got.text("notes") != "changed" || got.text("externalId") != "mine" {
			t.Errorf("%s", got.Body)
		}
		w.call(bearer(token), "PATCH", "/invoices/"+id, object{"externalId": "renamed"}).is(200, "")
		alike("renamed")
		w.Clock.Advance(40 * 24 * time.Hour)
		token = w.all()
		alike("overdue")
		if got := w.send(ctx, node, bearer(token), "GET", "/invoices/"+id, nil); got.object()["overdue"] != true || got.text("externalId") != "renamed" {
			t.Errorf("%s", got.Body)
		}
		foreign := w.token(w.newShop(business.New{Name: "Other", Country: "NL", Currency: "EUR"}, w.owner), w.owner, everything...)
		w.send(ctx, node, bearer(foreign), "GET", "/invoices/"+id, nil).is(404, "NOT_FOUND")
	})
}

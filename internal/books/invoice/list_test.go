package invoice_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"daybook/internal/books/invoice"
	"daybook/internal/books/party"
	"daybook/internal/books/record"
)

// listed is the references of the invoices that a query finds, in its order.
func (w *world) listed(query string) string {
	w.t.Helper()
	params := map[string][]string{}
	for _, p := range strings.Fields(query) {
		name, value, _ := strings.Cut(p, "=")
		params[name] = []string{value}
	}
	page, err := w.invoices.List(ctx, w.by, params)
	if err != nil {
		return err.Error()
	}
	var names []string
	for _, i := range page.Data {
		names = append(names, *i.Reference)
	}
	if page.Next != nil {
		names = append(names, "…")
	}
	return strings.Join(names, " ")
}

func TestListsAreFilteredAndSorted(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		bob := w.party(party.New{DisplayName: "Bob", Currency: ptr("USD")})
		bill := func(name, price string, change func(*invoice.New)) invoice.Invoice {
			w.Clock.Advance(time.Second)
			n := w.bare(price)
			n.Reference, n.ExternalID = &name, ptr("order-"+name)
			if change != nil {
				change(&n)
			}
			return w.draft(n)
		}
		a := bill("a", "30", nil)
		b := bill("b", "20", func(n *invoice.New) { n.Issue, n.IssueDate, n.DueDate = true, ptr("2026-10-01"), ptr("2026-11-13") })
		c := bill("c", "10", func(n *invoice.New) {
			n.Issue, n.CustomerID, n.ExchangeRate, n.IssueDate, n.DueDate = true, bob.ID, ptr("0.9"), ptr("2026-11-01"), ptr("2026-11-14")
		})
		d := bill("d", "40", func(n *invoice.New) { n.Issue, n.IssueDate, n.DueDate = true, ptr("2026-09-01"), ptr("2026-09-30") })
		e := bill("e", "50", func(n *invoice.New) { n.IssueDate, n.DueDate = ptr("2026-09-01"), ptr("2026-09-30") })
		w.pay(d.ID, 4000, today)
		f := bill("f", "60", func(n *invoice.New) { n.Issue, n.IssueDate, n.DueDate = true, ptr("2026-08-01"), ptr("2026-08-31") })
		w.pay(f.ID, 1000, today)
		w.Clock.Advance(time.Second)
		since := w.Clock.Now().UTC().Format("2006-01-02T15:04:05.000Z")
		run(w, w.invoices.Update(w.by, b.ID, invoice.Patch{Notes: record.Setting("n")}, nil))
		w.Clock.Advance(time.Second)
		run(w, w.invoices.Update(w.by, a.ID, invoice.Patch{Notes: record.Setting("n")}, nil))
		for query, want := range map[string]string{
			"":                           "f e d c b a",
			"sort=createdAt":             "a b c d e f",
			"sort=total":                 "c b a d e f",
			"sort=-total":                "f e d a b c",
			"sort=issueDate":             "f d e b c a", // ids of one day: the earlier one first
			"sort=-dueDate":              "a c b e d f",
			"sort=number status=OPEN":    "b c",
			"sort=-number status=OPEN":   "c b",
			"sort=-updatedAt limit=2":    "a b …",
			"status=DRAFT":               "e a",
			"status=PAID,PARTIALLY_PAID": "f d",
			"customerId=" + bob.ID:       "c",
			"currency=USD,GBP":           "c",
			"overdue=true":               "f b",
			"overdue=false":              "e d c a",
			"number=" + b.Number:         "b",
			"number=INV-999999":          "",
			"issueDateFrom=2026-10-01":   "c b a",
			"issueDateTo=2026-08-31":     "f",
			"dueDateFrom=2026-11-13 dueDateTo=2026-11-14":          "c b",
			"totalFrom=2000 totalTo=4000":                          "d b a",
			"ids=" + a.ID + "," + c.ID:                             "c a",
			"externalId=order-e":                                   "e",
			"updatedSince=" + since:                                "b a",
			"updatedSince=" + since + " sort=-total":               "a b",
			"status=OPEN overdue=true customerId=" + w.customer.ID: "b",
			"status=LOST":                                          "status must be any of DRAFT, OPEN, PARTIALLY_PAID, PAID, VOID, UNCOLLECTIBLE",
			"overdue=1":                                            "overdue must be true or false",
			"total=5":                                              "total is not a parameter of this list",
			"sort=notes":                                           "sort must be one of issueDate, dueDate, number, total, createdAt, updatedAt, with a leading - for descending",
		} {
			if got := w.listed(query); got != want {
				t.Errorf("%s: got %s, want %s", query, got, want)
			}
		}
		for id, late := range map[string]bool{a.ID: false, b.ID: true, c.ID: false, d.ID: false, e.ID: false, f.ID: true} {
			if got := w.get(id); got.Overdue != late {
				t.Errorf("%s is overdue: %v", *got.Reference, got.Overdue)
			}
		}
		// It is late in the evening here, and tomorrow in Auckland.
		w.exec(`UPDATE businesses SET time_zone = 'Pacific/Auckland' WHERE id = $1`, w.by.BusinessID)
		if got := w.listed("overdue=true"); got != "f c b" {
			t.Errorf("in Auckland %s are overdue", got)
		}
	})
}

func TestPagesFollowOneAnother(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for n := range 7 {
			i := w.bare(fmt.Sprint(n / 3)) // several with the same total
			i.Reference = ptr(fmt.Sprint(n))
			w.issued(i)
		}
		for _, sort := range []string{"total", "-total", "number", "-number", "issueDate", "createdAt", "-updatedAt"} {
			seen := map[string]bool{}
			params := map[string][]string{"sort": {sort}, "limit": {"2"}}
			for pages := 0; ; pages++ {
				page, err := w.invoices.List(ctx, w.by, params)
				must(t, err)
				for _, i := range page.Data {
					if seen[i.ID] {
						t.Errorf("%s: %s twice", sort, *i.Reference)
					}
					seen[i.ID] = true
				}
				if page.Next == nil {
					break
				}
				params["cursor"] = []string{*page.Next}
			}
			if len(seen) != 7 {
				t.Errorf("%s: %d of 7", sort, len(seen))
			}
			params["status"] = []string{"OPEN"}
			_, err := w.invoices.List(ctx, w.by, params)
			want(t, err, record.ErrCursor)
		}
	})
}

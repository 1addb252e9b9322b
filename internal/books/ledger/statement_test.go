package ledger_test

import (
	"fmt"
	"strings"
	"testing"

	"daybook/internal/base/id"
	"daybook/internal/base/money"
	"daybook/internal/books/ledger"
	"daybook/internal/books/record"
)

// statement reads all pages of an account's ledger: date, amount and balance of each line.
func statement(t *testing.T, w *world, accountID string, pairs ...string) string {
	t.Helper()
	p := params(pairs...)
	var list []string
	for {
		page, err := w.Statement(ctx, w.by, accountID, p)
		must(t, err)
		for _, l := range page.Data {
			list = append(list, fmt.Sprintf("%s %+d=%d", l.Date[5:], l.Debit-l.Credit, l.Balance))
		}
		if page.Next == nil {
			return strings.Join(list, ", ")
		}
		p["cursor"] = []string{*page.Next}
	}
}

func TestTheLedgerOfAnAccount(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		customer := w.party(t, id.Customer)
		n := w.sale("2026-03-31", 1)
		n.Memo, n.Lines[0].CustomerID, n.Lines[0].Description = ptr("First"), &customer, ptr("Line")
		e := w.post(t, n)
		w.post(t, w.sale("2026-02-01", 20))
		w.post(t, w.sale("2026-02-28", 300))
		w.post(t, ledger.NewEntry{Date: "2026-02-28", Lines: []ledger.NewLine{w.cr("1000", 4000), w.dr("1000", 500), w.dr("3000", 3500)}})
		w.post(t, w.sale("2025-12-31", 60000))
		draft := w.sale("2026-02-01", 7)
		draft.Draft = true
		w.post(t, draft)
		other := w.another(t)
		other.post(t, other.sale("2026-01-01", 9))

		const all = "12-31 +60000=60000, 02-01 +20=60020, 02-28 +300=60320, 02-28 -4000=56320, 02-28 +500=56820, 03-31 +1=56821"
		for _, limit := range []string{"1", "2", "3", "4", "5", "6", "100"} {
			if got := statement(t, w, w.id("1000"), "limit", limit); got != all {
				t.Errorf("with a limit of %s:\n%s", limit, got)
			}
		}
		for query, wanted := range map[string]string{
			"limit=1&dateFrom=2026-02-01":                     "02-01 +20=60020, 02-28 +300=60320, 02-28 -4000=56320, 02-28 +500=56820, 03-31 +1=56821",
			"limit=2&dateFrom=2026-02-02&dateTo=2026-02-28":   "02-28 +300=60320, 02-28 -4000=56320, 02-28 +500=56820",
			"limit=1&dateTo=2026-02-27":                       "12-31 +60000=60000, 02-01 +20=60020",
			"dateFrom=2026-03-01&dateTo=2026-03-30":           "",
			"dateFrom=2026-03-31":                             "03-31 +1=56821",
			"dateFrom=2027-01-01":                             "",
			"limit=2&dateFrom=1900-01-01&dateTo=2199-12-31":   all,
			"limit=100&dateFrom=1900-01-01&dateTo=2026-01-01": "12-31 +60000=60000",
		} {
			if got := statement(t, w, w.id("1000"), pairsOf(query)...); got != wanted {
				t.Errorf("%s:\n%s", query, got)
			}
		}
		if got := statement(t, w, w.id("4000"), "dateFrom", "2026-03-01"); got != "03-31 -1=60321" {
			t.Errorf("revenue grows by credits: %s", got)
		}
		if got := statement(t, w, w.id("6000")); got != "" {
			t.Errorf("nothing was posted there: %s", got)
		}
		page, err := w.Statement(ctx, w.by, w.id("1000"), params("dateFrom", "2026-03-31"))
		must(t, err)
		if l := page.Data[0]; l.ID != e.Lines[0].ID || l.EntryID != e.ID || l.EntryNumber != 1 || l.Source != e.Source || *l.Memo != "First" || *l.Description != "Line" ||
			*l.CustomerID != customer || l.SupplierID != nil || l.Currency != nil || l.Foreign != nil {
			t.Errorf("the line is %s", asJSON(l))
		}
	})
}

func TestBalancesOfALedgerAreRightAlsoWhenSomebodyPostsBetweenPages(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for range 4 {
			w.post(t, w.sale("2026-02-10", 10))
		}
		page, err := w.Statement(ctx, w.by, w.id("1000"), params("limit", "2"))
		must(t, err)
		w.post(t, w.sale("2026-02-01", 500)) // before what was read
		w.post(t, w.sale("2026-01-01", 6000))
		page, err = w.Statement(ctx, w.by, w.id("1000"), params("limit", "2", "cursor", *page.Next))
		must(t, err)
		if page.Data[0].Balance != 6530 || page.Data[1].Balance != 6540 || page.Next != nil {
			t.Errorf("got %s", asJSON(page))
		}
	})
}

func TestWhatALedgerDoesNotTake(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for range 3 {
			w.post(t, w.sale("2026-02-10", 10))
		}
		for query, offended := range map[string]string{
			"sort=date": "sort", "ids=" + w.id("1000"): "ids", "externalId=x": "externalId", "updatedSince=2026-01-01T00:00:00Z": "updatedSince",
			"dateFrom=x": "dateFrom", "limit=x": "limit",
		} {
			_, err := w.Statement(ctx, w.by, w.id("1000"), params(pairsOf(query)...))
			if got := offences(err); got != offended {
				t.Errorf("%s: offences are %s", query, got)
			}
		}
		page, err := w.Statement(ctx, w.by, w.id("1000"), params("limit", "1"))
		must(t, err)
		_, err = w.Statement(ctx, w.by, w.id("4000"), params("limit", "1", "cursor", *page.Next))
		want(t, err, record.ErrCursor)
		_, err = w.Statement(ctx, w.by, w.id("1000"), params("limit", "1", "dateTo", "2026-12-31", "cursor", *page.Next))
		want(t, err, record.ErrCursor)
		_, err = w.Statement(ctx, w.another(t).by, w.id("1000"), nil)
		want(t, err, record.ErrNotFound)
		_, err = w.Statement(ctx, w.by, "acc_1", nil)
		want(t, err, record.ErrNotFound)
	})
}

func TestBalancesOfAccounts(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.post(t, w.sale("2025-12-31", 1))
		w.post(t, w.sale("2026-01-01", 20))
		w.post(t, w.sale("2026-01-31", 300))
		w.post(t, w.sale("2026-02-01", 4000))
		ids := []string{w.id("1000"), w.id("4000"), w.id("6000"), w.id("1000"), "acc_1"}
		for asOf, wanted := range map[string]money.Amount{
			"2025-12-30": 0, "2025-12-31": 1, "2026-01-01": 21, "2026-01-30": 21, "2026-01-31": 321, "2026-02-01": 4321, "2199-12-31": 4321, "": 4321,
		} {
			got, err := w.Balances(ctx, w.by, ids, asOf)
			must(t, err)
			if got[w.id("1000")] != wanted || got[w.id("4000")] != wanted || got[w.id("6000")] != 0 || len(got) > 2 {
				t.Errorf("as of %s: %v", asOf, got)
			}
		}
		if got, err := w.Balances(ctx, w.another(t).by, ids, ""); err != nil || len(got) != 0 {
			t.Errorf("another business sees %v, %v", got, err)
		}
		if got, err := w.Balances(ctx, w.by, nil, ""); err != nil || len(got) != 0 {
			t.Errorf("of nothing: %v, %v", got, err)
		}
	})
}

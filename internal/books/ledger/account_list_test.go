package ledger_test

import (
	"strings"
	"testing"
	"time"

	"daybook/internal/books/ledger"
	"daybook/internal/books/record"
)

// codes reads all pages of a list of accounts, with a small limit.
func codes(t *testing.T, w *world, pairs ...string) string {
	t.Helper()
	p := params(append([]string{"limit", "2"}, pairs...)...)
	var list []string
	for {
		page, err := w.ListAccounts(ctx, w.by, p)
		must(t, err)
		for _, a := range page.Data {
			list = append(list, a.Code)
		}
		if page.Next == nil {
			return strings.Join(list, " ")
		}
		if len(page.Data) != 2 {
			t.Fatalf("a page of %d with another behind it", len(page.Data))
		}
		p["cursor"] = []string{*page.Next}
	}
}

func TestListsOfAccounts(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.another(t) // whose accounts must not show
		w.Clock.Advance(time.Minute)
		a := done(t, w, w.CreateAccount(w.by, ledger.NewAccount{Code: "ab1", Name: "Zebra", Type: ledger.Asset, Subtype: ptr(ledger.Bank), Currency: ptr("USD")}))
		w.Clock.Advance(time.Minute)
		done(t, w, w.CreateAccount(w.by, ledger.NewAccount{Code: "AB2", Name: "zoo", Type: ledger.Revenue}))
		w.Clock.Advance(time.Minute)
		since := w.Clock.Now()
		done(t, w, w.ArchiveAccount(w.by, a.ID, nil))

		const chart = "1000 1100 1150 1180 2000 2100 2150 3000 3100 3900 4000 4900 5000 6000 6800 6900 6950"
		backwards := strings.Fields(chart)
		for i, j := 0, len(backwards)-1; i < j; i, j = i+1, j-1 {
			backwards[i], backwards[j] = backwards[j], backwards[i]
		}
		for name, c := range map[string]struct {
			pairs string
			want  string
		}{
			"newest first, the chart itself being of one instant": {"", "AB2 ab1 " + strings.Join(backwards, " ")},
			"by code, as bytes sort":                              {"sort=code", chart + " AB2 ab1"},
			"by code, backwards":                                  {"sort=-code&type=ASSET", "ab1 1180 1150 1100 1000"},
			"by name, without case":                               {"sort=-name&status=ACTIVE,ARCHIVED&type=ASSET,REVENUE", "AB2 ab1 1150 4000 4900 1180 1000 1100"},
			"by creation":                                         {"sort=createdAt&type=REVENUE", "4000 4900 AB2"},
			"by change":                                           {"sort=-updatedAt&type=ASSET,REVENUE", "ab1 AB2 4900 4000 1180 1150 1100 1000"},
			"of a subtype":                                        {"subtype=BANK,CASH&sort=code", "1000 ab1"},
			"of a subtype that two types share":                   {"subtype=CURRENT", "1150"},
			"archived":                                            {"status=ARCHIVED", "ab1"},
			"with a code":                                         {"code=1000,AB2,ab2&sort=code", "1000 AB2"},
			"whose code begins so":                                {"q=aB&sort=code", "AB2 ab1"},
			"whose name begins so":                                {"q=ACCOUNTS&sort=code", "1100 2000"},
			"whose name begins so, entirely":                      {"q=zebra", "ab1"},
			"whose name only contains it":                         {"q=ebra", ""},
			"changed since":                                       {"updatedSince=" + since.Format(time.RFC3339Nano), "ab1"},
			"changed since, all":                                  {"updatedSince=" + since.Add(-2*time.Minute).Format(time.RFC3339), "AB2 ab1"},
			"by id":                                               {"ids=" + a.ID + "," + w.id("1000") + "&sort=code", "1000 ab1"},
			"with an external id":                                 {"externalId=x", ""},
		} {
			t.Run(name, func(t *testing.T) {
				if got := codes(t, w, pairsOf(c.pairs)...); got != c.want {
					t.Errorf("got  %s\nwant %s", got, c.want)
				}
			})
		}
	})
}

func TestACursorOfAnotherListIsRefused(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		page, err := w.ListAccounts(ctx, w.by, params("limit", "2", "type", "ASSET"))
		must(t, err)
		if _, err := w.ListAccounts(ctx, w.by, params("limit", "3", "type", "ASSET", "cursor", *page.Next)); err != nil {
			t.Errorf("another limit is fine: %v", err)
		}
		for name, p := range map[string]map[string][]string{
			"other filters": params("type", "ASSET,EXPENSE", "cursor", *page.Next),
			"no filters":    params("cursor", *page.Next),
			"another order": params("type", "ASSET", "sort", "code", "cursor", *page.Next),
			"cut":           params("type", "ASSET", "cursor", (*page.Next)[:8]),
		} {
			_, err := w.ListAccounts(ctx, w.by, p)
			t.Run(name, func(t *testing.T) { want(t, err, record.ErrCursor) })
		}
		_, err = w.ListAccounts(ctx, w.another(t).by, params("type", "ASSET", "cursor", *page.Next))
		want(t, err, record.ErrCursor)
		_, err = w.ListEntries(ctx, w.by, params("cursor", *page.Next))
		want(t, err, record.ErrCursor)
	})
}

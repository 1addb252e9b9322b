package ledger_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"daybook/internal/base/id"
	"daybook/internal/books/ledger"
	"daybook/internal/books/record"
)

// memos reads all pages of a list of entries with a small limit, and gives what they are called.
func memos(t *testing.T, w *world, pairs ...string) string {
	t.Helper()
	p := params(append([]string{"limit", "3"}, pairs...)...)
	var list []string
	for {
		page, err := w.ListEntries(ctx, w.by, p)
		must(t, err)
		for _, e := range page.Data {
			list = append(list, *e.Memo)
			if whole, err := w.Entry(ctx, w.by, e.ID); err != nil || asJSON(whole) != asJSON(e) {
				t.Errorf("listed\n%s\nread\n%s, %v", asJSON(e), asJSON(whole), err)
			}
		}
		if page.Next == nil {
			return strings.Join(list, " ")
		}
		p["cursor"] = []string{*page.Next}
	}
}

func TestListsOfEntries(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		other := w.another(t)
		other.post(t, other.sale("2026-11-01", 1)) // must not show
		customer, supplier := w.party(t, id.Customer), w.party(t, id.Supplier)
		entry := func(memo, date string, draft bool, lines ...ledger.NewLine) ledger.Entry {
			w.Clock.Advance(time.Minute)
			return w.post(t, ledger.NewEntry{Date: date, Memo: &memo, Draft: draft, Lines: lines})
		}
		a := entry("a", "2026-11-05", false, w.dr("1000", 5), w.cr("4000", 5))
		entry("b", "2026-11-01", false, w.dr("6000", 5), ledger.NewLine{AccountID: w.id("2000"), Credit: 5, SupplierID: &supplier})
		entry("c", "2026-11-05", false, w.dr("1000", 5), ledger.NewLine{AccountID: w.id("4000"), Credit: 5, CustomerID: &customer})
		d := entry("d", "2026-11-03", true, w.dr("1000", 5), w.cr("4000", 5))
		entry("e", "2026-11-05", true, w.dr("1000", 5), w.cr("4000", 5))
		w.Clock.Advance(time.Minute)
		since := w.Clock.Now()
		done(t, w, w.ReverseEntry(w.by, a.ID, ledger.Reversal{Date: ptr("2026-11-06"), Memo: ptr("f")}, nil))
		w.Clock.Advance(time.Minute)
		done(t, w, w.UpdateEntry(w.by, d.ID, ledger.EntryPatch{ExternalID: setting("ext")}, nil))
		w.Clock.Advance(time.Minute)
		must(t, w.books(func(b *ledger.Book) error {
			_, err := b.Post(ctx, ledger.Posting{Date: "2026-11-05", Memo: ptr("g"), Source: ledger.Source{Type: ledger.FromPayment, ID: "pay_1", Action: "RECEIVE"},
				Lines: []ledger.Line{{AccountID: w.id("1000"), Debit: 5}, {AccountID: w.id("1100"), Credit: 5, CustomerID: &customer}}})
			return err
		}))
		for name, c := range map[string]struct{ pairs, want string }{
			"newest first":                     {"", "g f e d c b a"},
			"by date":                          {"sort=date", "b d a c e g f"},
			"by date, backwards":               {"sort=-date", "f g e c a d b"},
			"by number, drafts having none":    {"sort=number", "d e a b c f g"},
			"by number, backwards":             {"sort=-number", "g f c b a e d"},
			"by creation":                      {"sort=createdAt", "a b c d e f g"},
			"drafts":                           {"status=DRAFT&sort=createdAt", "d e"},
			"reversed or drafts":               {"status=REVERSED,DRAFT&sort=createdAt", "a d e"},
			"on an account":                    {"accountId=" + w.id("6000"), "b"},
			"on any of two accounts, once":     {"accountId=" + w.id("1000") + "," + w.id("4000") + "&sort=number", "a c f g"},
			"naming a customer":                {"customerId=" + customer + "&sort=number", "c g"},
			"naming a supplier":                {"supplierId=" + supplier, "b"},
			"on an account, naming a customer": {"accountId=" + w.id("4000") + "&customerId=" + customer, "c"},
			"by source":                        {"sourceType=PAYMENT,INVOICE", "g"},
			"by the source's id":               {"sourceId=" + a.ID + "&sort=number", "a f"},
			"by both":                          {"sourceType=PAYMENT&sourceId=pay_1", "g"},
			"from a date on":                   {"dateFrom=2026-11-05&sort=date", "a c e g f"},
			"up to a date":                     {"dateTo=2026-11-03&sort=date", "b d"},
			"on one day":                       {"dateFrom=2026-11-03&dateTo=2026-11-03", "d"},
			"changed since":                    {"updatedSince=" + since.Format(time.RFC3339), "a f d g"}, // d got a name
			"by id":                            {"ids=" + a.ID + "," + d.ID, "d a"},
			"by external id":                   {"externalId=ext", "d"},
			"another's account":                {"accountId=" + other.id("1000"), ""},
		} {
			t.Run(name, func(t *testing.T) {
				if got := memos(t, w, pairsOf(c.pairs)...); got != c.want {
					t.Errorf("got  %s\nwant %s", got, c.want)
				}
			})
		}
	})
}

// pairsOf splits the text of a query.
func pairsOf(query string) (pairs []string) {
	for _, pair := range strings.FieldsFunc(query, func(r rune) bool { return r == '&' }) {
		k, v, _ := strings.Cut(pair, "=")
		pairs = append(pairs, k, v)
	}
	return pairs
}

func TestPagesOfManyEntriesOfOneInstantHaveEachOnce(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		var made []string
		for i := range 40 {
			n := w.sale("2026-11-01", 5)
			n.Draft = i%3 == 0
			made = append(made, w.post(t, n).ID)
		}
		for _, sort := range []string{"date", "-date", "number", "-number", "createdAt", "-createdAt", "updatedAt", "-updatedAt"} {
			var got []string
			p := params("limit", "7", "sort", sort)
			for {
				page, err := w.ListEntries(ctx, w.by, p)
				must(t, err)
				for _, e := range page.Data {
					got = append(got, e.ID)
				}
				if page.Next == nil {
					break
				}
				w.post(t, w.sale("1999-01-01", 1)) // somebody else goes on writing, elsewhere in the list
				p["cursor"] = []string{*page.Next}
			}
			// What was there at the start comes exactly once.
			count := map[string]int{}
			for _, id := range got {
				count[id]++
			}
			for _, id := range made {
				if count[id] != 1 {
					t.Errorf("sorted by %s, %s comes %d times", sort, id, count[id])
				}
			}
		}
	})
}

func TestWhatAListOfEntriesDoesNotTake(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for query, offended := range map[string]string{
			"status=OPEN": "status", "status=": "status", "sourceType=BILL": "sourceType", "dateFrom=now": "dateFrom", "dateTo=2026-13-01": "dateTo",
			"sort=memo": "sort", "memo=x": "memo", "limit=0": "limit", "limit=101": "limit", "ids=acc_1": "ids", "updatedSince=yesterday": "updatedSince",
		} {
			_, err := w.ListEntries(ctx, w.by, params(pairsOf(query)...))
			if got := offences(err); got != offended {
				t.Errorf("%s: offences are %s", query, got)
			}
		}
		_, err := w.ListEntries(ctx, w.by, params("cursor", "x"))
		want(t, err, record.ErrCursor)
	})
}

func TestAPageHasAtMostAHundredEntries(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for i := range 101 {
			n := w.sale("2026-11-01", 5)
			n.Memo = ptr(fmt.Sprint(i))
			w.post(t, n)
		}
		page, err := w.ListEntries(ctx, w.by, params("limit", "100", "sort", "number"))
		must(t, err)
		if len(page.Data) != 100 || page.Next == nil || slices.ContainsFunc(page.Data, func(e ledger.Entry) bool { return len(e.Lines) != 2 }) {
			t.Errorf("%d entries", len(page.Data))
		}
		page, err = w.ListEntries(ctx, w.by, params("sort", "number", "cursor", *page.Next))
		must(t, err)
		if len(page.Data) != 1 || page.Next != nil || *page.Data[0].Number != 101 {
			t.Errorf("then %d entries", len(page.Data))
		}
		if page, err = w.ListEntries(ctx, w.by, nil); err != nil || len(page.Data) != 50 {
			t.Errorf("without a limit %d entries, %v", len(page.Data), err)
		}
	})
}

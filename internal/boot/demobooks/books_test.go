package demobooks_test

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"daybook/internal/base/db"
	"daybook/internal/base/money"
	"daybook/internal/books/invoice"
	"daybook/internal/books/ledger"
	"daybook/internal/books/party"
	"daybook/internal/books/payment"
	"daybook/internal/books/record"
	"daybook/internal/boot/fixture"
	"daybook/internal/platform/event"
	"daybook/internal/schema/dbtest"
	"daybook/internal/tenancy/business"
)

func TestTheBooksOfTheDemoWorld(t *testing.T) {
	dbtest.EachDatabase(t, func(t *testing.T, database string) {
		h := house(t, database, dbtest.Start, nil)
		counting, statements := db.Counting(ctx)
		done, err := fixture.Load(counting, h, fixture.Demo(), func(string) {})
		must(t, err)
		// What takes time is statements. This many take less than a second where nothing else runs.
		if n := statements.Load(); n > 10_500 {
			t.Errorf("the demo world takes %d statements", n)
		}
		for _, key := range []string{"bakery", "catering"} {
			t.Run(key, func(t *testing.T) {
				b := read(t, h, done.IDs["businesses"][key])
				b.check(t)
				b.checkVariety(t)
				for _, i := range b.invoices {
					if i.MadeBy.Type != event.User || i.MadeBy.UserID != done.IDs["users"]["olivia"] {
						t.Fatalf("invoice %s is by %+v", i.Number, i.MadeBy)
					}
				}
			})
		}
		if lab := read(t, h, done.IDs["businesses"]["lab"]); len(lab.invoices)+len(lab.customers)+len(lab.entries) > 0 || lab.LockDate != nil {
			t.Error("books that were to be empty are not")
		}
	})
}

// check is what holds for every business on every day.
func (b books) check(t *testing.T) {
	t.Helper()
	var profit money.Amount
	for _, m := range b.months {
		if m.sum != 0 {
			t.Errorf("on %s debits and credits differ by %d", m.end, m.sum)
		}
		if m.bank <= 0 {
			t.Errorf("on %s there is %d in the bank", m.end, m.bank)
		}
		profit += m.revenue - m.expenses
	}
	var sum money.Amount
	for _, s := range b.trial {
		sum += s.Balance()
	}
	if last := b.months[len(b.months)-1]; sum != 0 || !slices.ContainsFunc(b.trial, func(s ledger.Sum) bool { return s.Balance() == last.bank }) {
		t.Errorf("the trial balance comes to %d, or says that there is not %d in the bank", sum, last.bank)
	}
	if profit <= 0 {
		t.Errorf("a profit of %d", profit)
	}
	last := b.months[len(b.months)-1]
	if first := b.months[0]; last.bank > 3*first.bank {
		t.Errorf("a year took the bank from %d to %d", first.bank, last.bank)
	}
	var recent money.Amount // returns are made every three months, and a little later
	for _, m := range b.months[len(b.months)-5:] {
		recent += m.revenue
	}
	if last.tax < 0 || last.tax > recent/4 {
		t.Errorf("%d of tax are waiting to be paid, on sales of %d", last.tax, recent)
	}
	if n := len(b.invoices); n < 100 || n > 140 {
		t.Errorf("%d invoices", n)
	}
	statuses, overdue := map[invoice.Status]int{}, 0
	for _, i := range b.invoices {
		statuses[i.Status]++
		if i.Overdue {
			overdue++
		}
		b.past(t, "invoice "+i.Number, i.IssueDate)
	}
	for _, s := range []invoice.Status{invoice.Draft, invoice.Open, invoice.PartiallyPaid, invoice.Paid, invoice.Void, invoice.Uncollectible} {
		if statuses[s] == 0 {
			t.Errorf("no invoice is %s", s)
		}
	}
	if overdue < 2 || overdue == statuses[invoice.Open]+statuses[invoice.PartiallyPaid] {
		t.Errorf("%d are overdue: %v", overdue, statuses)
	}
	for _, p := range b.payments {
		b.past(t, "payment "+p.ID, p.Date)
	}
	for _, e := range b.entries {
		b.past(t, "entry "+e.NumberText(), e.Date)
	}
	if most := b.usage.TurnoverLimit; most != nil && b.usage.Turnover > *most*9/10 {
		t.Errorf("%d of %d of the plan's turnover are used", b.usage.Turnover, *most)
	}
	if age := record.DaysBetween(*b.LockDate, b.today); age < 335 || age > 366 {
		t.Errorf("locked up to %s, %d days ago", *b.LockDate, age)
	}
}

// past refuses a date in the future, or longer ago than the books go back.
func (b books) past(t *testing.T, what, date string) {
	t.Helper()
	if date > b.today || date < b.months[0].start {
		t.Errorf("%s is of %s, today is %s", what, date, b.today)
	}
}

// checkVariety is what people can try in the demo world.
func (b books) checkVariety(t *testing.T) {
	t.Helper()
	has := map[string]bool{}
	for _, i := range b.invoices {
		has[string(i.TaxMode)+" by "+string(i.TaxRounding)] = true
		has["in another currency"] = has["in another currency"] || i.ExchangeRate != nil
		has["sent"] = has["sent"] || i.SentAt != nil
		for _, l := range i.Lines {
			has["percent off"] = has["percent off"] || l.DiscountPercent != nil
			has["an amount off"] = has["an amount off"] || l.DiscountAmount != nil
			if l.NetAmount != l.LineAmount && i.TaxMode != money.Inclusive {
				t.Errorf("%s: %+v", i.Number, l)
			}
		}
		for _, s := range i.TaxSummary {
			has["tax of "+s.Rate.String()] = true
		}
	}
	for _, p := range b.payments {
		has[string(p.Kind)] = true
		has["of several invoices"] = has["of several invoices"] || len(p.Allocations) > 1
		has["allocated later"] = has["allocated later"] || slices.ContainsFunc(p.Allocations, func(a payment.Allocation) bool { return a.Date > p.Date })
		has["not allocated"] = has["not allocated"] || p.Unallocated > 0
		has["refunded"] = has["refunded"] || p.Refunded > 0
		has[string(p.Method)] = true
	}
	for _, e := range b.entries {
		has[string(e.Source.Type)+" "+string(e.Status)] = true
	}
	for _, c := range b.customers {
		has[string(c.Type)] = true
		has[string(c.Status)] = true
	}
	wanted := []string{
		"EXCLUSIVE by LINE", "EXCLUSIVE by DOCUMENT", "INCLUSIVE by LINE", "in another currency", "sent", "percent off", "an amount off", "tax of 0",
		"RECEIPT", "DISBURSEMENT", "REFUND", "of several invoices", "allocated later", "not allocated", "refunded", "BANK_TRANSFER", "CARD", "CASH", "DIRECT_DEBIT",
		"MANUAL POSTED", "MANUAL DRAFT", "MANUAL REVERSED", "INVOICE REVERSED", "COMPANY", "INDIVIDUAL", "ACTIVE", "ARCHIVED",
	}
	if b.Country == "NL" {
		wanted = append(wanted, "tax of 9", "tax of 21")
	}
	for _, w := range wanted {
		if !has[w] {
			t.Errorf("nothing is: %s", w)
		}
	}
	if n, m := len(b.customers), len(b.suppliers); n < 12 || n > 18 || m < 6 || m > 8 {
		t.Errorf("%d customers, %d suppliers", n, m)
	}
	owed := 0
	for _, p := range slices.Concat(b.customers, b.suppliers) {
		if p.Email == nil || !strings.HasSuffix(*p.Email, ".test") && !strings.HasSuffix(*p.Email, "@example.com") {
			t.Errorf("%s has the address %v", p.DisplayName, p.Email)
		}
		if p.Kind == record.Supplier && p.Balance > 0 {
			owed++
		}
		if p.Status == party.Archived && p.Balance != 0 {
			t.Errorf("%s is archived and owes %d", p.DisplayName, p.Balance)
		}
	}
	if owed == 0 {
		t.Error("every supplier is paid")
	}
	// What is left of overpayments is known to the customers it belongs to.
	var unallocated money.Amount
	for _, p := range b.payments {
		if p.ExchangeRate == nil {
			unallocated += p.Unallocated
		}
	}
	if credit := b.months[len(b.months)-1].credit; credit != unallocated || credit == 0 {
		t.Errorf("customers have %d to spare, payments %d", credit, unallocated)
	}
}

// On every day there is something of everything, in every trade, country and currency.
func TestDemoBooksOnAnyDayAndInAnyCurrency(t *testing.T) {
	for day, entries := range map[string][]string{
		"2026-01-01T00:30:00Z": {"name: Bäckerei Lux, country: DE, currency: EUR, plan: FREE", "name: Kiwi Catering, country: NZ, currency: NZD"},
		"2026-03-31T23:30:00Z": {"name: Kite Works, country: JP, currency: JPY, plan: FREE", "name: The Corner Bakery, country: GB, currency: GBP, plan: FREE"},
		"2028-02-29T12:00:00Z": {"name: Studio North, country: US, currency: USD, plan: FREE", "name: Desert Catering, country: KW, currency: KWD"},
		"2026-07-13T12:00:00Z": {"name: Anything, country: VN, currency: VND", "name: Feest Catering, country: NL, currency: EUR, plan: FREE"},
		"2026-12-31T12:00:00Z": {"name: Wharf Works, country: GB, currency: GBP, plan: FREE", "name: Pão Bakery, country: BR, currency: BRL"},
		"1970-01-01T00:00:00Z": {"name: Old Works, country: NL, currency: EUR"},
	} {
		t.Run(day, func(t *testing.T) {
			now, err := time.Parse(time.RFC3339, day)
			must(t, err)
			h := house(t, filepath.Join(t.TempDir(), "daybook.db"), now, nil)
			done := load(t, h, shops(entries...))
			for key, id := range done.IDs["businesses"] {
				t.Run(entries[key[1]-'0'], func(t *testing.T) {
					read(t, h, id).check(t)
				})
			}
		})
	}
}

// The clock goes on until books have no day any more.
func TestDemoBooksOnTheDayAfterTheLast(t *testing.T) {
	h := house(t, filepath.Join(t.TempDir(), "daybook.db"), time.Date(2199, 12, 31, 23, 0, 0, 0, time.UTC), nil)
	done := load(t, h, shops("name: Last Works, country: AU, currency: AUD, timeZone: Australia/Sydney"))
	b := read(t, h, done.IDs["businesses"]["b0"])
	for _, i := range b.invoices {
		if i.IssueDate > "2199-12-31" || i.DueDate > "2199-12-31" {
			t.Errorf("invoice %s is of %s and due on %s", i.Number, i.IssueDate, i.DueDate)
		}
	}
	if len(b.invoices) < 100 {
		t.Errorf("%d invoices", len(b.invoices))
	}
}

func TestTheSameDayGivesTheSameBooks(t *testing.T) {
	var first []string
	for range 2 {
		h := house(t, filepath.Join(t.TempDir(), "daybook.db"), dbtest.Start, nil)
		done := load(t, h, shops("name: Kite Works, country: NL, currency: EUR"))
		var told []string
		b := read(t, h, done.IDs["businesses"]["b0"])
		for _, i := range b.invoices {
			told = append(told, strings.Join([]string{i.Number, i.IssueDate, string(i.Status), money.Plain(i.Total, b.Currency)}, " "))
		}
		for _, e := range b.entries {
			told = append(told, strings.Join([]string{e.NumberText(), e.Date, money.Plain(e.DebitTotal, b.Currency)}, " "))
		}
		if first == nil {
			first = told
		}
		if !slices.Equal(first, told) {
			t.Error("the same file on the same day gave other books")
		}
	}
}

func TestASmallPlanHasRoomForTheDemoBooksAndSomeMore(t *testing.T) {
	turnover := func(most int64) business.Plan {
		return business.Plan{InvoicesPerYear: 500, TurnoverPerYear: map[string]int64{"EUR": most}}
	}
	for _, c := range []struct {
		name, basis string
		free        business.Plan
	}{
		{"few invoices", "NET", business.Plan{InvoicesPerYear: 50}},
		{"one invoice", "NET", business.Plan{InvoicesPerYear: 1}},
		{"little turnover", "NET", turnover(1_000_000)},
		{"little turnover with tax in it", "GROSS", turnover(1_000_000)},
		{"turnover for a few", "NET", turnover(150_000)},
		{"turnover for one", "GROSS", turnover(50_000)},
		{"hardly any turnover", "NET", turnover(1)},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := planned(t, c.basis, c.free, "name: Brandt Catering")
			if b.usage.Invoices != int64(len(b.invoices)) || b.usage.Invoices >= *b.usage.InvoiceLimit {
				t.Errorf("%d invoices, %d counted of %d", len(b.invoices), b.usage.Invoices, *b.usage.InvoiceLimit)
			}
			if most := b.usage.TurnoverLimit; most != nil && b.usage.Turnover > *most*9/10 {
				t.Errorf("%d of %d turned over", b.usage.Turnover, *most)
			}
			for _, m := range b.months {
				if m.sum != 0 || m.bank <= 0 && len(b.invoices) > 10 {
					t.Errorf("%+v", m)
				}
			}
		})
	}
}

// planned is the demo books of a business whose plan is not the usual one.
func planned(t *testing.T, basis string, free business.Plan, entry string) books {
	t.Helper()
	free.Key = business.FreePlan
	plans := *business.DefaultPlans
	plans.Basis, plans.List = basis, append([]business.Plan{free}, plans.List[1:]...)
	h := house(t, filepath.Join(t.TempDir(), "daybook.db"), dbtest.Start, &plans)
	done := load(t, h, shops(entry+", country: NL, currency: EUR, plan: FREE"))
	return read(t, h, done.IDs["businesses"]["b0"])
}

// An app that may make invoices has made some.
func TestSomeInvoicesAreMadeByAnInstalledApp(t *testing.T) {
	h := house(t, filepath.Join(t.TempDir(), "daybook.db"), dbtest.Start, nil)
	done := load(t, h, shops("name: Kite Works, country: NL, currency: EUR", "name: Kite Catering, country: NL, currency: EUR")+`organizations:
  - {key: acme, name: Acme, members: [{user: ada, role: OWNER}]}
apps:
  - {key: look, organization: acme, name: Look, clientType: PUBLIC, redirectUris: ["https://look.test/"], scopes: [invoices:read], review: APPROVED}
  - {key: till, organization: acme, name: Till, clientType: PUBLIC, redirectUris: ["https://till.test/"], scopes: [invoices:read, invoices:write], review: APPROVED}
installations:
  - {app: look, business: b1, user: ada, scopes: [invoices:read]}
  - {app: till, business: b0, user: ada, scopes: [invoices:read, invoices:write]}
`)
	for key, appID := range map[string]string{"b0": done.IDs["apps"]["till"], "b1": ""} {
		b := read(t, h, done.IDs["businesses"][key])
		made := 0
		for _, i := range b.invoices {
			if i.Source.AppID != nil {
				made++
				if *i.Source.AppID != appID || i.Source.Type != invoice.ByAPI || i.MadeBy.Type != event.App || i.MadeBy.UserID != done.IDs["users"]["ada"] {
					t.Errorf("made by %+v %+v", i.Source, i.MadeBy)
				}
			}
		}
		if (made > 5) != (appID != "") {
			t.Errorf("%s: %d of %d invoices are made by an app", key, made, len(b.invoices))
		}
	}
}

// The past is closed, the present is not.
func TestTheBooksAreLockedBehindTheirFirstMonth(t *testing.T) {
	h := house(t, filepath.Join(t.TempDir(), "daybook.db"), dbtest.Start, nil)
	done := load(t, h, shops("name: Kite Works, country: NL, currency: EUR"))
	b := read(t, h, done.IDs["businesses"]["b0"])
	customer := b.customers[0].ID
	create := func(date string) error {
		_, err := db.Run(ctx, h.DB, h.Invoices.Create(b.by, invoice.New{
			CustomerID: customer, IssueDate: &date, Issue: true, Lines: []invoice.NewLine{{Description: "Something", UnitPrice: "1"}},
		}))
		return err
	}
	if err := create(*b.LockDate); !errors.Is(err, ledger.ErrLocked) {
		t.Errorf("in the locked month: %v", err)
	}
	if err := create(b.today); err != nil {
		t.Errorf("today: %v", err)
	}
}

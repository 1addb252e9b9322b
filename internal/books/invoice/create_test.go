package invoice_test

import (
	"context"
	"strings"
	"testing"

	"daybook/internal/base/db"
	"daybook/internal/base/money"
	"daybook/internal/books/invoice"
	"daybook/internal/books/ledger"
	"daybook/internal/books/party"
	"daybook/internal/books/record"
	"daybook/internal/platform/event"
)

func TestADraftTakesItsDefaults(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		i := w.draft(invoice.New{CustomerID: w.customer.ID, Lines: []invoice.NewLine{{Description: " Work ", UnitPrice: "12.50"}}})
		sales := one[string](w, `SELECT id FROM accounts WHERE business_id = $1 AND code = '4000'`, w.by.BusinessID)
		l := i.Lines[0]
		if i.Status != invoice.Draft || i.Number != "" || i.IssueDate != today || i.DueDate != "2026-12-14" || i.Currency != "EUR" || i.ExchangeRate != nil ||
			i.TaxMode != money.Exclusive || i.TaxRounding != invoice.PerLine || i.BillTo != nil || i.IssuedAt != nil || i.Version != 1 || i.ExternalID != nil {
			t.Errorf("got %+v", i)
		}
		if l.Description != "Work" || l.Quantity.String() != "1" || l.AccountID != sales || l.TaxRateID != nil || l.LineAmount != 1250 || l.ID == "" {
			t.Errorf("got line %+v", l)
		}
		if i.Source.Type != invoice.ByAPI || i.Source.AppID == nil || *i.Source.AppID != "app_one" || i.MadeBy != w.by.Actor || i.ChangedBy != w.by.Actor {
			t.Errorf("came from %+v by %+v", i.Source, i.MadeBy)
		}
		if got := w.get(i.ID); text(got) != text(i) {
			t.Errorf("kept  %s\nmade %s", text(got), text(i))
		}
		if got := w.happened(); got != "invoice.created" {
			t.Errorf("told %s", got)
		}
		if n := one[int](w, `SELECT count(*) FROM journal_entries WHERE business_id = $1`, w.by.BusinessID); n != 0 {
			t.Error("a draft was booked")
		}
	})
}

func TestEveryMemberIsKept(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		other := w.account(ledger.NewAccount{Code: "4100", Name: "Other", Type: ledger.Revenue})
		w.events()
		i := w.draft(invoice.New{
			CustomerID: w.customer.ID, Number: ptr("2026-1"), IssueDate: ptr("2026-01-02"), DueDate: ptr("2026-01-02"), Currency: ptr("USD"),
			ExchangeRate: ptr("0.920"), TaxMode: ptr("INCLUSIVE"), TaxRounding: ptr("DOCUMENT"), Reference: ptr("PO 7"), Notes: ptr("Thanks\r\nfor it"),
			ExternalID: ptr("order-1"), ExpectedTotal: ptr(money.Amount(2500)), Origin: invoice.ByImport,
			Lines: []invoice.NewLine{
				{Description: "Two\nlines", Quantity: ptr("2.50"), UnitPrice: "10", DiscountPercent: ptr("50"), AccountID: &other.ID,
					TaxRateID: record.Setting(w.standard.ID), ItemCode: ptr("A-1")},
				{Description: "Off", UnitPrice: "13.00", DiscountAmount: ptr(money.Amount(50))},
			},
		})
		if i.Number != "2026-1" || i.IssueDate != "2026-01-02" || i.DueDate != "2026-01-02" || i.Currency != "USD" || i.ExchangeRate.String() != "0.92" ||
			i.TaxMode != money.Inclusive || i.TaxRounding != invoice.PerDocument || *i.Reference != "PO 7" || *i.Notes != "Thanks\nfor it" ||
			*i.ExternalID != "order-1" || i.Total != 2500 || i.Source.Type != invoice.ByImport || i.DiscountTotal != 1300 {
			t.Errorf("got %s", text(i))
		}
		l := i.Lines[0]
		if l.Quantity.String() != "2.5" || l.DiscountPercent.String() != "50" || l.AccountID != other.ID || *l.TaxRateID != w.standard.ID || *l.ItemCode != "A-1" ||
			l.LineAmount != 1250 || l.NetAmount != 1033 || l.TaxAmount != 217 {
			t.Errorf("got line %s", text(l))
		}
		if got := w.get(i.ID); text(got) != text(i) {
			t.Errorf("kept  %s\nmade %s", text(got), text(i))
		}
		e := w.events()[0]
		if e.Data["source"] != "IMPORT" || e.Data["number"] != "2026-1" || e.Data["status"] != "DRAFT" || e.Data["total"] != 2500.0 || e.Data["version"] != 1.0 ||
			text(e.Data["actor"]) != `{"appId":"app_one","type":"APP"}` || len(e.Data) != 13 {
			t.Errorf("told %s", text(e))
		}
		person := w.by
		person.Actor = event.Actor{Type: event.User, UserID: "usr_1"}
		n := w.plain("1")
		n.ExternalID = ptr("order-2")
		made := run(w, w.invoices.Create(person, n))
		if made.Source.Type != invoice.ByUI || made.Source.AppID != nil || made.ExternalID != nil {
			t.Errorf("a person's invoice came from %+v and is called %v", made.Source, made.ExternalID)
		}
	})
}

func TestTheDefaultsOfCustomerAndAccount(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		zero := one[string](w, `SELECT id FROM tax_rates WHERE business_id = $1 AND rate = '0'`, w.by.BusinessID)
		taxed := w.account(ledger.NewAccount{Code: "4100", Name: "Taxed", Type: ledger.Revenue, DefaultTaxRateID: &w.reduced.ID})
		untaxed := w.account(ledger.NewAccount{Code: "4200", Name: "Untaxed", Type: ledger.Revenue})
		customer := w.party(party.New{DisplayName: "Bob", Currency: ptr("EUR"), PaymentTermsDays: ptr(7), DefaultTaxRateID: &w.standard.ID})
		none := record.Clearing[string]()
		i := w.draft(invoice.New{CustomerID: customer.ID, Lines: []invoice.NewLine{
			{Description: "the customer's", UnitPrice: "1"},
			{Description: "the account's", UnitPrice: "1", AccountID: &taxed.ID},
			{Description: "the account has none", UnitPrice: "1", AccountID: &untaxed.ID},
			{Description: "chosen", UnitPrice: "1", AccountID: &taxed.ID, TaxRateID: record.Setting(zero)},
			{Description: "none", UnitPrice: "1", AccountID: &taxed.ID, TaxRateID: none},
		}})
		want := []*string{&w.standard.ID, &w.reduced.ID, &w.standard.ID, &zero, nil}
		for n, l := range i.Lines {
			if text(l.TaxRateID) != text(want[n]) {
				t.Errorf("%s: got %s, want %s", l.Description, text(l.TaxRateID), text(want[n]))
			}
		}
		if i.DueDate != "2026-11-21" {
			t.Errorf("due on %s", i.DueDate)
		}
		// The account for sales has a rate, too, but nobody named the account.
		sales := one[string](w, `SELECT id FROM accounts WHERE business_id = $1 AND code = '4000'`, w.by.BusinessID)
		run(w, w.ledger.UpdateAccount(w.by, sales, ledger.AccountPatch{DefaultTaxRateID: record.Setting(w.reduced.ID)}, nil))
		i = w.draft(invoice.New{CustomerID: customer.ID, Lines: []invoice.NewLine{{Description: "x", UnitPrice: "1"}, {Description: "x", UnitPrice: "1", AccountID: &sales}}})
		if *i.Lines[0].TaxRateID != w.standard.ID || *i.Lines[1].TaxRateID != w.reduced.ID {
			t.Errorf("got %s", text(i.Lines))
		}
		i = w.draft(invoice.New{CustomerID: customer.ID, TaxMode: ptr("NONE"), IssueDate: ptr("2199-12-31"), Lines: []invoice.NewLine{{Description: "x", UnitPrice: "1"}}})
		if i.Lines[0].TaxRateID != nil || i.DueDate != "2199-12-31" {
			t.Errorf("without tax: %v, due on %s", i.Lines[0].TaxRateID, i.DueDate)
		}
		run(w, w.ledger.SetDefaults(w.by, ledger.DefaultsPatch{
			TaxMode: record.Setting(money.Inclusive), TaxRounding: record.Setting("DOCUMENT"), PaymentTermsDays: record.Setting(14)}))
		i = w.draft(w.plain("1"))
		if i.TaxMode != money.Inclusive || i.TaxRounding != invoice.PerDocument || i.DueDate != "2026-11-28" {
			t.Errorf("the business's defaults: %s %s %s", i.TaxMode, i.TaxRounding, i.DueDate)
		}
	})
}

func TestWhatIsWrongByItselfIsNamedAtOnce(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		long := strings.Repeat("x", 2001)
		bad := invoice.NewLine{Description: " ", Quantity: ptr("0"), UnitPrice: "1e3", DiscountPercent: ptr("100.1"), DiscountAmount: ptr(money.Amount(-1)),
			AccountID: ptr(""), TaxRateID: record.Setting(""), ItemCode: ptr(long[:51])}
		fine := invoice.NewLine{Description: "x", UnitPrice: "1"}
		with := func(change func(*invoice.NewLine)) []invoice.NewLine {
			l := fine
			change(&l)
			return []invoice.NewLine{l}
		}
		for _, c := range []struct {
			name string
			new  invoice.New
			want string
		}{
			{"everything", invoice.New{
				Number: ptr(" "), IssueDate: ptr("2026-02-30"), DueDate: ptr("soon"), Currency: ptr("eur"), ExchangeRate: ptr("0"), TaxMode: ptr("SOME"),
				TaxRounding: ptr("ROW"), Reference: ptr(long[:101]), Notes: &long, ExternalID: ptr(long[:101]), Lines: []invoice.NewLine{fine, bad},
			}, "lines.1.description lines.1.quantity lines.1.unitPrice lines.1.discountPercent lines.1.discountAmount lines.1.discountAmount lines.1.accountId " +
				"lines.1.taxRateId lines.1.itemCode externalId customerId number issueDate dueDate currency exchangeRate taxMode taxRounding reference notes"},
			{"201 lines", invoice.New{CustomerID: "c", Lines: make([]invoice.NewLine, 201)}, "lines"},
			{"no line to issue", invoice.New{CustomerID: "c", Issue: true}, "lines"},
			{"a long number", invoice.New{CustomerID: "c", Number: ptr(long[:31])}, "number"},
			{"a day before the first", invoice.New{CustomerID: "c", IssueDate: ptr("1899-12-31")}, "issueDate"},
			{"a rate with a sign", invoice.New{CustomerID: "c", ExchangeRate: ptr("-1")}, "exchangeRate"},
			{"a quantity that is no decimal", invoice.New{CustomerID: "c", Lines: with(func(l *invoice.NewLine) { l.Quantity = ptr("1,5") })}, "lines.0.quantity"},
			{"a quantity too fine", invoice.New{CustomerID: "c", Lines: with(func(l *invoice.NewLine) { l.Quantity = ptr("1.1234567") })}, "lines.0.quantity"},
			{"a price too fine", invoice.New{CustomerID: "c", Lines: with(func(l *invoice.NewLine) { l.UnitPrice = "1.12345678901" })}, "lines.0.unitPrice"},
			{"no price", invoice.New{CustomerID: "c", Lines: with(func(l *invoice.NewLine) { l.UnitPrice = "" })}, "lines.0.unitPrice"},
			{"a discount too fine", invoice.New{CustomerID: "c", Lines: with(func(l *invoice.NewLine) { l.DiscountPercent = ptr("1.12345") })}, "lines.0.discountPercent"},
			{"a negative discount", invoice.New{CustomerID: "c", Lines: with(func(l *invoice.NewLine) { l.DiscountPercent = ptr("-1") })}, "lines.0.discountPercent"},
			{"a long description", invoice.New{CustomerID: "c", Lines: with(func(l *invoice.NewLine) { l.Description = long[:1001] })}, "lines.0.description"},
		} {
			if got := offences(refused(w, w.invoices.Create(w.by, c.new))); got != c.want {
				t.Errorf("%s: named %s", c.name, got)
			}
		}
		n := w.plain("1")
		n.Lines[0] = invoice.NewLine{Description: long[:1000], Quantity: ptr("-0.000001"), UnitPrice: "-999999999999.0000000001", DiscountPercent: ptr("99.9999"),
			ItemCode: ptr(long[:50])}
		n.Notes, n.Reference, n.Number = ptr(long[:2000]), ptr(long[:100]), ptr(long[:30])
		w.draft(n)
		n = w.plain("1")
		n.Lines = make([]invoice.NewLine, 200)
		for l := range n.Lines {
			n.Lines[l] = invoice.NewLine{Description: "x", UnitPrice: "1", DiscountPercent: ptr("100")}
		}
		if i := w.draft(n); len(i.Lines) != 200 || i.Total != 0 {
			t.Errorf("%d lines for %d", len(i.Lines), i.Total)
		}
		if i := w.draft(invoice.New{CustomerID: w.customer.ID}); len(i.Lines) != 0 || text(w.get(i.ID).Lines) != "[]" || text(i.TaxSummary) != "[]" {
			t.Errorf("a draft without lines has %s", text(i.Lines))
		}
	})
}

func TestWhatAnInvoiceRefersToMustBeThere(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		stranger := w.house.world(t, "EUR")
		bank := one[string](w, `SELECT id FROM accounts WHERE business_id = $1 AND code = '1000'`, w.by.BusinessID)
		old := w.account(ledger.NewAccount{Code: "4100", Name: "Old", Type: ledger.Revenue})
		run(w, w.ledger.ArchiveAccount(w.by, old.ID, nil))
		purchase := run(w, w.taxes.Create(w.by, taxNew("Input", "21", "PURCHASE")))
		ended := run(w, w.taxes.Create(w.by, taxNew("Ended", "19", "BOTH")))
		both := run(w, w.taxes.Create(w.by, taxNew("Both", "19", "BOTH")))
		run(w, w.taxes.Archive(w.by, ended.ID, nil))
		gone := w.party(party.New{DisplayName: "Gone"})
		run(w, w.parties.Archive(w.by, record.Customer, gone.ID, nil))
		supplier := run(w, w.parties.Create(w.by, record.Supplier, party.New{DisplayName: "Supplier"}))
		try := func(change func(*invoice.New)) error {
			n := w.plain("1")
			n.Lines = append(n.Lines, n.Lines[0])
			change(&n)
			return refused(w, w.invoices.Create(w.by, n))
		}
		for _, id := range []string{"cus_nobody", stranger.customer.ID, supplier.ID} {
			want(t, try(func(n *invoice.New) { n.CustomerID = id }), record.ErrReference, "customerId")
		}
		want(t, try(func(n *invoice.New) { n.CustomerID = gone.ID }), record.ErrArchived, "customer")
		for _, id := range []string{"acc_nothing", one[string](w, `SELECT id FROM accounts WHERE business_id = $1 AND code = '4000'`, stranger.by.BusinessID)} {
			want(t, try(func(n *invoice.New) { n.Lines[1].AccountID = &id }), record.ErrReference, "lines.1.accountId")
		}
		want(t, try(func(n *invoice.New) { n.Lines[1].AccountID = &old.ID }), record.ErrArchived, "account")
		want(t, try(func(n *invoice.New) { n.Lines[1].AccountID = &bank }), ledger.ErrType, "lines.1.accountId", "REVENUE")
		for _, id := range []string{"tax_nothing", stranger.standard.ID} {
			want(t, try(func(n *invoice.New) { n.Lines[1].TaxRateID = record.Setting(id) }), record.ErrReference, "lines.1.taxRateId")
		}
		want(t, try(func(n *invoice.New) { n.Lines[1].TaxRateID = record.Setting(ended.ID) }), record.ErrArchived, "tax_rate")
		if got := offences(try(func(n *invoice.New) { n.Lines[1].TaxRateID = record.Setting(purchase.ID) })); got != "lines.1.taxRateId" {
			t.Errorf("a rate for purchases: %s", got)
		}
		n := w.plain("1")
		n.Lines[0].TaxRateID = record.Setting(both.ID)
		w.draft(n)
	})
}

func TestWhatDoesNotFitTogetherIsRefused(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		try := func(change func(*invoice.New)) error {
			n := w.plain("100")
			change(&n)
			return refused(w, w.invoices.Create(w.by, n))
		}
		want(t, try(func(n *invoice.New) { n.ExpectedTotal = ptr(money.Amount(12101)) }), invoice.ErrTotal, 12101, 12100)
		want(t, try(func(n *invoice.New) { n.Currency = ptr("USD") }), invoice.ErrRate, "USD", "EUR")
		for name, change := range map[string]func(*invoice.New){
			"dueDate":      func(n *invoice.New) { n.DueDate = ptr("2026-11-13") },
			"exchangeRate": func(n *invoice.New) { n.ExchangeRate = ptr("1.01") },
			"lines":        func(n *invoice.New) { n.Lines[0].Quantity = ptr("-1") },
			"lines.0":      func(n *invoice.New) { n.Lines[0].Quantity = ptr("999999999999") },
		} {
			if got := offences(try(func(n *invoice.New) { n.Lines[0].UnitPrice = "99999999"; change(n) })); got != name {
				t.Errorf("%s: named %s", name, got)
			}
		}
		n := w.plain("1")
		n.ExchangeRate = ptr("1.000")
		if i := w.draft(n); i.ExchangeRate != nil {
			t.Error("an invoice in the base currency has a rate of exchange")
		}
		dollars := w.party(party.New{DisplayName: "Bob", Currency: ptr("USD")})
		want(t, try(func(n *invoice.New) { n.CustomerID = dollars.ID }), invoice.ErrRate, "USD", "EUR")
	})
}

func TestANumberIsGivenOnce(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		n := w.plain("1")
		n.Number = ptr("2026-7")
		first := w.draft(n)
		want(t, refused(w, w.invoices.Create(w.by, n)), invoice.ErrNumber, "2026-7")
		want(t, refused(w, w.invoices.Preview(w.by, n)), invoice.ErrNumber, "2026-7")
		second := w.draft(w.plain("1"))
		want(t, refused(w, w.invoices.Update(w.by, second.ID, invoice.Patch{Number: record.Setting("2026-7")}, nil)), invoice.ErrNumber, "2026-7")
		other := w.house.world(t, "EUR")
		n = other.plain("1")
		n.Number = ptr("2026-7")
		other.draft(n)
		if i := run(w, w.invoices.Issue(w.by, first.ID, nil)); i.Number != "2026-7" {
			t.Errorf("issued as %s", i.Number)
		}
	})
}

func TestAnExternalIDIsGivenOnce(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		n := w.plain("1")
		n.ExternalID = ptr("order-1")
		first := w.draft(n)
		want(t, refused(w, w.invoices.Create(w.by, n)), record.ErrExternalID, first.ID)
		want(t, refused(w, w.invoices.Preview(w.by, n)), record.ErrExternalID, first.ID)
		third := w.issued(w.plain("1"))
		want(t, refused(w, w.invoices.Update(w.by, third.ID, invoice.Patch{ExternalID: record.Setting("order-1")}, nil)), record.ErrExternalID, first.ID)
		other := w.by
		other.Actor.AppID = "app_two"
		second := run(w, w.invoices.Create(other, n))
		if seen, _ := w.invoices.Get(ctx, w.by, second.ID); seen.ExternalID != nil {
			t.Error("an app sees what another calls a record")
		}
	})
}

func TestAPreviewLeavesNothing(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		n := w.plain("100")
		n.Issue, n.ExternalID = true, ptr("order-1")
		i := run(w, w.invoices.Preview(w.by, n))
		if i.ID != "" || i.Number != "" || i.Status != invoice.Open || i.Total != 12100 || i.AmountDue != 12100 || i.BillTo == nil || i.BillTo.Name != "Ada" {
			t.Errorf("got %s", text(i))
		}
		if got := w.happened(); got != "" {
			t.Errorf("told %s", got)
		}
		for _, table := range []string{"invoices", "journal_entries", "plan_usage", "external_ids"} {
			if n := one[int](w, `SELECT count(*) FROM `+table+` WHERE business_id = $1`, w.by.BusinessID); n != 0 {
				t.Errorf("%d rows in %s", n, table)
			}
		}
		run(w, w.ledger.SetLockDate(w.by, ptr(today)))
		want(t, refused(w, w.invoices.Preview(w.by, n)), ledger.ErrLocked, today)
		if i := w.issuedLater(n); i.Number != "INV-000001" {
			t.Errorf("a preview took a number: the first is %s", i.Number)
		}
	})
}

func (w *world) issuedLater(n invoice.New) invoice.Invoice {
	w.t.Helper()
	n.IssueDate = ptr("2026-11-15")
	return w.issued(n)
}

func TestHowManyStatementsItTakes(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		n := w.plain("100")
		n.Lines = append(n.Lines, n.Lines[0], invoice.NewLine{Description: "x", UnitPrice: "3", TaxRateID: record.Setting(w.reduced.ID)})
		n.Issue = true
		counted, count := db.Counting(ctx)
		i, err := db.Run(counted, w.DB, w.invoices.Create(w.by, n))
		must(t, err)
		if got := count.Load(); got > 15 {
			t.Errorf("creating and issuing took %d statements", got)
		} else {
			t.Logf("creating and issuing took %d statements", got)
		}
		for name, c := range map[string]struct {
			most int64
			do   func(context.Context) error
		}{
			"get":  {1, func(ctx context.Context) error { _, err := w.invoices.Get(ctx, w.by, i.ID); return err }},
			"list": {1, func(ctx context.Context) error { _, err := w.invoices.List(ctx, w.by, nil); return err }},
			"list of overdue": {2, func(ctx context.Context) error {
				_, err := w.invoices.List(ctx, w.by, map[string][]string{"overdue": {"true"}})
				return err
			}},
			"change of a draft": {9, func(ctx context.Context) error { return updateDraft(ctx, w) }},
		} {
			counted, count := db.Counting(ctx)
			must(t, c.do(counted))
			if got := count.Load(); got > c.most {
				t.Errorf("%s took %d statements", name, got)
			}
		}
	})
}

func updateDraft(ctx context.Context, w *world) error {
	i := w.draft(w.plain("1"))
	_, err := db.Run(ctx, w.DB, w.invoices.Update(w.by, i.ID, invoice.Patch{Lines: record.Setting(w.plain("7").Lines)}, nil))
	return err
}

package invoice_test

import (
	"context"
	"fmt"
	"testing"

	"daybook/internal/base/money"
	"daybook/internal/books/invoice"
	"daybook/internal/books/ledger"
	"daybook/internal/books/party"
	"daybook/internal/books/record"
	"daybook/internal/platform/event"
)

func TestADraftChangesInEveryWay(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		bob := w.party(party.New{DisplayName: "Bob", PaymentTermsDays: ptr(10)})
		n := w.plain("100")
		n.ExternalID, n.Number, n.Reference, n.Notes = ptr("order-1"), ptr("A-1"), ptr("ref"), ptr("notes")
		i := w.draft(n)
		w.events()
		version := 1
		for _, c := range []struct {
			name    string
			patch   invoice.Patch
			changes string
			check   func(i invoice.Invoice) bool
		}{
			{"nothing", invoice.Patch{}, "", nil},
			{"what it is already", invoice.Patch{CustomerID: record.Setting(w.customer.ID), Number: record.Setting("A-1"), IssueDate: record.Setting(today),
				DueDate: record.Clearing[string](), Currency: record.Clearing[string](), ExchangeRate: record.Setting("1"), TaxMode: record.Setting("EXCLUSIVE"),
				TaxRounding: record.Clearing[string](), Lines: record.Setting(n.Lines), Reference: record.Setting(" ref "), Notes: record.Setting("notes"),
				ExternalID: record.Setting("order-1"), ExpectedTotal: ptr(money.Amount(12100))}, "", nil},
			{"texts", invoice.Patch{Reference: record.Clearing[string](), Notes: record.Setting("other")}, "notes reference",
				func(i invoice.Invoice) bool { return i.Reference == nil && *i.Notes == "other" }},
			{"the customer, whose terms do not follow", invoice.Patch{CustomerID: record.Setting(bob.ID)}, "customerId",
				func(i invoice.Invoice) bool { return i.CustomerID == bob.ID && i.DueDate == "2026-12-14" }},
			{"the due date back to its default", invoice.Patch{DueDate: record.Clearing[string]()}, "dueDate",
				func(i invoice.Invoice) bool { return i.DueDate == "2026-11-24" }},
			{"the dates", invoice.Patch{IssueDate: record.Setting("2026-11-20"), DueDate: record.Setting("2026-11-21")}, "dueDate issueDate",
				func(i invoice.Invoice) bool { return i.IssueDate == "2026-11-20" }},
			{"the mode of tax", invoice.Patch{TaxMode: record.Setting("INCLUSIVE")}, "amountDue lines subtotal taxMode taxSummary taxTotal total",
				func(i invoice.Invoice) bool { return i.Total == 10000 && i.TaxTotal == 1736 && i.AmountDue == 10000 }},
			{"the rounding, which here makes no difference", invoice.Patch{TaxRounding: record.Setting("DOCUMENT")}, "taxRounding", nil},
			{"the lines", invoice.Patch{Lines: record.Setting([]invoice.NewLine{{Description: "x", UnitPrice: "5"}})},
				"amountDue lines subtotal taxSummary taxTotal total", func(i invoice.Invoice) bool { return i.Total == 500 && len(i.TaxSummary) == 0 }},
			{"the currency", invoice.Patch{Currency: record.Setting("USD"), ExchangeRate: record.Setting("0.9")}, "currency exchangeRate",
				func(i invoice.Invoice) bool { return i.Currency == "USD" && i.ExchangeRate.String() == "0.9" }},
			{"the rate", invoice.Patch{ExchangeRate: record.Setting("0.91")}, "exchangeRate", nil},
			{"the currency back, without its rate", invoice.Patch{Currency: record.Clearing[string]()}, "currency exchangeRate",
				func(i invoice.Invoice) bool { return i.Currency == "EUR" && i.ExchangeRate == nil }},
			{"no lines", invoice.Patch{Lines: record.Clearing[[]invoice.NewLine]()}, "amountDue lines subtotal total",
				func(i invoice.Invoice) bool { return len(i.Lines) == 0 && i.Total == 0 }},
			{"the number taken away", invoice.Patch{Number: record.Clearing[string]()}, "number", func(i invoice.Invoice) bool { return i.Number == "" }},
			{"the external id", invoice.Patch{ExternalID: record.Setting("order-2")}, "externalId", func(i invoice.Invoice) bool { return *i.ExternalID == "order-2" }},
			{"no external id", invoice.Patch{ExternalID: record.Clearing[string]()}, "externalId", func(i invoice.Invoice) bool { return i.ExternalID == nil }},
		} {
			before := w.get(i.ID)
			got := run(w, w.invoices.Update(w.by, i.ID, c.patch, &version))
			if text(got) != text(w.get(i.ID)) {
				t.Errorf("%s: kept  %s\n made %s", c.name, text(w.get(i.ID)), text(got))
			}
			events := w.events()
			if c.changes == "" {
				if text(got) != text(before) || len(events) != 0 {
					t.Errorf("%s changed something: %s, and told %s", c.name, text(got), text(events))
				}
				continue
			}
			version++
			if got.Version != version || c.check != nil && !c.check(got) {
				t.Errorf("%s: got %s", c.name, text(got))
			}
			if len(events) != 1 || events[0].Type != "invoice.updated" || fmt.Sprint(events[0].Data["changes"]) != "["+c.changes+"]" || events[0].Data["version"] != float64(version) {
				t.Errorf("%s: told %s", c.name, text(events))
			}
		}
	})
}

func TestLinesThatStayKeepTheirIDs(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		n := w.plain("100")
		i := w.draft(n)
		first := i.Lines[0].ID
		i = run(w, w.invoices.Update(w.by, i.ID, invoice.Patch{Lines: record.Setting(n.Lines), Notes: record.Setting("x")}, nil))
		if i.Lines[0].ID != first {
			t.Error("the same lines got another id")
		}
		n.Lines[0].UnitPrice = "101"
		if i = run(w, w.invoices.Update(w.by, i.ID, invoice.Patch{Lines: record.Setting(n.Lines)}, nil)); i.Lines[0].ID == first || i.Lines[0].ID == "" {
			t.Error("another line kept the id")
		}
	})
}

func TestAPatchIsJudgedLikeANewInvoice(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		i := w.draft(w.plain("100"))
		stranger := w.house.world(t, "EUR")
		gone := w.party(party.New{DisplayName: "Gone"})
		run(w, w.parties.Archive(w.by, record.Customer, gone.ID, nil))
		try := func(p invoice.Patch) error { return refused(w, w.invoices.Update(w.by, i.ID, p, nil)) }
		if got := offences(try(invoice.Patch{CustomerID: record.Clearing[string](), Number: record.Setting(""), IssueDate: record.Setting("x"), DueDate: record.Setting("x"),
			Currency: record.Setting("x"), ExchangeRate: record.Setting("x"), TaxMode: record.Setting("x"), TaxRounding: record.Setting("x"),
			Lines: record.Setting([]invoice.NewLine{{}})})); got != "customerId number issueDate dueDate currency exchangeRate taxMode taxRounding lines.0.description lines.0.unitPrice" {
			t.Errorf("named %s", got)
		}
		want(t, try(invoice.Patch{CustomerID: record.Setting(stranger.customer.ID)}), record.ErrReference, "customerId")
		want(t, try(invoice.Patch{CustomerID: record.Setting(gone.ID)}), record.ErrArchived, "customer")
		want(t, try(invoice.Patch{Currency: record.Setting("USD")}), invoice.ErrRate, "USD", "EUR")
		want(t, try(invoice.Patch{ExpectedTotal: ptr(money.Amount(1))}), invoice.ErrTotal, 1, 12100)
		if got := offences(try(invoice.Patch{ExchangeRate: record.Setting("2")})); got != "exchangeRate" {
			t.Errorf("named %s", got)
		}
		if got := offences(try(invoice.Patch{DueDate: record.Setting("2026-11-01")})); got != "dueDate" {
			t.Errorf("named %s", got)
		}
		want(t, refused(w, w.invoices.Update(w.by, i.ID, invoice.Patch{}, ptr(2))), record.ErrStale, 1, 2)
		// The rate of one currency is not that of another.
		run(w, w.invoices.Update(w.by, i.ID, invoice.Patch{Currency: record.Setting("USD"), ExchangeRate: record.Setting("0.9")}, nil))
		want(t, try(invoice.Patch{Currency: record.Setting("GBP")}), invoice.ErrRate, "GBP", "EUR")
		// What it refers to already may have been archived since.
		run(w, w.parties.Archive(w.by, record.Customer, w.customer.ID, nil))
		run(w, w.taxes.Archive(w.by, w.standard.ID, nil))
		if i := run(w, w.invoices.Update(w.by, i.ID, invoice.Patch{TaxMode: record.Setting("INCLUSIVE")}, nil)); i.TaxTotal != 1736 {
			t.Errorf("got %s", text(i))
		}
		want(t, try(invoice.Patch{Lines: record.Setting(w.plain("1").Lines)}), record.ErrArchived, "tax_rate")
	})
}

func TestAnIssuedInvoiceChangesInItsTermsOnly(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		i := w.issued(w.plain("100"))
		w.events()
		patch := invoice.Patch{DueDate: record.Setting("2026-11-30"), Reference: record.Setting("r"), Notes: record.Setting("n"), ExternalID: record.Setting("order-1")}
		got := run(w, w.invoices.Update(w.by, i.ID, patch, ptr(1)))
		if got.DueDate != "2026-11-30" || *got.Reference != "r" || *got.Notes != "n" || *got.ExternalID != "order-1" || got.Version != 2 || text(w.get(i.ID)) != text(got) {
			t.Errorf("got %s", text(got))
		}
		if e := w.events(); len(e) != 1 || text(e[0].Data["changes"]) != `["dueDate","externalId","notes","reference"]` {
			t.Errorf("told %s", text(e))
		}
		run(w, w.invoices.Update(w.by, i.ID, patch, nil))
		if got := w.happened(); got != "" {
			t.Errorf("the same again told %s", got)
		}
		if got := run(w, w.invoices.Update(w.by, i.ID, invoice.Patch{DueDate: record.Clearing[string]()}, nil)); got.DueDate != "2026-12-14" {
			t.Errorf("the default is %s", got.DueDate)
		}
		if got := offences(refused(w, w.invoices.Update(w.by, i.ID, invoice.Patch{DueDate: record.Setting("2026-11-13")}, nil))); got != "dueDate" {
			t.Errorf("named %s", got)
		}
		for name, patch := range map[string]invoice.Patch{
			"customerId": {CustomerID: record.Setting(w.customer.ID)}, "number": {Number: record.Setting("x")}, "issueDate": {IssueDate: record.Setting(today)},
			"currency": {Currency: record.Setting("EUR")}, "exchangeRate": {ExchangeRate: record.Setting("1")}, "taxMode": {TaxMode: record.Setting("NONE")},
			"taxRounding": {TaxRounding: record.Setting("LINE")}, "lines": {Lines: record.Setting(w.plain("1").Lines)},
		} {
			patch.Notes = record.Setting(name)
			want(t, refused(w, w.invoices.Update(w.by, i.ID, patch, nil)), record.ErrState, "OPEN", "update")
		}
		want(t, refused(w, w.invoices.Update(w.by, i.ID, invoice.Patch{ExpectedTotal: ptr(money.Amount(5))}, nil)), invoice.ErrTotal, 5, 12100)
		run(w, w.invoices.Void(w.by, i.ID, invoice.Voiding{}, nil))
		want(t, refused(w, w.invoices.Update(w.by, i.ID, invoice.Patch{Notes: record.Setting("x")}, nil)), record.ErrState, "VOID", "update")
	})
}

func TestAPersonHasNoNamesForRecords(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		n := w.plain("1")
		n.ExternalID = ptr("order-1")
		draft, issued := w.draft(n), w.issued(w.plain("1"))
		person := w.by
		person.Actor = event.Actor{Type: event.User, UserID: "usr_1"}
		w.events()
		for _, id := range []string{draft.ID, issued.ID} {
			run(w, w.invoices.Update(person, id, invoice.Patch{ExternalID: record.Setting("mine")}, nil))
		}
		if got := w.happened(); got != "" {
			t.Errorf("told %s", got)
		}
		if got := w.get(draft.ID); *got.ExternalID != "order-1" {
			t.Errorf("the app's name is %v", got.ExternalID)
		}
	})
}

func TestOnlyADraftIsDeleted(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		n := w.plain("1")
		n.ExternalID, n.Number = ptr("order-1"), ptr("A-1")
		i := w.draft(n)
		want(t, refused(w, w.invoices.Delete(w.by, i.ID, ptr(3))), record.ErrStale, 1, 3)
		w.events()
		run(w, w.invoices.Delete(w.by, i.ID, ptr(1)))
		if e := w.events(); len(e) != 1 || e[0].Type != "invoice.deleted" || e[0].Data["invoiceId"] != i.ID || e[0].Data["status"] != "DRAFT" || e[0].Data["version"] != 2.0 || len(e[0].Data) != 4 {
			t.Errorf("told %s", text(e))
		}
		_, err := w.invoices.Get(ctx, w.by, i.ID)
		want(t, err, record.ErrNotFound, "invoice")
		want(t, refused(w, w.invoices.Delete(w.by, i.ID, nil)), record.ErrNotFound, "invoice")
		w.draft(n) // number and external id are free again
		issued := w.issued(w.plain("1"))
		want(t, refused(w, w.invoices.Delete(w.by, issued.ID, nil)), record.ErrState, "OPEN", "delete")
	})
}

func TestAnotherBusinessHasNoSuchInvoice(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		stranger := w.house.world(t, "EUR")
		i := w.issued(w.plain("1"))
		_, err := w.invoices.Get(ctx, stranger.by, i.ID)
		want(t, err, record.ErrNotFound, "invoice")
		for _, step := range []error{
			refused(w, w.invoices.Update(stranger.by, i.ID, invoice.Patch{}, nil)),
			refused(w, w.invoices.Delete(stranger.by, i.ID, nil)),
			refused(w, w.invoices.Issue(stranger.by, i.ID, nil)),
			refused(w, w.invoices.Send(stranger.by, i.ID, invoice.Sending{Channel: invoice.ByLink}, nil)),
			refused(w, w.invoices.Void(stranger.by, i.ID, invoice.Voiding{}, nil)),
			refused(w, w.invoices.WriteOff(stranger.by, i.ID, nil, nil)),
		} {
			want(t, step, record.ErrNotFound, "invoice")
		}
		loaded := run(w, ledger.Do(w.ledger, stranger.by, func(ctx context.Context, b *ledger.Book) (int, error) {
			found, err := w.invoices.Load(ctx, b, []string{i.ID})
			return len(found), err
		}))
		if loaded != 0 {
			t.Error("another business's invoice was loaded")
		}
		if page, err := w.invoices.List(ctx, stranger.by, nil); err != nil || len(page.Data) != 0 {
			t.Errorf("listed %d, %v", len(page.Data), err)
		}
		if text(w.get(i.ID)) != text(i) {
			t.Error("it changed")
		}
	})
}

func TestACustomerOfAnInvoiceIsInUse(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.parties.Uses = append(w.parties.Uses, w.invoices.Uses)
		bob := w.party(party.New{DisplayName: "Bob"})
		w.draft(w.plain("1"))
		run(w, w.parties.Delete(w.by, record.Customer, bob.ID, nil))
		want(t, refused(w, w.parties.Delete(w.by, record.Customer, w.customer.ID, nil)), record.ErrInUse)
	})
}

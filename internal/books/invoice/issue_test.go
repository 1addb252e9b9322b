package invoice_test

import (
	"errors"
	"fmt"
	"testing"

	"daybook/internal/base/db"
	"daybook/internal/base/money"
	"daybook/internal/books/invoice"
	"daybook/internal/books/ledger"
	"daybook/internal/books/party"
	"daybook/internal/books/record"
)

func TestIssuingFixesAndBooks(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		other := w.account(ledger.NewAccount{Code: "4100", Name: "Other", Type: ledger.Revenue})
		customer := w.party(party.New{DisplayName: "Ada", LegalName: ptr("Ada B.V."), TaxNumber: ptr("NL1"), Address: &party.Address{City: ptr("Utrecht"), Country: ptr("NL")}})
		draft := w.draft(invoice.New{CustomerID: customer.ID, IssueDate: ptr("2026-11-10"), Lines: []invoice.NewLine{
			{Description: "a", UnitPrice: "100", TaxRateID: record.Setting(w.standard.ID)},
			{Description: "b", UnitPrice: "10", TaxRateID: record.Setting(w.reduced.ID), AccountID: &other.ID},
			{Description: "c", UnitPrice: "50", TaxRateID: record.Setting(w.standard.ID)},
			{Description: "back", UnitPrice: "-30", AccountID: &other.ID},
			{Description: "free", UnitPrice: "0"},
		}})
		w.events()
		i := run(w, w.invoices.Issue(w.by, draft.ID, ptr(1)))
		if i.Status != invoice.Open || i.Number != "INV-000001" || i.Version != 2 || i.IssuedAt == nil || i.PaidAt != nil || i.AmountDue != 16240 || i.AmountDue != i.Total ||
			text(i.BillTo) != `{"name":"Ada B.V.","taxNumber":"NL1","address":{"line1":null,"line2":null,"city":"Utrecht","region":null,"postalCode":null,"country":"NL"}}` {
			t.Errorf("got %s", text(i))
		}
		if got := w.get(i.ID); text(got) != text(i) {
			t.Errorf("kept   %s\nissued %s", text(got), text(i))
		}
		if got, want := w.booked(i.ID, "issue"), "1100 16240 customer, 4000 -15000, 4100 2000, 2100 -3150, 2100 -90"; got != want {
			t.Errorf("booked %s", got)
		}
		if i.BaseNet != 13000 || i.BaseTotal != 16240 || i.BaseSettled != 0 {
			t.Errorf("carries %d, %d, %d", i.BaseNet, i.BaseTotal, i.BaseSettled)
		}
		entry, err := w.ledger.Entry(ctx, w.by, *i.JournalEntryID)
		must(t, err)
		if entry.Date != "2026-11-10" || *entry.Memo != "Invoice INV-000001" || entry.Source != (ledger.Source{Type: ledger.FromInvoice, ID: i.ID, Action: "issue"}) {
			t.Errorf("the entry is %s", text(entry))
		}
		events := w.events()
		if len(events) != 2 || events[0].Type != "invoice.issued" || events[1].Type != "journal_entry.posted" || events[1].Data["sourceId"] != i.ID {
			t.Fatalf("told %s", text(events))
		}
		d := events[0].Data
		delete(d, "actor")
		want := fmt.Sprintf(`{"amountDue":16240,"amountPaid":0,"currency":"EUR","customerId":%q,"dueDate":"2026-12-10","invoiceId":%q,"issueDate":"2026-11-10",`+
			`"journalEntryId":%q,"number":"INV-000001","status":"OPEN","taxTotal":3240,"total":16240,"version":2}`, customer.ID, i.ID, *i.JournalEntryID)
		if text(d) != want {
			t.Errorf("told %s\nwant %s", text(d), want)
		}
		// The customer moves; the invoice stays as it was issued.
		run(w, w.parties.Update(w.by, record.Customer, customer.ID, party.Patch{LegalName: record.Clearing[string]()}, nil))
		if got := w.get(i.ID); got.BillTo.Name != "Ada B.V." {
			t.Errorf("billed to %s", got.BillTo.Name)
		}
		if err := refused(w, w.invoices.Issue(w.by, i.ID, nil)); !errors.Is(err, record.ErrState) {
			t.Errorf("issued twice: %v", err)
		}
	})
}

func TestCreatedAndIssuedInOneCall(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		i := w.issued(w.plain("100"))
		if i.Version != 1 || i.Number != "INV-000001" || w.booked(i.ID, "issue") != "1100 12100 customer, 4000 -10000, 2100 -2100" {
			t.Errorf("got %s, booked %s", text(i), w.booked(i.ID, "issue"))
		}
		if got := w.get(i.ID); text(got) != text(i) {
			t.Errorf("kept %s\nmade %s", text(got), text(i))
		}
		if got := w.happened(); got != "invoice.created invoice.issued journal_entry.posted" {
			t.Errorf("told %s", got)
		}
	})
}

func TestAnInvoiceForNothingIsPaidAtOnce(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		free := w.issued(w.plain("0"))
		if free.Status != invoice.Paid || free.PaidAt == nil || free.JournalEntryID != nil || free.Number != "INV-000001" {
			t.Errorf("got %s", text(free))
		}
		events := w.events()
		if len(events) != 3 || events[2].Type != "invoice.paid" || events[2].Data["paymentId"] != nil || events[2].Data["paidAt"] != "2026-11-14T12:00:00.000Z" {
			t.Errorf("told %s", text(events))
		}
		// Swapped goods: nothing to pay, but revenue moves.
		other := w.account(ledger.NewAccount{Code: "4100", Name: "Other", Type: ledger.Revenue})
		n := w.bare("10")
		n.Lines = append(n.Lines, invoice.NewLine{Description: "back", UnitPrice: "-10", AccountID: &other.ID})
		draft := w.draft(n)
		w.events()
		swap := run(w, w.invoices.Issue(w.by, draft.ID, nil))
		if swap.Status != invoice.Paid || w.booked(swap.ID, "issue") != "4000 -1000, 4100 1000" {
			t.Errorf("%s, booked %s", swap.Status, w.booked(swap.ID, "issue"))
		}
		if got := w.happened(); got != "invoice.issued invoice.paid journal_entry.posted" {
			t.Errorf("told %s", got)
		}
	})
}

func TestIssuingJudgesAnew(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		empty := w.draft(invoice.New{CustomerID: w.customer.ID})
		if got := offences(refused(w, w.invoices.Issue(w.by, empty.ID, nil))); got != "lines" {
			t.Errorf("without lines: %s", got)
		}
		account := w.account(ledger.NewAccount{Code: "4100", Name: "Other", Type: ledger.Revenue})
		n := w.plain("1")
		n.Lines[0].AccountID = &account.ID
		i := w.draft(n)
		try := func() error { return refused(w, w.invoices.Issue(w.by, i.ID, nil)) }

		want(t, refused(w, w.invoices.Issue(w.by, i.ID, ptr(7))), record.ErrStale, 1, 7)
		want(t, refused(w, w.invoices.Issue(w.by, "inv_nothing", nil)), record.ErrNotFound, "invoice")

		run(w, w.ledger.SetLockDate(w.by, ptr(today)))
		want(t, try(), ledger.ErrLocked, today)
		run(w, w.ledger.SetLockDate(w.by, ptr("2026-11-13")))

		run(w, w.parties.Archive(w.by, record.Customer, w.customer.ID, nil))
		want(t, try(), record.ErrArchived, "customer")
		run(w, w.parties.Restore(w.by, record.Customer, w.customer.ID, nil))

		run(w, w.taxes.Archive(w.by, w.standard.ID, nil))
		want(t, try(), record.ErrArchived, "tax_rate")
		run(w, w.taxes.Restore(w.by, w.standard.ID, nil))

		run(w, w.ledger.ArchiveAccount(w.by, account.ID, nil))
		want(t, try(), record.ErrArchived, "account")
		run(w, w.ledger.RestoreAccount(w.by, account.ID, nil))
		run(w, w.ledger.UpdateAccount(w.by, account.ID, ledger.AccountPatch{Type: record.Setting(ledger.Expense)}, nil))
		want(t, try(), ledger.ErrType, "lines.0.accountId", "REVENUE")
		run(w, w.ledger.DeleteAccount(w.by, account.ID, nil))
		want(t, try(), record.ErrReference, "lines.0.accountId")

		run(w, w.invoices.Update(w.by, i.ID, invoice.Patch{Lines: record.Setting(w.plain("1").Lines)}, nil))
		if i := run(w, w.invoices.Issue(w.by, i.ID, nil)); i.Number != "INV-000001" {
			t.Errorf("refusals took numbers: %s", i.Number)
		}
	})
}

func TestAForeignInvoiceIsBookedInTheBaseCurrency(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		n := w.bare("100")
		n.Currency, n.ExchangeRate = ptr("USD"), ptr("0.92")
		i := w.issued(n)
		if got := w.booked(i.ID, "issue"); got != "1100 9200 (USD 10000) customer, 4000 -9200 (USD -10000)" {
			t.Errorf("booked %s", got)
		}
		if i.BaseTotal != 9200 || i.BaseNet != 9200 || i.Total != 10000 {
			t.Errorf("carries %d", i.BaseTotal)
		}
		if relief := w.pay(i.ID, 10000, today); relief != 9200 { // 95.00 at the bank, 3.00 difference: payment's affair
			t.Errorf("relieved by %d", relief)
		}
		// Each line is rounded by itself, and the receivable is their sum.
		other := w.account(ledger.NewAccount{Code: "4100", Name: "Other", Type: ledger.Revenue})
		n = w.plain("0.03")
		n.Lines[0].UnitPrice = "0.05"
		n.Lines = append(n.Lines, invoice.NewLine{Description: "x", UnitPrice: "0.01", AccountID: &other.ID})
		n.Currency, n.ExchangeRate = ptr("USD"), ptr("0.5")
		i = w.issued(n)
		if got := w.booked(i.ID, "issue"); got != "1100 5 (USD 7) customer, 4000 -3 (USD -5), 4100 -1 (USD -1), 2100 -1 (USD -1)" {
			t.Errorf("booked %s", got)
		}
		if i.BaseNet != 4 || i.BaseTotal != 5 {
			t.Errorf("carries %d and %d", i.BaseNet, i.BaseTotal)
		}
		// Yen have no decimals.
		n = w.bare("1500")
		n.Currency, n.ExchangeRate = ptr("JPY"), ptr("0.0062")
		if i := w.issued(n); i.Total != 1500 || i.BaseTotal != 930 {
			t.Errorf("%d yen carry %d", i.Total, i.BaseTotal)
		}
		// So little that nothing is booked, and yet it is owed.
		n = w.bare("0.01")
		n.Currency, n.ExchangeRate = ptr("USD"), ptr("0.01")
		i = w.issued(n)
		if i.Status != invoice.Open || i.JournalEntryID != nil || i.BaseTotal != 0 {
			t.Errorf("got %s", text(i))
		}
		if v := run(w, w.invoices.Void(w.by, i.ID, invoice.Voiding{}, nil)); v.Status != invoice.Void {
			t.Errorf("got %s", v.Status)
		}
		// Beyond the range of amounts.
		n = w.bare("99999999999")
		n.Currency, n.ExchangeRate = ptr("USD"), ptr("999999999999")
		n.Issue = true
		if got := offences(refused(w, w.invoices.Create(w.by, n))); got != "lines" {
			t.Errorf("named %s", got)
		}
	})
}

func TestATotalThatIsCarriedBelowZero(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		n := w.bare("-0.03")
		for code, price := range map[string]string{"4100": "0.02", "4101": "0.01", "4102": "0.01"} {
			a := w.account(ledger.NewAccount{Code: code, Name: "x", Type: ledger.Revenue})
			n.Lines = append(n.Lines, invoice.NewLine{Description: "x", UnitPrice: price, AccountID: &a.ID})
		}
		n.Currency, n.ExchangeRate = ptr("USD"), ptr("0.24")
		i := w.issued(n) // −3 × 0.24 = −0.72 → −1; 2 × 0.24 = 0.48 → 0; 1 × 0.24 → 0
		if i.Total != 1 || i.BaseTotal != -1 {
			t.Fatalf("%d carries %d", i.Total, i.BaseTotal)
		}
		if off := run(w, w.invoices.WriteOff(w.by, i.ID, nil, nil)); off.BaseSettled != -1 || w.booked(i.ID, "write_off") != "6800 -1 (USD 1), 1100 1 (USD -1) customer" {
			t.Errorf("settled %d, booked %s", off.BaseSettled, w.booked(i.ID, "write_off"))
		}
		if items := w.receivables(today); len(items) != 0 {
			t.Errorf("still open: %v", items)
		}
	})
}

func (w *world) receivables(asOf string) []string {
	w.t.Helper()
	var list []string
	must(w.t, w.Read(ctx, func(tx *db.Tx) error {
		items, err := w.invoices.Receivables(ctx, tx, w.by.BusinessID, asOf)
		list = nil
		for _, o := range items {
			list = append(list, fmt.Sprintf("%s due %s: %d", w.get(o.InvoiceID).Number, o.DueDate, o.Due))
			if o.CustomerID == "" {
				w.t.Error("nobody owes it")
			}
		}
		return err
	}))
	return list
}

func TestNumbersThatCallersUsedArePassedOver(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for n := range 20 {
			i := w.plain("1")
			i.Number = ptr(fmt.Sprintf("INV-%06d", 3+n))
			w.draft(i)
		}
		i := w.plain("1")
		i.Number = ptr("INV-000024")
		w.draft(i)
		for _, want := range []string{"INV-000001", "INV-000002", "INV-000023", "INV-000025", "INV-000026"} {
			if i := w.issued(w.plain("1")); i.Number != want {
				t.Errorf("got %s, want %s", i.Number, want)
			}
		}
		w.exec(`UPDATE books SET last_invoice = 999999 WHERE business_id = $1`, w.by.BusinessID)
		i.Number = ptr("INV-1000000")
		w.draft(i)
		if i := w.issued(w.plain("1")); i.Number != "INV-1000001" {
			t.Errorf("after a million: %s", i.Number)
		}
	})
}

func TestSendingMarksAnInvoice(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		draft := w.draft(w.plain("1"))
		want(t, refused(w, w.invoices.Send(w.by, draft.ID, invoice.Sending{Channel: invoice.ByLink}, nil)), record.ErrState, "DRAFT", "send")
		i := w.issued(w.plain("1"))
		w.events()
		sent := run(w, w.invoices.Send(w.by, i.ID, invoice.Sending{Channel: invoice.ByOtherMeans, To: ptr("ada@example.com")}, ptr(1)))
		if sent.SentAt == nil || sent.Version != 2 || sent.Status != invoice.Open || text(w.get(i.ID)) != text(sent) {
			t.Errorf("got %s", text(sent))
		}
		e := w.events()
		if len(e) != 1 || e[0].Type != "invoice.sent" || e[0].Data["channel"] != "EXTERNAL" || e[0].Data["sentAt"] != "2026-11-14T12:00:00.000Z" || e[0].Data["version"] != 2.0 {
			t.Errorf("told %s", text(e))
		}
		run(w, w.invoices.Send(w.by, i.ID, invoice.Sending{Channel: invoice.ByLink}, nil))
		want(t, refused(w, w.invoices.Send(w.by, i.ID, invoice.Sending{Channel: invoice.ByEmail}, nil)), invoice.ErrMail)
		if got := offences(refused(w, w.invoices.Send(w.by, i.ID, invoice.Sending{Channel: "PIGEON", To: ptr("ada")}, nil))); got != "channel to" {
			t.Errorf("named %s", got)
		}
		if got := w.get(i.ID); got.Version != 3 {
			t.Errorf("refusals changed it: version %d", got.Version)
		}
	})
}

func TestABookingBeyondTheLedgerIsRefused(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		other := w.account(ledger.NewAccount{Code: "4100", Name: "Other", Type: ledger.Revenue})
		third := w.account(ledger.NewAccount{Code: "4200", Name: "Third", Type: ledger.Revenue})
		n := w.bare("80000000000000")
		n.Lines[0].UnitPrice, n.Lines[0].Quantity = "800000000000", ptr("100")
		n.Lines = append(n.Lines,
			invoice.NewLine{Description: "x", UnitPrice: "-800000000000", Quantity: ptr("100"), AccountID: &other.ID},
			invoice.NewLine{Description: "x", UnitPrice: "800000000000", Quantity: ptr("100"), AccountID: &third.ID})
		i := w.draft(n)
		if i.Total != money.Amount(8_000_000_000_000_000) {
			t.Fatalf("got %d", i.Total)
		}
		if got := offences(refused(w, w.invoices.Issue(w.by, i.ID, nil))); got == "" || got[:2] == "no" {
			t.Errorf("named %s", got)
		}
	})
}

// A draft that lets go of a number which the series has passed leaves no hole: the next invoice takes it.
func TestNumbersThatDraftsLetGoAreTakenAgain(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		held := func(number string) invoice.Invoice {
			n := w.plain("1.00")
			n.Number = &number
			return w.draft(n)
		}
		deleted, renamed, kept := held("INV-000001"), held("INV-000003"), held("INV-000004")
		for _, want := range []string{"INV-000002", "INV-000005"} {
			if got := w.issued(w.plain("1.00")).Number; got != want {
				t.Fatalf("got %s, want %s", got, want)
			}
		}
		run(w, w.invoices.Delete(w.by, deleted.ID, nil))
		run(w, w.invoices.Update(w.by, renamed.ID, invoice.Patch{Number: record.Setting("A-1")}, nil))
		for _, want := range []string{"INV-000001", "INV-000003", "INV-000006"} {
			if got := w.issued(w.plain("1.00")).Number; got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		}
		if got := w.get(kept.ID).Number; got != "INV-000004" {
			t.Errorf("the draft that stayed has %s", got)
		}
	})
}

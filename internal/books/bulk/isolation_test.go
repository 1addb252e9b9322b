package bulk_test

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"daybook/internal/base/fault"
	"daybook/internal/base/money"
	"daybook/internal/books/bulk"
	"daybook/internal/books/ledger"
	"daybook/internal/books/payment"
	"daybook/internal/books/record"
	"daybook/internal/books/tax"
)

// sort is a sort of row: how it is made under a name, and what becomes of it. Expectations hold when each name is new.
type sort struct {
	becomes string
	make    func(w *world, name string) bulk.Row
}

// stage prepares what the sorts of rows need: books locked up to June, a rate whose account was archived, an invoice that is
// there, and books that have room for one huge entry.
func (w *world) stage() {
	w.t.Helper()
	duty := done(w, w.ledger.CreateAccount(w.by, ledger.NewAccount{Code: "2199", Name: "Duty", Type: ledger.Liability, Subtype: ptr(ledger.Subtype("OUTPUT_TAX"))}))
	done(w, w.taxes.Create(w.by, tax.New{Name: "Duty", Rate: money.MustFactor("5"), Kind: tax.Sales, Category: tax.Standard, AccountID: &duty.ID}))
	done(w, w.ledger.ArchiveAccount(w.by, duty.ID, nil))
	done(w, w.ledger.SetLockDate(w.by, ptr("2026-06-30")))
	w.all(with(w.row("there", "5"), func(r *bulk.Row) { r.Invoice.Number = ptr("N-1") }), huge(w, "huge"))
}

// huge leaves no room for another of its kind.
func huge(w *world, name string) bulk.Row {
	return with(w.row(name, "999999999999"), func(r *bulk.Row) {
		r.Invoice.Lines[0].Quantity, r.Invoice.Lines[0].TaxRateID = ptr("80"), record.Clearing[string]()
	})
}

var sorts = []sort{
	{"CREATED", func(w *world, name string) bulk.Row { return w.row(name, "10.07") }},
	{"CREATED", func(w *world, name string) bulk.Row {
		return with(w.row(name, "10"), func(r *bulk.Row) { r.Invoice.Issue = false })
	}},
	{"CREATED", func(w *world, name string) bulk.Row { return w.paid(w.row(name, "10"), 1000) }},
	{"CREATED", func(w *world, name string) bulk.Row {
		return w.paid(forNew(w.row(name, "10"), "of "+name, "New"), 1300)
	}},
	{"CREATED", func(w *world, name string) bulk.Row { return forNew(w.row(name, "10"), "shared", "Shared by "+name) }},
	{"CREATED", func(w *world, name string) bulk.Row {
		return with(w.row(name, "10"), func(r *bulk.Row) { r.Invoice.Currency, r.Invoice.ExchangeRate = ptr("USD"), ptr("0.92") })
	}},
	{"CREATED", func(w *world, name string) bulk.Row {
		return with(w.row(name, "10"), func(r *bulk.Row) { r.Invoice.Number = ptr("own " + name) })
	}},
	{"SKIPPED", func(w *world, name string) bulk.Row { return w.row("there", "10") }},
	{"(externalId)", func(w *world, name string) bulk.Row { return w.row("", "10") }},
	{"(lines.0.unitPrice)", func(w *world, name string) bulk.Row { return w.row(name, "x") }},
	{"(unread)", func(w *world, name string) bulk.Row {
		return with(w.row(name, "10"), func(r *bulk.Row) { r.Problem = fault.InvalidFields("unread must be readable") })
	}},
	{"REFERENCE_NOT_FOUND", func(w *world, name string) bulk.Row {
		return with(w.row(name, "10"), func(r *bulk.Row) { r.Invoice.CustomerID = "cus_none" })
	}},
	{"REFERENCE_NOT_FOUND", func(w *world, name string) bulk.Row {
		return with(w.row(name, "10"), func(r *bulk.Row) { r.Invoice.Lines[0].TaxRateID = record.Setting("tax_none") })
	}},
	{"TOTAL_MISMATCH", func(w *world, name string) bulk.Row {
		return with(w.row(name, "10"), func(r *bulk.Row) { r.Invoice.ExpectedTotal = ptr(money.Amount(1)) })
	}},
	{"DUPLICATE_NUMBER", func(w *world, name string) bulk.Row {
		return with(w.row(name, "10"), func(r *bulk.Row) { r.Invoice.Number = ptr("N-1") })
	}},
	{"PERIOD_LOCKED", func(w *world, name string) bulk.Row {
		return with(w.row(name, "10"), func(r *bulk.Row) { r.Invoice.IssueDate = ptr("2026-06-30") })
	}},
	// From here on rows are refused after they were about to write.
	{"(customer.displayName)", func(w *world, name string) bulk.Row { return forNew(w.row(name, "10"), "of "+name, " ") }},
	{"EXCHANGE_RATE_REQUIRED", func(w *world, name string) bulk.Row {
		return with(forNew(w.row(name, "10"), "of "+name, "Lost"), func(r *bulk.Row) { r.Invoice.Currency = ptr("USD") })
	}},
	{"BOOKS_FULL", huge},
	{"RECORD_ARCHIVED", func(w *world, name string) bulk.Row {
		return with(w.row(name, "10"), func(r *bulk.Row) { r.Invoice.Lines[0].TaxRateID = record.Setting(w.duty()) })
	}},
	{"(payment.amount)", func(w *world, name string) bulk.Row { return w.paid(w.row(name, "10"), -5) }},
	{"ACCOUNT_TYPE_INVALID", func(w *world, name string) bulk.Row {
		return with(w.paid(forNew(w.row(name, "10"), "of "+name, "Lost"), 5), func(r *bulk.Row) { r.Payment.BankAccountID = w.accounts["4000"] })
	}},
	{"DUPLICATE_EXTERNAL_ID", func(w *world, name string) bulk.Row {
		return with(w.paid(w.row(name, "10"), 5), func(r *bulk.Row) { r.Payment.ExternalID = ptr("paid before") })
	}},
}

// entangled rows depend on those before them in the import: each may be refused or not.
var entangled = []func(w *world, name string) bulk.Row{
	// a number that the series comes to
	func(w *world, name string) bulk.Row {
		return with(w.row(name, "10"), func(r *bulk.Row) { r.Invoice.Number = ptr("INV-00000" + last(name)) })
	},
	func(w *world, name string) bulk.Row {
		return with(w.row(name, "10"), func(r *bulk.Row) { r.Invoice.Number, r.Invoice.Issue = ptr("INV-00001"+last(name)), false })
	},
	// a number that another row has, also where that one was refused
	func(w *world, name string) bulk.Row {
		return with(w.paid(w.row(name, "10"), 5), func(r *bulk.Row) {
			r.Invoice.Number = ptr("N-2")
			if last(name) < "4" {
				r.Payment.Amount = -1
			}
		})
	},
	// a payment by the name of another row's
	func(w *world, name string) bulk.Row {
		return with(w.paid(w.row(name, "10"), 5), func(r *bulk.Row) { r.Payment.ExternalID = ptr("pays " + last(name)) })
	},
	func(w *world, name string) bulk.Row {
		return with(w.paid(forNew(w.row(name, "10"), "payer", "Payer of "+name), 5), func(r *bulk.Row) {
			r.Payment.ExternalID, r.Payment.Method = ptr("pays "+last(name)), ptr(payment.Cash)
		})
	},
	// a customer whose first row is refused
	func(w *world, name string) bulk.Row {
		return with(w.paid(forNew(w.row(name, "10"), "unsure", "Unsure of "+name), 5), func(r *bulk.Row) {
			if last(name) < "4" {
				r.Payment.BankAccountID = w.accounts["4000"]
			}
		})
	},
	// many lines on several accounts, in another month
	func(w *world, name string) bulk.Row {
		return with(w.row(name, "10"), func(r *bulk.Row) {
			for i := range 12 {
				line := r.Invoice.Lines[0]
				line.AccountID, line.UnitPrice = ptr(w.accounts[[]string{"4000", "4900"}[i%2]]), fmt.Sprint(i)
				r.Invoice.Lines = append(r.Invoice.Lines, line)
			}
			r.Invoice.IssueDate = ptr("2026-0" + fmt.Sprint(7+len(name)%3) + "-02")
		})
	},
	// what only one can have room for
	func(w *world, name string) bulk.Row {
		return with(huge(w, name), func(r *bulk.Row) { r.Invoice.Lines[0].Quantity = ptr("3") })
	},
}

func last(name string) string { return name[len(name)-1:] }

// anyRow makes a row of any sort.
func (w *world) anyRow(kind int, name string) bulk.Row {
	if kind < len(sorts) {
		return sorts[kind].make(w, name)
	}
	return entangled[kind-len(sorts)](w, name)
}

// duty is the rate that the stage has set up.
func (w *world) duty() string {
	return one[string](w, `SELECT id FROM tax_rates WHERE business_id = $1 AND name = 'Duty'`, w.by.BusinessID)
}

// paidBefore takes the name of a payment.
func (w *world) paidBefore() {
	w.t.Helper()
	w.all(with(w.paid(w.row("paid before", "1"), 5), func(r *bulk.Row) { r.Payment.ExternalID = ptr("paid before") }))
}

func TestRefusedRowsOfEverySortLeaveTheOthersAlone(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		other := w.world(t, "SCALE")
		for _, w := range []*world{w, other} {
			w.stage()
			w.paidBefore()
		}
		rows := func(w *world) (list []bulk.Row) {
			for i := range bulk.MaxRows {
				list = append(list, sorts[(i*7+i/23)%len(sorts)].make(w, fmt.Sprint("row ", i)))
			}
			return list
		}
		r := w.all(rows(w)...)
		for i, o := range r.Outcomes {
			if got, want := outcomes([]bulk.Outcome{o}), sorts[(i*7+i/23)%len(sorts)].becomes; got != want {
				t.Errorf("row %d became %s, not %s", i, got, want)
			}
		}
		// As if each had come by itself.
		for i, row := range rows(other) {
			single := other.all(row).Outcomes[0]
			if outcomes([]bulk.Outcome{single}) != outcomes(r.Outcomes[i:i+1]) || value(single.Number) != value(r.Outcomes[i].Number) || value(single.Total) != value(r.Outcomes[i].Total) {
				t.Errorf("row %d became %+v, and by itself %+v", i, r.Outcomes[i], single)
			}
		}
		alike(t, w, other)
		other.agrees(t)
	})
}

func value[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}

func TestAnImportIsWhatItsRowsAreByThemselves(t *testing.T) {
	each(t, func(t *testing.T, base *world) {
		rapid.Check(t, func(r *rapid.T) { base.byThemselves(t, r, 1, 10) })
	})
}

// Long imports are written in pieces, and what many rows share is written once.
func TestALongImportIsWhatItsRowsAreByThemselves(t *testing.T) {
	each(t, func(t *testing.T, base *world) {
		for seed := range 3 {
			rapid.Custom(func(r *rapid.T) bool { base.byThemselves(t, r, 70, bulk.MaxRows); return true }).Example(seed)
		}
	})
}

// byThemselves imports the same rows into two businesses, together and one by one: they become the same, and so do the books.
func (base *world) byThemselves(t *testing.T, r *rapid.T, least, most int) {
	w, other := base.world(r, "SCALE"), base.world(r, "SCALE")
	for _, w := range []*world{w, other} {
		w.stage()
		w.paidBefore()
	}
	way := rapid.SampledFrom([]bulk.OnDuplicate{bulk.Skip, bulk.Fail}).Draw(r, "onDuplicate")
	n := rapid.IntRange(least, most).Draw(r, "rows")
	kinds := rapid.SliceOfN(rapid.IntRange(0, len(sorts)+len(entangled)-1), n, n).Draw(r, "sorts")
	names := rapid.SliceOfN(rapid.IntRange(0, max(9, n)), n, n).Draw(r, "names")
	all := bulk.Request{OnDuplicate: way}
	for i, kind := range kinds {
		all.Rows = append(all.Rows, w.anyRow(kind, fmt.Sprint("row ", names[i])))
	}
	result := w.load(all)
	for i, kind := range kinds {
		single := other.load(bulk.Request{OnDuplicate: way, Rows: []bulk.Row{other.anyRow(kind, fmt.Sprint("row ", names[i]))}}).Outcomes[0]
		o := result.Outcomes[i]
		if outcomes([]bulk.Outcome{single}) != outcomes([]bulk.Outcome{o}) || value(single.Number) != value(o.Number) || value(single.Total) != value(o.Total) {
			r.Fatalf("row %d became %+v, and by itself %+v", i, o, single)
		}
		if o.InvoiceID != nil && one[int](w, `SELECT count(*) FROM invoices WHERE business_id = $1 AND id = $2`, w.by.BusinessID, *o.InvoiceID) != 1 {
			r.Fatalf("row %d tells of an invoice that is not there", i)
		}
	}
	if a, b := w.picture(), other.picture(); a != b {
		r.Fatalf("together\n%s\none by one\n%s", a, b)
	}
	w.agrees(t)
}

func TestRowsBecomeWhatSingleCallsMake(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		other := w.world(t, "SCALE")
		var rows []bulk.Row
		for i := range 14 { // the good sorts, twice
			row := sorts[i%7].make(w, fmt.Sprint("row ", i))
			rows = append(rows, row)
			single := sorts[i%7].make(other, fmt.Sprint("row ", i))
			if single.Customer != nil {
				found, err := other.parties.List(ctx, other.by, record.Customer, map[string][]string{"externalId": {*single.Customer.ExternalID}})
				must(t, err)
				if len(found.Data) == 0 {
					found.Data = append(found.Data, done(other, other.parties.Create(other.by, record.Customer, *single.Customer)))
				}
				single.Invoice.CustomerID = found.Data[0].ID
			}
			single.Invoice.Origin = "IMPORT"
			made := done(other, other.invoices.Create(other.by, single.Invoice))
			if p := single.Payment; p != nil {
				p.Kind, p.CustomerID, p.Allocations = "RECEIPT", &made.CustomerID, []wanted{{InvoiceID: made.ID}}
				done(other, other.payments.Create(other.by, *p))
			}
		}
		same(t, "created", w.all(rows...).Summary.Created, 14)
		alike(t, w, other)
	})
}

func TestAnAccountThatIsNotThereIsNotMistakenForARole(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		var rows []bulk.Row
		for _, role := range []ledger.Role{ledger.Receivable, ledger.OutputTax, ledger.CustomerCredit} {
			rows = append(rows, with(w.row(string(role), "10"), func(r *bulk.Row) {
				r.Invoice.Lines[0].AccountID, r.Invoice.Issue = ptr(string(role)), false
			}))
		}
		r := w.all(append(rows, w.paid(w.row("good", "10"), 2000))...)
		same(t, "outcomes", outcomes(r.Outcomes), "REFERENCE_NOT_FOUND REFERENCE_NOT_FOUND REFERENCE_NOT_FOUND CREATED")
	})
}

func TestNumbersHaveNoHoleWhenRowsAreRefusedLate(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		var rows []bulk.Row
		for i := range 30 {
			row := w.row(fmt.Sprint("row ", i), "10")
			if i%3 == 2 || i > 25 {
				row = w.paid(row, -1)
			}
			rows = append(rows, row)
		}
		r := w.all(rows...)
		n := 0
		for i, o := range r.Outcomes {
			if o.Status == bulk.Created {
				n++
				if *o.Number != fmt.Sprintf("INV-%06d", n) {
					t.Errorf("row %d has number %s, not the %dth", i, *o.Number, n)
				}
			}
		}
		same(t, "created", n, 18)
		same(t, "the next", *w.all(w.row("next", "1")).Outcomes[0].Number, "INV-000019")
	})
}

package invoice_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"daybook/internal/base/db"
	"daybook/internal/books/invoice"
	"daybook/internal/books/party"
	"daybook/internal/books/record"
	"daybook/internal/tenancy/business"
)

// together runs steps that share their transactions: they gather while others are under way.
func together[T any](w *world, steps []db.Step[T], then func(i int, done T, err error)) {
	var wait sync.WaitGroup
	begun, free := make(chan struct{}), make(chan struct{})
	before := w.Stats()
	wait.Go(func() {
		_, _ = db.RunTogether(ctx, w.DB, w.by, func(context.Context, *db.Tx) (int, error) {
			close(begun)
			<-free
			return 0, nil
		})
	})
	<-begun
	until := func(there func() bool) {
		for !there() {
			runtime.Gosched()
		}
	}
	for i, step := range steps {
		wait.Go(func() {
			done, err := db.RunTogether(ctx, w.DB, w.by, step)
			then(i, done, err)
		})
		until(func() bool { return w.Stats().Waiting == int64(i+1) })
	}
	close(free)
	wait.Wait()
	if n := w.Stats().Joint - before.Joint; n != int64(len(steps)) {
		w.t.Errorf("%d of %d shared a transaction", n, len(steps))
	}
}

// TestInvoicesThatAreCreatedTogether proves that each has the outcome it would have had alone: refusals leave no trace, numbers have
// no hole, and events stand together in the order of the changes. That the ledger agrees is asked of every world.
func TestInvoicesThatAreCreatedTogether(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		gone := w.party(party.New{DisplayName: "Gone"})
		run(w, w.parties.Archive(w.by, record.Customer, gone.ID, nil))
		w.issued(w.plain("1"))
		w.events()
		type wish struct {
			n    invoice.New
			want error
		}
		var wishes []wish
		for i := range 36 {
			n := w.plain(fmt.Sprint(10 + i))
			n.Issue, n.ExternalID = i%4 != 3, ptr(fmt.Sprint("row-", i))
			var want error
			switch i % 6 {
			case 1:
				n.CustomerID, want = gone.ID, record.ErrArchived
			case 2:
				n.ExternalID = ptr("the same") // the first has it
				if i > 2 {
					want = record.ErrExternalID
				}
			case 4:
				n.Number, n.Issue = ptr(fmt.Sprintf("INV-%06d", 2+i)), false // amid the series
			case 5:
				n.Lines[0].TaxRateID, want = record.Setting("tax_01jd8h6k5z0000000000000000"), record.ErrReference
			}
			wishes = append(wishes, wish{n, want})
		}
		steps := make([]db.Step[invoice.Invoice], len(wishes))
		for i, wanted := range wishes {
			steps[i] = w.invoices.Create(w.by, wanted.n)
		}
		made := make([]*invoice.Invoice, len(wishes))
		together(w, steps, func(i int, done invoice.Invoice, err error) {
			if !errors.Is(err, wishes[i].want) {
				t.Errorf("%d: %v, want %v", i, err, wishes[i].want)
			}
			if err == nil {
				made[i] = &done
			}
		})
		var numbers, told []string
		for _, i := range made {
			if i == nil {
				continue
			}
			if kept := w.get(i.ID); text(kept) != text(*i) {
				t.Errorf("answered %s\nkept %s", text(*i), text(kept))
			}
			if i.Number != "" {
				numbers = append(numbers, i.Number)
			}
			told = append(told, "invoice.created "+i.ID)
			if i.JournalEntryID != nil {
				told = append(told, "invoice.issued "+i.ID, "journal_entry.posted "+*i.JournalEntryID)
			}
		}
		var events []string
		for _, e := range w.events() {
			if e.Type == "journal_entry.posted" {
				events = append(events, fmt.Sprint(e.Type, " ", e.Data["journalEntryId"]))
			} else {
				events = append(events, fmt.Sprint(e.Type, " ", e.Data["invoiceId"]))
			}
		}
		if !slices.Equal(events, told) {
			t.Errorf("told\n%s\nwant\n%s", strings.Join(events, "\n"), strings.Join(told, "\n"))
		}
		slices.Sort(numbers)
		if len(slices.Compact(slices.Clone(numbers))) != len(numbers) {
			t.Errorf("a number twice in %v", numbers)
		}
		// The series goes on where it stopped, past those that callers chose.
		next := w.issued(w.plain("1")).Number
		for n := 2; ; n++ {
			number := fmt.Sprintf("INV-%06d", n)
			if number == next {
				break
			}
			if !slices.Contains(numbers, number) {
				t.Fatalf("%s is missing before %s", number, next)
			}
		}
	})
}

// TestTheCeilingHoldsForInvoicesThatComeTogether: of many that share a transaction as many pass as there is room for.
func TestTheCeilingHoldsForInvoicesThatComeTogether(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		const room = 7
		w.invoices.Plans = &business.Plans{List: []business.Plan{{Key: "SCALE", InvoicesPerYear: room}}}
		steps := make([]db.Step[invoice.Invoice], 30)
		for i := range steps {
			steps[i] = w.invoices.Create(w.by, w.plain("1"))
		}
		passed := atomic.Int64{}
		together(w, steps, func(_ int, _ invoice.Invoice, err error) {
			switch {
			case err == nil:
				passed.Add(1)
			case !errors.Is(err, invoice.ErrPlanInvoices):
				t.Error(err)
			}
		})
		if passed.Load() != room || w.usage().Invoices != room {
			t.Errorf("%d passed, %+v", passed.Load(), w.usage())
		}
	})
}

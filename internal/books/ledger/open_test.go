package ledger_test

import (
	"strings"
	"sync"
	"testing"

	"daybook/internal/base/db"
	"daybook/internal/base/money"
	"daybook/internal/books/ledger"
)

func TestANewBusinessHasTheDefaultChart(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		page, err := w.ListAccounts(ctx, w.by, params("sort", "code"))
		must(t, err)
		var chart []string
		for _, a := range page.Data {
			role := ledger.Role("-")
			if a.Role != nil {
				role = *a.Role
			}
			if a.Status != ledger.Active || a.Version != 1 || a.Currency != nil || !a.CreatedAt.Equal(w.Clock.Now()) {
				t.Errorf("a strange account: %+v", a)
			}
			chart = append(chart, strings.Join([]string{a.Code, a.Name, string(a.Type), string(*a.Subtype), string(role)}, " | "))
		}
		wanted := []string{
			"1000 | Bank | ASSET | BANK | DEFAULT_BANK",
			"1100 | Accounts receivable | ASSET | RECEIVABLE | RECEIVABLE",
			"1150 | Supplier prepayments | ASSET | CURRENT | SUPPLIER_PREPAYMENT",
			"1180 | Input tax | ASSET | INPUT_TAX | INPUT_TAX",
			"2000 | Accounts payable | LIABILITY | PAYABLE | PAYABLE",
			"2100 | Sales tax | LIABILITY | OUTPUT_TAX | OUTPUT_TAX",
			"2150 | Customer credit | LIABILITY | CUSTOMER_CREDIT | CUSTOMER_CREDIT",
			"3000 | Capital | EQUITY | CAPITAL | -",
			"3100 | Retained earnings | EQUITY | RETAINED | RETAINED_EARNINGS",
			"3900 | Opening balances | EQUITY | CAPITAL | OPENING_BALANCE",
			"4000 | Sales | REVENUE | SALES | DEFAULT_SALES",
			"4900 | Other income | REVENUE | OTHER | -",
			"5000 | Cost of sales | EXPENSE | DIRECT | -",
			"6000 | Operating expenses | EXPENSE | OPERATING | -",
			"6800 | Bad debts | EXPENSE | OPERATING | BAD_DEBT",
			"6900 | Exchange differences | EXPENSE | FINANCE | FX_GAIN_LOSS",
			"6950 | Rounding | EXPENSE | OTHER | ROUNDING",
		}
		if got := strings.Join(chart, "\n"); got != strings.Join(wanted, "\n") {
			t.Errorf("the chart is\n%s", got)
		}
		wantTold(t, w.told(t, 0)) // nothing
		f, err := w.Facts(ctx, w.by)
		must(t, err)
		if f.Currency.Code() != "EUR" || f.LockDate != nil || f.Zone.String() != "Europe/Amsterdam" || f.Country != "NL" || f.Plan != "FREE" ||
			f.Defaults != (ledger.Defaults{TaxMode: money.Exclusive, TaxRounding: "LINE", PaymentTermsDays: 30}) {
			t.Errorf("the books begin with %+v", f)
		}
	})
}

func TestBooksAreOpenedOnce(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		must(t, w.books(func(b *ledger.Book) error {
			_, err := b.SetDefaults(ctx, ledger.DefaultsPatch{PaymentTermsDays: setting(14)})
			return err
		}))
		must(t, w.Write(ctx, func(tx *db.Tx) error { return w.OpenBooks(ctx, tx, w.by.BusinessID) }))
		page, err := w.ListAccounts(ctx, w.by, nil)
		must(t, err)
		f, err := w.Facts(ctx, w.by)
		must(t, err)
		if len(page.Data) != 17 || f.Defaults.PaymentTermsDays != 14 {
			t.Errorf("opening again left %d accounts and %+v", len(page.Data), f.Defaults)
		}
	})
}

func TestBusinessesWithoutBooksGetThemOnceAlsoBySeveralNodes(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		const many = 120 // more than two batches
		for range many {
			w.business(t)
		}
		var mu sync.Mutex
		var wait sync.WaitGroup
		total := 0
		for range 3 {
			wait.Go(func() {
				n, err := w.OpenMissing(ctx)
				if err != nil {
					t.Error(err)
				}
				mu.Lock()
				total += n
				mu.Unlock()
			})
		}
		wait.Wait()
		if total != many {
			t.Errorf("opened %d of %d", total, many)
		}
		var accounts int
		must(t, w.Read(ctx, func(tx *db.Tx) (err error) {
			accounts, err = db.One(ctx, tx, db.Value[int], `SELECT count(*) FROM accounts`)
			return err
		}))
		if accounts != 17*(many+1) {
			t.Errorf("%d accounts", accounts)
		}
		if n, err := w.OpenMissing(ctx); n != 0 || err != nil {
			t.Errorf("again: %d, %v", n, err)
		}
	})
}

func TestABusinessWithoutBooksIsAMalfunction(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.by.BusinessID = w.business(t)
		_, err := do(w, w.CreateEntry(w.by, w.sale("2026-11-01", 1)))
		if err == nil || !strings.Contains(err.Error(), w.by.BusinessID) {
			t.Errorf("got %v", err)
		}
		if _, err := w.Facts(ctx, w.by); err == nil || !strings.Contains(err.Error(), w.by.BusinessID) {
			t.Errorf("got %v", err)
		}
	})
}

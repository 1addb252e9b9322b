package ledger_test

import (
	"testing"

	"daybook/internal/base/fault"
	"daybook/internal/base/money"
	"daybook/internal/books/ledger"
	"daybook/internal/books/record"
	"daybook/internal/platform/event"
)

func TestMovingTheLockDate(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		var told []string
		var was *string
		for _, step := range []struct {
			date *string
			kind event.Type // empty: nothing is told
		}{
			{nil, ""},
			{ptr("2026-01-31"), event.BooksLocked},
			{ptr("2026-01-31"), ""},
			{ptr("2026-02-28"), event.BooksLocked},
			{ptr("2026-02-27"), event.BooksUnlocked},
			{nil, event.BooksUnlocked},
			{ptr("1900-01-01"), event.BooksLocked},
		} {
			got := done(t, w, w.SetLockDate(w.by, step.date))
			read, err := w.LockDate(ctx, w.by)
			must(t, err)
			if asJSON(got) != asJSON(step.date) || asJSON(read) != asJSON(step.date) {
				t.Errorf("set %s, read %s", asJSON(got), asJSON(read))
			}
			if step.kind != "" {
				told = append(told, happening(step.kind, event.Data{"lockDate": step.date, "previousLockDate": was}))
			}
			was = step.date
		}
		wantTold(t, w.told(t, 0), told...)
		_, err := do(w, w.SetLockDate(w.by, ptr("2026-02-30")))
		if got := offences(err); got != "lockDate" {
			t.Errorf("offences are %s", got)
		}
		if other, err := w.LockDate(ctx, w.another(t).by); other != nil || err != nil {
			t.Errorf("another business is locked up to %v, %v", other, err)
		}
	})
}

func TestNothingIsPostedOnOrBeforeTheLockDate(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		e := w.post(t, w.sale("2026-01-15", 5))
		done(t, w, w.SetLockDate(w.by, ptr("2026-01-31")))
		n := w.sale("2026-01-31", 5)
		_, err := do(w, w.CreateEntry(w.by, n))
		want(t, err, ledger.ErrLocked)
		if f := fault.From(err); f == nil || f.Params[0] != "2026-01-31" {
			t.Errorf("the lock date is missing: %v", err)
		}
		n.Draft = true // a draft is not posted yet
		draft := w.post(t, n)
		_, err = do(w, w.PostEntry(w.by, draft.ID, nil))
		want(t, err, ledger.ErrLocked)
		done(t, w, w.UpdateEntry(w.by, draft.ID, ledger.EntryPatch{Date: setting("2026-02-01")}, nil))
		done(t, w, w.PostEntry(w.by, draft.ID, nil))

		_, err = do(w, w.ReverseEntry(w.by, e.ID, ledger.Reversal{Date: ptr("2026-01-31")}, nil))
		want(t, err, ledger.ErrLocked)
		if read, err := w.Entry(ctx, w.by, e.ID); err != nil || read.Status != ledger.Posted {
			t.Errorf("a refused reversal left %s, %v", asJSON(read), err)
		}
		done(t, w, w.ReverseEntry(w.by, e.ID, ledger.Reversal{Date: ptr("2026-02-01")}, nil)) // the original may be locked

		done(t, w, w.SetLockDate(w.by, ptr("2026-11-14"))) // today
		f := w.post(t, w.sale("2026-11-15", 5))
		_, err = do(w, w.ReverseEntry(w.by, f.ID, ledger.Reversal{}, nil))
		want(t, err, ledger.ErrLocked)
		done(t, w, w.SetLockDate(w.by, nil))
		w.post(t, w.sale("2020-01-01", 5))
		must(t, w.books(func(b *ledger.Book) error {
			if b.Unlocked("1900-01-01") != nil {
				t.Error("books without a lock date are open")
			}
			return nil
		}))
		done(t, w, w.SetLockDate(w.by, ptr("2026-11-14")))
		err = w.books(func(b *ledger.Book) error {
			_, err := b.Post(ctx, ledger.Posting{Date: "2026-11-14", Lines: []ledger.Line{{}}}) // also where there is nothing to post
			return err
		})
		want(t, err, ledger.ErrLocked)
	})
}

func TestDefaultsOfNewDocuments(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		got := done(t, w, w.SetDefaults(w.by, ledger.DefaultsPatch{TaxMode: setting(money.Inclusive), PaymentTermsDays: setting(0)}))
		if got != (ledger.Defaults{TaxMode: money.Inclusive, TaxRounding: "LINE", PaymentTermsDays: 0}) {
			t.Errorf("set %+v", got)
		}
		must(t, w.books(func(b *ledger.Book) error {
			if b.Defaults != got {
				t.Errorf("kept %+v", b.Defaults)
			}
			changed, err := b.SetDefaults(ctx, ledger.DefaultsPatch{TaxMode: setting(money.Untaxed), TaxRounding: setting("DOCUMENT"), PaymentTermsDays: setting(365)})
			if asJSON(changed) != `["defaultTaxMode","defaultTaxRounding","paymentTermsDays"]` {
				t.Errorf("changed %v", changed)
			}
			return err
		}))
		must(t, w.books(func(b *ledger.Book) error {
			changed, err := b.SetDefaults(ctx, ledger.DefaultsPatch{TaxRounding: setting("DOCUMENT")})
			if len(changed) != 0 {
				t.Errorf("changed %v", changed)
			}
			return err
		}))
		for name, c := range map[string]struct {
			patch ledger.DefaultsPatch
			want  string
		}{
			"nulls": {ledger.DefaultsPatch{
				TaxMode: record.Clearing[money.TaxMode](), TaxRounding: record.Clearing[string](), PaymentTermsDays: record.Clearing[int](),
			}, "defaultTaxMode defaultTaxRounding paymentTermsDays"},
			"bad values": {ledger.DefaultsPatch{TaxMode: setting(money.TaxMode("x")), TaxRounding: setting(""), PaymentTermsDays: setting(366)},
				"defaultTaxMode defaultTaxRounding paymentTermsDays"},
			"a negative number of days": {ledger.DefaultsPatch{PaymentTermsDays: setting(-1)}, "paymentTermsDays"},
		} {
			_, err := do(w, w.SetDefaults(w.by, c.patch))
			if got := offences(err); got != c.want {
				t.Errorf("%s: offences are %s", name, got)
			}
		}
		done(t, w, w.SetLockDate(w.by, ptr("2026-01-31")))
		if f, err := w.Facts(ctx, w.by); err != nil || f.Defaults.PaymentTermsDays != 365 || *f.LockDate != "2026-01-31" {
			t.Errorf("the lock date touched %+v, %v", f, err)
		}
		wantTold(t, w.told(t, 1)) // only the lock was told of
	})
}

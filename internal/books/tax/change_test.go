package tax_test

import (
	"slices"
	"testing"
	"time"

	"daybook/internal/base/fault"
	"daybook/internal/base/money"
	"daybook/internal/books/ledger"
	"daybook/internal/books/record"
	"daybook/internal/books/tax"
	"daybook/internal/platform/event"
)

func TestOnlyTheNameOfARateIsEdited(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		r := w.rate(t, standard)
		w.Clock.Advance(time.Minute)
		renamed, err := run(w, w.Update(w.by, r.ID, tax.Patch{Name: record.Setting(" High ")}, nil))
		must(t, err)
		wanted := r
		wanted.Name, wanted.Version, wanted.UpdatedAt = "High", 2, r.UpdatedAt.Add(time.Minute)
		if read, err := w.Get(ctx, w.by, r.ID); err != nil || read != wanted || renamed != wanted {
			t.Errorf("read %+v, answered %+v, want %+v (%v)", read, renamed, wanted, err)
		}
		for _, nothing := range []tax.Patch{{}, {Name: record.Setting("High ")}} {
			if same, err := run(w, w.Update(w.by, r.ID, nothing, nil)); err != nil || same != wanted {
				t.Errorf("a patch that changes nothing gave %+v, %v", same, err)
			}
		}
		if got := w.events(t, w.by)[1:]; !slices.Equal(got, []string{changed(r, "ACTIVE", 2, "name")}) {
			t.Errorf("told %q", got)
		}
		for patch, says := range map[tax.Patch]string{{Name: record.Setting("")}: "name", {Name: record.Clearing[string]()}: "name"} {
			if _, err := run(w, w.Update(w.by, r.ID, patch, nil)); offences(err) != says {
				t.Errorf("%+v: %v", patch, err)
			}
		}
	})
}

// changed is tax_rate.updated.
func changed(r tax.Rate, status string, version int, member string) string {
	return told(event.TaxRateUpdated, event.Data{
		"taxRateId": r.ID, "rate": r.Rate, "kind": r.Kind, "status": status, "version": version, "changes": []string{member},
	})
}

func TestARateIsArchivedAndRestored(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		r := w.rate(t, standard)
		want(t, r.Usable(), nil)
		_, err := run(w, w.Restore(w.by, r.ID, nil))
		want(t, err, record.ErrState.With("ACTIVE", "restore"))
		archived, err := run(w, w.Archive(w.by, r.ID, nil))
		must(t, err)
		want(t, archived.Usable(), record.ErrArchived.With(record.TaxRate))
		_, err = run(w, w.Archive(w.by, r.ID, nil))
		want(t, err, record.ErrState.With("ARCHIVED", "archive"))
		restored, err := run(w, w.Restore(w.by, r.ID, nil))
		must(t, err)
		if archived.Status != tax.Archived || archived.Version != 2 || restored.Status != tax.Active || restored.Version != 3 {
			t.Errorf("archived %+v, restored %+v", archived, restored)
		}
		wanted := []string{changed(r, "ARCHIVED", 2, "status"), changed(r, "ACTIVE", 3, "status")}
		if got := w.events(t, w.by)[1:]; !slices.Equal(got, wanted) {
			t.Errorf("told %q, want %q", got, wanted)
		}
	})
}

func TestARateStaysArchivedWhenItsAccountIs(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		n := standard
		n.AccountID = pointer(w.account(t, "2110", "OUTPUT_TAX"))
		r := w.rate(t, n)
		_, err := run(w, w.Archive(w.by, r.ID, nil))
		must(t, err)
		w.exec(t, `UPDATE accounts SET status = 'ARCHIVED' WHERE id = $1`, r.AccountID)
		_, err = run(w, w.Restore(w.by, r.ID, nil))
		want(t, err, record.ErrArchived.With(record.Account))
	})
}

func TestAnotherPercentageIsAnotherRecord(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		n := standard
		n.AccountID = pointer(w.account(t, "2110", "OUTPUT_TAX"))
		old := w.rate(t, n)
		w.Clock.Advance(time.Hour)
		fresh, err := run(w, w.Supersede(w.by, old.ID, tax.Successor{Rate: record.Setting(money.MustFactor("22"))}, nil))
		must(t, err)
		wanted := old
		wanted.ID, wanted.Rate, wanted.CreatedAt, wanted.UpdatedAt = fresh.ID, money.MustFactor("22"), w.Clock.Now(), w.Clock.Now()
		if fresh != wanted || fresh.ID == old.ID {
			t.Errorf("got %+v, want %+v", fresh, wanted)
		}
		past, err := w.Get(ctx, w.by, old.ID)
		must(t, err)
		if past.Status != tax.Archived || past.Rate != old.Rate || past.Version != 2 {
			t.Errorf("the old one became %+v", past)
		}
		told := []string{changed(old, "ARCHIVED", 2, "status"),
			told(event.TaxRateCreated, event.Data{"taxRateId": fresh.ID, "rate": "22", "kind": "SALES", "status": "ACTIVE", "version": 1})}
		if got := w.events(t, w.by)[1:]; !slices.Equal(got, told) {
			t.Errorf("told %q, want %q", got, told)
		}
	})
}

func TestASuccessorIsARateLikeAnyOther(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		n := standard
		n.AccountID = pointer(w.account(t, "2110", "OUTPUT_TAX"))
		r := w.rate(t, n)
		for _, c := range []struct {
			to   tax.Successor
			says string
		}{
			{tax.Successor{Rate: record.Setting(money.MustFactor("101"))}, "rate"},
			{tax.Successor{Name: record.Setting("")}, "name"},
			{tax.Successor{Category: record.Setting(tax.Exempt)}, "rate"},
			{tax.Successor{Name: record.Clearing[string](), Rate: record.Clearing[money.Factor](), Kind: record.Clearing[tax.Kind](),
				Category: record.Clearing[tax.Category]()}, "name rate kind category"},
		} {
			if _, err := run(w, w.Supersede(w.by, r.ID, c.to, nil)); offences(err) != c.says {
				t.Errorf("got %v, want %s", err, c.says)
			}
		}
		_, err := run(w, w.Supersede(w.by, r.ID, tax.Successor{AccountID: record.Setting(w.bank)}, nil))
		want(t, err, ledger.ErrType.With("accountId", "OUTPUT_TAX"))
		for _, nothing := range []tax.Successor{{}, {Rate: record.Setting(r.Rate), Name: record.Setting(r.Name)}} {
			if same, err := run(w, w.Supersede(w.by, r.ID, nothing, nil)); err != nil || same != r {
				t.Errorf("a successor that differs in nothing gave %+v, %v", same, err)
			}
		}
		if read, err := w.Get(ctx, w.by, r.ID); err != nil || read != r || len(w.events(t, w.by)) != 1 {
			t.Errorf("a refusal left %+v, %v and %q", read, err, w.events(t, w.by))
		}
		toDefault, err := run(w, w.Supersede(w.by, r.ID, tax.Successor{AccountID: record.Clearing[string]()}, nil))
		must(t, err)
		toPurchase, err := run(w, w.Supersede(w.by, toDefault.ID, tax.Successor{Kind: record.Setting(tax.Purchase)}, nil))
		must(t, err)
		if toDefault.AccountID != w.output || toPurchase.AccountID != w.input {
			t.Errorf("booked on %s and %s, want %s and %s", toDefault.AccountID, toPurchase.AccountID, w.output, w.input)
		}
		_, err = run(w, w.Supersede(w.by, r.ID, tax.Successor{Name: record.Setting("Again")}, nil))
		want(t, err, record.ErrState.With("ARCHIVED", "supersede"))
	})
}

func TestEveryChangeOfARateAsksForTheVersionSeen(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		r := w.rate(t, standard)
		verbs := map[string]func(by record.Call, rateID string, seen *int) error{
			"update": func(by record.Call, rateID string, seen *int) error {
				_, err := run(w, w.Update(by, rateID, tax.Patch{Name: record.Setting("Other")}, seen))
				return err
			},
			"archive": func(by record.Call, rateID string, seen *int) error {
				_, err := run(w, w.Archive(by, rateID, seen))
				return err
			},
			"restore": func(by record.Call, rateID string, seen *int) error {
				_, err := run(w, w.Restore(by, rateID, seen))
				return err
			},
			"supersede": func(by record.Call, rateID string, seen *int) error {
				_, err := run(w, w.Supersede(by, rateID, tax.Successor{Name: record.Setting("Other")}, seen))
				return err
			},
		}
		for name, verb := range verbs {
			for _, seen := range []int{0, 2} {
				want(t, verb(w.by, r.ID, &seen), record.ErrStale.With(1, seen))
			}
			foreign, unknown := verb(w.other, r.ID, nil), verb(w.other, "tax_nothing", nil)
			if foreign == nil || unknown == nil || foreign.Error() != unknown.Error() || fault.KindOf(foreign) != fault.NotFound {
				t.Errorf("%s of another business's rate: %v; of none: %v", name, foreign, unknown)
			}
		}
		must(t, verbs["archive"](w.by, r.ID, pointer(1)))
		must(t, verbs["restore"](w.by, r.ID, pointer(2)))
		must(t, verbs["update"](w.by, r.ID, pointer(3)))
		must(t, verbs["supersede"](w.by, r.ID, pointer(4)))
	})
}

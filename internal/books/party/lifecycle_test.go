package party_test

import (
	"context"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"daybook/internal/base/db"
	"daybook/internal/base/id"
	"daybook/internal/books/party"
	"daybook/internal/books/record"
	"daybook/internal/platform/event"
)

func TestAPartyIsArchivedAndRestored(t *testing.T) {
	eachKind(t, func(t *testing.T, w *world) {
		p := w.make(t, full())
		want(t, p.Usable(), nil)
		_, err := run(w, w.Restore(w.app, w.kind, p.ID, nil))
		want(t, err, record.ErrState.With("ACTIVE", "restore"))
		w.Clock.Advance(time.Minute)
		archived, err := run(w, w.Archive(w.app, w.kind, p.ID, nil))
		must(t, err)
		want(t, archived.Usable(), record.ErrArchived.With(w.kind))
		_, err = run(w, w.Archive(w.app, w.kind, p.ID, nil))
		want(t, err, record.ErrState.With("ARCHIVED", "archive"))
		_, err = run(w, w.Update(w.app, w.kind, p.ID, party.Patch{Phone: record.Setting("1")}, nil))
		must(t, err) // what is archived can still be put right
		restored, err := run(w, w.Restore(w.app, w.kind, p.ID, nil))
		must(t, err)
		want(t, restored.Usable(), nil)
		wanted := p
		wanted.Phone, wanted.Version, wanted.UpdatedAt = pointer("1"), 4, p.UpdatedAt.Add(time.Minute)
		if read, err := w.Get(ctx, w.app, w.kind, p.ID); err != nil || !reflect.DeepEqual(read, wanted) || !reflect.DeepEqual(restored, wanted) {
			t.Errorf("read %s, %v", show(read), err)
		}
		common := event.Data{"type": "INDIVIDUAL", "currency": "GBP"}
		with := func(more event.Data) event.Data {
			for name, value := range common {
				more[name] = value
			}
			return more
		}
		told := []string{
			w.told("archived", p, with(event.Data{"status": "ARCHIVED", "version": 2})),
			w.told("updated", p, with(event.Data{"status": "ARCHIVED", "version": 3, "changes": []string{"phone"}})),
			w.told("updated", p, with(event.Data{"status": "ACTIVE", "version": 4, "changes": []string{"status"}})),
		}
		if got := w.events(t)[1:]; !slices.Equal(got, told) {
			t.Errorf("told %q, want %q", got, told)
		}
	})
}

func TestRedactionLeavesNothingPersonal(t *testing.T) {
	eachKind(t, func(t *testing.T, w *world) {
		n := full()
		if w.kind == record.Customer {
			n.ShippingAddress = place(pointer("Dock"), pointer("Gate"), pointer("Leith"), pointer("Scotland"), pointer("EH6"), pointer("GB"))
		}
		rate := w.rate(t, w.app)
		n.DefaultTaxRateID = &rate.ID
		p := w.make(t, n)
		_, err := run(w, w.Update(w.app, w.kind, p.ID, party.Patch{Notes: record.Setting("Analytical")}, nil))
		must(t, err)
		w.Clock.Advance(time.Minute)
		redacted, err := run(w, w.Redact(w.person, w.kind, p.ID, pointer(2)))
		must(t, err)

		wanted := party.Party{
			ID: p.ID, BusinessID: p.BusinessID, Kind: w.kind, Type: p.Type, DisplayName: "Redacted", Currency: p.Currency, PaymentTermsDays: p.PaymentTermsDays,
			DefaultTaxRateID: p.DefaultTaxRateID, Status: party.Redacted, ExternalID: p.ExternalID, MadeBy: w.app.Actor, ChangedBy: w.person.Actor,
			Version: 3, CreatedAt: p.CreatedAt,
			UpdatedAt: p.UpdatedAt.Add(time.Minute),
		}
		if read, err := w.Get(ctx, w.app, w.kind, p.ID); err != nil || !reflect.DeepEqual(read, wanted) {
			t.Errorf("read %s, %v, want %s", show(read), err, show(wanted))
		}
		wanted.ExternalID = nil // the app's name is none of the person's business
		if !reflect.DeepEqual(redacted, wanted) {
			t.Errorf("answered %s", show(redacted))
		}
		wantRow := `["INDIVIDUAL","Redacted","redacted",null,null,null,null,null,null,null,"GBP",null,null,null,"REDACTED"]`
		if row := w.row(t, p.ID); row != wantRow {
			t.Errorf("the row holds %s", row)
		}
		for _, e := range w.events(t) {
			for _, word := range []string{"ada", "lovelace", "king", "example", "1815", "gb123", "engine", "analytical", "james", "london", "leith", "dock"} {
				if strings.Contains(strings.ToLower(strings.ReplaceAll(e, p.ID, "")), word) {
					t.Errorf("%q is told in %s", word, e)
				}
			}
		}
		want(t, redacted.Usable(), record.ErrArchived.With(w.kind))
	})
}

func TestAppsAreAskedToRedact(t *testing.T) {
	eachKind(t, func(t *testing.T, w *world) {
		p := w.make(t, party.New{DisplayName: "x"})
		_, err := run(w, w.Redact(w.person, w.kind, p.ID, nil))
		must(t, err)
		events := w.events(t)
		kind, text, _ := strings.Cut(events[len(events)-1], " ")
		var data map[string]any
		must(t, json.Unmarshal([]byte(text), &data))
		request, _ := data["requestId"].(string)
		wanted := map[string]any{string(w.kind) + "Id": p.ID, "requestId": request, "dueBy": "2026-12-14T12:00:00.000Z"}
		if kind != string(w.kind)+".redact" || len(events) != 2 || !id.Valid("rdr", request) || !reflect.DeepEqual(data, wanted) {
			t.Errorf("told %q", events)
		}
	})
}

func TestRedactionIsFinal(t *testing.T) {
	eachKind(t, func(t *testing.T, w *world) {
		p := w.make(t, party.New{DisplayName: "x"})
		_, err := run(w, w.Archive(w.app, w.kind, p.ID, nil))
		must(t, err)
		_, err = run(w, w.Redact(w.person, w.kind, p.ID, nil)) // from the archive, too
		must(t, err)
		for action, step := range map[string]db.Step[party.Party]{
			"update": w.Update(w.app, w.kind, p.ID, party.Patch{DisplayName: record.Setting("Ada")}, nil), "archive": w.Archive(w.app, w.kind, p.ID, nil),
			"restore": w.Restore(w.app, w.kind, p.ID, nil), "redact": w.Redact(w.person, w.kind, p.ID, nil),
		} {
			_, err := run(w, step)
			want(t, err, record.ErrState.With("REDACTED", action))
		}
	})
}

func TestAPartyThatNothingRefersToIsDeleted(t *testing.T) {
	eachKind(t, func(t *testing.T, w *world) {
		p := w.make(t, full())
		_, err := run(w, w.Delete(w.app, w.kind, p.ID, pointer(1)))
		must(t, err)
		_, err = w.Get(ctx, w.app, w.kind, p.ID)
		want(t, err, record.ErrNotFound.With(w.kind))
		if got := w.events(t)[1:]; !slices.Equal(got, []string{w.told("deleted", p, event.Data{"version": 2})}) {
			t.Errorf("told %q", got)
		}
		again := w.make(t, full()) // the name that the app had for it is free
		if again.ID == p.ID {
			t.Error("the same id twice")
		}
	})
}

func TestAPartyInUseStays(t *testing.T) {
	eachKind(t, func(t *testing.T, w *world) {
		p := w.make(t, full())
		w.used[p.ID] = true
		_, err := run(w, w.Delete(w.app, w.kind, p.ID, nil))
		want(t, err, record.ErrInUse.With(w.kind))
		read, err := w.Get(ctx, w.app, w.kind, p.ID)
		if err != nil || !reflect.DeepEqual(read, p) || len(w.events(t)) != 1 {
			t.Errorf("left %s, %v, told %q", show(read), err, w.events(t))
		}
	})
}

// What nobody told Service.Uses about is still guarded by the database.
func TestAPartyThatARowNamesStays(t *testing.T) {
	eachKind(t, func(t *testing.T, w *world) {
		p := w.make(t, full())
		column := string(w.kind) + "_id"
		must(t, w.Write(ctx, func(tx *db.Tx) error {
			_, err := tx.Exec(ctx, `INSERT INTO payments (id, business_id, kind, date, amount, currency, method, bank_account_id, `+column+`, allocated, refunded,
				unallocated, base_amount, base_credit, entries, made_by, changed_by, version, created_at, updated_at)
				SELECT $1, a.business_id, 'RECEIPT', '2026-01-01', 1, 'EUR', 'CASH', a.id, $1, 0, 0, 1, 1, 1, 1, '{}', '{}', 1, 0, 0
				FROM accounts a WHERE a.business_id = $2 AND a.system_role = 'DEFAULT_BANK'`, p.ID, p.BusinessID)
			return err
		}))
		_, err := run(w, w.Delete(w.app, w.kind, p.ID, nil))
		want(t, err, record.ErrInUse.With(w.kind))
		if read, err := w.Get(ctx, w.app, w.kind, p.ID); err != nil || !reflect.DeepEqual(read, p) {
			t.Errorf("left %s, %v", show(read), err)
		}
	})
}

func TestAMalfunctionOfAUseIsNoPermission(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.make(t, full())
		w.Uses = append(w.Uses, func(context.Context, *db.Tx, string, string) (bool, error) { return false, context.DeadlineExceeded })
		if _, err := run(w, w.Delete(w.app, w.kind, p.ID, nil)); err != context.DeadlineExceeded {
			t.Errorf("got %v", err)
		}
		if _, err := w.Get(ctx, w.app, w.kind, p.ID); err != nil {
			t.Error(err)
		}
	})
}

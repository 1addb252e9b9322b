package sandbox_test

import (
	"fmt"
	"maps"
	"strings"
	"sync"
	"testing"
	"time"

	"daybook/internal/base/db"
	"daybook/internal/base/outbound"
	"daybook/internal/base/secret"
	"daybook/internal/books/sandbox"
	"daybook/internal/platform/appdata"
	"daybook/internal/platform/event"
	"daybook/internal/platform/tally"
	"daybook/internal/platform/webhook"
	"daybook/internal/tenancy/business"
)

func secretOf(s string) secret.Secret { return secret.Of(s) }

// tables that name businesses.
const businessTables = "payment_allocations payments invoices journal_lines journal_entries account_months party_balances parties tax_rates accounts plan_usage " +
	"external_ids idempotency_keys app_data events event_counters token_families installations books business_members role_overrides sandboxes deliveries"

// rows prints every row that a business has, by table, so that not a byte of it can change unseen.
func (w *world) rows(businessID string) map[string]string {
	w.t.Helper()
	all := map[string]string{}
	for _, name := range strings.Fields(businessTables) {
		must(w.t, w.Read(ctx, func(tx *db.Tx) error {
			sql := `SELECT CAST(t.* AS TEXT) FROM ` + name + ` t WHERE t.business_id = $1 ORDER BY 1`
			if tx.Dialect() == db.SQLite {
				columns, err := db.All(ctx, tx, db.Value[string], `SELECT 'quote(' || name || ')' FROM pragma_table_info('`+name+`')`)
				if err != nil {
					return err
				}
				sql = `SELECT ` + strings.Join(columns, ` || ',' || `) + ` FROM ` + name + ` WHERE business_id = $1 ORDER BY 1`
			}
			list, err := db.All(ctx, tx, db.Value[string], sql, businessID)
			if len(list) > 0 {
				all[name] = fmt.Sprintf("%d rows\n%s", len(list), strings.Join(list, "\n"))
			}
			return err
		}))
	}
	return all
}

// lively is a sandbox in which something of nearly everything happened.
func (w *world) lively(seed business.Seed) sandbox.View {
	w.t.Helper()
	shop, a := w.shop(seed), w.newApp()
	_, err := w.made.AppData.Declare(ctx, a.ID, w.developer, appdata.NewField{ResourceType: appdata.Customer, Key: "colour", Label: "Colour", Type: appdata.Text})
	must(w.t, err)
	for _, kind := range []event.Type{
		event.AppInstalled, event.InvoicePaid, event.InvoiceVoided, event.PaymentRefunded, event.PaymentMade, event.EntryReversed, event.AppDataUpdated, event.BooksLocked,
	} {
		want := sandbox.Want{Type: kind}
		if kind == event.AppInstalled || kind == event.AppDataUpdated {
			want.ClientID = &a.ClientID
		}
		_, err := w.made.Trigger(ctx, shop.ID, w.developer, want)
		must(w.t, err)
	}
	return shop
}

func TestResetBringsTheSeedBack(t *testing.T) {
	for _, seed := range []business.Seed{business.EmptySeed, business.DemoSeed} {
		t.Run(string(seed), func(t *testing.T) {
			each(t, func(t *testing.T, w *world) {
				shop, canary := w.lively(seed), w.lively(business.EmptySeed)
				before, others := w.rows(shop.ID), w.rows(canary.ID)
				accounts := w.count(`SELECT count(*) FROM accounts WHERE business_id = $1`, w.shop(seed).ID)
				last := w.count(`SELECT last FROM event_counters WHERE business_id = $1`, shop.ID)
				done, busy := w.race(8, func() error { _, err := w.made.Reset(ctx, shop.ID, w.developer); return err }, "SANDBOX_BUSY")
				if done < 1 || done+busy != 8 {
					t.Errorf("%d reset, %d busy", done, busy)
				}
				after := w.rows(shop.ID)
				for _, same := range []string{"installations", "business_members"} {
					if before[same] != after[same] {
						t.Errorf("%s changed", same)
					}
				}
				if n := w.count(`SELECT count(*) FROM accounts WHERE business_id = $1`, shop.ID); n != accounts || before["accounts"] == after["accounts"] {
					t.Errorf("%d accounts, want %d", n, accounts)
				}
				if _, kept := after["app_data"]; kept {
					t.Error("values outlive their records")
				}
				if seed == business.EmptySeed && after["journal_lines"]+after["parties"]+after["plan_usage"] != "" || seed == business.DemoSeed && after["invoices"] == "" {
					t.Errorf("after: %v", after)
				}
				if w.count(`SELECT count(*) FROM events WHERE business_id = $1 AND number <= $2`, shop.ID, last) != last {
					t.Error("events are gone")
				}
				_, err := w.made.Trigger(ctx, shop.ID, w.developer, sandbox.Want{Type: event.InvoicePaid})
				must(t, err)
				if n := w.count(`SELECT last FROM event_counters WHERE business_id = $1`, shop.ID); n <= last || n != w.count(`SELECT count(*) FROM events WHERE business_id = $1`, shop.ID) {
					t.Errorf("the counter stands at %d, and stood at %d", n, last)
				}
				if !maps.Equal(others, w.rows(canary.ID)) {
					t.Error("another sandbox changed")
				}
			})
		})
	}
}

func TestDeletedRowsAreGone(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		shop, canary := w.lively(business.DemoSeed), w.lively(business.EmptySeed)
		others := w.rows(canary.ID)
		done, gone := w.race(8, func() error { return w.made.Delete(ctx, shop.ID, w.developer, 0) }, "NOT_FOUND")
		if done != 1 || gone != 7 {
			t.Errorf("%d deleted, %d found nothing", done, gone)
		}
		if left := w.rows(shop.ID); len(left) > 0 {
			t.Errorf("left are %v", left)
		}
		if w.count(`SELECT count(*) FROM businesses WHERE id = $1`, shop.ID)+w.count(`SELECT count(*) FROM consents c LEFT JOIN installations i ON i.id = c.installation_id WHERE i.id IS NULL`) != 0 {
			t.Error("something is left")
		}
		if !maps.Equal(others, w.rows(canary.ID)) {
			t.Error("another sandbox changed")
		}
		for _, err := range []error{w.made.Delete(ctx, shop.ID, w.developer, 0), func() error { _, err := w.made.Get(ctx, shop.ID, w.owner); return err }()} {
			refused(t, err, "NOT_FOUND")
		}
	})
}

// TestDeliveriesThatGoAreNotCountedAnyMore deletes a sandbox that webhooks were told of, in hours that are counted, while a node counts others.
func TestDeliveriesThatGoAreNotCountedAnyMore(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		shop, canary, a := w.shop(business.EmptySeed), w.shop(business.EmptySeed), w.newApp()
		client := outbound.New(outbound.Options{AllowLoopbackHTTP: true})
		t.Cleanup(client.Close)
		hooks := &webhook.Service{DB: w.DB, IDs: w.IDs, Keys: secret.RandomKeys(), Clock: w.Clock, Outbound: client}
		_, err := hooks.Create(ctx, a.ID, w.developer, webhook.New{URL: "http://127.0.0.1:9/", Events: []event.Type{event.AppInstalled, event.CustomerCreated}, Enabled: true})
		must(t, err)
		counts, begun := &tally.Service{DB: w.DB}, w.Clock.Now()
		for _, one := range []string{shop.ID, canary.ID} {
			_, err := w.made.Trigger(ctx, one, w.developer, sandbox.Want{Type: event.AppInstalled, ClientID: &a.ClientID})
			must(t, err)
		}
		for range 5 {
			for _, one := range []string{shop.ID, shop.ID, canary.ID} {
				_, err := w.made.Trigger(ctx, one, w.developer, sandbox.Want{Type: event.CustomerCreated})
				must(t, err)
			}
			w.Clock.Advance(time.Hour)
		}
		w.Clock.Advance(time.Hour)
		must(t, counts.CountHours(ctx))
		w.Clock.Advance(24 * time.Hour)
		counted := func() int {
			return w.count(`SELECT CAST(coalesce(sum(made), 0) AS BIGINT) FROM delivery_counts WHERE business_id = '' AND begins_at >= $1`, begun.Truncate(time.Hour))
		}
		if n := counted(); n != 2+15 {
			t.Fatalf("%d are counted", n)
		}
		var wait sync.WaitGroup
		wait.Go(func() {
			if err := counts.CountHours(ctx); err != nil {
				t.Error(err)
			}
		})
		done, _ := w.race(4, func() error { return w.made.Delete(ctx, shop.ID, w.developer, 0) }, "NOT_FOUND")
		wait.Wait()
		if done != 1 {
			t.Fatalf("%d deleted it", done)
		}
		if n := w.count(`SELECT CAST(coalesce(sum(made), 0) AS BIGINT) FROM delivery_counts WHERE business_id = $1`, shop.ID); n != 0 || counted() != 1+5 {
			t.Errorf("%d of the sandbox are counted, and %d of all", n, counted())
		}
	})
}

// TestWhatAStoppedNodeLeftIsFinished stops a reset and a deletion right after they began.
func TestWhatAStoppedNodeLeftIsFinished(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		reset, closing := w.lively(business.EmptySeed), w.lively(business.EmptySeed)
		must(t, w.Write(ctx, func(tx *db.Tx) error {
			for id, to := range map[string]business.SandboxState{reset.ID: business.SandboxResetting, closing.ID: business.SandboxClosing} {
				if _, err := business.MoveSandbox(ctx, tx, id, to, business.SandboxReady); err != nil {
					return err
				}
				if _, err := tx.Exec(ctx, `UPDATE books SET emptying_since = 1 WHERE business_id = $1`, id); err != nil {
					return err
				}
			}
			return nil
		}))
		_, err := w.made.Reset(ctx, reset.ID, w.developer)
		refused(t, err, "SANDBOX_BUSY")
		_, err = w.made.Trigger(ctx, reset.ID, w.developer, sandbox.Want{Type: event.CustomerCreated})
		refused(t, err, "SANDBOX_BUSY")
		_, err = w.made.Get(ctx, closing.ID, w.developer)
		refused(t, err, "NOT_FOUND")
		must(t, w.made.Finish(ctx)) // too early
		if v, err := w.made.Get(ctx, reset.ID, w.developer); err != nil || v.State != business.SandboxResetting {
			t.Errorf("%+v, %v", v, err)
		}
		w.Clock.Advance(3 * time.Minute)
		must(t, w.made.Finish(ctx))
		if v, err := w.made.Get(ctx, reset.ID, w.developer); err != nil || v.State != business.SandboxReady || v.Usage.Invoices != 0 {
			t.Errorf("%+v, %v", v, err)
		}
		if left := w.rows(closing.ID); len(left) > 0 {
			t.Errorf("left are %v", left)
		}
		_, err = w.made.Trigger(ctx, reset.ID, w.developer, sandbox.Want{Type: event.InvoicePaid})
		must(t, err)
	})
}

// TestRealBooksAreNeverEmptied asks the database itself.
func TestRealBooksAreNeverEmptied(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		real, err := w.made.Businesses.Create(ctx, business.New{Name: "Real", Country: "NL", Currency: "EUR"}, w.developer)
		must(t, err)
		shop := w.lively(business.EmptySeed)
		for _, sql := range []string{`UPDATE books SET emptying_since = 1 WHERE business_id = '` + real.ID + `'`, `DELETE FROM journal_lines WHERE business_id = '` + shop.ID + `'`,
			`DELETE FROM journal_entries WHERE business_id = '` + shop.ID + `'`} {
			if err := w.Write(ctx, func(tx *db.Tx) error { _, err := tx.Exec(ctx, sql); return err }); err == nil {
				t.Errorf("the database let it pass: %s", sql)
			}
		}
	})
}

package sandbox_test

import (
	"slices"
	"testing"

	"daybook/internal/base/money"
	"daybook/internal/books/sandbox"
	"daybook/internal/platform/appdata"
	"daybook/internal/platform/event"
	"daybook/internal/tenancy/business"
)

// TestEveryEventCanBeTriggered goes through the catalog. What needs an app comes in an order in which there is one.
func TestEveryEventCanBeTriggered(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		shop, a := w.shop(business.EmptySeed), w.newApp()
		_, err := w.made.AppData.Declare(ctx, a.ID, w.developer, appdata.NewField{ResourceType: appdata.Customer, Key: "colour", Label: "Colour", Type: appdata.Text})
		must(t, err)
		var order []event.Type
		last := []event.Type{event.AppInstalled, event.AppScopesUpdated, event.AppDataUpdated, event.AppUninstalled, event.BusinessRedact, event.PlanLimitReached}
		for _, e := range event.Catalog {
			if !slices.Contains(last, e.Type) {
				order = append(order, e.Type)
			}
		}
		for _, kind := range append(order, last...) {
			want := sandbox.Want{Type: kind}
			if kind == event.AppInstalled { // leaves something to add
				want.Overrides.Scopes = []string{"profile:read", "customers:read"}
			}
			out, err := w.made.Trigger(ctx, shop.ID, w.developer, want)
			if err != nil {
				t.Errorf("%s: %v", kind, err)
				continue
			}
			var same []event.Event
			for _, e := range out.Events {
				if e.Type == kind {
					same = append(same, e)
				}
			}
			if len(same) != 1 || out.Record.ID == "" || w.count(`SELECT count(*) FROM events WHERE id = $1 AND business_id = $2 AND type = $3`, same[0].ID, shop.ID, string(kind)) != 1 {
				t.Errorf("%s led to %+v", kind, out)
			}
		}
		if events, last := w.count(`SELECT count(*) FROM events WHERE business_id = $1`, shop.ID), w.count(`SELECT last FROM event_counters WHERE business_id = $1`, shop.ID); events != last {
			t.Errorf("%d events, and %d were counted", events, last)
		}
	})
}

// TestTriggersInBooksThatAreInUse goes through what writes to the books, among a year of them, and in currencies without minor
// units and with a thousand of them.
func TestTriggersInBooksThatAreInUse(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for currency, seed := range map[string]business.Seed{"EUR": business.DemoSeed, "JPY": business.EmptySeed, "BHD": business.EmptySeed} {
			shop, err := w.made.Create(ctx, w.organization, w.developer, sandbox.New{Name: "Shop", Country: "NL", Currency: currency, Seed: seed})
			must(t, err)
			for _, e := range event.Catalog {
				if e.Audience == event.ForApp || e.Type == event.PlanLimitReached {
					continue
				}
				out, err := w.made.Trigger(ctx, shop.ID, w.owner, sandbox.Want{Type: e.Type})
				if err != nil || !slices.ContainsFunc(out.Events, func(o event.Event) bool { return o.Type == e.Type }) {
					t.Errorf("%s in %s: %+v, %v", e.Type, currency, out, err)
				}
			}
		}
	})
}

// TestOverridesNameWhatToWorkOn takes one record through its life.
func TestOverridesNameWhatToWorkOn(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		shop := w.shop(business.EmptySeed)
		trigger := func(kind event.Type, o sandbox.Overrides) sandbox.Outcome {
			t.Helper()
			out, err := w.made.Trigger(ctx, shop.ID, w.developer, sandbox.Want{Type: kind, Overrides: o})
			must(t, err)
			return out
		}
		amount, part := money.Amount(12345), money.Amount(345)
		customer := trigger(event.CustomerCreated, sandbox.Overrides{}).Record.ID
		invoice := trigger(event.InvoiceCreated, sandbox.Overrides{CustomerID: &customer, Amount: &amount}).Record.ID
		for _, step := range []struct {
			kind event.Type
			with sandbox.Overrides
		}{
			{event.InvoiceUpdated, sandbox.Overrides{}}, {event.InvoiceIssued, sandbox.Overrides{}}, {event.InvoiceSent, sandbox.Overrides{}},
			{event.InvoicePartiallyPaid, sandbox.Overrides{Amount: &part}}, {event.InvoicePaid, sandbox.Overrides{}},
		} {
			step.with.InvoiceID = &invoice
			if out := trigger(step.kind, step.with); out.Record.ID != invoice {
				t.Errorf("%s worked on %v", step.kind, out.Record)
			}
		}
		if w.count(`SELECT count(*) FROM invoices WHERE business_id = $1`, shop.ID) != 1 || w.count(`SELECT amount_paid FROM invoices WHERE id = $1`, invoice) != 12345 {
			t.Error("something else was made")
		}
		payment := trigger(event.PaymentReceived, sandbox.Overrides{CustomerID: &customer, Amount: &amount}).Record.ID
		trigger(event.PaymentUpdated, sandbox.Overrides{PaymentID: &payment})
		trigger(event.PaymentRefunded, sandbox.Overrides{PaymentID: &payment, Amount: &part})
		if w.count(`SELECT refunded FROM payments WHERE id = $1`, payment) != 345 {
			t.Error("not refunded")
		}
		_, err := w.made.Trigger(ctx, shop.ID, w.developer, sandbox.Want{Type: event.InvoicePaid, Overrides: sandbox.Overrides{InvoiceID: &invoice}})
		if err == nil {
			t.Error("an invoice was paid twice")
		}
	})
}

package sandbox_test

import (
	"slices"
	"testing"

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

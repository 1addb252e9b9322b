package event_test

import (
	"fmt"
	"testing"
	"time"

	"daybook/internal/platform/event"
	"daybook/internal/platform/scope"
)

// EVTS-01: an app's developers see what the app may see, where it is installed, the newest first.
func TestWhatDevelopersSeeOfEvents(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		shop, cafe := w.business(), w.business()
		app := w.reader(shop, scope.InvoicesRead, scope.CustomersRead)
		other := w.reader(shop, scope.InvoicesRead)
		w.tell(shop, app.AppID, event.CustomerCreated)
		w.Clock.Advance(event.Life)
		for _, one := range []struct {
			business string
			types    []event.Type
		}{
			{shop, []event.Type{event.InvoiceCreated, event.PaymentReceived, event.AppInstalled}}, {cafe, []event.Type{event.InvoicePaid, event.CustomerCreated}}, {shop, []event.Type{event.CustomerUpdated}},
		} {
			w.Clock.Advance(time.Minute)
			w.tell(one.business, app.AppID, one.types...)
		}
		both := []event.Place{{BusinessID: shop, Granted: app.Scopes}, {BusinessID: cafe, Granted: scope.Of(scope.InvoicesRead)}}
		for _, c := range []struct {
			name   string
			app    event.Reader
			places []event.Place
			most   int
			want   []event.Type
		}{
			{"what is too old is not there, nor what needs a scope", app, both, 9, []event.Type{event.CustomerUpdated, event.InvoicePaid, event.AppInstalled, event.InvoiceCreated}},
			{"some", app, both, 2, []event.Type{event.CustomerUpdated, event.InvoicePaid}},
			{"another app's own events are not for this one", other, both[:1], 9, []event.Type{event.InvoiceCreated}},
			{"nowhere", app, nil, 9, nil},
		} {
			found, err := w.feed.Heard(ctx, c.app.AppID, c.app.Scopes, c.places, c.most)
			must(t, err)
			var got []event.Type
			for _, e := range found {
				got = append(got, e.Type)
			}
			if fmt.Sprint(got) != fmt.Sprint(c.want) {
				t.Errorf("%s: %v, want %v", c.name, got, c.want)
			}
		}
	})
}

package webhook

import (
	"bytes"
	"errors"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"daybook/internal/base/cursor"
	"daybook/internal/base/db"
	"daybook/internal/base/fault"
	"daybook/internal/platform/app"
	"daybook/internal/platform/event"
	"daybook/internal/platform/scope"
	"daybook/internal/tenancy/organization"
)

func TestAnAppHasTenWebhooksHoweverManyAreAskedForAtOnce(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		var wait sync.WaitGroup
		var mu sync.Mutex
		made, refused := 0, 0
		for range 32 {
			wait.Go(func() {
				_, err := w.hooks.Create(ctx, w.app.ID, w.developer, New{URL: "http://127.0.0.1:9/", Enabled: true})
				mu.Lock()
				defer mu.Unlock()
				switch {
				case err == nil:
					made++
				case errors.Is(err, ErrLimit):
					refused++
				default:
					t.Error(err)
				}
			})
		}
		wait.Wait()
		if made != MaxPerApp || refused != 32-MaxPerApp {
			t.Errorf("%d made, %d refused", made, refused)
		}
		list, err := w.hooks.List(ctx, w.app.ID, w.developer)
		must(t, err)
		must(t, w.hooks.Delete(ctx, w.app.ID, w.developer, list[0].ID, 0))
		w.hook(t, "http://127.0.0.1:9/")
	})
}

func TestWhatAWebhookMayBe(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		long := string(bytes.Repeat([]byte("x"), maxDescription+1))
		for name, one := range map[string]struct {
			n       New
			refusal error
		}{
			"an unknown event":      {New{URL: "http://127.0.0.1:9/", Events: []event.Type{"invoice.eaten"}}, ErrUnknownEvent},
			"a URL without https":   {New{URL: "http://example.com/"}, ErrURL},
			"a private address":     {New{URL: "https://10.0.0.1/"}, ErrURL},
			"a user in the URL":     {New{URL: "https://a:b@example.com/"}, ErrURL},
			"no URL":                {New{}, ErrURL},
			"a metadata address":    {New{URL: "https://169.254.169.254/latest"}, ErrURL},
			"a mapped address":      {New{URL: "https://[::ffff:127.0.0.1]/"}, ErrURL},
			"a fragment in the URL": {New{URL: "http://127.0.0.1:9/#x"}, ErrURL},
		} {
			if _, err := w.hooks.Create(ctx, w.app.ID, w.developer, one.n); !errors.Is(err, one.refusal) {
				t.Errorf("%s: %v", name, err)
			}
		}
		for name, n := range map[string]New{
			"a long description": {URL: "http://127.0.0.1:9/", Description: &long},
			"an event twice":     {URL: "http://127.0.0.1:9/", Events: []event.Type{event.InvoiceCreated, event.InvoiceCreated}},
		} {
			if _, err := w.hooks.Create(ctx, w.app.ID, w.developer, n); err == nil {
				t.Errorf("%s is taken", name)
			}
		}
	})
}

// CONS-06: for anyone else an app's webhooks do not exist; who may only look cannot change.
func TestWhoMayDoWhat(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		made := w.hook(t, "http://127.0.0.1:9/", event.InvoiceCreated)
		viewer, stranger := w.Person(t), w.Person(t)
		must(t, (&organization.Service{DB: w.DB, IDs: w.IDs}).AddMember(ctx, w.acme, w.developer, viewer, organization.Viewer))
		other := w.newApp(t, scope.InvoicesRead)
		off := false
		verbs := map[string]func(by, appID string) error{
			"get": func(by, appID string) error { _, err := w.hooks.Get(ctx, appID, by, made.ID); return err },
			"change": func(by, appID string) error {
				_, err := w.hooks.Change(ctx, appID, by, made.ID, 0, Patch{Enabled: &off})
				return err
			},
			"rotate": func(by, appID string) error { _, err := w.hooks.Rotate(ctx, appID, by, made.ID, 0); return err },
			"test":   func(by, appID string) error { _, err := w.hooks.Test(ctx, appID, by, made.ID, ""); return err },
			"delete": func(by, appID string) error { return w.hooks.Delete(ctx, appID, by, made.ID, 0) },
		}
		for name, do := range verbs {
			if err := do(stranger, w.app.ID); !errors.Is(err, app.ErrNotFound) {
				t.Errorf("a stranger's %s: %v", name, err)
			}
			if err := do(w.developer, other.ID); !errors.Is(err, ErrNotFound) {
				t.Errorf("%s by another app of the same organization: %v", name, err)
			}
			if err := do(viewer, w.app.ID); (err == nil) != (name == "get") {
				t.Errorf("a viewer's %s: %v", name, err)
			}
		}
	})
}

// SIGN-03 and the edges of rotation: at most two secrets sign; the previous one until its instant and not at it.
func TestRotation(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		made := w.hook(t, "http://127.0.0.1:9/", event.InvoiceCreated)
		signing := func() []string {
			t.Helper()
			var secrets []string
			must(t, w.Read(ctx, func(tx *db.Tx) error {
				list, err := receiversOf(ctx, tx, []string{w.app.ID})
				if err != nil {
					return err
				}
				signers, err := list[0].signers(w.keys, w.Clock.Now())
				for _, s := range signers {
					secrets = append(secrets, s.secret)
				}
				return err
			}))
			return secrets
		}
		rotate := func() Rotated {
			t.Helper()
			r, err := w.hooks.Rotate(ctx, w.app.ID, w.developer, made.ID, 0)
			must(t, err)
			if !r.PreviousUntil.Equal(w.Clock.Now().Add(24 * time.Hour)) {
				t.Errorf("the secret before it signs until %v", r.PreviousUntil)
			}
			return r
		}
		first := rotate()
		w.Clock.Advance(time.Hour)
		second := rotate()
		if got := signing(); len(got) != 2 || got[0] != second.Secret.Reveal() || got[1] != first.Secret.Reveal() {
			t.Errorf("after two rotations %q sign", got)
		}
		w.Clock.Advance(24*time.Hour - time.Millisecond)
		if got := signing(); len(got) != 2 {
			t.Errorf("a moment before the end %d sign", len(got))
		}
		w.Clock.Advance(time.Millisecond)
		if got := signing(); len(got) != 1 || got[0] != second.Secret.Reveal() {
			t.Errorf("at the end %q sign", got)
		}
		must(t, w.hooks.CleanUp(ctx))
		w.Clock.Advance(-2 * time.Hour) // a machine's clock may step back: what is over stays over
		if got := signing(); len(got) != 1 {
			t.Errorf("a clock set back revives a secret: %d sign", len(got))
		}
	})
}

// Of many who redeliver at once one succeeds (REDL-01, REDL-02).
func TestARedeliveryIsQueuedOnce(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		made := w.hook(t, "http://127.0.0.1:9/", event.InvoiceCreated)
		w.happen(t, w.shop, event.InvoiceCreated)
		d, _ := w.delivery(t, made.ID, w.deliveries(t, made.ID)[0].ID)
		w.exec(t, `UPDATE deliveries SET status = 'failed', due_at = NULL, attempts = 6, sent = 6, last_error = 'answered 500'`)
		var wait sync.WaitGroup
		var mu sync.Mutex
		queued := 0
		for range 16 {
			wait.Go(func() {
				_, err := w.hooks.Redeliver(ctx, w.app.ID, w.developer, made.ID, d.ID)
				mu.Lock()
				defer mu.Unlock()
				if err == nil {
					queued++
				} else if !errors.Is(err, ErrNotFailed) {
					t.Error(err)
				}
			})
		}
		wait.Wait()
		now, _ := w.delivery(t, made.ID, d.ID)
		if queued != 1 || now.Status != Queued || now.Attempts != 0 || now.Sent != 6 || now.DueAt == nil || now.Body != d.Body || *now.EventID != *d.EventID {
			t.Errorf("%d of 16 succeeded; it stands at %+v", queued, now)
		}
	})
}

// A rare delivery among many is found a stretch at a time.
func TestDeliveriesAreSearchedInStrides(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		made := w.hook(t, "http://127.0.0.1:9/", event.InvoiceCreated, event.InvoicePaid)
		w.happen(t, w.shop, event.InvoicePaid)
		for range 7 {
			w.happen(t, w.shop, event.InvoiceCreated)
		}
		look := func(f Filter) (stretches string, found []Delivery) {
			t.Helper()
			for before := ""; ; {
				var part Found
				must(t, w.DB.Snapshot(ctx, func(tx *db.Tx) (err error) {
					part, err = f.search(ctx, tx, made.ID, before, 3)
					return err
				}))
				stretches += strconv.Itoa(len(part.Deliveries)) + " "
				found = append(found, part.Deliveries...)
				if part.Next == nil {
					return strings.TrimSpace(stretches), found
				}
				var err error
				before, err = cursor.Read(*part.Next, "deliveries", made.ID, f)
				must(t, err)
			}
		}
		for name, c := range map[string]struct {
			filter Filter
			want   string
		}{
			"all":        {Filter{}, "8"},
			"the oldest": {Filter{Type: event.InvoicePaid}, "0 0 1"},
			"the others": {Filter{Type: event.InvoiceCreated, BusinessID: w.shop}, "3 3 1"},
			"none":       {Filter{BusinessID: "biz_x"}, "0 0 0"},
			"by index":   {Filter{Status: Failed}, "0"},
			"tests":      {Filter{BusinessID: TestBusiness}, "0"},
		} {
			if got, found := look(c.filter); got != c.want || len(found) > 0 && c.filter.Type != "" && found[0].Type != c.filter.Type {
				t.Errorf("%s: %s, want %s: %+v", name, got, c.want, found)
			}
		}
		if found, err := w.hooks.Search(ctx, w.app.ID, w.developer, made.ID, Filter{Type: event.InvoicePaid}, ""); err != nil || len(found.Deliveries) != 1 || found.Next != nil {
			t.Errorf("%+v %v", found, err)
		}
		if _, err := w.hooks.Search(ctx, w.app.ID, w.developer, made.ID, Filter{}, "nonsense"); !errors.Is(err, cursor.ErrInvalid) {
			t.Errorf("a cursor of nobody: %v", err)
		}
	})
}

// Whoever looks is told beforehand what Redeliver would say (REDL-02, REDL-03).
func TestWhyADeliveryCannotBeRepeated(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		made := w.hook(t, "http://127.0.0.1:9/", event.InvoiceCreated)
		w.happen(t, w.shop, event.InvoiceCreated)
		d := w.deliveries(t, made.ID)[0]
		for _, c := range []struct {
			name, change, undo string
			want               *fault.Fault
		}{
			{"queued", ``, ``, ErrNotFailed},
			{"retrying", `UPDATE deliveries SET status = 'retrying'`, ``, ErrPendingRetry},
			{"delivered", `UPDATE deliveries SET status = 'delivered'`, ``, ErrNotFailed},
			{"failed", `UPDATE deliveries SET status = 'failed', due_at = NULL, attempts = 6, sent = 6, last_error = 'answered 500'`, ``, nil},
			{"app suspended", `UPDATE apps SET suspended_at = 1`, `UPDATE apps SET suspended_at = NULL`, ErrAppNotActive},
			{"app deactivated", `UPDATE apps SET deactivated_at = 1`, `UPDATE apps SET deactivated_at = NULL`, ErrAppNotActive},
			{"scope not registered", `UPDATE apps SET scopes = 'profile:read'`, `UPDATE apps SET scopes = 'invoices:read'`, ErrScopeNotHeld},
			{"scope not granted", `UPDATE installations SET granted_scopes = 'profile:read'`, `UPDATE installations SET granted_scopes = 'invoices:read'`, ErrScopeNotHeld},
			{"uninstalled", `UPDATE installations SET status = 'UNINSTALLED', uninstalled_at = 1`, `UPDATE installations SET status = 'ACTIVE', uninstalled_at = NULL`, ErrNotInstalled},
			{"webhook off", `UPDATE webhooks SET enabled = 0`, `UPDATE webhooks SET enabled = 1`, nil},
			{"too old", `UPDATE deliveries SET created_at = 1`, ``, ErrTooOld},
		} {
			if c.change != "" {
				w.exec(t, c.change)
			}
			refusal, err := w.hooks.MayRedeliver(ctx, w.app.ID, w.developer, made.ID, d.ID)
			must(t, err)
			if refusal == nil != (c.want == nil) || c.want != nil && !errors.Is(refusal, c.want) {
				t.Errorf("%s: %v, want %v", c.name, refusal, c.want)
			}
			if c.want != nil {
				if _, err := w.hooks.Redeliver(ctx, w.app.ID, w.developer, made.ID, d.ID); !errors.Is(err, c.want) || err.Error() != refusal.Error() {
					t.Errorf("%s: trying says %v, looking %v", c.name, err, refusal)
				}
			}
			if c.undo != "" {
				w.exec(t, c.undo)
			}
		}
		if _, err := w.hooks.MayRedeliver(ctx, w.app.ID, "usr_stranger", made.ID, d.ID); fault.KindOf(err) != fault.NotFound {
			t.Errorf("a stranger: %v", err)
		}
	})
}

// An event that nobody hears of costs two statements, one that is heard three, once it is known who hears. On SQLite the first one reads
// the counter.
func TestWhatAnEventCosts(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		box := newInbox(t)
		w.start(t)
		cost := func(kind event.Type) int64 {
			t.Helper()
			counting, n := db.Counting(ctx)
			must(t, w.Write(counting, func(tx *db.Tx) error {
				n.Store(0)
				return w.events.Append(counting, tx, w.shop, event.Actor{Type: event.System}, event.Happening{Type: kind, Data: event.Data{"id": "inv_1"}})
			}))
			return n.Load()
		}
		for range 4 {
			w.hook(t, box.URL, event.InvoiceCreated)
		}
		if _, err := w.sender.learn(ctx, w.shop); err != nil {
			t.Fatal(err)
		}
		more := int64(0)
		if w.Dialect() == db.SQLite {
			more = 1
		}
		if first, quiet, heard := cost(event.CustomerCreated), cost(event.CustomerCreated), cost(event.InvoiceCreated); first != 2+more || quiet != 2 || heard != 3 {
			t.Errorf("the first event costs %d statements, another %d, with four deliveries %d", first, quiet, heard)
		}
		w.settle(t, 0)
	})
}

// A secret is sealed for its place: moved to another webhook it does not open.
func TestASecretOpensInItsPlaceOnly(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		a, b := w.hook(t, "http://127.0.0.1:9/a"), w.hook(t, "http://127.0.0.1:9/b")
		w.exec(t, `UPDATE webhooks SET secret = (SELECT o.secret FROM webhooks o WHERE o.id = $1) WHERE id = $2`, a.ID, b.ID)
		must(t, w.Read(ctx, func(tx *db.Tx) error {
			list, err := receiversOf(ctx, tx, []string{w.app.ID})
			must(t, err)
			for _, r := range list {
				if _, err := r.signers(w.keys, w.Clock.Now()); (err == nil) != (r.webhookID == a.ID) {
					t.Errorf("%s: %v", r.webhookID, err)
				}
				if bytes.Contains(r.sealed, []byte("whsec_")) {
					t.Error("a secret is kept as it is")
				}
			}
			return nil
		}))
	})
}

package webhook

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"daybook/internal/base/clock"
	"daybook/internal/base/db"
	"daybook/internal/base/fault"
	"daybook/internal/base/outbound"
	"daybook/internal/base/secret"
	"daybook/internal/platform/app"
	"daybook/internal/platform/event"
	"daybook/internal/platform/scope"
	"daybook/internal/schema/dbtest"
	"daybook/internal/tenancy/business"
	"daybook/internal/tenancy/organization"
)

var ctx = context.Background()

// world is an app with some scopes, installed in a shop, and an engine that sends on a clock turned by hand.
type world struct {
	*dbtest.Store
	hooks     *Service
	events    *event.Log
	apps      *app.Service
	keys      *secret.Keys
	outbound  *outbound.Client
	sender    *Sender
	developer string
	acme      string
	owner     string
	shop      string
	app       app.App
}

func each(t *testing.T, test func(t *testing.T, w *world)) {
	t.Helper()
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, s *dbtest.Store) { test(t, newWorld(t, s)) })
}

func newWorld(t testing.TB, s *dbtest.Store) *world {
	t.Helper()
	keys := secret.RandomKeys()
	client := outbound.New(outbound.Options{AllowLoopbackHTTP: true, IdlePerHost: 8})
	t.Cleanup(client.Close)
	w := &world{
		Store: s, keys: keys, outbound: client, apps: &app.Service{DB: s.DB, IDs: s.IDs, Keys: keys},
		hooks: &Service{DB: s.DB, IDs: s.IDs, Keys: keys, Clock: s.Clock, Outbound: client},
	}
	w.events = &event.Log{IDs: s.IDs, Subscribers: w.hooks}
	w.developer, w.owner = w.Person(t), w.Person(t)
	o, err := (&organization.Service{DB: s.DB, IDs: s.IDs}).Create(ctx, "Acme", w.developer)
	must(t, err)
	w.acme = o.ID
	w.shop = w.newBusiness(t)
	w.app = w.newApp(t, scope.InvoicesRead, scope.CustomersRead)
	w.install(t, w.shop, w.app.ID, scope.InvoicesRead, scope.CustomersRead)
	return w
}

// start begins to send.
func (w *world) start(t testing.TB) *Sender {
	t.Helper()
	s := w.newSender()
	must(t, s.Start(ctx))
	w.sender, w.hooks.Sender = s, s
	t.Cleanup(func() { w.stop(s) })
	return s
}

func (w *world) newSender() *Sender {
	return &Sender{
		DB: w.DB, IDs: w.IDs, Keys: w.keys, Outbound: w.outbound, Log: slog.New(slog.DiscardHandler), Clock: w.Clock, Machine: clock.System{},
	}
}

func (w *world) stop(s *Sender) {
	if s.quit == nil {
		return
	}
	limit, cancel := context.WithTimeout(ctx, 15*time.Second)
	defer cancel()
	s.Stop(limit)
	s.quit = nil
}

// settle turns the clock and waits until everything due is written down.
func (w *world) settle(t testing.TB, by time.Duration) {
	t.Helper()
	w.Clock.Advance(by)
	limit, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	must(t, w.sender.Settle(limit))
}

func (w *world) newBusiness(t testing.TB) string {
	t.Helper()
	b, err := (&business.Service{DB: w.DB, IDs: w.IDs}).Create(ctx, business.New{Name: "Shop", Country: "NL", Currency: "EUR"}, w.owner)
	must(t, err)
	return b.ID
}

func (w *world) newApp(t testing.TB, scopes ...scope.Scope) (made app.App) {
	t.Helper()
	create, err := w.apps.Prepare(w.acme, w.developer, app.New{
		Name: "Ledger", ClientType: app.Public, RedirectURIs: []string{"https://app.example/"}, Scopes: scope.Of(scopes...),
	}, app.Given{ReviewStatus: app.Approved})
	must(t, err)
	must(t, w.Write(ctx, func(tx *db.Tx) error {
		c, err := create(ctx, tx)
		made = c.App
		return err
	}))
	return made
}

func (w *world) install(t testing.TB, businessID, appID string, scopes ...scope.Scope) {
	t.Helper()
	w.exec(t, `INSERT INTO installations (id, business_id, app_id, status, granted_scopes, installed_at, access_epoch, version, updated_at)
		VALUES ($1, $2, $3, 'ACTIVE', $4, 0, 1, 1, 0)`, w.IDs.New("ins"), businessID, appID, scope.Of(scopes...).String())
}

func (w *world) hook(t testing.TB, url string, events ...event.Type) Created {
	t.Helper()
	c, err := w.hooks.Create(ctx, w.app.ID, w.developer, New{URL: url, Events: events, Enabled: true})
	must(t, err)
	return c
}

// happen appends events of a business.
func (w *world) happen(t testing.TB, businessID string, types ...event.Type) {
	t.Helper()
	must(t, w.append(businessID, types...))
}

func (w *world) append(businessID string, types ...event.Type) error {
	return w.Write(ctx, func(tx *db.Tx) error {
		var list []event.Happening
		for _, one := range types {
			h := event.Happening{Type: one, Data: event.Data{"id": "inv_1"}}
			if e, _ := event.Find(one); e.Audience == event.ForApp {
				h.AppID = w.app.ID
			}
			list = append(list, h)
		}
		return w.events.Append(ctx, tx, businessID, event.Actor{Type: event.System}, list...)
	})
}

// deliveries of a webhook, newest first.
func (w *world) deliveries(t testing.TB, webhookID string) []Delivery {
	t.Helper()
	var list []Delivery
	must(t, w.Read(ctx, func(tx *db.Tx) (err error) {
		list, err = listDeliveries(ctx, tx, webhookID, Filter{}, 1<<20)
		return err
	}))
	return list
}

func (w *world) delivery(t testing.TB, webhookID, deliveryID string) (Delivery, []Attempt) {
	t.Helper()
	d, attempts, err := w.hooks.Delivery(ctx, w.app.ID, w.developer, webhookID, deliveryID)
	must(t, err)
	return d, attempts
}

func (w *world) exec(t testing.TB, sql string, args ...any) {
	t.Helper()
	must(t, w.Write(ctx, func(tx *db.Tx) error {
		_, err := tx.Exec(ctx, sql, args...)
		return err
	}))
}

func (w *world) count(t testing.TB, sql string, args ...any) (n int) {
	t.Helper()
	must(t, w.Read(ctx, func(tx *db.Tx) (err error) {
		n, err = db.One(ctx, tx, db.Value[int], sql, args...)
		return err
	}))
	return n
}

// inbox is a receiver that answers as it is told and keeps what it got.
type inbox struct {
	*httptest.Server
	mu     sync.Mutex
	got    []letter
	answer func(w http.ResponseWriter, r *http.Request)
}

type letter struct {
	header http.Header
	body   string
}

func newInbox(t testing.TB) *inbox {
	b := &inbox{}
	b.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		b.mu.Lock()
		b.got = append(b.got, letter{r.Header, string(body)})
		answer := b.answer
		b.mu.Unlock()
		if answer == nil {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		answer(w, r)
	}))
	t.Cleanup(b.Close)
	return b
}

func (b *inbox) set(answer func(w http.ResponseWriter, r *http.Request)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.answer = answer
}

func (b *inbox) says(status int) {
	b.set(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		fmt.Fprint(w, "said")
	})
}

func (b *inbox) letters() []letter {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]letter(nil), b.got...)
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// want checks for a refusal; a nil one means that there must be none.
func want(t *testing.T, err error, refusal *fault.Fault) {
	t.Helper()
	switch {
	case refusal == nil && err != nil:
		t.Errorf("refused: %v", err)
	case refusal != nil && !errors.Is(err, refusal):
		t.Errorf("got %v, want %v", err, refusal)
	}
}

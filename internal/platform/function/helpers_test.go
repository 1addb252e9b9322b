package function_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"

	"daybook/internal/base/clock"
	"daybook/internal/base/db"
	"daybook/internal/base/id"
	"daybook/internal/base/script"
	"daybook/internal/base/secret"
	"daybook/internal/base/trail"
	"daybook/internal/platform/app"
	"daybook/internal/platform/event"
	"daybook/internal/platform/function"
	"daybook/internal/platform/install"
	"daybook/internal/platform/scope"
	"daybook/internal/platform/webhook"
	"daybook/internal/schema/dbtest"
	"daybook/internal/tenancy/business"
	"daybook/internal/tenancy/identity"
	"daybook/internal/tenancy/organization"
)

var ctx = context.Background()

// world is an organization with an app that is installed in a business, and an engine that does as it is told.
type world struct {
	*dbtest.Store
	functions    *function.Service
	sender       *webhook.Sender
	engine       *engine
	installs     *install.Service
	events       *event.Log
	owner        string
	app          app.Created
	shop         business.Business
	installation install.Installation
	acts         *acts
	said         bytes.Buffer // by the log; the engine runs one job at a time
}

// engine stands for the processes that run sources: a source is the name of what happens.
type engine struct {
	mu   sync.Mutex
	jobs []script.Job
}

// Run implements function.Engine.
func (e *engine) Run(_ context.Context, j script.Job) (script.Result, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.jobs = append(e.jobs, j)
	switch {
	case strings.Contains(j.Source, "fails"):
		return script.Result{Outcome: script.Failed, Error: "Error: as it was told\n    at handler\x00\xff", Log: "a\x00b\xff"}, nil
	case strings.Contains(j.Source, "crashes"):
		return script.Result{Outcome: script.Crashed, Error: "its process ended", Words: "fatal error: no thread"}, nil
	case strings.Contains(j.Source, "cannot run"):
		return script.Result{}, errors.New("no process")
	}
	return script.Result{Outcome: script.OK, Value: []byte(`{"a":"b"}`), Log: "fine\n", Calls: 2}, nil
}

func (e *engine) ran() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return len(e.jobs)
}

// acts are what was kept.
type acts struct {
	mu   sync.Mutex
	list []trail.Act
}

// Keep implements trail.Keeper.
func (a *acts) Keep(_ context.Context, tx *db.Tx, act trail.Act) error {
	tx.AfterCommit(func() {
		a.mu.Lock()
		defer a.mu.Unlock()
		a.list = append(a.list, act)
	})
	return nil
}

func (a *acts) count(what trail.Action) (n int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, one := range a.list {
		if one.Action == what {
			n++
		}
	}
	return n
}

func each(t *testing.T, test func(t *testing.T, w *world)) {
	t.Helper()
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, s *dbtest.Store) { test(t, newWorld(t, s)) })
}

func newWorld(t *testing.T, s *dbtest.Store) *world {
	t.Helper()
	w := &world{Store: s, engine: &engine{}, acts: &acts{}, owner: s.Person(t)}
	keys := secret.RandomKeys()
	o, err := (&organization.Service{DB: s.DB, IDs: s.IDs}).Create(ctx, "Acme", w.owner)
	must(t, err)
	apps := &app.Service{DB: s.DB, IDs: s.IDs, Keys: keys}
	w.app, err = apps.Create(ctx, o.ID, w.owner, app.New{
		Name: "Sync", ClientType: app.Public, RedirectURIs: []string{"https://app.example/callback"}, Scopes: scope.Of(scope.InvoicesRead),
	})
	must(t, err)
	businesses := &business.Service{DB: s.DB, IDs: s.IDs, Identity: &identity.Service{DB: s.DB, IDs: s.IDs, Keys: keys}}
	w.shop, err = businesses.Create(ctx, business.New{Name: "Shop", Country: "NL", Currency: "EUR", SandboxOf: &o.ID}, w.owner)
	must(t, err)
	w.events = &event.Log{IDs: s.IDs}
	w.installs = &install.Service{DB: s.DB, IDs: s.IDs}
	done, err := w.installs.Approve(ctx, install.Approval{AppID: w.app.ID, BusinessID: w.shop.ID, UserID: w.owner, Scopes: scope.Of(scope.InvoicesRead)})
	must(t, err)
	w.installation = done.Installation
	hooks := &webhook.Service{DB: s.DB, IDs: s.IDs, Keys: keys, Clock: s.Clock}
	w.events.Subscribers = hooks
	w.functions = &function.Service{DB: s.DB, IDs: s.IDs, Keys: keys, Clock: s.Clock, Webhooks: hooks, Engine: w.engine, Log: slog.New(slog.NewTextHandler(&w.said, nil)), Trail: w.acts}
	w.sender = &webhook.Sender{DB: s.DB, IDs: s.IDs, Keys: keys, Host: w.functions, Log: slog.New(slog.DiscardHandler), Clock: s.Clock, Machine: clock.System{}}
	must(t, hooks.CleanUp(ctx))
	must(t, w.sender.Start(ctx))
	t.Cleanup(func() { w.sender.Stop(ctx) })
	hooks.Sender = w.sender
	return w
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// refused proves that it was, and why.
func refused(t *testing.T, err, why error) {
	t.Helper()
	if !errors.Is(err, why) {
		t.Errorf("got %v, want %v", err, why)
	}
}

// active makes a function that does something on an event, or by a schedule, and activates it.
func (w *world) active(t *testing.T, does string, trigger function.Trigger) function.Function {
	t.Helper()
	source := "export default () => '" + does + "'"
	f, _, err := w.functions.Create(ctx, w.app.ID, w.owner, function.New{Name: does, Trigger: trigger, Source: &source})
	must(t, err)
	f, err = w.functions.Activate(ctx, w.app.ID, w.owner, f.ID, 0, "")
	must(t, err)
	return f
}

var onPaid = function.Trigger{Kind: function.ByEvent, Events: []event.Type{event.InvoicePaid}}

// happen has so many invoices be paid.
func (w *world) happen(t *testing.T, times int) {
	t.Helper()
	for range times {
		must(t, w.Write(ctx, func(tx *db.Tx) error {
			return w.events.Append(ctx, tx, w.shop.ID, event.Actor{Type: event.System}, event.Happening{Type: event.InvoicePaid, Data: event.Data{"invoiceId": w.IDs.New(id.Invoice)}})
		}))
	}
	must(t, w.sender.Settle(ctx))
}

func (w *world) get(t *testing.T, functionID string) function.Function {
	t.Helper()
	f, err := w.functions.Get(ctx, w.app.ID, w.owner, functionID)
	must(t, err)
	return f
}

func (w *world) runs(t *testing.T, functionID string) []function.Run {
	t.Helper()
	list, err := w.functions.Runs(ctx, w.app.ID, w.owner, functionID, function.Filter{})
	must(t, err)
	return list
}

package listing_test

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/color"
	"image/png"
	"sync"
	"testing"
	"time"

	"daybook/internal/base/db"
	"daybook/internal/base/fault"
	"daybook/internal/base/outbound"
	"daybook/internal/base/secret"
	"daybook/internal/platform/app"
	"daybook/internal/platform/asset"
	"daybook/internal/platform/event"
	"daybook/internal/platform/listing"
	"daybook/internal/platform/scope"
	"daybook/internal/platform/webhook"
	"daybook/internal/schema/dbtest"
	"daybook/internal/tenancy/organization"
)

var ctx = context.Background()

// world is an organization with an app that has all it takes to be submitted, and two reviewers.
type world struct {
	*dbtest.Store
	listings                           *listing.Service
	assets                             *asset.Service
	apps                               *app.Service
	hooks                              *webhook.Service
	receiver                           *receiver
	activity                           *activity
	extensions                         *extensions
	organization                       string
	owner, developer, viewer, stranger string
	rosa, rick                         string // reviewers
	app                                string
}

// receiver answers probes.
type receiver struct {
	mu     sync.Mutex
	status int
	err    error
	asked  int
	hook   func() // runs while a probe is out
}

// Probe implements listing.Prober.
func (r *receiver) Probe(context.Context, webhook.Webhook) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.asked++
	if r.hook != nil {
		r.hook()
	}
	return r.status, r.err
}

// activity is what the app did lately.
type activity struct{ listing.Activity }

// Since implements listing.Activities.
func (a *activity) Since(context.Context, string, time.Time) (listing.Activity, error) {
	return a.Activity, nil
}

// extensions are those of every app.
type extensions struct{ list []listing.Extension }

// OfApp implements listing.Extensions.
func (e *extensions) OfApp(context.Context, *db.Tx, string) ([]listing.Extension, error) {
	return e.list, nil
}

func each(t *testing.T, test func(t *testing.T, w *world)) {
	t.Helper()
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, s *dbtest.Store) {
		keys := secret.RandomKeys()
		w := &world{
			Store: s, receiver: &receiver{status: 401}, activity: &activity{listing.Activity{Sandbox: true}}, extensions: &extensions{}, assets: asset.New(s.DB, s.IDs),
			apps:  &app.Service{DB: s.DB, IDs: s.IDs, Keys: keys},
			hooks: &webhook.Service{DB: s.DB, IDs: s.IDs, Keys: keys, Clock: s.Clock, Outbound: outbound.New(outbound.Options{AllowLoopbackHTTP: true})},
		}
		w.listings = &listing.Service{DB: s.DB, IDs: s.IDs, Clock: s.Clock, Webhooks: w.receiver, Activity: w.activity, Extensions: w.extensions}
		w.assets.Users = w.listings
		organizations := &organization.Service{DB: s.DB, IDs: s.IDs}
		for _, who := range []*string{&w.owner, &w.developer, &w.viewer, &w.stranger, &w.rosa, &w.rick} {
			*who = s.Person(t)
		}
		o, err := organizations.Create(ctx, "Acme", w.owner)
		must(t, err)
		w.organization = o.ID
		must(t, organizations.AddMember(ctx, o.ID, w.owner, w.developer, organization.Developer))
		must(t, organizations.AddMember(ctx, o.ID, w.owner, w.viewer, organization.Viewer))
		w.app = w.newApp(t, "Ledger Sync")
		test(t, w)
	})
}

// newApp is one that no check has anything against, but for its listing.
func (w *world) newApp(t *testing.T, name string) (appID string) {
	t.Helper()
	a, err := w.apps.Create(ctx, w.organization, w.owner, app.New{
		Name: name, ClientType: app.Public, RedirectURIs: []string{"https://app.example/callback"}, Scopes: scope.Of(scope.ProfileRead, scope.CustomersRead),
	})
	must(t, err)
	pin := "2026-06-01"
	_, err = w.apps.SetDetails(ctx, a.ID, w.owner, 0, app.Details{Name: name, PinnedAPIVersion: &pin})
	must(t, err)
	h, err := w.hooks.Create(ctx, a.ID, w.owner, webhook.New{URL: "http://127.0.0.1:9/", Events: []event.Type{event.BusinessRedact, event.CustomerRedact}, Enabled: true})
	must(t, err)
	for _, kind := range h.Events {
		w.delivered(t, h.Webhook, kind, w.Clock.Now())
	}
	return a.ID
}

// delivered writes a delivery that was answered at an instant.
func (w *world) delivered(t *testing.T, h webhook.Webhook, kind event.Type, at time.Time) {
	t.Helper()
	w.exec(t, `INSERT INTO deliveries (id, webhook_id, app_id, business_id, event_id, type, body, status, attempts, sent, created_at, delivered_at)
		VALUES ($1, $2, $3, 'biz', $1, $4, '{}', 'delivered', 1, 1, $5, $5)`, w.IDs.New("dlv"), h.ID, h.AppID, kind, at)
}

func (w *world) exec(t *testing.T, sql string, args ...any) {
	t.Helper()
	must(t, w.Write(ctx, func(tx *db.Tx) error {
		_, err := tx.Exec(ctx, sql, args...)
		return err
	}))
}

func (w *world) count(t *testing.T, sql string, args ...any) (n int) {
	t.Helper()
	must(t, w.Read(ctx, func(tx *db.Tx) (err error) {
		n, err = db.One(ctx, tx, db.Value[int], sql, args...)
		return err
	}))
	return n
}

func set[T any](v T) listing.Member[T] { return listing.Member[T]{Set: true, Value: &v} }

// whole is a patch that leaves nothing out.
func (w *world) whole(t *testing.T, appID, name string) listing.Patch {
	t.Helper()
	icon, err := w.assets.Upload(ctx, appID, w.developer, asset.Icon, picture(512, 512))
	must(t, err)
	shot, err := w.assets.Upload(ctx, appID, w.developer, asset.Screenshot, picture(640, 360))
	must(t, err)
	return listing.Patch{
		Name: set(name), Tagline: set("Keeps books in step"), Description: set("It *syncs*."), Category: set(listing.Category("TAX")), IconAssetID: set(icon.ID),
		ScreenshotAssetIDs: set([]string{shot.ID}), WebsiteURL: set("https://app.example"), SupportEmail: set("help@app.example"), PrivacyURL: set("https://app.example/privacy"),
		TermsURL: set("https://app.example/terms"), Pricing: set(listing.Pricing{Model: listing.Free}), TestInstructions: set("Click."), Languages: set([]string{"en"}),
	}
}

func picture(width, height int) []byte {
	m := image.NewPaletted(image.Rect(0, 0, width, height), color.Palette{color.White, color.Black})
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// saved is the app's listing with a whole draft.
func (w *world) saved(t *testing.T, appID, slug, name string) listing.Listing {
	t.Helper()
	l, err := w.listings.Save(ctx, appID, w.developer, listing.Saving{Slug: slug, Patch: w.whole(t, appID, name)})
	must(t, err)
	return l
}

// submitted is saved, and handed in.
func (w *world) submitted(t *testing.T, appID, slug, name string) listing.Revision {
	t.Helper()
	l := w.saved(t, appID, slug, name)
	r, err := w.listings.Submit(ctx, appID, w.developer, l.Open.ID, 0)
	must(t, err)
	return r
}

// published is submitted, claimed and approved.
func (w *world) published(t *testing.T, appID, slug, name string) listing.Revision {
	t.Helper()
	return w.approve(t, w.submitted(t, appID, slug, name).ID)
}

func (w *world) approve(t *testing.T, revisionID string) listing.Revision {
	t.Helper()
	_, err := w.listings.Claim(ctx, w.rosa, revisionID)
	must(t, err)
	r, err := w.listings.Approve(ctx, w.rosa, revisionID)
	must(t, err)
	return r
}

// race runs something many times at once and tells how often each code came out; the empty one is success.
func race(racers int, do func(i int) error) map[string]int {
	codes := map[string]int{}
	var mu sync.Mutex
	var wait sync.WaitGroup
	start := make(chan struct{})
	for i := range racers {
		wait.Go(func() {
			<-start
			err := do(i)
			code := ""
			if f := fault.From(err); f != nil && f.Code == "" {
				code = "INVALID"
			} else if f != nil {
				code = f.Code
			} else if err != nil {
				code = err.Error()
			}
			mu.Lock()
			defer mu.Unlock()
			codes[code]++
		})
	}
	close(start)
	wait.Wait()
	return codes
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// want checks for a refusal.
func want(t *testing.T, err error, refusal *fault.Fault) {
	t.Helper()
	if !errors.Is(err, refusal) {
		t.Errorf("got %v, want %v", err, refusal)
	}
}

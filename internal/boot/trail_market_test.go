package boot

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"net/http"
	"net/http/httptest"
	"testing"

	"daybook/internal/base/db"
	"daybook/internal/platform/app"
	"daybook/internal/platform/asset"
	"daybook/internal/platform/event"
	"daybook/internal/platform/listing"
	"daybook/internal/platform/scope"
	"daybook/internal/platform/webhook"
	"daybook/internal/schema/dbtest"
)

// TestAListingsActionsAndTheirTracesAreOne is TestAnActionAndItsTraceAreOne for the way into the marketplace, which takes an app that all
// checks pass.
func TestAListingsActionsAndTheirTracesAreOne(t *testing.T) {
	dbtest.EachDatabase(t, func(t *testing.T, database string) {
		w := newTrailWorld(t, database)
		for _, v := range w.marketVerbs(t) {
			t.Run(v.action, func(t *testing.T) { w.both(t, v) })
		}
	})
}

// listable gives the world an app that lacks nothing but its listing.
func (w *trailWorld) listable(t *testing.T) {
	t.Helper()
	ctx, pin := w.background, "2026-06-01"
	var err error
	w.app, err = w.Apps.Create(ctx, w.acme.ID, w.dan.ID, app.New{
		Name: "Ledger", ClientType: app.Public, RedirectURIs: []string{"https://a.example/cb"}, Scopes: scope.Of(scope.ProfileRead),
	})
	ok(t, err)
	_, err = w.Apps.SetDetails(ctx, w.app.ID, w.dan.ID, 0, app.Details{Name: "Ledger", PinnedAPIVersion: &pin})
	ok(t, err)
	receiver := httptest.NewServer(http.HandlerFunc(func(r http.ResponseWriter, _ *http.Request) { r.WriteHeader(http.StatusUnauthorized) }))
	t.Cleanup(receiver.Close)
	hook, err := w.Webhooks.Create(ctx, w.app.ID, w.dan.ID, webhook.New{URL: receiver.URL, Events: []event.Type{event.BusinessRedact}, Enabled: true})
	ok(t, err)
	ok(t, w.DB.Write(ctx, func(tx *db.Tx) error {
		_, err := tx.Exec(ctx, `INSERT INTO deliveries (id, webhook_id, app_id, business_id, event_id, type, body, status, attempts, sent, created_at, delivered_at)
			VALUES ('dlv_1', $1, $2, 'biz', 'evt_1', 'business.redact', '{}', 'delivered', 1, 1, $3, $3)`, hook.ID, w.app.ID, tx.Now())
		return err
	}))
}

func drawn(width, height int) []byte {
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewPaletted(image.Rect(0, 0, width, height), color.Palette{color.Black})); err != nil {
		panic(err)
	}
	return b.Bytes()
}

func given[T any](v T) listing.Member[T] { return listing.Member[T]{Set: true, Value: &v} }

// marketVerbs in an order in which each can be done.
func (w *trailWorld) marketVerbs(t *testing.T) []tracedVerb {
	w.listable(t)
	ctx, dan, rosa := w.background, w.dan.ID, w.olivia.ID
	var icon, shot asset.Asset
	var l listing.Listing
	revision := func() string { return l.Open.ID }
	step := func(do func() (listing.Revision, error)) func() error {
		return func() error { _, err := do(); return err }
	}
	submit := tracedVerb{"revision.submitted", step(func() (listing.Revision, error) { return w.Listings.Submit(ctx, w.app.ID, dan, revision(), 0) })}
	claim := tracedVerb{"revision.claimed", step(func() (listing.Revision, error) { return w.Listings.Claim(ctx, rosa, revision()) })}
	change := tracedVerb{"revision.changed", step(func() (listing.Revision, error) {
		return w.Listings.Change(ctx, w.app.ID, dan, revision(), 0, listing.Patch{Tagline: given("Other")})
	})}
	return []tracedVerb{
		{"asset.uploaded", func() (err error) {
			icon, err = w.Assets.Upload(ctx, w.app.ID, dan, asset.Icon, drawn(512, 512))
			return err
		}},
		{"asset.uploaded", func() (err error) {
			shot, err = w.Assets.Upload(ctx, w.app.ID, dan, asset.Screenshot, drawn(640, 360))
			return err
		}},
		{"listing.created", func() (err error) {
			l, err = w.Listings.Save(ctx, w.app.ID, dan, listing.Saving{Slug: "ledger", Patch: listing.Patch{
				Name: given("Ledger"), Tagline: given("Books"), Description: given("It keeps books."), Category: given(listing.Category("TAX")), IconAssetID: given(icon.ID),
				ScreenshotAssetIDs: given([]string{shot.ID}), WebsiteURL: given("https://a.example"), SupportEmail: given("a@a.example"), PrivacyURL: given("https://a.example/p"),
				TermsURL: given("https://a.example/t"), Pricing: given(listing.Pricing{Model: listing.Free}), TestInstructions: given("Click."), Languages: given([]string{"en"}),
			}})
			return err
		}},
		{"listing.changed", func() error {
			_, err := w.Listings.Save(ctx, w.app.ID, dan, listing.Saving{Slug: "ledger-two"})
			return err
		}},
		change, submit,
		{"revision.withdrawn", step(func() (listing.Revision, error) { return w.Listings.Withdraw(ctx, w.app.ID, dan, revision(), 0) })},
		submit, claim,
		{"revision.released", step(func() (listing.Revision, error) { return w.Listings.Release(ctx, rosa, revision()) })},
		claim,
		{"revision.commented", func() error { _, err := w.Listings.Remark(ctx, w.app.ID, dan, revision(), "Hello"); return err }},
		{"revision.commented", func() error { _, err := w.Listings.RemarkAsReviewer(ctx, rosa, revision(), "Hello"); return err }},
		{"revision.changes_requested", step(func() (listing.Revision, error) { return w.Listings.RequestChanges(ctx, rosa, revision(), "More.") })},
		submit, claim,
		{"revision.rejected", step(func() (listing.Revision, error) { return w.Listings.Reject(ctx, rosa, revision(), "No.") })},
		change, submit, claim,
		{"revision.approved", step(func() (listing.Revision, error) { return w.Listings.Approve(ctx, rosa, revision()) })},
		{"listing.unlisted", func() error { _, err := w.Listings.Unlist(ctx, w.app.ID, dan, 0); return err }},
		{"listing.relisted", func() error { _, err := w.Listings.Relist(ctx, w.app.ID, dan, 0); return err }},
		{"revision.changed", func() error {
			r, err := w.Listings.Change(ctx, w.app.ID, dan, revision(), 0, listing.Patch{IconAssetID: listing.Member[string]{Set: true}})
			if err == nil {
				l.Open = &r // the copy
			}
			return err
		}},
		{"revision.discarded", func() error { return w.Listings.Discard(ctx, w.app.ID, dan, revision(), 0) }},
		{"asset.uploaded", func() (err error) {
			icon, err = w.Assets.Upload(ctx, w.app.ID, dan, asset.Screenshot, drawn(700, 400))
			return err
		}},
		{"asset.deleted", func() error { return w.Assets.Delete(ctx, w.app.ID, dan, icon.ID) }},
	}
}

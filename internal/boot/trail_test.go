package boot

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"

	"daybook/internal/base/clock"
	"daybook/internal/base/db"
	"daybook/internal/base/secret"
	"daybook/internal/base/trail"
	"daybook/internal/books/record"
	"daybook/internal/platform/app"
	"daybook/internal/platform/appdata"
	"daybook/internal/platform/event"
	"daybook/internal/platform/extension"
	"daybook/internal/platform/function"
	"daybook/internal/platform/install"
	"daybook/internal/platform/scope"
	"daybook/internal/platform/webhook"
	"daybook/internal/schema/dbtest"
	"daybook/internal/tenancy/business"
	"daybook/internal/tenancy/identity"
	"daybook/internal/tenancy/organization"
)

// TestAnActionAndItsTraceAreOne runs every verb that leaves a trace twice: with a log that cannot keep it, and then as it is. The first
// time nothing must have happened, the second time the row must be there, exactly one of them.
func TestAnActionAndItsTraceAreOne(t *testing.T) {
	dbtest.EachDatabase(t, func(t *testing.T, database string) {
		w := newTrailWorld(t, database)
		for _, v := range w.verbs() {
			t.Run(v.action, func(t *testing.T) { w.both(t, v) })
		}
	})
}

type tracedVerb struct {
	action string
	do     func() error
}

// trailWorld is a house with somebody in every role.
type trailWorld struct {
	*House
	clock                            *clock.Hand
	dan, sam, olivia                 identity.User
	acme                             organization.Organization
	shop                             business.Business
	app                              app.Created
	hook                             webhook.Created
	page                             extension.Placed
	function                         function.Function
	field                            appdata.Field
	installation                     install.Installation
	in                               identity.SignedIn
	addedSecret                      app.NewSecret
	background                       context.Context
	password, otherPassword, noToken secret.Secret
}

func newTrailWorld(t *testing.T, database string) *trailWorld {
	t.Helper()
	hand := clock.NewHand(dbtest.Start)
	h, err := OpenHouse(t.Context(), StoreConfig{
		Database: database, KeyFile: filepath.Join(t.TempDir(), "key"), Clock: hand, Log: slog.New(slog.DiscardHandler),
	})
	ok(t, err)
	t.Cleanup(h.Close)
	w := &trailWorld{House: h, clock: hand, background: context.Background(), password: secret.Of("a long password"), otherPassword: secret.Of("another password")}
	for name, into := range map[string]*identity.User{"dan": &w.dan, "sam": &w.sam, "olivia": &w.olivia} {
		*into, err = h.Identity.Create(w.background, identity.NewUser{Email: name + "@example.test", Password: w.password})
		ok(t, err)
	}
	w.acme, err = h.Organizations.Create(w.background, "Acme", w.dan.ID)
	ok(t, err)
	w.shop, err = h.Businesses.Create(w.background, business.New{Name: "Shop", Country: "NL", Currency: "EUR"}, w.olivia.ID)
	ok(t, err)
	return w
}

func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// verbs in an order in which each can be done.
func (w *trailWorld) verbs() []tracedVerb {
	ctx, dan, olivia := w.background, func() string { return w.dan.ID }, func() string { return w.olivia.ID }
	appID := func() string { return w.app.ID }
	grant, date := business.Grant, "2026-01-31"
	return []tracedVerb{
		{"organization.renamed", func() error { _, err := w.Organizations.Rename(ctx, w.acme.ID, dan(), 0, "Acme Apps"); return err }},
		{"organization.member_added", func() error { return w.Organizations.AddMember(ctx, w.acme.ID, dan(), w.sam.ID, organization.Viewer) }},
		{"organization.role_changed", func() error {
			return w.Organizations.ChangeRole(ctx, w.acme.ID, dan(), w.sam.ID, organization.Developer)
		}},
		{"organization.member_removed", func() error { return w.Organizations.RemoveMember(ctx, w.acme.ID, dan(), w.sam.ID) }},
		{"business.member_added", func() error { return w.Businesses.AddMember(ctx, w.shop.ID, olivia(), w.sam.ID, business.Staff) }},
		{"business.role_changed", func() error { return w.Businesses.ChangeRole(ctx, w.shop.ID, olivia(), w.sam.ID, business.Viewer) }},
		{"business.permission_changed", func() error {
			return w.Businesses.SetMemberOverride(ctx, w.shop.ID, olivia(), w.sam.ID, business.BooksLock, &grant)
		}},
		{"business.permission_changed", func() error {
			return w.Businesses.SetRoleOverride(ctx, w.shop.ID, olivia(), business.Viewer, business.BooksLock, &grant)
		}},
		{"business.member_removed", func() error { return w.Businesses.RemoveMember(ctx, w.shop.ID, olivia(), w.sam.ID) }},
		{"app.created", func() (err error) {
			w.app, err = w.Apps.Create(ctx, w.acme.ID, dan(), app.New{
				Name: "Ledger", ClientType: app.Confidential, RedirectURIs: []string{"https://a.example/cb"}, Scopes: scope.Of(scope.InvoicesRead),
			})
			return err
		}},
		{"app.changed", func() error {
			_, err := w.Apps.SetDetails(ctx, appID(), dan(), 0, app.Details{Name: "Ledger two", AppURL: new("https://a.example/")})
			return err
		}},
		{"app.redirect_uris_changed", func() error {
			_, err := w.Apps.SetRedirectURIs(ctx, appID(), dan(), 0, []string{"https://a.example/cb2"})
			return err
		}},
		{"app.scopes_changed", func() error {
			_, err := w.Apps.SetScopes(ctx, appID(), dan(), 0, scope.Of(scope.InvoicesRead, scope.CustomersRead))
			return err
		}},
		{"app.secret_added", func() (err error) { w.addedSecret, err = w.Apps.AddSecret(ctx, appID(), dan()); return err }},
		{"app.secret_deleted", func() error { return w.Apps.DeleteSecret(ctx, appID(), dan(), w.addedSecret.ID) }},
		{"app.deactivated", func() error { _, err := w.Apps.Deactivate(ctx, appID(), dan(), 0); return err }},
		{"app.reactivated", func() error { _, err := w.Apps.Reactivate(ctx, appID(), dan(), 0); return err }},
		{"app.suspended", func() error { _, err := w.Apps.Suspend(trail.As(ctx, dan()), appID(), "because"); return err }},
		{"app.unsuspended", func() error { _, err := w.Apps.Unsuspend(trail.As(ctx, dan()), appID()); return err }},
		{"app.reviewed", func() error { _, err := w.Apps.SetReview(trail.As(ctx, dan()), appID(), app.Approved); return err }},
		{"webhook.created", func() (err error) {
			w.hook, err = w.Webhooks.Create(ctx, appID(), dan(), webhook.New{URL: "http://127.0.0.1:1/", Events: []event.Type{event.InvoiceCreated}, Enabled: true})
			return err
		}},
		{"webhook.changed", func() error {
			off := false
			_, err := w.Webhooks.Change(ctx, appID(), dan(), w.hook.ID, 0, webhook.Patch{Enabled: &off})
			return err
		}},
		{"webhook.secret_rotated", func() error { _, err := w.Webhooks.Rotate(ctx, appID(), dan(), w.hook.ID, 0); return err }},
		{"webhook.redelivered", func() error {
			_, err := w.Webhooks.RedeliverFailed(ctx, appID(), dan(), w.hook.ID, webhook.Span{Since: dbtest.Start, Until: dbtest.Start.AddDate(0, 0, 1)})
			return err
		}},
		{"webhook.deleted", func() error { return w.Webhooks.Delete(ctx, appID(), dan(), w.hook.ID, 0) }},
		{"function.created", func() (err error) {
			w.function, _, err = w.Functions.Create(ctx, appID(), dan(), function.New{Name: "Fn", Trigger: function.Trigger{Kind: function.ByHand}})
			return err
		}},
		{"function.changed", func() error {
			_, err := w.Functions.Change(ctx, appID(), dan(), w.function.ID, 0, function.Patch{Name: new("Fn two")})
			return err
		}},
		{"function.version_added", func() error {
			_, err := w.Functions.Upload(ctx, appID(), dan(), w.function.ID, "export default () => 1")
			return err
		}},
		{"function.activated", func() error { _, err := w.Functions.Activate(ctx, appID(), dan(), w.function.ID, 0, ""); return err }},
		{"function.disabled", func() error { _, err := w.Functions.Disable(ctx, appID(), dan(), w.function.ID, 0); return err }},
		{"function.config_changed", func() error { _, err := w.Functions.SetConfig(ctx, appID(), dan(), "key", "value", true); return err }},
		{"function.config_changed", func() error { return w.Functions.DeleteConfig(ctx, appID(), dan(), "key") }},
		{"function.deleted", func() error { return w.Functions.Delete(ctx, appID(), dan(), w.function.ID, 0) }},
		{"extension.created", func() (err error) {
			w.page, err = w.Extensions.Create(ctx, appID(), dan(), extension.New{Kind: extension.Page, Label: "Home", Path: new(""), Enabled: true})
			return err
		}},
		{"extension.changed", func() error {
			_, err := w.Extensions.Change(ctx, appID(), dan(), w.page.ID, 0, extension.Patch{Label: new("Start")})
			return err
		}},
		{"extension.deleted", func() error { return w.Extensions.Delete(ctx, appID(), dan(), w.page.ID, 0) }},
		{"field.created", func() (err error) {
			w.field, err = w.AppData.Declare(ctx, appID(), dan(), appdata.NewField{ResourceType: appdata.Invoice, Key: "mood", Label: "Mood", Type: appdata.Text})
			return err
		}},
		{"field.changed", func() error {
			_, err := w.AppData.ChangeField(ctx, appID(), dan(), w.field.ID, 0, appdata.FieldPatch{Label: new("Humour")})
			return err
		}},
		{"field.deleted", func() error { return w.AppData.DeleteField(ctx, appID(), dan(), w.field.ID, 0) }},
		{"app.connected", func() error { return w.approve(scope.InvoicesRead) }},
		{"app.scopes_granted", func() error { return w.approve(scope.CustomersRead) }},
		{"app.own_access_revoked", func() error { return w.Installations.RevokeOwn(ctx, w.shop.ID, olivia(), w.installation.ID) }},
		{"app.access_revoked", func() error { return w.Installations.RevokeAccess(ctx, w.shop.ID, olivia(), w.installation.ID) }},
		{"app.uninstalled", func() error {
			_, err := w.Installations.Uninstall(ctx, w.shop.ID, olivia(), w.installation.ID)
			return err
		}},
		{"books.lock_date_changed", func() error {
			return w.Ledger.Lock(ctx, record.Call{BusinessID: w.shop.ID, Actor: event.Actor{Type: event.User, UserID: olivia()}}, &date)
		}},
		{"user.signed_in", func() (err error) {
			w.in, err = w.Identity.SignIn(ctx, w.olivia.Email, w.password, w.noToken)
			return err
		}},
		{"user.password_changed", func() error {
			return w.Identity.ChangePassword(ctx, w.in.Session, w.olivia.Email, w.password, w.otherPassword)
		}},
		{"user.restricted", w.measure(identity.Restricting)}, {"user.unrestricted", w.measure(identity.Unrestricting)},
		{"user.suspended", w.measure(identity.Suspending)}, {"user.unsuspended", w.measure(identity.Unsuspending)}, {"user.lifted", w.measure(identity.Lifting)},
		{"operator.created", func() error {
			_, err := w.Identity.Create(ctx, identity.NewUser{Email: "rosa@example.test", Password: w.password, Operator: true})
			return err
		}},
	}
}

func (w *trailWorld) approve(s scope.Scope) error {
	done, err := w.Installations.Approve(w.background, install.Approval{AppID: w.app.ID, BusinessID: w.shop.ID, UserID: w.olivia.ID, Scopes: scope.Of(s)})
	if err == nil {
		w.installation = done.Installation
	}
	return err
}

func (w *trailWorld) measure(m identity.Measure) func() error {
	return func() error {
		_, err := w.Identity.Take(w.background, w.dan.ID, w.olivia.ID, m, "because")
		return err
	}
}

// full is a log without room.
type full struct{}

var errFull = errors.New("there is no room for a trace")

func (full) Keep(context.Context, *db.Tx, trail.Act) error { return errFull }

func (w *trailWorld) both(t *testing.T, v tracedVerb) {
	w.clock.Advance(1e9)
	before := w.picture(t)
	w.keepBy(full{})
	if err := v.do(); !errors.Is(err, errFull) {
		t.Errorf("without room for its trace: %v", err)
	}
	if after := w.picture(t); after != before {
		t.Errorf("it was done without its trace:\n%s\nthen\n%s", before, after)
	}
	w.keepBy(w.Audit)
	ok(t, v.do())
	if after := w.picture(t); after == before && v.action != "webhook.redelivered" { // there was nothing to deliver again
		t.Error("nothing was done")
	}
	rows := w.lines(t, `SELECT action FROM audit_log WHERE at = `+fmt.Sprint(w.clock.Now().UnixMilli())+` ORDER BY id`)
	if rows != v.action {
		t.Errorf("kept was %q", rows)
	}
}

func (w *trailWorld) keepBy(k trail.Keeper) {
	w.Identity.Trail, w.Organizations.Trail, w.Businesses.Trail = k, k, k
	w.Apps.Trail, w.Installations.Trail, w.Webhooks.Trail, w.Ledger.Trail = k, k, k, k
	w.Listings.Trail, w.Assets.Trail = k, k
	w.Extensions.Trail, w.AppData.Trail, w.Functions.Trail = k, k, k
}

// picture is everything that the verbs change, as text.
func (w *trailWorld) picture(t *testing.T) string {
	t.Helper()
	var all strings.Builder
	for _, sql := range []string{
		`SELECT id || ' ' || name || ' ' || version FROM organizations ORDER BY 1`,
		`SELECT organization_id || ' ' || user_id || ' ' || role FROM organization_members ORDER BY 1`,
		`SELECT business_id || ' ' || user_id || ' ' || role FROM business_members ORDER BY 1`,
		`SELECT user_id || ' ' || permission || ' ' || effect FROM member_overrides ORDER BY 1`,
		`SELECT role || ' ' || permission || ' ' || effect FROM role_overrides ORDER BY 1`,
		`SELECT id || ' ' || version FROM apps ORDER BY 1`,
		`SELECT id FROM app_secrets ORDER BY 1`,
		`SELECT id || ' ' || version || ' ' || coalesce(deleted_at, 0) FROM webhooks ORDER BY 1`,
		`SELECT id || ' ' || version || ' ' || slug || ' ' || coalesce(unlisted_at, 0) || ' ' || coalesce(live_id, '') FROM listings ORDER BY 1`,
		`SELECT id || ' ' || version || ' ' || state FROM listing_revisions ORDER BY 1`,
		`SELECT id FROM listing_comments ORDER BY 1`,
		`SELECT id FROM assets ORDER BY 1`,
		`SELECT id || ' ' || version FROM app_extensions ORDER BY 1`,
		`SELECT id || ' ' || version || ' ' || coalesce(deleted_at, 0) FROM functions ORDER BY 1`,
		`SELECT id FROM function_versions ORDER BY 1`,
		`SELECT key FROM function_config ORDER BY 1`,
		`SELECT id || ' ' || version FROM app_fields ORDER BY 1`,
		`SELECT id || ' ' || version || ' ' || status || ' ' || access_epoch FROM installations ORDER BY 1`,
		`SELECT id || ' ' || coalesce(revoked_at, 0) FROM consents ORDER BY 1`,
		`SELECT business_id || ' ' || coalesce(lock_date, '') FROM books ORDER BY 1`,
		`SELECT id || ' ' || version FROM users ORDER BY 1`,
		`SELECT id FROM sessions ORDER BY 1`,
		`SELECT id FROM events ORDER BY 1`,
	} {
		all.WriteString(w.lines(t, sql) + "\n")
	}
	return all.String()
}

func (w *trailWorld) lines(t *testing.T, sql string) string {
	t.Helper()
	var list []string
	ok(t, w.DB.Read(w.background, func(tx *db.Tx) (err error) {
		list, err = db.All(w.background, tx, db.Value[string], sql)
		return err
	}))
	return strings.Join(list, ", ")
}

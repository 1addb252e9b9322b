package listing_test

import (
	"maps"
	"slices"
	"testing"
	"time"

	"daybook/internal/base/fault"
	"daybook/internal/platform/app"
	"daybook/internal/platform/asset"
	"daybook/internal/platform/listing"
	"daybook/internal/platform/scope"
	"daybook/internal/tenancy/organization"
)

func TestAListingFromTheFirstSaveToItsSuccessor(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		_, err := w.listings.Get(ctx, w.app, w.viewer)
		want(t, err, listing.ErrNotFound)
		l := w.saved(t, w.app, "ledger-sync", "Ledger Sync")
		if l.Version != 1 || l.Live != nil || l.Open.State != listing.Draft || l.Open.Number != 1 || *l.Open.Content.Name != "Ledger Sync" {
			t.Fatalf("%+v %+v", l, l.Open)
		}
		first, err := w.listings.Submit(ctx, w.app, w.developer, l.Open.ID, 1)
		must(t, err)
		if first.State != listing.Submitted || first.Snapshot == nil || !first.Snapshot.Scopes.Has(scope.CustomersRead) || len(first.Snapshot.Webhooks) != 1 || *first.SubmittedBy != w.developer {
			t.Fatalf("%+v", first)
		}
		_, err = w.listings.Claim(ctx, w.rosa, first.ID)
		must(t, err)
		asked, err := w.listings.RequestChanges(ctx, w.rosa, first.ID, "Say more.")
		if err != nil || asked.State != listing.ChangesRequested || *asked.Notes != "Say more." {
			t.Fatalf("%+v, %v", asked, err)
		}
		edited, err := w.listings.Change(ctx, w.app, w.developer, first.ID, 0, listing.Patch{Description: set("It syncs *more*.")})
		if err != nil || edited.State != listing.ChangesRequested || *edited.Content.Tagline != "Keeps books in step" {
			t.Fatalf("%+v, %v", edited, err)
		}
		again, err := w.listings.Submit(ctx, w.app, w.developer, first.ID, 0)
		if err != nil || again.Notes != nil || again.ReviewerID != nil {
			t.Fatalf("%+v, %v", again, err)
		}
		if r := w.approve(t, first.ID); r.State != listing.Published || r.DecidedAt == nil {
			t.Fatalf("%+v", r)
		}
		a, err := w.apps.Get(ctx, w.app, w.viewer)
		if err != nil || a.ReviewStatus != app.Approved || !a.ApprovedScopes.Equal(a.Scopes) {
			t.Errorf("%+v, %v", a, err)
		}
		// Changing the live one opens a copy.
		second, err := w.listings.Change(ctx, w.app, w.developer, first.ID, 0, listing.Patch{Tagline: set("Second")})
		if err != nil || second.ID == first.ID || second.State != listing.Draft || second.Number != 2 || *second.Content.Name != "Ledger Sync" || second.Snapshot != nil {
			t.Fatalf("%+v, %v", second, err)
		}
		_, err = w.listings.Change(ctx, w.app, w.developer, first.ID, 0, listing.Patch{Tagline: set("Third")})
		want(t, err, listing.ErrStateConflict)
		_, err = w.listings.Submit(ctx, w.app, w.developer, second.ID, 0)
		must(t, err)
		w.approve(t, second.ID)
		all, err := w.listings.Revisions(ctx, w.app, w.viewer)
		if err != nil || len(all) != 2 || all[0].State != listing.Published || all[0].ID != second.ID || all[1].State != listing.Superseded {
			t.Errorf("%+v, %v", all, err)
		}
		remarks, err := w.listings.Remarks(ctx, w.app, w.viewer, first.ID)
		if err != nil || len(remarks) != 1 || remarks[0].Text != "Say more." || remarks[0].Side != listing.Reviewer {
			t.Errorf("%+v, %v", remarks, err)
		}
	})
}

// CONS-01: of many first saves one makes the listing; the others have not seen it.
func TestOfManyFirstSavesOneMakesTheListing(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		arrived := w.Clock.Now()
		w.Clock.Advance(time.Millisecond) // every one of them came before any of them was done
		codes := race(32, func(int) error {
			_, err := w.listings.Save(ctx, w.app, w.developer, listing.Saving{Slug: "ledger-sync", Arrived: arrived})
			return err
		})
		if !maps.Equal(codes, map[string]int{"": 1, "LISTING_EXISTS": 31}) {
			t.Errorf("%v", codes)
		}
		if n := w.count(t, `SELECT count(*) FROM listing_revisions WHERE app_id = $1`, w.app); n != 1 {
			t.Errorf("%d revisions", n)
		}
		_, err := w.listings.Save(ctx, w.app, w.developer, listing.Saving{Slug: "other-slug", First: true})
		want(t, err, listing.ErrExists)
		w.Clock.Advance(time.Second)
		l, err := w.listings.Save(ctx, w.app, w.developer, listing.Saving{Slug: "other-slug", Arrived: w.Clock.Now()})
		if err != nil || l.Slug != "other-slug" || l.Version != 2 || l.Open.Version != 1 {
			t.Errorf("%+v, %v", l, err)
		}
	})
}

// CONS-01: of many apps that want one slug one has it.
func TestOfManyWhoWantASlugOneHasIt(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		const racers = 6
		var apps []string
		for range racers {
			apps = append(apps, w.newApp(t, "Ledger Sync"))
		}
		save := func(slug func(i int) string) map[string]int {
			return race(racers, func(i int) error {
				_, err := w.listings.Save(ctx, apps[i], w.developer, listing.Saving{Slug: slug(i)})
				return err
			})
		}
		if codes := save(func(int) string { return "wanted" }); !maps.Equal(codes, map[string]int{"": 1, "SLUG_TAKEN": racers - 1}) {
			t.Errorf("first saves: %v", codes)
		}
		if codes := save(func(i int) string { return "own-" + string(rune('a'+i)) }); codes[""] != racers {
			t.Errorf("slugs of their own: %v", codes)
		}
		if codes := save(func(int) string { return "wanted" }); !maps.Equal(codes, map[string]int{"": 1, "SLUG_TAKEN": racers - 1}) {
			t.Errorf("later saves: %v", codes)
		}
	})
}

func TestOfManyReviewersOneClaims(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		r := w.submitted(t, w.app, "ledger-sync", "Ledger Sync")
		people := []string{w.rosa, w.rick}
		for range 3 {
			codes := race(16, func(i int) error {
				_, err := w.listings.Claim(ctx, people[i%2], r.ID)
				return err
			})
			if !maps.Equal(codes, map[string]int{"": 1, "REVISION_STATE_CONFLICT": 15}) {
				t.Fatalf("%v", codes)
			}
			_, err := w.listings.Release(ctx, w.rosa, r.ID)
			must(t, err)
		}
	})
}

// However many submit, decide and withdraw at once, a revision is moved once.
func TestOfManyWhoMoveARevisionOneDoes(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		l := w.saved(t, w.app, "ledger-sync", "Ledger Sync")
		codes := race(8, func(int) error {
			_, err := w.listings.Submit(ctx, w.app, w.developer, l.Open.ID, 0)
			return err
		})
		if !maps.Equal(codes, map[string]int{"": 1, "REVISION_STATE_CONFLICT": 7}) {
			t.Errorf("submitting: %v", codes)
		}
		codes = race(8, func(i int) error {
			if i%2 == 0 {
				_, err := w.listings.Withdraw(ctx, w.app, w.developer, l.Open.ID, 0)
				return err
			}
			_, err := w.listings.Claim(ctx, w.rosa, l.Open.ID)
			return err
		})
		if !maps.Equal(codes, map[string]int{"": 1, "REVISION_STATE_CONFLICT": 7}) {
			t.Errorf("withdrawing and claiming: %v", codes)
		}
	})
}

func TestWhoMayDoWhatToAListing(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		l := w.saved(t, w.app, "ledger-sync", "Ledger Sync")
		r := l.Open.ID
		for name, verb := range map[string]struct {
			needs organization.Ability
			do    func(by string) error
		}{
			"Get":       {organization.Look, func(by string) error { _, err := w.listings.Get(ctx, w.app, by); return err }},
			"Revisions": {organization.Look, func(by string) error { _, err := w.listings.Revisions(ctx, w.app, by); return err }},
			"Revision":  {organization.Look, func(by string) error { _, err := w.listings.Revision(ctx, w.app, by, r); return err }},
			"Remarks":   {organization.Look, func(by string) error { _, err := w.listings.Remarks(ctx, w.app, by, r); return err }},
			"Save": {organization.Build, func(by string) error {
				_, err := w.listings.Save(ctx, w.app, by, listing.Saving{Slug: "ledger-sync", Seen: 9})
				return err
			}},
			"Change":    {organization.Build, func(by string) error { _, err := w.listings.Change(ctx, w.app, by, r, 99, listing.Patch{}); return err }},
			"Discard":   {organization.Build, func(by string) error { return w.listings.Discard(ctx, w.app, by, r, 99) }},
			"Preflight": {organization.Build, func(by string) error { _, err := w.listings.Preflight(ctx, w.app, by, r); return err }},
			"Submit":    {organization.Build, func(by string) error { _, err := w.listings.Submit(ctx, w.app, by, r, 99); return err }},
			"Withdraw":  {organization.Build, func(by string) error { _, err := w.listings.Withdraw(ctx, w.app, by, r, 99); return err }},
			"Unlist":    {organization.Build, func(by string) error { _, err := w.listings.Unlist(ctx, w.app, by, 99); return err }},
			"Relist":    {organization.Build, func(by string) error { _, err := w.listings.Relist(ctx, w.app, by, 99); return err }},
			"Remark":    {organization.Build, func(by string) error { _, err := w.listings.Remark(ctx, w.app, by, r, "Hello"); return err }},
		} {
			want(t, verb.do(w.stranger), app.ErrNotFound)
			want(t, verb.do(""), app.ErrNotFound)
			if err := verb.do(w.viewer); verb.needs > organization.Look {
				want(t, err, organization.ErrRoleTooLow)
			} else if err != nil {
				t.Errorf("CONS-06 %s: %v", name, err)
			}
			if err := verb.do(w.developer); fault.KindOf(err) == fault.Forbidden || fault.KindOf(err) == fault.NotFound {
				t.Errorf("CONS-06 %s: %v", name, err)
			}
		}
		before := w.receiver.asked
		other := w.newApp(t, "Other")
		for _, err := range []error{
			func() error { _, err := w.listings.Revision(ctx, other, w.developer, r); return err }(),
			func() error { _, err := w.listings.Submit(ctx, other, w.developer, r, 0); return err }(),
			func() error { _, err := w.listings.Preflight(ctx, other, w.developer, r); return err }(),
			func() error { _, err := w.listings.Remark(ctx, other, w.developer, r, "x"); return err }(),
			w.listings.Discard(ctx, other, w.developer, r, 0),
		} {
			want(t, err, listing.ErrRevisionNotFound)
		}
		if w.receiver.asked != before {
			t.Error("a probe went out for somebody who may not send one")
		}
	})
}

// CONS-02: what the live or the open revision shows stays, whoever races.
func TestPicturesInUseStay(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		l := w.saved(t, w.app, "ledger-sync", "Ledger Sync")
		icon := *l.Open.Content.IconAssetID
		want(t, w.assets.Delete(ctx, w.app, w.developer, icon), asset.ErrInUse)
		must(t, w.listings.Discard(ctx, w.app, w.developer, l.Open.ID, 0))
		must(t, w.assets.Delete(ctx, w.app, w.developer, icon))
		_, err := w.listings.Save(ctx, w.app, w.developer, listing.Saving{Slug: "ledger-sync", Patch: listing.Patch{IconAssetID: set(icon)}})
		if f := fault.From(err); f == nil || len(f.Fields) != 1 {
			t.Errorf("a picture that is gone: %v", err)
		}
		for range 5 {
			fresh, err := w.assets.Upload(ctx, w.app, w.developer, asset.Icon, picture(512, 512))
			must(t, err)
			codes := race(2, func(i int) error {
				if i == 0 {
					return w.assets.Delete(ctx, w.app, w.developer, fresh.ID)
				}
				_, err := w.listings.Save(ctx, w.app, w.developer, listing.Saving{Slug: "ledger-sync", Patch: listing.Patch{IconAssetID: set(fresh.ID)}})
				return err
			})
			if codes[""] != 1 {
				t.Fatalf("%v", codes)
			}
			got, err := w.listings.Get(ctx, w.app, w.viewer)
			must(t, err)
			there := w.count(t, `SELECT count(*) FROM assets WHERE id = $1`, fresh.ID) == 1
			if shown := got.Open != nil && got.Open.Content.IconAssetID != nil; shown != there {
				t.Fatalf("shown %v, there %v", shown, there)
			}
			if got.Open != nil {
				must(t, w.listings.Discard(ctx, w.app, w.developer, got.Open.ID, 0))
			}
		}
		shot, err := w.assets.Upload(ctx, w.app, w.developer, asset.Screenshot, picture(640, 360))
		must(t, err)
		_, err = w.listings.Save(ctx, w.app, w.developer, listing.Saving{Slug: "ledger-sync", Patch: listing.Patch{IconAssetID: set(shot.ID)}})
		if fault.KindOf(err) != fault.Invalid {
			t.Errorf("a screenshot as an icon: %v", err)
		}
	})
}

func TestAnApprovalIsOfWhatWasSubmitted(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		r := w.submitted(t, w.app, "ledger-sync", "Ledger Sync")
		_, err := w.listings.Claim(ctx, w.rosa, r.ID)
		must(t, err)
		_, err = w.listings.Approve(ctx, w.rick, r.ID)
		want(t, err, listing.ErrNotClaimedByYou)
		approve := func() error { _, err := w.listings.Approve(ctx, w.rosa, r.ID); return err }
		hooks, err := w.hooks.List(ctx, w.app, w.viewer)
		must(t, err)
		for name, change := range map[string][2]func(){
			"extensions": {func() { w.extensions.list = []listing.Extension{{ID: "ext_1", Label: "Page"}} }, func() { w.extensions.list = nil }},
			"webhooks": {func() { w.exec(t, `UPDATE webhooks SET url = url || 'x' WHERE id = $1`, hooks[0].ID) },
				func() { w.exec(t, `UPDATE webhooks SET url = $2 WHERE id = $1`, hooks[0].ID, hooks[0].URL) }},
			"scopes": {func() { w.exec(t, `UPDATE apps SET scopes = 'profile:read' WHERE id = $1`, w.app) },
				func() { w.exec(t, `UPDATE apps SET scopes = 'profile:read customers:read' WHERE id = $1`, w.app) }},
			"redirect URIs": {func() { w.exec(t, `UPDATE apps SET redirect_uris = '["https://b.example/"]' WHERE id = $1`, w.app) },
				func() {
					w.exec(t, `UPDATE apps SET redirect_uris = '["https://app.example/callback"]' WHERE id = $1`, w.app)
				}},
		} {
			change[0]()
			err := approve()
			want(t, err, listing.ErrSnapshotChanged)
			if f := fault.From(err); f != nil && f.Params[0] != name {
				t.Errorf("%s: %v", name, err)
			}
			d, err := w.listings.Dossier(ctx, r.ID)
			if err != nil || !slices.Equal(d.Changed, []string{name}) {
				t.Errorf("%v, %v", d.Changed, err)
			}
			change[1]()
		}
		must(t, approve())
	})
}

// A change that comes while the checks are run makes the submission be refused, not be checked for something else.
func TestWhatIsSubmittedIsWhatWasChecked(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		l := w.saved(t, w.app, "ledger-sync", "Ledger Sync")
		w.receiver.hook = func() {
			_, err := w.listings.Change(ctx, w.app, w.developer, l.Open.ID, 0, listing.Patch{Description: listing.Member[string]{Set: true}})
			if err != nil {
				t.Error(err)
			}
		}
		_, err := w.listings.Submit(ctx, w.app, w.developer, l.Open.ID, 0)
		want(t, err, listing.ErrChangedMeanwhile)
		w.receiver.hook = func() {
			_, err := w.apps.SetScopes(ctx, w.app, w.developer, 0, scope.Of(scope.ProfileRead, scope.CustomersRead, scope.JournalWrite))
			if err != nil {
				t.Error(err)
			}
		}
		_, err = w.listings.Change(ctx, w.app, w.developer, l.Open.ID, 0, listing.Patch{Description: set("Again.")})
		must(t, err)
		_, err = w.listings.Submit(ctx, w.app, w.developer, l.Open.ID, 0)
		want(t, err, listing.ErrChangedMeanwhile)
	})
}

func TestDeliveriesCountForAMonth(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		l := w.saved(t, w.app, "ledger-sync", "Ledger Sync")
		failing := func() (checks []listing.Check) {
			r, err := w.listings.Preflight(ctx, w.app, w.developer, l.Open.ID)
			must(t, err)
			for _, one := range r.Preflight {
				if one.Level == listing.Fail {
					checks = append(checks, one.Check)
				}
			}
			return checks
		}
		w.Clock.Advance(listing.Lately)
		if got := failing(); len(got) != 0 {
			t.Errorf("after 30 days: %v", got)
		}
		w.Clock.Advance(time.Second)
		if got := failing(); !slices.Equal(got, []listing.Check{listing.PrivacyUnverified}) {
			t.Errorf("a second later: %v", got)
		}
		hooks, err := w.hooks.List(ctx, w.app, w.viewer)
		must(t, err)
		for _, kind := range hooks[0].Events {
			w.delivered(t, hooks[0], kind, w.Clock.Now())
		}
		if got := failing(); len(got) != 0 {
			t.Errorf("delivered again: %v", got)
		}
		w.exec(t, `UPDATE deliveries SET event_id = NULL`) // test deliveries are about nobody
		if got := failing(); !slices.Equal(got, []listing.Check{listing.PrivacyUnverified}) {
			t.Errorf("tests only: %v", got)
		}
	})
}

func TestDiscardedRevisionsGoAfterAWhile(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		l := w.saved(t, w.app, "ledger-sync", "Ledger Sync")
		_, err := w.listings.Remark(ctx, w.app, w.developer, l.Open.ID, "Hello")
		must(t, err)
		must(t, w.listings.Discard(ctx, w.app, w.developer, l.Open.ID, 0))
		for _, step := range []struct {
			wait time.Duration
			left int
		}{{90 * 24 * time.Hour, 1}, {time.Second, 0}} {
			w.Clock.Advance(step.wait)
			must(t, w.listings.CleanUp(ctx))
			if n := w.count(t, `SELECT count(*) FROM listing_revisions`); n != step.left {
				t.Errorf("%d left, want %d", n, step.left)
			}
		}
		if n := w.count(t, `SELECT count(*) FROM listing_comments`); n != 0 {
			t.Errorf("%d comments", n)
		}
	})
}

func TestAConversationHasRoomForSoMuch(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		l := w.saved(t, w.app, "ledger-sync", "Ledger Sync")
		for range listing.MaxRemarks - 3 {
			w.exec(t, `INSERT INTO listing_comments (id, revision_id, side, author_id, text, created_at) VALUES ($1, $2, 'DEVELOPER', 'x', 'y', 0)`, w.IDs.New("cmt"), l.Open.ID)
		}
		codes := race(8, func(i int) error {
			if i%2 == 0 {
				_, err := w.listings.Remark(ctx, w.app, w.developer, l.Open.ID, "Hello")
				return err
			}
			_, err := w.listings.RemarkAsReviewer(ctx, w.rosa, l.Open.ID, "Hello")
			return err
		})
		if !maps.Equal(codes, map[string]int{"": 3, "COMMENT_LIMIT_REACHED": 5}) {
			t.Errorf("%v", codes)
		}
	})
}

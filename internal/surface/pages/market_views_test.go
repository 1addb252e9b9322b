package pages

import (
	"net/http/httptest"
	"strings"
	"testing"

	"daybook/internal/platform/app"
	picture "daybook/internal/platform/asset"
	"daybook/internal/platform/event"
	"daybook/internal/platform/listing"
	"daybook/internal/platform/scope"
)

func init() {
	for file, both := range map[string]func() (empty, full *httptest.ResponseRecorder){
		"market.html":                   bothWays(marketPage),
		"market-listing.html":           bothWays(marketListingPage),
		"console-listing.html":          bothWays(consoleListingPage),
		"console-listing-edit.html":     bothWays(consoleListingEditPage),
		"console-listing-pictures.html": bothWays(consolePicturesPage),
		"console-listing-revision.html": bothWays(consoleRevisionPage),
		"operator-review-queue.html":    bothWays(operatorQueuePage),
		"operator-review.html":          bothWays(operatorReviewPage),
	} {
		everyPage[file] = both
	}
}

// nastyContent is a listing of somebody who tries.
func nastyContent() listing.Content {
	n := func(s string) *string { return &s }
	return listing.Content{
		Name: n(nasty), Tagline: n(nasty), Description: n("# " + nasty + "\n\n[a](javascript:alert(1)) [b](https://ok.example/) " + nasty), WebsiteURL: n("javascript:alert(1)"), SupportURL: n("https://" + nasty),
		SupportEmail: n(nasty), PrivacyURL: n("data:text/html,x"), TermsURL: n("https://terms.example/\"><b>"), Pricing: &listing.Pricing{Model: listing.Paid, Text: n(nasty)},
		ScopeJustifications: map[scope.Scope]string{scope.JournalWrite: nasty}, TestInstructions: n(nasty), Languages: []string{"en", "xx", "pt-BR"},
	}
}

func TestWhatPublishersWriteIsText(t *testing.T) {
	in := developerOf(app.App{Name: "Sync"})
	shown := show(nastyContent(), nasty, scope.Of(scope.JournalWrite), nil, nil)
	shot := listing.Snapshot{
		Scopes: scope.Of(scope.JournalWrite), RedirectURIs: []string{nasty}, Webhooks: []listing.SnapshotWebhook{{URL: nasty, Events: []event.Type{event.BusinessRedact}}},
		Extensions: []listing.Extension{{Kind: "PAGE", Label: nasty, Path: nasty}},
	}
	said := []remarkLine{{Who: visible(nasty), Text: visibleLines(nasty), At: when(noon, noon)}}
	for name, page := range map[string]*httptest.ResponseRecorder{
		"in the marketplace":   written(marketPage, frame{}, marketView{Cards: []marketCard{{"/marketplace/x", shown}}, Search: visible(nasty)}),
		"on its own page":      written(marketListingPage, frame{}, marketListingView{Shown: shown, Install: installView{Address: "javascript:alert(1)", Host: visible(nasty)}}),
		"in the console":       written(consoleRevisionPage, in.frame("Listing", "x"), consoleRevisionView{Shown: shown, Snapshot: newSnapshot(shot, nastyContent().ScopeJustifications, nil), Remarks: said}),
		"before the reviewers": written(operatorReviewPage, frame{}, operatorReviewView{Shown: shown, Differences: differences(listing.Content{}, nastyContent(), nil), Remarks: said}),
		"in the checks":        written(operatorReviewPage, frame{}, operatorReviewView{Checks: newChecks(listing.Revision{Preflight: []listing.Result{{Check: listing.SignatureUnchecked, Level: listing.Fail, Message: nasty}}}, noon, nil)}),
	} {
		t.Run(name, func(t *testing.T) {
			text := page.Body.String()
			wantSpelledOut(t, text)
			for _, wrong := range faults(text) {
				t.Error(wrong)
			}
			if strings.Contains(text, `href="javascript:`) || strings.Contains(text, `href="data:`) {
				t.Error("an address that acts is a link")
			}
		})
	}
}

func TestTheWayOfARevisionIsShown(t *testing.T) {
	for s, want := range map[listing.State]string{
		listing.Draft: "[Draft] Submitted In review Published", listing.Submitted: "Draft✓ [Submitted] In review Published", listing.InReview: "Draft✓ Submitted✓ [In review] Published",
		listing.ChangesRequested: "[Changes requested] Submitted In review Published", listing.Rejected: "[Rejected] Submitted In review Published",
		listing.Published: "Draft✓ Submitted✓ In review✓ [Published]",
	} {
		var words []string
		for _, one := range stagesOf(s) {
			switch {
			case one.Current:
				words = append(words, "["+one.Word+"]")
			case one.Note == "done":
				words = append(words, one.Word+"✓")
			default:
				words = append(words, one.Word)
			}
		}
		if got := strings.Join(words, " "); got != want {
			t.Errorf("%s: %s, want %s", s, got, want)
		}
	}
	for _, s := range listing.States {
		if revisionStates[s].Word == "" || revisionStates[s].Tone == "" {
			t.Errorf("%s: no word", s)
		}
		if s.Open() && openWords[s] == "" {
			t.Errorf("%s: no word about what to do", s)
		}
	}
}

// Every check says what it is about, and a developer is led to where it is mended.
func TestEveryCheckLeadsSomewhere(t *testing.T) {
	in := developerOf(app.App{Name: "Sync"})
	checks := []listing.Check{
		listing.Incomplete, listing.AssetsMissing, listing.JustificationMissing, listing.PrivacyEvents, listing.PrivacyUnverified, listing.SignatureUnchecked, listing.LoopbackOnly, listing.NotPinned,
		listing.NearSunset, listing.UnusedScope, listing.NoSandboxActivity,
	}
	if len(checkTitles) != len(checks) {
		t.Errorf("%d titles for %d checks", len(checkTitles), len(checks))
	}
	for _, c := range checks {
		if path, words := in.mend(c); checkTitles[c] == "" || path == "" || words == "" {
			t.Errorf("%s: %q %q %q", c, checkTitles[c], path, words)
		}
	}
	found := []listing.Result{{Check: listing.NotPinned, Level: listing.Pass}, {Check: listing.UnusedScope, Level: listing.Warn}, {Check: listing.Incomplete, Level: listing.Fail}}
	v := newChecks(listing.Revision{Preflight: found, PreflightedAt: &noon}, noon, in.mend)
	if len(v.Open) != 2 || v.Open[0].State.Word != "fails" || v.Open[1].State.Word != "look at this" || len(v.Passed) != 1 || v.Passed[0].State.Word != "passes" || v.Verdict.Words != "1 check fails." {
		t.Errorf("%+v", v)
	}
	for n, want := range []string{"Every check passes.", "No check fails.", "1 check fails."} {
		if got := checksVerdict(found[:n+1]).Words; got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
	if never := newChecks(listing.Revision{}, noon, nil); never.Verdict.Words != "" {
		t.Errorf("never run: %+v", never)
	}
}

// Who may only look is offered no change, in whatever state the listing is.
func TestWhoMayOnlyLookChangesNoListing(t *testing.T) {
	in := developerOf(app.App{Name: "Sync"})
	at := atListing{inApp: in, listing: listing.Listing{ID: "lst_1", Slug: "sync"}}
	everything := openView{MayEdit: true, MaySubmit: true, MayTake: true, MayGive: true}
	for name, page := range map[string]*httptest.ResponseRecorder{
		"no listing": written(consoleListingPage, in.frame("Listing", "x"), consoleListingView{}),
		"a listing":  written(consoleListingPage, in.frame("Listing", "x"), consoleListingView{Exists: true, Live: true, Open: &everything}),
		"hidden":     written(consoleListingPage, in.frame("Listing", "x"), consoleListingView{Exists: true, Live: true, Unlisted: &moment{}}),
		"texts":      written(consoleListingEditPage, in.frame("Listing", "x"), consoleListingEditView{Exists: true, Save: at.saving()}),
		"pictures":   written(consolePicturesPage, in.frame("Listing", "x"), consolePicturesView{Exists: true, Screenshots: []pictureLine{{Out: []string{"a"}, Later: []string{"b"}}}, Spare: []pictureLine{{Icon: "i"}, {Into: []string{"c"}}}}),
	} {
		if strings.Contains(page.Body.String(), "data-rest") {
			t.Errorf("%s: a change is offered", name)
		}
	}
	mine := consoleListingView{Exists: true, Live: true, Open: &everything, May: in.may()}
	if n := strings.Count(written(consoleListingPage, in.frame("Listing", "x"), mine).Body.String(), "data-rest"); n != 7 {
		t.Errorf("who may build is offered %d changes", n)
	}
}

func TestDifferencesAreMarked(t *testing.T) {
	for _, c := range []struct{ before, after, want string }{
		{"a\nb\nc", "a\nx\nc", " a,-b,+x, c"}, {"", "new", "+new"}, {"old", "", "-old"}, {"a\nb", "b\na", "-a, b,+a"}, {"same", "same", " same"},
	} {
		var words []string
		for _, l := range diffLines(c.before, c.after) {
			switch {
			case l.Added:
				words = append(words, "+"+l.Text)
			case l.Removed:
				words = append(words, "-"+l.Text)
			default:
				words = append(words, " "+l.Text)
			}
		}
		if got := strings.Join(words, ","); got != c.want {
			t.Errorf("%q to %q: %s, want %s", c.before, c.after, got, c.want)
		}
	}
	long := strings.Repeat("x\n", 2500)
	if got := diffLines(long, long+"y"); len(got) != 5002 || !got[0].Removed || !got[5001].Added {
		t.Errorf("%d lines", len(got))
	}
	if got := differences(nastyContent(), nastyContent(), nil); len(got) != 0 {
		t.Errorf("the same differs from itself: %+v", got)
	}
	one, other := "ast_1", "ast_2"
	found := map[string]picture.Asset{one: {ID: one, Hash: "aa", Media: picture.PNG}, other: {ID: other, Hash: "bb", Media: picture.PNG}}
	got := differences(listing.Content{IconAssetID: &one}, listing.Content{IconAssetID: &other, ScreenshotAssetIDs: []string{one}}, found)
	if len(got) != 2 || got[0].Was[0].Path != "/assets/aa.png" || got[0].Is[0].Path != "/assets/bb.png" || len(got[1].Was) != 0 || len(got[1].Is) != 1 {
		t.Errorf("%+v", got)
	}
}

func TestWhatIsNewOfAnAppIsMarked(t *testing.T) {
	hook := listing.SnapshotWebhook{URL: "https://a.example", Events: []event.Type{event.BusinessRedact}, Enabled: true}
	before := listing.Snapshot{
		Scopes: scope.Of(scope.InvoicesRead, scope.TaxesRead), RedirectURIs: []string{"https://a.example/callback", "https://old.example"}, Webhooks: []listing.SnapshotWebhook{hook},
		Extensions: []listing.Extension{{Kind: "PAGE", Label: "Nights", Path: "x", Enabled: true}},
	}
	now := before
	now.Scopes, now.RedirectURIs = scope.Of(scope.InvoicesRead, scope.JournalWrite), []string{"https://a.example/callback", "https://new.example"}
	hook.Events = append(hook.Events, event.InvoicePaid)
	now.Webhooks = []listing.SnapshotWebhook{hook}
	v := newSnapshot(now, nil, &before)
	if v.Scopes[0].New || !v.Scopes[1].New || v.RedirectURIs[0].New || !v.RedirectURIs[1].New || !v.Webhooks[0].New || v.Extensions[0].New {
		t.Errorf("%+v", v)
	}
	if got := strings.Join(v.Gone, " "); got != "taxes:read https://old.example" {
		t.Errorf("gone: %s", got)
	}
	if first := newSnapshot(now, nil, nil); first.Scopes[1].New || first.RedirectURIs[1].New || len(first.Gone) != 0 {
		t.Errorf("nothing was there before: %+v", first)
	}
}

func TestPicturesArePutInOrder(t *testing.T) {
	icon := "ast_i"
	shots := []string{"ast_1", "ast_2", "ast_3"}
	at := atListing{inApp: developerOf(app.App{})}
	at.listing = listing.Listing{
		ID: "lst_1", Open: &listing.Revision{ID: "rev_2", Version: 4, State: listing.Draft, Content: listing.Content{IconAssetID: &icon, ScreenshotAssetIDs: shots}},
		Live: &listing.Revision{ID: "rev_1", State: listing.Published, Content: listing.Content{ScreenshotAssetIDs: []string{"ast_4"}}},
	}
	var all []picture.Asset
	for _, id := range append([]string{icon, "ast_j"}, "ast_3", "ast_1", "ast_2", "ast_4", "ast_5") {
		kind := picture.Screenshot
		if id == icon || id == "ast_j" {
			kind = picture.Icon
		}
		all = append(all, picture.Asset{ID: id, Kind: kind, Media: picture.PNG})
	}
	var v consolePicturesView
	at.arrange(all, &v)
	if v.Icon == nil || len(v.Screenshots) != 3 || len(v.Spare) != 3 {
		t.Fatalf("%+v", v)
	}
	middle := v.Screenshots[1]
	for got, want := range map[string]string{
		strings.Join(middle.Earlier, " "): "ast_2 ast_1 ast_3", strings.Join(middle.Later, " "): "ast_1 ast_3 ast_2", strings.Join(middle.Out, " "): "ast_1 ast_3",
		strings.Join(v.Spare[2].Into, " "): "ast_1 ast_2 ast_3 ast_5", v.Spare[0].Icon: "ast_j",
	} {
		if got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	if v.Screenshots[0].Earlier != nil || v.Screenshots[2].Later != nil {
		t.Error("one moves over the edge")
	}
	if v.Spare[1].Held == "" || v.Spare[2].Held != "" {
		t.Error("CONS-02: what the live listing shows can be deleted, or what nothing shows cannot")
	}
	if got := at.saving(); got.Rest != "PATCH /developer/apps/app_1/listing/revisions/rev_2" || got.Version != 4 || got.Slug != "" {
		t.Errorf("%+v", got)
	}
	at.listing = listing.Listing{ID: "lst_1", Slug: "sync", Version: 7}
	if got := at.saving(); got.Rest != "PUT /developer/apps/app_1/listing" || got.Version != 7 || got.Slug != "sync" {
		t.Errorf("without a revision: %+v", got)
	}
}

func TestWordsOfListings(t *testing.T) {
	for got, want := range map[string]string{
		languageWords([]string{"en", "pt-BR", "tlh"}): "English, Portuguese (BR), tlh", languageWords(nil): "", initialOf("  émile"): "É", initialOf("!"): "·",
		suggestSlug("Night Books & Co."): "night-books-co", suggestSlug("…"): "", pricingWord(nil): "", priceOf(&listing.Pricing{Model: listing.Free}): "Free",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	for _, e := range listing.Categories {
		if !strings.Contains(shelfPath(e.Category), string(e.Category)) {
			t.Errorf("%s: %s", e.Category, shelfPath(e.Category))
		}
	}
}

package pages

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"daybook/internal/platform/listing"
	"daybook/internal/platform/scope"
)

// registerListing adds the pages about an app's place in the marketplace.
func (s *Site) registerListing(mux *http.ServeMux) {
	const one = "GET /developer/apps/{appId}/listing"
	mux.Handle(one, s.appPage(s.consoleListing))
	mux.Handle(one+"/edit", s.appPage(s.consoleListingEdit))
	mux.Handle(one+"/pictures", s.appPage(s.consolePictures))
	mux.Handle(one+"/revisions/{revisionId}", s.appPage(s.consoleRevision))
}

// atListing is a developer at the listing of an app.
type atListing struct {
	inApp
	listing listing.Listing
}

// atListing reads the listing; there is none without an id.
func (s *Site) atListing(ctx context.Context, in inApp) (atListing, error) {
	l, err := s.Listings.Get(ctx, in.app.ID, in.who.user.ID)
	if errors.Is(err, listing.ErrNotFound) {
		return atListing{inApp: in}, nil
	}
	return atListing{in, l}, err
}

func (at atListing) exists() bool { return at.listing.ID != "" }

// work is the revision that a change begins with: the open one, else the live one; nil when neither is there.
func (at atListing) work() *listing.Revision {
	if at.listing.Open != nil {
		return at.listing.Open
	}
	return at.listing.Live
}

// content is what the next change begins with.
func (at atListing) content() listing.Content {
	if r := at.work(); r != nil {
		return r.Content
	}
	return listing.Content{}
}

// frozen reports whether reviewers look at the content, so that it cannot change.
func (at atListing) frozen() bool {
	r := at.listing.Open
	return r != nil && !r.State.May(listing.Edit, listing.Developer)
}

// savingView is where a change of what the listing says goes. A listing whose revisions were all given up begins another one.
type savingView struct {
	Rest    string // with the method
	Version int
	Slug    string // goes along where it must
}

func (at atListing) saving() savingView {
	if r := at.work(); r != nil {
		return savingView{Rest: "PATCH " + at.path("/listing/revisions/%s", r.ID), Version: r.Version}
	}
	return savingView{Rest: "PUT " + at.path("/listing"), Version: at.listing.Version, Slug: at.listing.Slug}
}

type consoleListingView struct {
	Rest, Here, Edit, Pictures string
	Exists                     bool
	Slug, Market               string // Market is the address in the marketplace
	Version                    int
	Name                       string // to begin with
	Live                       bool
	Seen                       bool // by everybody
	Unlisted                   *moment
	Open                       *openView
	History                    []revisionLine
	May                        may
	Saved                      string
}

// openView is the revision that is worked on.
type openView struct {
	Rest, Path                           string
	Number, Version                      int
	State                                state
	Stages                               []stage
	Words                                string // what it means, and what to do next
	Notes                                string // of the reviewers' decision
	MayEdit, MaySubmit, MayTake, MayGive bool
	Checks                               checksView
	Remarks                              []remarkLine
}

type revisionLine struct {
	Path, Words string
	State       state
	Changed     moment
}

var consoleListingPage = newPage[consoleListingView]("console-listing.html")

func (s *Site) consoleListing(w http.ResponseWriter, r *http.Request, in inApp) error {
	at, err := s.atListing(r.Context(), in)
	if err != nil {
		return err
	}
	l := at.listing
	v := consoleListingView{
		Rest: in.path("/listing"), Here: in.path("/listing"), Edit: in.path("/listing/edit"), Pictures: in.path("/listing/pictures"), Exists: at.exists(), Slug: l.Slug,
		Market: listingPath(l.Slug), Version: l.Version, Name: in.app.Name, Live: l.Live != nil, Seen: l.Live != nil && l.UnlistedAt == nil && in.app.Running(), Unlisted: whenever(l.UnlistedAt, in.now),
		May: in.may(), Saved: saved(r, listingSaved),
	}
	if !v.Exists {
		v.Slug = suggestSlug(in.app.Name)
	} else if err := s.fillListing(r.Context(), at, &v); err != nil {
		return err
	}
	consoleListingPage.write(w, r, s, http.StatusOK, in.frame("Listing", "Listing"), v)
	return nil
}

// listingSaved is what the page says after a change.
var listingSaved = map[string]string{
	"saved": "Your changes are saved.", "address": "The address is changed. Links to the old one lead nowhere.", "checked": "The checks were run.",
	"submitted": "It is submitted. A reviewer takes it from here; you can go on talking to them below.", "withdrawn": "It is yours again. Change it, and submit it when it is ready.",
	"discarded": "The revision is discarded. What is published stays as it is.", "said": "The reviewers can read it now.",
	"hidden": "The listing is hidden. Businesses that have the app keep it.", "shown": "The listing is shown again.",
}

func (s *Site) fillListing(ctx context.Context, at atListing, v *consoleListingView) error {
	all, err := s.Listings.Revisions(ctx, at.app.ID, at.who.user.ID)
	if err != nil {
		return err
	}
	for _, r := range all {
		v.History = append(v.History, revisionLine{Path: at.path("/listing/revisions/%s", r.ID), Words: "Revision " + strconv.Itoa(r.Number), State: revisionStates[r.State], Changed: when(r.UpdatedAt, at.now)})
	}
	if at.listing.Open != nil {
		v.Open, err = s.openView(ctx, at, *at.listing.Open)
	}
	return err
}

func (s *Site) openView(ctx context.Context, at atListing, r listing.Revision) (*openView, error) {
	v := &openView{
		Rest: at.path("/listing/revisions/%s", r.ID), Path: at.path("/listing/revisions/%s", r.ID), Number: r.Number, Version: r.Version, State: revisionStates[r.State], Stages: stagesOf(r.State),
		Words: openWords[r.State], Notes: visibleLines(text(r.Notes)), MayEdit: r.State.May(listing.Edit, listing.Developer), MaySubmit: r.State.May(listing.Submit, listing.Developer),
		MayTake: r.State.May(listing.Withdraw, listing.Developer), MayGive: r.State.May(listing.Discard, listing.Developer),
	}
	v.Checks = newChecks(r, at.now, at.mend)
	v.Checks.Stale = v.MayEdit && stale(r, at.app.UpdatedAt)
	said, err := s.Listings.Remarks(ctx, at.app.ID, at.who.user.ID, r.ID)
	if err != nil {
		return nil, err
	}
	v.Remarks, err = remarkLines(ctx, said, listing.Developer, s.newNames(at.who), at.now)
	return v, err
}

// stale reports whether the revision or the app changed since the checks were run. A decision is no change.
func stale(r listing.Revision, app time.Time) bool {
	if r.PreflightedAt == nil {
		return false
	}
	decided := r.DecidedAt != nil && r.UpdatedAt.Equal(*r.DecidedAt)
	return r.UpdatedAt.After(*r.PreflightedAt) && !decided || app.After(*r.PreflightedAt)
}

// newNames remember who is who while a page is made.
func (s *Site) newNames(who visitor) names {
	return names{site: s, people: map[string]string{who.user.ID: who.user.DisplayName}, apps: map[string]string{}}
}

// openWords say what a state means to a developer, and what comes next.
var openWords = map[listing.State]string{
	listing.Draft:            "Only your organization sees it. Fill in the texts and the pictures, run the checks, and submit it.",
	listing.Submitted:        "It waits for a reviewer, the longest waiting first. Until one takes it you can withdraw it.",
	listing.InReview:         "A reviewer looks at it. It cannot change meanwhile; their decision appears here.",
	listing.ChangesRequested: "The reviewers want something changed. Change it, and submit it again.",
	listing.Rejected:         "The reviewers rejected it. Changing it makes it a draft again; or discard it.",
}

// mend says where a developer puts right what a check found.
func (in inApp) mend(c listing.Check) (path, words string) {
	switch c {
	case listing.Incomplete:
		return in.path("/listing/edit"), "Edit the texts"
	case listing.AssetsMissing:
		return in.path("/listing/pictures"), "Add pictures"
	case listing.JustificationMissing:
		return in.path("/listing/edit#reasons"), "Give the reasons"
	case listing.PrivacyEvents, listing.SignatureUnchecked:
		return in.path("/webhooks"), "Go to the webhooks"
	case listing.PrivacyUnverified, listing.NoSandboxActivity:
		return sandboxesPath + of("organization", *in.app.OrganizationID), "Go to the sandboxes"
	case listing.LoopbackOnly:
		return in.path("/settings#redirect-uris"), "Change the redirect URIs"
	case listing.NotPinned, listing.NearSunset:
		return in.path("/settings"), "Choose the version in the settings"
	case listing.UnusedScope:
		return in.path("/scopes"), "Go to the scopes"
	}
	return "", ""
}

// suggestSlug makes an address of a name.
func suggestSlug(name string) string {
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') })
	return strings.Join(words, "-")
}

type consoleListingEditView struct {
	Save                                                       savingView
	Back                                                       string
	Exists, Frozen                                             bool
	State                                                      state
	Name, Tagline, Description                                 string
	WebsiteURL, SupportURL, SupportEmail, PrivacyURL, TermsURL string
	Categories, Models                                         []choice
	PricingText, Languages, TestInstructions                   string
	Reasons                                                    []reasonField
	May                                                        may
}

// reasonField is where the reason for a restricted scope goes.
type reasonField struct{ Scope, Sentence, Text string }

var consoleListingEditPage = newPage[consoleListingEditView]("console-listing-edit.html")

func (s *Site) consoleListingEdit(w http.ResponseWriter, r *http.Request, in inApp) error {
	at, err := s.atListing(r.Context(), in)
	if err != nil {
		return err
	}
	c := at.content()
	v := consoleListingEditView{
		Save: at.saving(), Back: in.path("/listing"), Exists: at.exists(), Frozen: at.frozen(), Name: text(c.Name), Tagline: text(c.Tagline), Description: text(c.Description), WebsiteURL: text(c.WebsiteURL),
		SupportURL: text(c.SupportURL), SupportEmail: text(c.SupportEmail), PrivacyURL: text(c.PrivacyURL), TermsURL: text(c.TermsURL), Categories: categoryChoices(c.Category),
		Models: pricingChoices(c.Pricing), Languages: strings.Join(c.Languages, ", "), TestInstructions: text(c.TestInstructions), Reasons: reasonFields(in.app.Scopes, c), May: in.may(),
	}
	if c.Pricing != nil {
		v.PricingText = text(c.Pricing.Text)
	}
	if r := at.work(); r != nil {
		v.State = revisionStates[r.State]
	}
	consoleListingEditPage.write(w, r, s, http.StatusOK, in.frame("Listing", "Edit the listing", crumb{"Texts", ""}), v)
	return nil
}

func categoryChoices(chosen *listing.Category) []choice {
	list := []choice{{Words: "Choose one", Chosen: chosen == nil}}
	for _, e := range listing.Categories {
		list = append(list, choice{Value: string(e.Category), Words: e.Name, Chosen: chosen != nil && *chosen == e.Category})
	}
	return list
}

func pricingChoices(p *listing.Pricing) []choice {
	var list []choice
	if p == nil {
		list = append(list, choice{Words: "Choose one", Chosen: true})
	}
	for _, m := range []listing.PricingModel{listing.Free, listing.Freemium, listing.Paid} {
		list = append(list, choice{Value: string(m), Words: pricingWords[m], Chosen: p != nil && p.Model == m})
	}
	return list
}

// reasonFields are one for every restricted scope that the app registers.
func reasonFields(scopes scope.Set, c listing.Content) []reasonField {
	var list []reasonField
	for _, e := range scopes.Entries() {
		if e.Class == scope.Restricted {
			list = append(list, reasonField{string(e.Scope), e.Sentence, c.ScopeJustifications[e.Scope]})
		}
	}
	return list
}

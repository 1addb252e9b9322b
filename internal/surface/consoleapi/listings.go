package consoleapi

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"time"

	"daybook/internal/base/fault"
	"daybook/internal/base/id"
	"daybook/internal/base/limit"
	"daybook/internal/books/record"
	"daybook/internal/platform/listing"
	"daybook/internal/platform/scope"
	"daybook/internal/surface/wire"
	"daybook/internal/tenancy/organization"
)

// listingRoutes are an app's place in the marketplace, its revisions, and what is said about them.
func (a *API) listingRoutes() []Route {
	const one, build = "/developer/apps/{appId}/listing", organization.Build
	const all, revision = one + "/revisions", one + "/revisions/{revisionId}"
	return []Route{
		{Method: "GET", Path: one, Summary: "Show an app's listing", About: "With the revision that is live, and the one that is worked on.", verb: show(a.showListing)},
		{Method: "PUT", Path: one, Needs: build, Versioned: true, Summary: "Save an app's listing",
			About: "The first save makes the listing and its first DRAFT; If-None-Match: * says that it must be the first. Later ones change the slug and the open revision, and leave members as they are that are not sent.",
			verb:  reads(http.StatusOK, a.saveListing)},
		{Method: "POST", Path: one + "/unlist", Needs: build, Versioned: true, Summary: "Hide the live listing", verb: act(http.StatusOK, a.unlist)},
		{Method: "POST", Path: one + "/relist", Needs: build, Versioned: true, Summary: "Show the live listing again", verb: act(http.StatusOK, a.relist)},
		{Method: "GET", Path: all, Summary: "List the revisions of a listing", About: "The newest first, 100 at most.", verb: list(a.revisions, newRevisionDoc)},
		{Method: "GET", Path: revision, Summary: "Show a revision", verb: show(a.showRevision)},
		{Method: "PATCH", Path: revision, Needs: build, Versioned: true, Summary: "Change a revision",
			About: "Changing the live one opens a copy of it, as long as none is open: the answer is the copy.", verb: reads(http.StatusOK, a.changeRevision)},
		{Method: "DELETE", Path: revision, Needs: build, Versioned: true, Summary: "Give a revision up", verb: remove(a.discardRevision)},
		{Method: "POST", Path: revision + "/preflight", Needs: build, Summary: "Check whether a revision can be submitted",
			About: "Sends a wrongly signed request to every enabled webhook of the app.", verb: act(http.StatusOK, a.preflight)},
		{Method: "POST", Path: revision + "/submit", Needs: build, Versioned: true, Summary: "Hand a revision to the reviewers",
			About: "Refused with the first check that fails as its code, and all of them as details.", verb: act(http.StatusOK, a.submitRevision)},
		{Method: "POST", Path: revision + "/withdraw", Needs: build, Versioned: true, Summary: "Take a revision back that no reviewer has claimed", verb: act(http.StatusOK, a.withdrawRevision)},
		{Method: "GET", Path: revision + "/comments", Summary: "Read the conversation with the reviewers", verb: list(a.comments, newCommentDoc)},
		{Method: "POST", Path: revision + "/comments", Needs: build, Summary: "Write to the reviewers", verb: change(http.StatusCreated, newComment.judge, a.comment)},
	}
}

type listingDoc struct {
	ID         string       `json:"id"`
	AppID      string       `json:"appId"`
	Slug       string       `json:"slug"`
	Listed     bool         `json:"listed" doc:"Whether the live revision, if there is one, is shown."`
	UnlistedAt *string      `json:"unlistedAt"`
	Live       *RevisionDoc `json:"live" doc:"The revision that people see."`
	Open       *RevisionDoc `json:"open" doc:"The revision that is worked on, or looked at."`
	Version    int          `json:"version"`
	CreatedAt  string       `json:"createdAt"`
	UpdatedAt  string       `json:"updatedAt"`
}

func (d listingDoc) revision() int { return d.Version }

func newListingDoc(l listing.Listing) listingDoc {
	return listingDoc{
		ID: l.ID, AppID: l.AppID, Slug: l.Slug, Listed: l.UnlistedAt == nil, UnlistedAt: optionalInstant(l.UnlistedAt), Live: optionalRevision(l.Live),
		Open: optionalRevision(l.Open), Version: l.Version, CreatedAt: instant(l.CreatedAt), UpdatedAt: instant(l.UpdatedAt),
	}
}

// RevisionDoc is a revision of a listing.
type RevisionDoc struct {
	ID                  string            `json:"id"`
	ListingID           string            `json:"listingId"`
	AppID               string            `json:"appId"`
	Number              int               `json:"number"`
	State               string            `json:"state" enum:"DRAFT,SUBMITTED,IN_REVIEW,CHANGES_REQUESTED,REJECTED,PUBLISHED,SUPERSEDED,DISCARDED"`
	Name                *string           `json:"name"`
	Tagline             *string           `json:"tagline"`
	Description         *string           `json:"description" doc:"Markdown: paragraphs, headings, lists, bold, italic, code and links."`
	Category            *string           `json:"category"`
	IconAssetID         *string           `json:"iconAssetId"`
	ScreenshotAssetIDs  []string          `json:"screenshotAssetIds" nullable:"false"`
	WebsiteURL          *string           `json:"websiteUrl"`
	SupportURL          *string           `json:"supportUrl"`
	SupportEmail        *string           `json:"supportEmail"`
	PrivacyURL          *string           `json:"privacyUrl"`
	TermsURL            *string           `json:"termsUrl"`
	Pricing             *PricingDoc       `json:"pricing"`
	ScopeJustifications map[string]string `json:"scopeJustifications" doc:"By scope, what the app needs it for."`
	TestInstructions    *string           `json:"testInstructions" doc:"For reviewers."`
	Languages           []string          `json:"languages" nullable:"false"`
	Snapshot            *SnapshotDoc      `json:"snapshot" doc:"The app as it was submitted."`
	Preflight           []CheckDoc        `json:"preflight" doc:"What the checks found the last time; null before that."`
	PreflightAt         *string           `json:"preflightAt"`
	SubmittedAt         *string           `json:"submittedAt"`
	SubmittedBy         *string           `json:"submittedBy"`
	DecidedAt           *string           `json:"decidedAt"`
	Notes               *string           `json:"notes" doc:"What the reviewer wants changed, or why it was rejected."`
	Version             int               `json:"version"`
	CreatedAt           string            `json:"createdAt"`
	UpdatedAt           string            `json:"updatedAt"`
}

func (d RevisionDoc) revision() int { return d.Version }

// PricingDoc is what an app costs.
type PricingDoc struct {
	Model string  `json:"model" enum:"FREE,PAID,FREEMIUM"`
	Text  *string `json:"text"`
}

// SnapshotDoc is an app as it was submitted.
type SnapshotDoc struct {
	Scopes       []string               `json:"scopes" nullable:"false"`
	RedirectURIs []string               `json:"redirectUris" nullable:"false"`
	Webhooks     []SnapshotHookDoc      `json:"webhooks" nullable:"false"`
	Extensions   []SnapshotExtensionDoc `json:"extensions" nullable:"false"`
}

// SnapshotHookDoc is a webhook of a snapshot.
type SnapshotHookDoc struct {
	ID      string   `json:"id"`
	URL     string   `json:"url"`
	Events  []string `json:"events" nullable:"false"`
	Enabled bool     `json:"enabled"`
}

// SnapshotExtensionDoc is an extension of a snapshot.
type SnapshotExtensionDoc struct {
	ID           string  `json:"id"`
	Kind         string  `json:"kind"`
	ResourceType *string `json:"resourceType"`
	Label        string  `json:"label"`
	Path         string  `json:"path"`
	Enabled      bool    `json:"enabled"`
}

// CheckDoc is what a check found.
type CheckDoc struct {
	Check   string         `json:"check"`
	Level   string         `json:"level" enum:"PASS,WARN,FAIL"`
	Message string         `json:"message"`
	Params  map[string]any `json:"params" doc:"The values that the message shows: p0, p1…"`
}

func newCheckDoc(r listing.Result) CheckDoc {
	return CheckDoc{Check: string(r.Check), Level: string(r.Level), Message: r.Message, Params: r.Params}
}

func newRevisionDoc(r listing.Revision) RevisionDoc {
	c := r.Content
	d := RevisionDoc{
		ID: r.ID, ListingID: r.ListingID, AppID: r.AppID, Number: r.Number, State: string(r.State), Name: c.Name, Tagline: c.Tagline, Description: c.Description,
		Category: (*string)(c.Category), IconAssetID: c.IconAssetID, ScreenshotAssetIDs: words(c.ScreenshotAssetIDs), WebsiteURL: c.WebsiteURL, SupportURL: c.SupportURL,
		SupportEmail: c.SupportEmail, PrivacyURL: c.PrivacyURL, TermsURL: c.TermsURL, ScopeJustifications: map[string]string{}, TestInstructions: c.TestInstructions,
		Languages: words(c.Languages), Snapshot: newSnapshotDoc(r.Snapshot), PreflightAt: optionalInstant(r.PreflightedAt), SubmittedAt: optionalInstant(r.SubmittedAt),
		SubmittedBy: r.SubmittedBy, DecidedAt: optionalInstant(r.DecidedAt), Notes: r.Notes, Version: r.Version, CreatedAt: instant(r.CreatedAt), UpdatedAt: instant(r.UpdatedAt),
	}
	if c.Pricing != nil {
		d.Pricing = &PricingDoc{string(c.Pricing.Model), c.Pricing.Text}
	}
	for s, why := range c.ScopeJustifications {
		d.ScopeJustifications[string(s)] = why
	}
	if r.Preflight != nil {
		d.Preflight = each(r.Preflight, newCheckDoc)
	}
	return d
}

func optionalRevision(r *listing.Revision) *RevisionDoc {
	if r == nil {
		return nil
	}
	d := newRevisionDoc(*r)
	return &d
}

func newSnapshotDoc(s *listing.Snapshot) *SnapshotDoc {
	if s == nil {
		return nil
	}
	return &SnapshotDoc{
		Scopes: words(s.Scopes), RedirectURIs: words(s.RedirectURIs),
		Webhooks: each(s.Webhooks, func(w listing.SnapshotWebhook) SnapshotHookDoc {
			return SnapshotHookDoc{w.ID, w.URL, words(w.Events), w.Enabled}
		}),
		Extensions: each(s.Extensions, func(e listing.Extension) SnapshotExtensionDoc { return SnapshotExtensionDoc(e) }),
	}
}

// pricingBody is read strictly, as every body is.
type pricingBody struct {
	Model string  `json:"model"`
	Text  *string `json:"text"`
}

// UnmarshalJSON refuses members that do not belong.
func (p *pricingBody) UnmarshalJSON(data []byte) error {
	type plain pricingBody
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	return decoder.Decode((*plain)(p))
}

type (
	assetIDs       []string
	languages      []string
	justifications map[string]string
)

// listingBody are the members of a listing and of a revision. What is not sent stays.
type listingBody struct {
	Slug                record.Patch[string]         `json:"slug,omitempty" doc:"Its address in the marketplace: lower-case letters, digits and hyphens. Of the listing, not of a revision."`
	Name                record.Patch[string]         `json:"name,omitempty"`
	Tagline             record.Patch[string]         `json:"tagline,omitempty"`
	Description         record.Patch[string]         `json:"description,omitempty"`
	Category            record.Patch[string]         `json:"category,omitempty"`
	IconAssetID         record.Patch[string]         `json:"iconAssetId,omitempty"`
	ScreenshotAssetIDs  record.Patch[assetIDs]       `json:"screenshotAssetIds,omitempty"`
	WebsiteURL          record.Patch[string]         `json:"websiteUrl,omitempty"`
	SupportURL          record.Patch[string]         `json:"supportUrl,omitempty"`
	SupportEmail        record.Patch[string]         `json:"supportEmail,omitempty"`
	PrivacyURL          record.Patch[string]         `json:"privacyUrl,omitempty"`
	TermsURL            record.Patch[string]         `json:"termsUrl,omitempty"`
	Pricing             record.Patch[pricingBody]    `json:"pricing,omitempty"`
	ScopeJustifications record.Patch[justifications] `json:"scopeJustifications,omitempty"`
	TestInstructions    record.Patch[string]         `json:"testInstructions,omitempty"`
	Languages           record.Patch[languages]      `json:"languages,omitempty"`
}

func (b listingBody) patch() listing.Patch {
	return listing.Patch{
		Name: member(b.Name, same[string]), Tagline: member(b.Tagline, same[string]), Description: member(b.Description, same[string]),
		Category:           member(b.Category, func(s string) listing.Category { return listing.Category(s) }),
		IconAssetID:        member(b.IconAssetID, same[string]),
		ScreenshotAssetIDs: member(b.ScreenshotAssetIDs, func(l assetIDs) []string { return l }),
		WebsiteURL:         member(b.WebsiteURL, same[string]), SupportURL: member(b.SupportURL, same[string]), SupportEmail: member(b.SupportEmail, same[string]),
		PrivacyURL: member(b.PrivacyURL, same[string]), TermsURL: member(b.TermsURL, same[string]),
		Pricing: member(b.Pricing, func(p pricingBody) listing.Pricing {
			return listing.Pricing{Model: listing.PricingModel(p.Model), Text: p.Text}
		}),
		ScopeJustifications: member(b.ScopeJustifications, justifications.byScope),
		TestInstructions:    member(b.TestInstructions, same[string]),
		Languages:           member(b.Languages, func(l languages) []string { return l }),
	}
}

func (j justifications) byScope() map[scope.Scope]string {
	out := map[scope.Scope]string{}
	for s, why := range j {
		out[scope.Scope(s)] = why
	}
	return out
}

func same[T any](v T) T { return v }

// member is a part of a patch in the feature's own type.
func member[T, V any](p record.Patch[T], as func(T) V) listing.Member[V] {
	m := listing.Member[V]{Set: p.Set}
	if p.Set && !p.Null {
		v := as(p.Value)
		m.Value = &v
	}
	return m
}

func (a *API) showListing(ctx context.Context, c *call) (listingDoc, error) {
	return listingAnswer(a.Listings.Get(ctx, c.app.ID, c.by()))
}

func listingAnswer(l listing.Listing, err error) (listingDoc, error) {
	if err != nil {
		return listingDoc{}, err
	}
	return newListingDoc(l), nil
}

func (a *API) saveListing(ctx context.Context, c *call, body listingBody) (listingDoc, error) {
	v := listing.Saving{Slug: body.Slug.Value, Patch: body.patch(), Seen: c.seen}
	v.Arrived, _ = id.Time(id.Request, wire.RequestID(ctx))
	switch c.request.Header.Get("If-None-Match") {
	case "":
	case "*":
		v.First = true
	default:
		return listingDoc{}, fault.InvalidFields("If-None-Match must be *, for a listing that must not be there yet")
	}
	return listingAnswer(a.Listings.Save(ctx, c.app.ID, c.by(), v))
}

func (a *API) unlist(ctx context.Context, c *call) (listingDoc, error) {
	return listingAnswer(a.Listings.Unlist(ctx, c.app.ID, c.by(), c.seen))
}

func (a *API) relist(ctx context.Context, c *call) (listingDoc, error) {
	return listingAnswer(a.Listings.Relist(ctx, c.app.ID, c.by(), c.seen))
}

func (a *API) revisions(ctx context.Context, c *call) ([]listing.Revision, error) {
	return a.Listings.Revisions(ctx, c.app.ID, c.by())
}

func (a *API) showRevision(ctx context.Context, c *call) (RevisionDoc, error) {
	return revisionAnswer(a.Listings.Revision(ctx, c.app.ID, c.by(), c.at("revisionId")))
}

func revisionAnswer(r listing.Revision, err error) (RevisionDoc, error) {
	if err != nil {
		return RevisionDoc{}, err
	}
	return newRevisionDoc(r), nil
}

func (a *API) changeRevision(ctx context.Context, c *call, body listingBody) (RevisionDoc, error) {
	if body.Slug.Set {
		return RevisionDoc{}, fault.InvalidFields("slug is of the listing, not of a revision: save it there")
	}
	return revisionAnswer(a.Listings.Change(ctx, c.app.ID, c.by(), c.at("revisionId"), c.seen, body.patch()))
}

func (a *API) discardRevision(ctx context.Context, c *call) error {
	return a.Listings.Discard(ctx, c.app.ID, c.by(), c.at("revisionId"), c.seen)
}

// preflightRule bounds how often the webhooks of an app are probed.
var preflightRule = limit.Rule{Name: "preflight", Max: 20, Per: time.Minute}

var errPreflights = fault.New(fault.Limited, "TOO_MANY_PREFLIGHTS", "This app was checked too often in the last minute. Wait a little, and try again.")

func (a *API) countPreflight(ctx context.Context, key string) error {
	if window := a.Limits.Take(ctx, limit.Hit{Rule: preflightRule, Key: key})[0]; !window.Allowed {
		return errPreflights.After(window.Reset)
	}
	return nil
}

type preflightDoc struct {
	Passed bool       `json:"passed" doc:"No check fails: the revision can be submitted."`
	Checks []CheckDoc `json:"checks" nullable:"false"`
	At     string     `json:"at"`
}

func preflightAnswer(r listing.Revision, err error) (preflightDoc, error) {
	if err != nil {
		return preflightDoc{}, err
	}
	d := preflightDoc{Passed: true, Checks: each(r.Preflight, newCheckDoc), At: instant(*r.PreflightedAt)}
	for _, one := range r.Preflight {
		d.Passed = d.Passed && one.Level != listing.Fail
	}
	return d, nil
}

func (a *API) preflight(ctx context.Context, c *call) (preflightDoc, error) {
	if err := a.countPreflight(ctx, c.app.ID); err != nil {
		return preflightDoc{}, err
	}
	return preflightAnswer(a.Listings.Preflight(ctx, c.app.ID, c.by(), c.at("revisionId")))
}

func (a *API) submitRevision(ctx context.Context, c *call) (RevisionDoc, error) {
	if err := a.countPreflight(ctx, c.app.ID); err != nil {
		return RevisionDoc{}, err
	}
	return revisionAnswer(a.Listings.Submit(ctx, c.app.ID, c.by(), c.at("revisionId"), c.seen))
}

func (a *API) withdrawRevision(ctx context.Context, c *call) (RevisionDoc, error) {
	return revisionAnswer(a.Listings.Withdraw(ctx, c.app.ID, c.by(), c.at("revisionId"), c.seen))
}

type commentDoc struct {
	ID        string  `json:"id"`
	Side      string  `json:"side" enum:"DEVELOPER,REVIEWER"`
	AuthorID  *string `json:"authorId" doc:"Null for reviewers: they speak for the service."`
	Text      string  `json:"text"`
	CreatedAt string  `json:"createdAt"`
}

func newCommentDoc(m listing.Remark) commentDoc {
	d := commentDoc{ID: m.ID, Side: string(m.Side), Text: m.Text, CreatedAt: instant(m.CreatedAt)}
	if m.Side == listing.Developer {
		d.AuthorID = &m.AuthorID
	}
	return d
}

func (a *API) comments(ctx context.Context, c *call) ([]listing.Remark, error) {
	return a.Listings.Remarks(ctx, c.app.ID, c.by(), c.at("revisionId"))
}

type newComment struct {
	Text string `json:"text" minLength:"1" maxLength:"2000"`
}

func (n newComment) judge() error { return listing.CheckRemark(n.Text) }

func (a *API) comment(ctx context.Context, c *call, body newComment) (commentDoc, error) {
	m, err := a.Listings.Remark(ctx, c.app.ID, c.by(), c.at("revisionId"), body.Text)
	if err != nil {
		return commentDoc{}, err
	}
	return newCommentDoc(m), nil
}

package consoleapi

import (
	"context"
	"net/http"

	"daybook/internal/platform/listing"
	"daybook/internal/surface/wire"
	"daybook/internal/tenancy/identity"
)

// registerReviews adds what reviewers do: operators are reviewers.
func (a *API) registerReviews(mux *http.ServeMux) {
	const one = "/operator/revisions/{revisionId}"
	mux.Handle("GET /operator/queue", a.asOperator(a.reviewQueue))
	mux.Handle("GET "+one, a.asOperator(a.showDossier))
	mux.Handle("POST "+one+"/preflight", a.asOperator(a.reviewPreflight))
	mux.Handle("POST "+one+"/comments", a.asOperator(a.reviewComment))
	mux.Handle("POST "+one+"/claim", a.asOperator(a.reviewed(a.Listings.Claim)))
	mux.Handle("POST "+one+"/release", a.asOperator(a.reviewed(a.Listings.Release)))
	mux.Handle("POST "+one+"/approve", a.asOperator(a.reviewed(a.Listings.Approve)))
	mux.Handle("POST "+one+"/request-changes", a.asOperator(a.requestChanges))
	mux.Handle("POST "+one+"/reject", a.asOperator(a.rejectRevision))
}

// reviewedDoc is a revision as reviewers see it.
type reviewedDoc struct {
	RevisionDoc
	ReviewerID *string `json:"reviewerId"`
}

func newReviewedDoc(r listing.Revision) reviewedDoc {
	return reviewedDoc{newRevisionDoc(r), r.ReviewerID}
}

type queueDoc struct {
	RevisionID       string  `json:"revisionId"`
	Number           int     `json:"number"`
	State            string  `json:"state"`
	Name             *string `json:"name"`
	Slug             string  `json:"slug"`
	AppID            string  `json:"appId"`
	AppName          string  `json:"appName"`
	ReviewStatus     string  `json:"reviewStatus"`
	OrganizationID   *string `json:"organizationId"`
	OrganizationName string  `json:"organizationName"`
	SubmittedAt      *string `json:"submittedAt"`
	ReviewerID       *string `json:"reviewerId"`
}

func newQueueDoc(i listing.QueueItem) queueDoc {
	r := i.Revision
	return queueDoc{
		RevisionID: r.ID, Number: r.Number, State: string(r.State), Name: r.Content.Name, Slug: i.Slug, AppID: i.App.ID, AppName: i.App.Name,
		ReviewStatus: string(i.App.ReviewStatus), OrganizationID: i.App.OrganizationID, OrganizationName: i.Organization,
		SubmittedAt: optionalInstant(r.SubmittedAt), ReviewerID: r.ReviewerID,
	}
}

func (a *API) reviewQueue(w http.ResponseWriter, r *http.Request, _ identity.User) error {
	q, err := paramsOf(r, "state", "limit", "cursor")
	if err != nil {
		return err
	}
	state := listing.State(q.oneOf("state", string(listing.Submitted), string(listing.InReview)))
	limit, at := q.number("limit", defaultPage, 1, listing.MaxPage), q.word("cursor")
	if err := q.wrong.Err(); err != nil {
		return err
	}
	found, err := a.Listings.Queue(r.Context(), state, at, limit)
	if err != nil {
		return err
	}
	body := newListBody(found.Items, newQueueDoc)
	body.HasMore, body.NextCursor = found.Next != nil, found.Next
	wire.WriteJSON(w, http.StatusOK, body)
	return nil
}

// dossierDoc is all that a reviewer sees of a revision.
type dossierDoc struct {
	Revision reviewedDoc       `json:"revision"`
	App      watchedAppBody    `json:"app"`
	Listing  listingDoc        `json:"listing"`
	Assets   []assetDoc        `json:"assets"`
	Comments []reviewerComment `json:"comments"`
	Changed  []string          `json:"changedSinceSubmission"`
}

// reviewerComment names its author, whoever it is.
type reviewerComment struct {
	commentDoc
	AuthorID string `json:"authorId"`
}

func newReviewerComment(m listing.Remark) reviewerComment {
	return reviewerComment{newCommentDoc(m), m.AuthorID}
}

func (a *API) showDossier(w http.ResponseWriter, r *http.Request, _ identity.User) error {
	if err := wire.CheckQuery(r); err != nil {
		return err
	}
	d, err := a.Listings.Dossier(r.Context(), r.PathValue("revisionId"))
	if err != nil {
		return err
	}
	wire.WriteJSON(w, http.StatusOK, dossierDoc{
		Revision: newReviewedDoc(d.Revision), App: newWatchedAppBody(d.App), Listing: newListingDoc(d.Listing), Assets: each(d.Assets, a.newAssetDoc), Comments: each(d.Remarks, newReviewerComment), Changed: words(d.Changed),
	})
	return nil
}

func (a *API) reviewPreflight(w http.ResponseWriter, r *http.Request, by identity.User) error {
	if err := readStrictly(r, &struct{}{}); err != nil {
		return err
	}
	if err := a.countPreflight(r.Context(), by.ID); err != nil {
		return err
	}
	doc, err := preflightAnswer(a.Listings.PreflightForReview(r.Context(), r.PathValue("revisionId")))
	if err != nil {
		return err
	}
	wire.WriteJSON(w, http.StatusOK, doc)
	return nil
}

func (a *API) reviewComment(w http.ResponseWriter, r *http.Request, by identity.User) error {
	var body newComment
	if err := readStrictly(r, &body); err != nil {
		return err
	}
	m, err := a.Listings.RemarkAsReviewer(r.Context(), by.ID, r.PathValue("revisionId"), body.Text)
	if err != nil {
		return err
	}
	wire.WriteJSON(w, http.StatusCreated, newReviewerComment(m))
	return nil
}

// reviewed serves something that a reviewer does to a revision without a word.
func (a *API) reviewed(do func(ctx context.Context, by, revisionID string) (listing.Revision, error)) func(http.ResponseWriter, *http.Request, identity.User) error {
	return func(w http.ResponseWriter, r *http.Request, by identity.User) error {
		if err := readStrictly(r, &struct{}{}); err != nil {
			return err
		}
		done, err := do(r.Context(), by.ID, r.PathValue("revisionId"))
		return writeReviewed(w, done, err)
	}
}

func writeReviewed(w http.ResponseWriter, r listing.Revision, err error) error {
	if err != nil {
		return err
	}
	wire.WriteJSON(w, http.StatusOK, newReviewedDoc(r))
	return nil
}

func (a *API) requestChanges(w http.ResponseWriter, r *http.Request, by identity.User) error {
	var body struct {
		Notes string `json:"notes"`
	}
	if err := readStrictly(r, &body); err != nil {
		return err
	}
	done, err := a.Listings.RequestChanges(r.Context(), by.ID, r.PathValue("revisionId"), body.Notes)
	return writeReviewed(w, done, err)
}

func (a *API) rejectRevision(w http.ResponseWriter, r *http.Request, by identity.User) error {
	var body reasonBody
	if err := readStrictly(r, &body); err != nil {
		return err
	}
	done, err := a.Listings.Reject(r.Context(), by.ID, r.PathValue("revisionId"), body.Reason)
	return writeReviewed(w, done, err)
}

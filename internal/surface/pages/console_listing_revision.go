package pages

import (
	"context"
	"net/http"
	"strconv"

	"daybook/internal/platform/listing"
)

type consoleRevisionView struct {
	Back         string
	Number       int
	State        state
	Shown        shownListing
	Notes        string
	Submitted    *moment
	Decided      *moment
	By           string // who submitted it
	Instructions string
	Snapshot     *snapshotView
	Remarks      []remarkLine
}

var consoleRevisionPage = newPage[consoleRevisionView]("console-listing-revision.html")

// consoleRevision shows a revision as people will see it, or would have, and what came of it.
func (s *Site) consoleRevision(w http.ResponseWriter, r *http.Request, in inApp) error {
	ctx := r.Context()
	one, err := s.Listings.Revision(ctx, in.app.ID, in.who.user.ID, r.PathValue("revisionId"))
	if err != nil {
		return err
	}
	shown, err := s.preview(ctx, in, one)
	if err != nil {
		return err
	}
	v := consoleRevisionView{
		Back: in.path("/listing"), Number: one.Number, State: revisionStates[one.State], Shown: shown, Notes: visibleLines(text(one.Notes)), Submitted: whenever(one.SubmittedAt, in.now),
		Decided: whenever(one.DecidedAt, in.now), Instructions: visibleLines(text(one.Content.TestInstructions)),
	}
	known := s.newNames(in.who)
	if one.SubmittedBy != nil {
		if v.By, err = known.person(ctx, *one.SubmittedBy); err != nil {
			return err
		}
	}
	if one.Snapshot != nil {
		v.Snapshot = newSnapshot(*one.Snapshot, one.Content.ScopeJustifications, nil)
	}
	said, err := s.Listings.Remarks(ctx, in.app.ID, in.who.user.ID, one.ID)
	if err != nil {
		return err
	}
	if v.Remarks, err = remarkLines(ctx, said, listing.Developer, known, in.now); err != nil {
		return err
	}
	title := "Revision " + strconv.Itoa(one.Number)
	consoleRevisionPage.write(w, r, s, http.StatusOK, in.frame("Listing", title, crumb{title, ""}), v)
	return nil
}

// preview is a revision as people see it.
func (s *Site) preview(ctx context.Context, in inApp, r listing.Revision) (shownListing, error) {
	all, err := s.Assets.List(ctx, in.app.ID, in.who.user.ID)
	if err != nil {
		return shownListing{}, err
	}
	publisher, err := s.Organizations.NameOf(ctx, *in.app.OrganizationID)
	if err != nil {
		return shownListing{}, err
	}
	scopes := in.app.Scopes
	if r.Snapshot != nil {
		scopes = r.Snapshot.Scopes
	}
	icon, shots := pick(r.Content, byID(all))
	return show(r.Content, publisher, scopes, icon, shots), nil
}

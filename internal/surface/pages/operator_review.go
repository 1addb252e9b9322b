package pages

import (
	"context"
	"maps"
	"net/http"
	"strconv"
	"strings"

	"daybook/internal/platform/listing"
)

const reviewPath = "/operator/review"

// registerReview adds the pages of reviewers: operators are reviewers.
func (s *Site) registerReview(mux *http.ServeMux) {
	mux.Handle("GET "+reviewPath, s.operatorPage(s.operatorQueue))
	mux.Handle("GET "+reviewPath+"/{revisionId}", s.operatorPage(s.operatorReview))
}

type operatorQueueView struct {
	Picks []choiceLink
	Empty string // what it means that nothing is here
	List  []queueLine
	Pager pager
}

// queueLine is a revision that waits, or is with a reviewer.
type queueLine struct {
	Path, Name, Organization string
	Kind                     string // the first of its app, or an update
	State                    state
	Reviewer                 string // who has claimed it; empty: nobody
	Submitted                moment
}

var operatorQueuePage = newPage[operatorQueueView]("operator-review-queue.html")

func (s *Site) operatorQueue(w http.ResponseWriter, r *http.Request, in asOperator) error {
	q := searchQuery(r, "state")
	only := listing.State(q.get("state"))
	if only != listing.Submitted && only != listing.InReview {
		only = ""
		q.given.Del("state")
	}
	found, err := s.Listings.Queue(r.Context(), only, r.URL.Query().Get("cursor"), maxOperated)
	if err != nil {
		return err
	}
	v := operatorQueueView{Picks: queuePicks(only), Empty: queueEmpty[only], Pager: q.pager(found.Next)}
	for _, i := range found.Items {
		line, err := in.queueLine(r.Context(), i)
		if err != nil {
			return err
		}
		v.List = append(v.List, line)
	}
	operatorQueuePage.write(w, r, s, http.StatusOK, in.frame("Review", "Review"), v)
	return nil
}

var queueEmpty = map[listing.State]string{
	"": "Nothing waits for review. What developers submit appears here, the longest waiting first.", listing.Submitted: "Nothing waits for somebody to take it.", listing.InReview: "Nobody has claimed anything.",
}

func queuePicks(open listing.State) []choiceLink {
	list := []choiceLink{{Name: "All", Path: reviewPath, Chosen: open == ""}}
	for _, one := range []struct {
		state listing.State
		name  string
	}{{listing.Submitted, "Waiting"}, {listing.InReview, "In review"}} {
		list = append(list, choiceLink{Name: one.name, Path: reviewPath + of("state", string(one.state)), Chosen: open == one.state})
	}
	return list
}

func (in asOperator) queueLine(ctx context.Context, i listing.QueueItem) (queueLine, error) {
	line := queueLine{
		Path: reviewPath + "/" + i.Revision.ID, Name: visible(i.App.Name), Organization: visible(i.Organization), Kind: "first listing", State: state{"waiting", "wait"}, Submitted: when(*i.Revision.SubmittedAt, in.now),
	}
	if name := text(i.Revision.Content.Name); name != "" {
		line.Name = visible(name)
	}
	if i.Revision.Number > 1 {
		line.Kind = "revision " + strconv.Itoa(i.Revision.Number)
	}
	if i.Revision.ReviewerID == nil || i.Revision.State != listing.InReview {
		return line, nil
	}
	name, err := in.names.person(ctx, *i.Revision.ReviewerID)
	line.State, line.Reviewer = revisionStates[listing.InReview], visible(name)
	return line, err
}

type operatorReviewView struct {
	Rest, Here, Name                     string
	AppPath, AppName, Organization, Slug string
	ClientID, Kind, AppURL               string
	AppState, Review                     state
	Number                               int
	State                                state
	Stages                               []stage
	Submitted                            *moment
	SubmittedBy                          string
	Reviewer                             string // who has it
	Yours                                bool
	MayClaim, MayDecide, MaySpeak        bool
	Changed                              string // of the app since it was submitted
	First                                bool   // nothing of the app was published before
	Differences                          []difference
	Shown                                shownListing
	Snapshot                             *snapshotView
	Instructions                         string
	Checks                               checksView
	Remarks                              []remarkLine
	Notes                                string
	Saved                                string
}

var operatorReviewPage = newPage[operatorReviewView]("operator-review.html")

// reviewSaved is what the page says after something was done.
var reviewSaved = map[string]string{
	"claimed": "It is yours to decide about. Others see that you have it.", "released": "It waits for another reviewer.", "asked": "Its developers see what you want changed, and can submit it again.",
	"rejected": "It is rejected. Its developers see why.", "approved": "It is published, and the app may connect to every business.", "checked": "The checks were run.", "said": "Its developers can read it now.",
}

func (s *Site) operatorReview(w http.ResponseWriter, r *http.Request, in asOperator) error {
	d, err := s.Listings.Dossier(r.Context(), r.PathValue("revisionId"))
	if err != nil {
		return err
	}
	v, err := s.reviewView(r.Context(), in, d)
	if err != nil {
		return err
	}
	v.Saved = saved(r, reviewSaved)
	operatorReviewPage.write(w, r, s, http.StatusOK, in.frame("Review", v.Name, crumb{v.Name, ""}), v)
	return nil
}

func (s *Site) reviewView(ctx context.Context, in asOperator, d listing.Dossier) (operatorReviewView, error) {
	v, err := s.described(ctx, in, d)
	if err != nil {
		return v, err
	}
	c := d.Revision.Content
	found := byID(d.Assets)
	icon, shots := pick(c, found)
	scopes := d.App.Scopes
	if shot := d.Revision.Snapshot; shot != nil {
		scopes = shot.Scopes
		var before *listing.Snapshot
		if d.Listing.Live != nil {
			before = d.Listing.Live.Snapshot
		}
		v.Snapshot = newSnapshot(*shot, c.ScopeJustifications, before)
	}
	v.Shown = show(c, v.Organization, scopes, icon, shots)
	if live := d.Listing.Live; live != nil && live.ID != d.Revision.ID {
		before, err := s.Listings.Dossier(ctx, live.ID) // for its pictures
		if err != nil {
			return v, err
		}
		maps.Copy(found, byID(before.Assets))
		v.Differences = differences(live.Content, c, found)
	}
	v.Remarks, err = remarkLines(ctx, d.Remarks, listing.Reviewer, in.names, in.now)
	return v, err
}

// described is what a dossier says in words and states.
func (s *Site) described(ctx context.Context, in asOperator, d listing.Dossier) (operatorReviewView, error) {
	r := d.Revision
	v := operatorReviewView{
		Rest: "/operator/revisions/" + r.ID, Here: reviewPath + "/" + r.ID, Name: visible(d.App.Name), AppPath: "/operator/apps/" + d.App.ID, AppName: visible(d.App.Name), Slug: d.Listing.Slug,
		ClientID: visible(d.App.ClientID), Kind: clientKind(d.App.ClientType), AppURL: text(d.App.AppURL), AppState: appState(d.App), Review: reviewState(d.App), Number: r.Number, State: revisionStates[r.State], Stages: stagesOf(r.State),
		Submitted: whenever(r.SubmittedAt, in.now), MayClaim: r.State.May(listing.Claim, listing.Reviewer), MaySpeak: r.State.May(listing.Comment, listing.Reviewer),
		First: d.Listing.Live == nil, Instructions: visibleLines(text(r.Content.TestInstructions)), Notes: visibleLines(text(r.Notes)),
	}
	if name := text(r.Content.Name); name != "" {
		v.Name = visible(name)
	}
	v.Checks = newChecks(r, in.now, nil)
	if r.State == listing.Submitted || r.State == listing.InReview {
		v.Changed = strings.Join(d.Changed, ", ") // to who has decided it does not matter any more
	}
	if d.App.OrganizationID != nil {
		name, err := s.Organizations.NameOf(ctx, *d.App.OrganizationID)
		if err != nil {
			return v, err
		}
		v.Organization = visible(name)
	}
	var err error
	if r.SubmittedBy != nil {
		if v.SubmittedBy, err = in.names.person(ctx, *r.SubmittedBy); err != nil {
			return v, err
		}
	}
	if r.ReviewerID != nil && r.State == listing.InReview {
		v.Yours = *r.ReviewerID == in.who.user.ID
		v.MayDecide = v.Yours
		v.Reviewer, err = in.names.person(ctx, *r.ReviewerID)
	}
	return v, err
}

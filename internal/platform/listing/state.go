package listing

import "slices"

// State of a revision.
type State string

// The states.
const (
	// none stands for a listing without an open revision.
	none             State = ""
	Draft            State = "DRAFT"
	Submitted        State = "SUBMITTED"
	InReview         State = "IN_REVIEW"
	ChangesRequested State = "CHANGES_REQUESTED"
	Rejected         State = "REJECTED"
	Published        State = "PUBLISHED"
	Superseded       State = "SUPERSEDED"
	Discarded        State = "DISCARDED"
)

// States are all of them, in the order of a revision's life.
var States = []State{Draft, Submitted, InReview, ChangesRequested, Rejected, Published, Superseded, Discarded}

// Open reports whether the revision is worked on, or waits for somebody.
func (s State) Open() bool {
	return slices.Contains([]State{Draft, Submitted, InReview, ChangesRequested, Rejected}, s)
}

// Action is what somebody does to a revision.
type Action string

// The actions.
const (
	Begin          Action = "begin" // the first save, or a change when none is open
	Edit           Action = "edit"
	Submit         Action = "submit"
	Withdraw       Action = "withdraw"
	Discard        Action = "discard"
	Unlist         Action = "unlist"
	Relist         Action = "relist"
	Claim          Action = "claim"
	Release        Action = "release"
	RequestChanges Action = "request-changes"
	Reject         Action = "reject"
	Approve        Action = "approve"
	Supersede      Action = "supersede" // the approval of its successor
	Comment        Action = "comment"
)

// Actions are all of them.
var Actions = []Action{Begin, Edit, Submit, Withdraw, Discard, Unlist, Relist, Claim, Release, RequestChanges, Reject, Approve, Supersede, Comment}

// Side is who acts.
type Side string

// The sides.
const (
	Developer Side = "DEVELOPER"
	Reviewer  Side = "REVIEWER"
)

// move is one row of the table.
type move struct {
	from State
	does Action
	who  Side
	to   State
}

// moves is the whole life of a revision. What is not here cannot be done.
var moves = []move{
	{none, Begin, Developer, Draft},
	{Draft, Edit, Developer, Draft},
	{ChangesRequested, Edit, Developer, ChangesRequested},
	{Rejected, Edit, Developer, Draft},
	{Draft, Submit, Developer, Submitted},
	{ChangesRequested, Submit, Developer, Submitted},
	{Submitted, Withdraw, Developer, Draft},
	{Submitted, Claim, Reviewer, InReview},
	{InReview, Release, Reviewer, Submitted},
	{InReview, RequestChanges, Reviewer, ChangesRequested},
	{InReview, Reject, Reviewer, Rejected},
	{InReview, Approve, Reviewer, Published},
	{Published, Supersede, Reviewer, Superseded},
	{Draft, Discard, Developer, Discarded},
	{ChangesRequested, Discard, Developer, Discarded},
	{Rejected, Discard, Developer, Discarded},
	{Published, Unlist, Developer, Published},
	{Published, Relist, Developer, Published},
	{Draft, Comment, Developer, Draft},
	{Submitted, Comment, Developer, Submitted},
	{InReview, Comment, Developer, InReview},
	{ChangesRequested, Comment, Developer, ChangesRequested},
	{Rejected, Comment, Developer, Rejected},
	{Draft, Comment, Reviewer, Draft},
	{Submitted, Comment, Reviewer, Submitted},
	{InReview, Comment, Reviewer, InReview},
	{ChangesRequested, Comment, Reviewer, ChangesRequested},
	{Rejected, Comment, Reviewer, Rejected},
}

// next is what a revision becomes when a side does something to it, or why it does not.
func next(from State, does Action, who Side) (State, error) {
	for _, m := range moves {
		if m.from == from && m.does == does && m.who == who {
			return m.to, nil
		}
	}
	if does == Edit && (from == Submitted || from == InReview) {
		return "", ErrNotEditable.With(from)
	}
	return "", ErrStateConflict.With(from)
}

// May reports whether a side can do something to a revision in that state, for pages that offer it.
func (s State) May(does Action, who Side) bool {
	_, err := next(s, does, who)
	return err == nil
}

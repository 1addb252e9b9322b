package listing

import "daybook/internal/base/fault"

// What listing refuses.
var (
	ErrNotFound         = fault.New(fault.NotFound, "NOT_FOUND", "There is no such listing.")
	ErrRevisionNotFound = fault.New(fault.NotFound, "NOT_FOUND", "There is no such revision.")
	ErrExists           = fault.New(fault.Conflict, "LISTING_EXISTS", "The app's listing was saved by somebody else in the same moment. Read it, and save your changes again.")
	ErrSlugTaken        = fault.New(fault.Invalid, "SLUG_TAKEN", "Another app's listing has the address {0}. Choose another one.")
	ErrStateConflict    = fault.New(fault.Conflict, "REVISION_STATE_CONFLICT", "That cannot be done to a revision that is {0}. Read it again: somebody may have moved it on.")
	ErrNotEditable      = fault.New(fault.Conflict, "REVISION_NOT_EDITABLE", "The revision is {0}: what reviewers look at does not change. Withdraw it, or wait for their decision.")
	ErrVersionChanged   = fault.New(fault.Stale, "VERSION_CONFLICT", "It is at version {0}, not {1}. Read it again and decide anew.")
	ErrChangedMeanwhile = fault.New(fault.Conflict, "REVISION_CHANGED", "The app or the revision changed while it was being checked. Submit it again.")
	ErrSnapshotChanged  = fault.New(fault.Conflict, "REVISION_SNAPSHOT_CHANGED", "Since it was submitted, the app has changed its {0}. Request changes, so that it is submitted as it is now.")
	ErrNotClaimedByYou  = fault.New(fault.Conflict, "REVISION_CLAIMED_BY_OTHER", "Another reviewer has claimed this revision. Let them decide, or release it and claim it yourself.")
	ErrCommentLimit     = fault.New(fault.Invalid, "COMMENT_LIMIT_REACHED", "A revision has at most {0} comments. Go on in the next one.")
)

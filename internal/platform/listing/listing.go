package listing

import "time"

// Listing is an app's place in the marketplace.
type Listing struct {
	ID         string
	AppID      string
	Slug       string
	UnlistedAt *time.Time // hidden since then by its developer
	Version    int
	CreatedAt  time.Time
	UpdatedAt  time.Time

	// Live is the revision that people see, Open the one that is worked on; nil when there is none.
	Live, Open *Revision
}

// Revision is one state of what a listing says.
type Revision struct {
	ID            string
	ListingID     string
	AppID         string
	Number        int
	State         State
	Content       Content
	Snapshot      *Snapshot // of the app when it was last submitted; nil: never
	Preflight     []Result  // of the last time; nil: never
	PreflightedAt *time.Time
	SubmittedAt   *time.Time
	SubmittedBy   *string
	ReviewerID    *string // who has claimed it, or decided
	DecidedAt     *time.Time
	Notes         *string // of the decision
	Version       int
	CreatedAt     time.Time
	UpdatedAt     time.Time
}

// Remark is a line of the conversation between developers and reviewers.
type Remark struct {
	ID         string
	RevisionID string
	Side       Side
	AuthorID   string
	Text       string
	CreatedAt  time.Time
}

// MaxRemarks of a revision.
const MaxRemarks = 200

// maxRemark characters long.
const maxRemark = 2000

package audit

import (
	"context"
	"time"

	"daybook/internal/base/cursor"
	"daybook/internal/base/db"
	"daybook/internal/base/id"
	"daybook/internal/base/trail"
)

// Log keeps acts and shows them.
type Log struct {
	DB  *db.DB
	IDs *id.Source
}

// Keep implements trail.Keeper.
func (l *Log) Keep(ctx context.Context, tx *db.Tx, a trail.Act) error {
	return insert(ctx, tx, newRow(l.IDs.New(id.Audit), tx.Now(), a, trail.From(ctx)))
}

// MaxPage is how many rows a page has at most.
const MaxPage = 100

// Filter narrows a list; an empty member does not.
type Filter struct {
	Action         string
	UserID         string
	ObjectID       string
	OrganizationID string
	BusinessID     string
	From, To       time.Time // To excluded
}

// Page is a part of a list.
type Page struct {
	Rows []Row
	// Next is the cursor of the page that follows; nil at the end.
	Next *string
}

// List shows rows, newest first, to an operator: the caller has proved to be one. limit is at most MaxPage.
func (l *Log) List(ctx context.Context, f Filter, at string, limit int) (Page, error) {
	before, err := cursor.Read(at, "audit", f)
	if err != nil {
		return Page{}, err
	}
	var page Page
	err = l.DB.Read(ctx, func(tx *db.Tx) (err error) {
		page.Rows, err = list(ctx, tx, f, before, limit+1)
		return err
	})
	if len(page.Rows) > limit {
		page.Rows = page.Rows[:limit]
		next := cursor.Write(page.Rows[limit-1].ID, "audit", f)
		page.Next = &next
	}
	return page, err
}

// KeepInMonths is how long rows stay, at least.
const KeepInMonths = 13

// cleanTogether is how many rows one transaction deletes: others write in between.
const cleanTogether = 500

// Cleaned is what clean-up itself leaves behind: that old rows went, and how many.
const Cleaned trail.Action = "audit.cleaned"

// CleanUp deletes rows of more than 13 months ago. Each deletion is itself kept, which is also what lets the database see how old
// the others are.
func (l *Log) CleanUp(ctx context.Context) error {
	for {
		var n int
		err := l.DB.Write(ctx, func(tx *db.Tx) error {
			old, err := oldest(ctx, tx, tx.Now().AddDate(0, -KeepInMonths, 0), cleanTogether)
			if n = len(old); err != nil || n == 0 {
				return err
			}
			act := trail.Act{Action: Cleaned, Object: trail.Object{Type: "audit", ID: old[n-1]}, Details: map[string]any{"rows": n}}
			if err := l.Keep(ctx, tx, act); err != nil {
				return err
			}
			return remove(ctx, tx, old)
		})
		if err != nil || n < cleanTogether {
			return err
		}
	}
}

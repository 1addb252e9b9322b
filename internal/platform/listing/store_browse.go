package listing

import (
	"context"
	"strconv"
	"time"

	"daybook/internal/base/db"
	"daybook/internal/platform/scope"
)

// entrySelect reads what everybody may see: live, not hidden, of an app that runs and is approved. The tables of apps and organizations
// are others'.
const entrySelect = `SELECT l.id, r.id, l.slug, a.id, a.client_id, a.app_url, a.scopes, o.name, r.content, coalesce(r.decided_at, r.updated_at), l.sort_key
	FROM listings l JOIN listing_revisions r ON r.id = l.live_id JOIN apps a ON a.id = l.app_id JOIN organizations o ON o.id = a.organization_id
	WHERE l.live_id IS NOT NULL AND l.unlisted_at IS NULL AND a.suspended_at IS NULL AND a.deactivated_at IS NULL AND a.review_status = 'APPROVED'`

func scanEntry(s db.Scan) (e Entry, err error) {
	var scopes string
	err = s(&e.ListingID, &e.RevisionID, &e.Slug, &e.AppID, &e.ClientID, &e.AppURL, &scopes, &e.Publisher, db.JSON(&e.Content), &e.PublishedAt, &e.sortKey)
	e.Scopes = scope.Parse(scopes)
	e.Content.TestInstructions, e.Content.ScopeJustifications = nil, nil
	return e, err
}

// browse reads the listings behind one in the order of names. Words are letters and digits only: nothing of them means anything to
// LIKE.
func browse(ctx context.Context, tx *db.Tx, c Category, words []string, sortKey, listingID string, limit int) ([]Entry, error) {
	where, args := ``, []any{}
	narrow := func(condition string, value any) {
		args = append(args, value)
		where += ` AND ` + condition + ` $` + strconv.Itoa(len(args))
	}
	if c != "" {
		narrow("l.category =", c)
	}
	for _, w := range words {
		narrow("l.words LIKE", "% "+w+"%")
	}
	if listingID != "" {
		n := len(args)
		args = append(args, sortKey, listingID)
		where += ` AND (l.sort_key, l.id) > (` + db.In(n+1, 2) + `)`
	}
	args = append(args, limit)
	return db.All(ctx, tx, scanEntry, entrySelect+where+` ORDER BY l.sort_key, l.id LIMIT $`+strconv.Itoa(len(args)), args...)
}

func findBySlug(ctx context.Context, tx *db.Tx, slug string) (Entry, error) {
	return db.One(ctx, tx, scanEntry, entrySelect+` AND l.slug = $1`, slug)
}

// queued is a place in the queue: the longest waiting first.
type queued struct {
	at time.Time
	id string
}

func listQueue(ctx context.Context, tx *db.Tx, state State, behind queued, limit int) ([]QueueItem, error) {
	return db.All(ctx, tx, func(s db.Scan) (i QueueItem, err error) {
		i.Revision, err = scanRevision(func(dest ...any) error {
			return s(append(dest, &i.Slug, &i.App.ID, &i.App.Name, &i.App.ClientID, &i.App.OrganizationID, &i.App.ReviewStatus, &i.Organization)...)
		})
		return i, err
	}, `SELECT `+revisionColumns+`, l.slug, a.id, a.name, a.client_id, a.organization_id, a.review_status, coalesce(o.name, '')
		FROM listing_revisions r JOIN listings l ON l.id = r.listing_id JOIN apps a ON a.id = r.app_id LEFT JOIN organizations o ON o.id = a.organization_id
		WHERE r.state IN ('SUBMITTED', 'IN_REVIEW') AND ($1 = '' OR r.state = $1) AND ($3 = '' OR (r.submitted_at, r.id) > ($2, $3))
		ORDER BY r.submitted_at, r.id LIMIT $4`, state, behind.at, behind.id, limit)
}

package app

import (
	"context"

	"daybook/internal/base/db"
	"daybook/internal/base/fault"
	"daybook/internal/platform/scope"
)

// review notes what the operator decided, and which scopes there were to decide about.
func (a *App) review(r ReviewStatus, scopes scope.Set) {
	a.ReviewStatus = r
	if r == Approved {
		a.ApprovedScopes = scopes
	}
}

// Unapproved are those of some scopes that need a review before they may be granted outside of sandboxes, and have not had one: what
// is restricted or gives personal data, and was registered after the app was approved.
func (a App) Unapproved(scopes scope.Set) scope.Set { return scopes.Careful().Minus(a.ApprovedScopes) }

// Approve notes that a review approved the app with these scopes, in a transaction that has locked the app's row.
func Approve(ctx context.Context, tx *db.Tx, a App, scopes scope.Set) error {
	a.review(Approved, scopes)
	written, err := update(ctx, tx, a)
	if err == nil && !written {
		err = ErrVersionChanged
	}
	return err
}

// CheckName cleans a name that people will see, and notes what is wrong with it: see checkName.
func CheckName(c *fault.Check, name string) string { return checkName(c, name) }

package ledger

import (
	"context"

	"daybook/internal/books/record"
)

// Chart is the accounts that a posting needs.
type Chart struct {
	byID   map[string]Account
	byRole map[Role]Account
}

// Role is the account that the system uses for that.
func (c Chart) Role(r Role) Account { return c.byRole[r] }

// Find is an account by its id.
func (c Chart) Find(id string) (Account, bool) {
	a, ok := c.byID[id]
	return a, ok
}

// Accounts reads the accounts with those roles, and those ids as far as they exist, in one statement. The Book remembers
// them: Post need not read them again.
func (b *Book) Accounts(ctx context.Context, roles []Role, ids ...string) (Chart, error) {
	c := Chart{byID: map[string]Account{}, byRole: map[Role]Account{}}
	list, err := findAccounts(ctx, b.Tx, b.BusinessID, roles, distinct(ids))
	for _, a := range list {
		b.accounts[a.ID], c.byID[a.ID] = a, a
		if a.Role != nil {
			c.byRole[*a.Role] = a
		}
	}
	return c, err
}

// Usable judges an account that a document names at path: it must exist and be active.
func (c Chart) Usable(path, id string) (Account, error) {
	a, ok := c.byID[id]
	switch {
	case !ok:
		return Account{}, record.ErrReference.With(path)
	case a.Status == Archived:
		return Account{}, record.ErrArchived.With(record.Account)
	}
	return a, nil
}

// EntriesOf reads every entry of a source with its lines, the first one first.
func (b *Book) EntriesOf(ctx context.Context, t SourceType, id string) ([]Entry, error) {
	return findEntriesOf(ctx, b.Tx, b.Call, t, id)
}

// distinct leaves out what was there before.
func distinct(list []string) []string {
	seen := make(map[string]bool, len(list))
	kept := make([]string, 0, len(list))
	for _, s := range list {
		if !seen[s] {
			seen[s] = true
			kept = append(kept, s)
		}
	}
	return kept
}

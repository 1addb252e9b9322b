package ledger

import (
	"context"
	"slices"

	"daybook/internal/books/record"
)

// Chart is the accounts that a posting needs, without their names, authors and times.
type Chart []*Account // few

// Role is the account that the system uses for that.
func (c Chart) Role(r Role) Account {
	for _, a := range c {
		if a.Role != nil && *a.Role == r {
			return *a
		}
	}
	return Account{}
}

// Find is an account by its id.
func (c Chart) Find(id string) (Account, bool) {
	for _, a := range c {
		if a.ID == id {
			return *a, true
		}
	}
	return Account{}, false
}

// Accounts reads the accounts with those roles, and those ids as far as they exist, in one statement. The Book remembers
// them: Post need not read them again, and if it holds, neither does this.
func (b *Book) Accounts(ctx context.Context, roles []Role, ids ...string) (Chart, error) {
	byRole, byID := Recall[Role, *Account](b, rolesRead{}), Recall[string, *Account](b, accountsRead{}) // nil for none
	if err := b.readAccounts(ctx, byRole, byID, roles, distinct(ids)); err != nil {
		return nil, err
	}
	var c Chart
	add := func(a *Account) {
		if a != nil && !slices.Contains(c, a) {
			b.accounts[a.ID] = a
			c = append(c, a)
		}
	}
	for _, r := range roles {
		add(byRole[r])
	}
	for _, i := range ids {
		add(byID[i])
	}
	return c, nil
}

type (
	rolesRead    struct{}
	accountsRead struct{}
)

// readAccounts reads what is not known.
func (b *Book) readAccounts(ctx context.Context, byRole map[Role]*Account, byID map[string]*Account, roles []Role, ids []string) error {
	roles = slices.DeleteFunc(slices.Clone(roles), func(r Role) bool { _, known := byRole[r]; return known })
	ids = slices.DeleteFunc(ids, func(id string) bool { _, known := byID[id]; return known })
	if len(roles) == 0 && len(ids) == 0 {
		return nil
	}
	for _, r := range roles {
		byRole[r] = nil
	}
	for _, i := range ids {
		byID[i] = nil
	}
	list, err := findAccounts(ctx, b.Tx, b.BusinessID, roles, ids)
	for i, a := range list {
		byID[a.ID] = &list[i]
		if a.Role != nil {
			byRole[*a.Role] = &list[i]
		}
	}
	return err
}

// Usable judges an account that a document names at path: it must exist and be active.
func (c Chart) Usable(path, id string) (Account, error) {
	a, ok := c.Find(id)
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

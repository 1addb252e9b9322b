package identity

import (
	"context"

	"daybook/internal/base/cursor"
	"daybook/internal/base/db"
)

// Hold is what keeps a person from something, for as long as it is in force.
type Hold string

// The holds.
const (
	HeldSuspended  Hold = "SUSPENDED"
	HeldRestricted Hold = "RESTRICTED"
)

// MaxPage is how many people a page has at most.
const MaxPage = 100

// People is a page of them.
type People struct {
	Users []User
	// Next is the cursor of the page that follows; nil at the end.
	Next *string
}

// Held lists the people who are suspended, or under a restriction, newest account first, to an operator: the caller has proved to be
// one. limit is at most MaxPage.
func (s *Service) Held(ctx context.Context, by Hold, at string, limit int) (People, error) {
	before, err := cursor.Read(at, "held", by)
	if err != nil {
		return People{}, err
	}
	var p People
	err = s.DB.Read(ctx, func(tx *db.Tx) (err error) {
		p.Users, err = listHeld(ctx, tx, by, before, limit+1)
		return err
	})
	if len(p.Users) > limit {
		p.Users = p.Users[:limit]
		next := cursor.Write(p.Users[limit-1].ID, "held", by)
		p.Next = &next
	}
	return p, err
}

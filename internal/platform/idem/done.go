package idem

import (
	"context"
	"errors"

	"daybook/internal/base/db"
)

// Done keeps the answer to something that was already carried out, in a transaction of its own. It is for verbs that change
// nothing when they happen twice: between the two transactions the process may end. When another node was quicker, its
// answer stays.
func (s *Service) Done(ctx context.Context, c *Claim, a Answer) error {
	err := s.DB.Write(ctx, func(tx *db.Tx) error { return keep(ctx, tx, c, a) })
	if errors.Is(err, errTaken) {
		return nil
	}
	return err
}

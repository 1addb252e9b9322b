package webhook

import (
	"context"
	"time"

	"daybook/internal/base/db"
)

// Queue is how the deliveries stand that are not done, for an operator.
type Queue struct {
	Waiting   int        // in nobody's hand, due or not
	Due       int        // of those, how many should be under way by now
	OldestDue *time.Time // since when
	Nodes     []InHand
}

// InHand is what a process that sends has taken.
type InHand struct {
	Node       string
	StartedAt  *time.Time // nil: it is no longer on the list
	Deliveries int
}

// Queue counts the deliveries that wait or are in hand.
func (s *Service) Queue(ctx context.Context) (Queue, error) {
	var q Queue
	err := s.DB.Snapshot(ctx, func(tx *db.Tx) (err error) {
		if q, err = countWaiting(ctx, tx); err != nil {
			return err
		}
		q.Nodes, err = countInHand(ctx, tx)
		return err
	})
	return q, err
}

func countWaiting(ctx context.Context, tx *db.Tx) (Queue, error) {
	return db.One(ctx, tx, func(s db.Scan) (q Queue, err error) {
		err = s(&q.Waiting, &q.Due, &q.OldestDue)
		return q, err
	}, `SELECT count(*), CAST(coalesce(sum(CASE WHEN due_at <= $1 THEN 1 ELSE 0 END), 0) AS BIGINT), min(CASE WHEN due_at <= $1 THEN due_at END)
		FROM deliveries WHERE due_at IS NOT NULL AND owner IS NULL`, tx.Now())
}

// countInHand lists every process that sends, and those that are gone and yet have something in hand.
func countInHand(ctx context.Context, tx *db.Tx) ([]InHand, error) {
	return db.All(ctx, tx, func(s db.Scan) (h InHand, err error) {
		err = s(&h.Node, &h.StartedAt, &h.Deliveries)
		return h, err
	}, `SELECT w.id, min(n.started_at), CAST(sum(w.deliveries) AS BIGINT)
		FROM (SELECT id, 0 AS deliveries FROM nodes UNION ALL SELECT owner, count(*) FROM deliveries WHERE owner IS NOT NULL GROUP BY owner) w
		LEFT JOIN nodes n ON n.id = w.id GROUP BY w.id ORDER BY w.id`)
}

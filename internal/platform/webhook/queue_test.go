package webhook

import (
	"testing"
	"time"

	"daybook/internal/base/db"
)

func TestTheQueueIsCounted(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		q, err := w.hooks.Queue(ctx)
		must(t, err)
		if q.Waiting != 0 || q.Due != 0 || q.OldestDue != nil || len(q.Nodes) != 0 {
			t.Errorf("%+v", q)
		}
		now := w.Clock.Now()
		must(t, w.Write(ctx, func(tx *db.Tx) error {
			if err := insertNode(ctx, tx, "nod_idle", 1); err != nil {
				return err
			}
			for i, d := range []struct {
				due   any
				owner any
			}{{now.Add(-time.Hour), nil}, {now, nil}, {now.Add(time.Minute), nil}, {nil, nil}, {now, "nod_gone"}, {now, "nod_gone"}} {
				_, err := tx.Exec(ctx, `INSERT INTO deliveries (id, webhook_id, app_id, business_id, type, body, status, attempts, sent, due_at, owner, created_at)
					VALUES ($1, 'whk_1', 'app_1', 'biz_1', 'invoice.paid', '{}', 'queued', 0, 0, $2, $3, $4)`, string(rune('a'+i)), d.due, d.owner, now)
				if err != nil {
					return err
				}
			}
			return nil
		}))
		q, err = w.hooks.Queue(ctx)
		must(t, err)
		if q.Waiting != 3 || q.Due != 2 || !q.OldestDue.Equal(now.Add(-time.Hour)) {
			t.Errorf("%+v", q)
		}
		if len(q.Nodes) != 2 || q.Nodes[0].Node != "nod_gone" || q.Nodes[0].Deliveries != 2 || q.Nodes[0].StartedAt != nil ||
			q.Nodes[1].Node != "nod_idle" || q.Nodes[1].Deliveries != 0 || !q.Nodes[1].StartedAt.Equal(now) {
			t.Errorf("%+v", q.Nodes)
		}
	})
}

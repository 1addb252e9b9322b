package invoice

import (
	"context"

	"daybook/internal/base/db"
	"daybook/internal/books/record"
)

// unnoted are the words of the index invoices_overdue, which holds few rows at any time. The statements below join the business's id
// with nothing, which keeps SQLite from an index of all invoices.
const unnoted = `r.amount_due > 0 AND r.overdue_noted_at IS NULL AND r.status IN ('OPEN', 'PARTIALLY_PAID')`

// lateBusiness has invoices that may be overdue and were not told of.
type lateBusiness struct {
	businessID string
	zone       string
	earliest   string // date on which one of them was due
}

// listLate lists businesses with an invoice that was due before a date, in the order of their ids.
func listLate(ctx context.Context, tx *db.Tx, before, after string, most int) ([]lateBusiness, error) {
	return db.All(ctx, tx, func(scan db.Scan) (l lateBusiness, err error) {
		err = scan(&l.businessID, &l.zone, &l.earliest)
		return l, err
	}, `SELECT r.business_id, b.time_zone, min(r.due_date) FROM invoices r JOIN businesses b ON b.id = r.business_id
		WHERE r.due_date < $1 AND `+unnoted+` AND r.business_id || '' > $2 GROUP BY r.business_id, b.time_zone ORDER BY r.business_id LIMIT $3`, before, after, most)
}

func findLate(ctx context.Context, tx *db.Tx, by record.Call, today string, most int) ([]Invoice, error) {
	return db.All(ctx, tx, scanner(tx.Now()), `SELECT `+columns+` FROM `+listed.From+` WHERE r.business_id || '' = $1 AND r.due_date < $3 AND `+unnoted+`
		ORDER BY r.due_date, r.id LIMIT $4`, by.BusinessID, by.Actor.AppID, today, most)
}

func setOverdueNoted(ctx context.Context, tx *db.Tx, businessID string, ids []string) error {
	args := []any{businessID, tx.Now()}
	for _, i := range ids {
		args = append(args, i)
	}
	_, err := tx.Exec(ctx, `UPDATE invoices SET overdue_noted_at = $2 WHERE coalesce(business_id, '') = $1 AND id IN (`+db.In(3, len(ids))+`)`, args...)
	return err
}

// listReceivables works from the date of each posting. A voided invoice carries nothing from its voiding on; a write-off takes
// what its entry came to, on the side that the invoice carries its value.
func listReceivables(ctx context.Context, tx *db.Tx, businessID, asOf string) ([]OpenItem, error) {
	return db.All(ctx, tx, func(scan db.Scan) (o OpenItem, err error) {
		err = scan(&o.InvoiceID, &o.CustomerID, &o.DueDate, &o.Due)
		return o, err
	}, `SELECT q.id, q.customer_id, q.due_date, q.due FROM (
			SELECT r.id, r.customer_id, r.due_date, CAST(r.base_total - coalesce(a.relief, 0)
				- CASE WHEN r.base_total < 0 THEN -coalesce(w.debit_total, 0) ELSE coalesce(w.debit_total, 0) END AS BIGINT) AS due
			FROM invoices r
			LEFT JOIN (SELECT invoice_id, sum(relief) AS relief FROM payment_allocations WHERE business_id = $1 AND date <= $2 GROUP BY invoice_id) a
				ON a.invoice_id = r.id
			LEFT JOIN journal_entries w ON w.business_id = $1 AND w.source_type = 'INVOICE' AND w.source_id = r.id AND w.source_action = 'write_off'
				AND w.date <= $2
			LEFT JOIN journal_entries v ON v.business_id = $1 AND v.source_type = 'INVOICE' AND v.source_id = r.id AND v.source_action = 'void'
				AND v.date <= $2
			WHERE r.business_id = $1 AND r.issued_at IS NOT NULL AND r.issue_date <= $2 AND v.id IS NULL
		) q WHERE q.due <> 0 ORDER BY q.customer_id, q.due_date, q.id`, businessID, asOf)
}

package payment

import (
	"context"
	"time"

	"daybook/internal/base/db"
	"daybook/internal/base/money"
	"daybook/internal/books/record"
)

const columns = `r.id, r.business_id, r.kind, r.date, r.amount, r.currency, r.exchange_rate, r.method, r.bank_account_id, r.customer_id, r.supplier_id,
	r.reference, r.memo, r.allocated, r.refunded, r.unallocated, r.refund_of, r.base_amount, r.base_credit, r.entries, r.made_by, r.changed_by,
	r.version, r.created_at, r.updated_at, ` + record.ExternalColumn

const allocationColumns = `a.id, a.invoice_id, a.amount, a.relief, a.credit, a.date, a.created_at`

// settles is the filter invoiceId.
const settles = `r.id IN (SELECT a.payment_id FROM payment_allocations a WHERE a.business_id = $1 AND a.invoice_id IN ({}))`

func scan(read db.Scan) (Payment, error) {
	p := Payment{Allocations: []Allocation{}}
	err := read(&p.ID, &p.BusinessID, &p.Kind, &p.Date, &p.Amount, &p.Currency, &p.ExchangeRate, &p.Method, &p.BankAccountID, &p.CustomerID, &p.SupplierID,
		&p.Reference, &p.Memo, &p.Allocated, &p.Refunded, &p.Unallocated, &p.RefundOf, &p.baseAmount, &p.baseCredit, &p.entries,
		db.JSON(&p.MadeBy), db.JSON(&p.ChangedBy), &p.Version, &p.CreatedAt, &p.UpdatedAt, &p.ExternalID)
	return p, err
}

// find reads a payment and its allocations in one statement: a row for each allocation, or one without any.
func find(ctx context.Context, tx *db.Tx, by record.Call, id string) (Payment, error) {
	rows, err := db.All(ctx, tx, func(read db.Scan) (Payment, error) {
		var allocationID, invoiceID, date *string
		var amount, relief, credit *money.Amount
		var created *time.Time
		p, err := scan(func(dest ...any) error {
			return read(append(dest, &allocationID, &invoiceID, &amount, &relief, &credit, &date, &created)...)
		})
		if err == nil && allocationID != nil {
			p.Allocations = append(p.Allocations, Allocation{
				ID: *allocationID, InvoiceID: *invoiceID, Amount: *amount, relief: *relief, credit: *credit, Date: *date, CreatedAt: *created,
			})
		}
		return p, err
	}, `SELECT `+columns+`, `+allocationColumns+` FROM payments r`+record.ExternalJoin+`LEFT JOIN payment_allocations a ON a.payment_id = r.id
		WHERE r.business_id = $1 AND r.id = $3 ORDER BY a.created_at, a.id`, by.BusinessID, by.Actor.AppID, id)
	if err != nil {
		return Payment{}, err
	}
	if len(rows) == 0 {
		return Payment{}, db.ErrNoRows
	}
	p := rows[0]
	for _, r := range rows[1:] {
		p.Allocations = append(p.Allocations, r.Allocations...)
	}
	return p, nil
}

// list reads a page, and the allocations of all its payments by one further statement.
func list(ctx context.Context, tx *db.Tx, by record.Call, q record.Query) (record.Page[Payment], error) {
	page, err := record.Fetch(ctx, tx, by, q, record.Source{Columns: columns, From: `payments r` + record.ExternalJoin}, scan, func(p Payment) string { return p.ID })
	if err != nil {
		return page, err
	}
	args := []any{by.BusinessID}
	at := map[string]*Payment{}
	for i := range page.Data {
		if p := &page.Data[i]; p.Allocated > 0 {
			args = append(args, p.ID)
			at[p.ID] = p
		}
	}
	if len(at) == 0 {
		return page, nil
	}
	type row struct {
		paymentID string
		Allocation
	}
	rows, err := db.All(ctx, tx, func(read db.Scan) (r row, err error) {
		a := &r.Allocation
		err = read(&r.paymentID, &a.ID, &a.InvoiceID, &a.Amount, &a.relief, &a.credit, &a.Date, &a.CreatedAt)
		return r, err
	}, `SELECT a.payment_id, `+allocationColumns+` FROM payment_allocations a
		WHERE coalesce(a.business_id, '') = $1 AND a.payment_id IN (`+db.In(2, len(args)-1)+`) ORDER BY a.created_at, a.id`, args...)
	for _, r := range rows {
		at[r.paymentID].Allocations = append(at[r.paymentID].Allocations, r.Allocation)
	}
	return page, err
}

func usedParty(ctx context.Context, tx *db.Tx, businessID, partyID string) (bool, error) {
	found, err := db.All(ctx, tx, db.Value[string], `SELECT id FROM payments WHERE business_id = $1 AND (customer_id = $2 OR supplier_id = $2) LIMIT 1`,
		businessID, partyID)
	return len(found) > 0, err
}

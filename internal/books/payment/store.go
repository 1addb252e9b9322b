package payment

import (
	"context"

	"daybook/internal/base/db"
)

var (
	into = db.NewInsert("payments", `id, business_id, kind, date, amount, currency, exchange_rate, method, bank_account_id, customer_id, supplier_id,
		reference, memo, allocated, refunded, unallocated, refund_of, base_amount, base_credit, entries, made_by, changed_by, version, created_at, updated_at`, "")
	intoAllocations = db.NewInsert("payment_allocations", `id, business_id, payment_id, invoice_id, amount, relief, credit, date, created_at`, "")
)

func insert(ctx context.Context, tx *db.Tx, payments ...*Payment) error {
	var rows []any
	for _, p := range payments {
		rows = append(rows, p.ID, p.BusinessID, p.Kind, p.Date, p.Amount, p.Currency, rateText(p), p.Method, p.BankAccountID, p.CustomerID, p.SupplierID,
			p.Reference, p.Memo, p.Allocated, p.Refunded, p.Unallocated, p.RefundOf, p.baseAmount, p.baseCredit, p.entries, db.JSON(p.MadeBy), db.JSON(p.ChangedBy),
			p.Version, p.CreatedAt, p.UpdatedAt)
	}
	return into.Exec(ctx, tx, rows)
}

func rateText(p *Payment) *string {
	if p.ExchangeRate == nil {
		return nil
	}
	text := p.ExchangeRate.String()
	return &text
}

// update writes what changes of a payment after it was recorded.
func update(ctx context.Context, tx *db.Tx, p *Payment) error {
	_, err := tx.Exec(ctx, `UPDATE payments SET method = $3, reference = $4, memo = $5, allocated = $6, refunded = $7, unallocated = $8, base_credit = $9,
		entries = $10, changed_by = $11, version = $12, updated_at = $13 WHERE business_id = $1 AND id = $2`,
		p.BusinessID, p.ID, p.Method, p.Reference, p.Memo, p.Allocated, p.Refunded, p.Unallocated, p.baseCredit, p.entries, db.JSON(p.ChangedBy), p.Version,
		p.UpdatedAt)
	return err
}

func allocationValues(p *Payment, made []Allocation) []any {
	rows := make([]any, 0, 9*len(made))
	for _, a := range made {
		rows = append(rows, a.ID, p.BusinessID, p.ID, a.InvoiceID, a.Amount, a.relief, a.credit, a.Date, a.CreatedAt)
	}
	return rows
}

func insertAllocations(ctx context.Context, tx *db.Tx, p *Payment, made []Allocation) error {
	return intoAllocations.Exec(ctx, tx, allocationValues(p, made))
}

func deleteAllocation(ctx context.Context, tx *db.Tx, businessID, id string) error {
	_, err := tx.Exec(ctx, `DELETE FROM payment_allocations WHERE business_id = $1 AND id = $2`, businessID, id)
	return err
}

// remove deletes a payment with its allocations.
func remove(ctx context.Context, tx *db.Tx, businessID, id string) error {
	if _, err := tx.Exec(ctx, `DELETE FROM payment_allocations WHERE business_id = $1 AND payment_id = $2`, businessID, id); err != nil {
		return err
	}
	_, err := tx.Exec(ctx, `DELETE FROM payments WHERE business_id = $1 AND id = $2`, businessID, id)
	return err
}

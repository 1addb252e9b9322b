package invoice

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"daybook/internal/base/clock"
	"daybook/internal/base/db"
	"daybook/internal/books/record"
)

// members are the columns that an invoice changes in as long as it is a draft; scan and values follow their order.
const members = `number, status, customer_id, bill_to, issue_date, due_date, currency, exchange_rate, tax_mode, tax_rounding, lines, tax_summary, reference,
	notes, subtotal, discount_total, tax_total, total, amount_paid, amount_written_off, amount_due, base_net, base_total, base_settled, issued_at, sent_at,
	paid_at, voided_at, void_reason, journal_entry_id, changed_by, version, updated_at`

const membersCount = 33

// fixed are the columns that never change.
const fixed = `business_id, id, source_type, source_app_id, plan_year, made_by, created_at`

// The business's zone decides whether an invoice is overdue today.
const columns = `r.business_id, r.id, r.source_type, r.source_app_id, r.plan_year, r.made_by, r.created_at,
	r.number, r.status, r.customer_id, r.bill_to, r.issue_date, r.due_date, r.currency, r.exchange_rate, r.tax_mode, r.tax_rounding, r.lines, r.tax_summary,
	r.reference, r.notes, r.subtotal, r.discount_total, r.tax_total, r.total, r.amount_paid, r.amount_written_off, r.amount_due, r.base_net, r.base_total,
	r.base_settled, r.issued_at, r.sent_at, r.paid_at, r.voided_at, r.void_reason, r.journal_entry_id, r.changed_by, r.version, r.updated_at,
	` + record.ExternalColumn + `, (SELECT z.time_zone FROM businesses z WHERE z.id = $1)`

var listed = record.Source{Columns: columns, From: `invoices r` + record.ExternalJoin}

// soughtBy is what Search looks at. The customers are found in the table of books/party, by the index of their names.
const soughtBy = `((lower(r.number) >= {} AND lower(r.number) < {}) OR (lower(r.reference) >= {} AND lower(r.reference) < {}) OR r.number = {}
	OR r.customer_id IN (SELECT p.id FROM parties p WHERE p.business_id = $1 AND p.kind = 'CUSTOMER' AND p.search >= {} AND p.search < {}))`

// scanner reads invoices as they are at an instant. Those of one statement are of one business, so its zone is found once.
func scanner(now time.Time) func(db.Scan) (Invoice, error) {
	today := ""
	return func(scan db.Scan) (Invoice, error) {
		var i Invoice
		var zone string
		err := scan(&i.BusinessID, &i.ID, &i.Source.Type, &i.Source.AppID, &i.planYear, db.JSON(&i.MadeBy), &i.CreatedAt,
			&i.Number, &i.Status, &i.CustomerID, billToColumn{&i.BillTo}, &i.IssueDate, &i.DueDate, &i.Currency, &i.ExchangeRate, &i.TaxMode, &i.TaxRounding,
			db.JSON(&i.Lines), db.JSON(&i.TaxSummary), &i.Reference, &i.Notes, &i.Subtotal, &i.DiscountTotal, &i.TaxTotal, &i.Total, &i.AmountPaid,
			&i.AmountWrittenOff, &i.AmountDue, &i.BaseNet, &i.BaseTotal, &i.BaseSettled, &i.IssuedAt, &i.SentAt, &i.PaidAt, &i.VoidedAt, &i.VoidReason,
			&i.JournalEntryID, db.JSON(&i.ChangedBy), &i.Version, &i.UpdatedAt, &i.ExternalID, &zone)
		if err == nil && today == "" {
			var location *time.Location
			if location, err = clock.Zone(zone); err == nil {
				today = now.In(location).Format(time.DateOnly)
			}
		}
		i.Overdue = i.late(today)
		return i, err
	}
}

// appendMembers adds the values of the members.
func appendMembers(values []any, i *Invoice) []any {
	var billTo, rate any
	if i.BillTo != nil {
		billTo = db.JSON(i.BillTo)
	}
	if i.ExchangeRate != nil {
		rate = i.ExchangeRate.String()
	}
	return append(values, i.Number, i.Status, i.CustomerID, billTo, i.IssueDate, i.DueDate, i.Currency, rate, i.TaxMode, i.TaxRounding, db.JSON(lineList(i.Lines)),
		db.JSON(taxList(i.TaxSummary)), i.Reference, i.Notes, i.Subtotal, i.DiscountTotal, i.TaxTotal, i.Total, i.AmountPaid, i.AmountWrittenOff, i.AmountDue, i.BaseNet,
		i.BaseTotal, i.BaseSettled, i.IssuedAt, i.SentAt, i.PaidAt, i.VoidedAt, i.VoidReason, i.JournalEntryID, db.JSON(i.ChangedBy), i.Version, i.UpdatedAt)
}

// billToColumn reads JSON that may be NULL.
type billToColumn struct{ into **BillTo }

// Scan implements sql.Scanner.
func (c billToColumn) Scan(src any) error {
	switch v := src.(type) {
	case nil:
		*c.into = nil
		return nil
	case string:
		return json.Unmarshal([]byte(v), c.into)
	}
	return fmt.Errorf("bill_to holds %T", src)
}

func find(ctx context.Context, tx *db.Tx, by record.Call, invoiceID string) (Invoice, error) {
	return db.One(ctx, tx, scanner(tx.Now()), `SELECT `+columns+` FROM `+listed.From+` WHERE r.business_id = $1 AND r.id = $3`,
		by.BusinessID, by.Actor.AppID, invoiceID)
}

// glimpsed is as little of an invoice as tells its version; the index of the usual order has it all.
var glimpsed = record.Source{Columns: `r.id, r.version, ` + record.ExternalColumn + `, (SELECT z.time_zone FROM businesses z WHERE z.id = $1)`, From: listed.From}

func sightScanner(now time.Time) func(db.Scan) (Sight, error) {
	var name, today string
	var zone *time.Location
	return func(scan db.Scan) (Sight, error) {
		var seen Sight
		err := scan(&seen.ID, &seen.Version, &seen.ExternalID, &name)
		if err == nil && today == "" {
			if zone, err = clock.Zone(name); err == nil {
				today = now.In(zone).Format(time.DateOnly)
			}
		}
		seen.Today, seen.zone = today, zone
		return seen, err
	}
}

func findSight(ctx context.Context, tx *db.Tx, by record.Call, invoiceID string) (Sight, error) {
	return db.One(ctx, tx, sightScanner(tx.Now()), `SELECT `+glimpsed.Columns+` FROM `+glimpsed.From+` WHERE r.business_id = $1 AND r.id = $3`,
		by.BusinessID, by.Actor.AppID, invoiceID)
}

func findMany(ctx context.Context, tx *db.Tx, by record.Call, ids []string) ([]Invoice, error) {
	args := []any{by.BusinessID, by.Actor.AppID}
	for _, i := range ids {
		args = append(args, i)
	}
	return db.All(ctx, tx, scanner(tx.Now()), `SELECT `+columns+` FROM `+listed.From+` WHERE `+record.ByID+` = $1 AND r.id IN (`+db.In(3, len(ids))+`)`, args...)
}

var into = db.NewInsert("invoices", fixed+", "+members, "")

func insert(ctx context.Context, tx *db.Tx, invoices ...*Invoice) error {
	rows := into.Rows(len(invoices))
	for _, i := range invoices {
		rows = appendMembers(append(rows, i.BusinessID, i.ID, i.Source.Type, i.Source.AppID, i.planYear, db.JSON(i.MadeBy), i.CreatedAt), i)
	}
	return into.Exec(ctx, tx, rows)
}

// save keeps a draft, or one that is just being issued.
func save(ctx context.Context, tx *db.Tx, i Invoice) error {
	_, err := tx.Exec(ctx, `UPDATE invoices SET (`+members+`) = (`+db.In(3, membersCount)+`) WHERE business_id = $1 AND id = $2`,
		appendMembers([]any{i.BusinessID, i.ID}, &i)...)
	return err
}

// saveState keeps what changes after the issue.
func saveState(ctx context.Context, tx *db.Tx, i Invoice) error {
	_, err := tx.Exec(ctx, `UPDATE invoices SET (status, due_date, reference, notes, amount_paid, amount_written_off, amount_due, base_settled, sent_at, paid_at,
		voided_at, void_reason, changed_by, version, updated_at) = (`+db.In(3, 15)+`) WHERE business_id = $1 AND id = $2`,
		i.BusinessID, i.ID, i.Status, i.DueDate, i.Reference, i.Notes, i.AmountPaid, i.AmountWrittenOff, i.AmountDue, i.BaseSettled, i.SentAt, i.PaidAt,
		i.VoidedAt, i.VoidReason, db.JSON(i.ChangedBy), i.Version, i.UpdatedAt)
	return err
}

func deleteDraft(ctx context.Context, tx *db.Tx, i Invoice) error {
	_, err := tx.Exec(ctx, `DELETE FROM invoices WHERE business_id = $1 AND id = $2 AND status = 'DRAFT'`, i.BusinessID, i.ID)
	return err
}

// taken lists which of the numbers are in use.
func taken(ctx context.Context, tx *db.Tx, businessID string, numbers ...string) ([]string, error) {
	args := []any{businessID}
	for _, n := range numbers {
		args = append(args, n)
	}
	return db.All(ctx, tx, db.Value[string], `SELECT number FROM invoices WHERE business_id = $1 AND number <> '' AND number IN (`+db.In(2, len(numbers))+`)`, args...)
}

// takenBetween lists the numbers in use from one to another of the same length, by their letters.
func takenBetween(ctx context.Context, tx *db.Tx, businessID, first, last string) ([]string, error) {
	return db.All(ctx, tx, db.Value[string], `SELECT number FROM invoices WHERE business_id = $1 AND number <> '' AND number BETWEEN $2 AND $3
		AND length(number) = length($2)`, businessID, first, last)
}

// names reports whether any invoice names a customer.
func names(ctx context.Context, tx *db.Tx, businessID, customerID string) (bool, error) {
	list, err := db.All(ctx, tx, db.Value[string], `SELECT id FROM invoices WHERE business_id = $1 AND customer_id = $2 LIMIT 1`, businessID, customerID)
	return len(list) > 0, err
}

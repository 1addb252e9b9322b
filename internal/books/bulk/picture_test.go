package bulk_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"daybook/internal/base/db"
)

// ids differ from one business to another.
var ids = regexp.MustCompile(`\b([a-z]{3})_[0-9a-z]{26}\b`)

// picture is everything in a business's books, with ids replaced by what they name: two businesses to which the same happened
// look the same.
func (w *world) picture() string {
	w.t.Helper()
	var b strings.Builder
	for _, part := range []struct{ name, sql string }{
		{"invoice", `SELECT r.number, r.status, p.display_name, r.bill_to, r.issue_date, r.due_date, r.currency, r.exchange_rate, r.tax_mode, r.tax_rounding, r.lines,
			r.tax_summary, r.reference, r.subtotal, r.total, r.amount_paid, r.amount_due, r.base_net, r.base_total, r.base_settled, r.source_type, r.plan_year,
			r.version, r.issued_at, r.paid_at, e.number, x.external_id FROM invoices r JOIN parties p ON p.id = r.customer_id
			LEFT JOIN journal_entries e ON e.id = r.journal_entry_id LEFT JOIN external_ids x ON x.record_id = r.id WHERE r.business_id = $1 ORDER BY r.id`},
		{"customer", `SELECT p.display_name, p.currency, p.payment_terms_days, x.external_id, a.code, s.balance FROM parties p LEFT JOIN external_ids x ON x.record_id = p.id
			LEFT JOIN party_balances s ON s.party_id = p.id LEFT JOIN accounts a ON a.id = s.account_id WHERE p.business_id = $1 ORDER BY p.id, a.code`},
		{"payment", `SELECT p.kind, p.date, p.amount, p.currency, p.exchange_rate, p.method, a.code, c.display_name, p.allocated, p.unallocated, p.base_amount,
			p.base_credit, p.entries, p.version, x.external_id FROM payments p JOIN parties c ON c.id = p.customer_id JOIN accounts a ON a.id = p.bank_account_id
			LEFT JOIN external_ids x ON x.record_id = p.id WHERE p.business_id = $1 ORDER BY p.id`},
		{"allocation", `SELECT i.number, a.amount, a.relief, a.credit, a.date FROM payment_allocations a JOIN invoices i ON i.id = a.invoice_id
			WHERE a.business_id = $1 ORDER BY a.id`},
		{"entry", `SELECT e.number, e.date, e.memo, e.status, e.source_type, e.source_action, e.debit_total, e.line_count, l.position, a.code, l.debit, l.credit,
			c.display_name, l.currency, l.foreign_amount FROM journal_entries e JOIN journal_lines l ON l.entry_id = e.id JOIN accounts a ON a.id = l.account_id
			LEFT JOIN parties c ON c.id = l.customer_id WHERE e.business_id = $1 ORDER BY e.number, l.position`},
		{"month", `SELECT a.code, m.month, m.debit, m.credit FROM account_months m JOIN accounts a ON a.id = m.account_id WHERE m.business_id = $1 ORDER BY a.code, m.month`},
		{"plan", `SELECT year, invoices, turnover FROM plan_usage WHERE business_id = $1 ORDER BY year`},
		{"numbers", `SELECT last_entry, last_invoice FROM books WHERE business_id = $1`},
		// An import tells of documents row by row and then of all that was booked.
		{"event", `SELECT type, data FROM events WHERE business_id = $1 AND type NOT LIKE 'journal_entry.%' ORDER BY number`},
		{"booked", `SELECT type, data FROM events WHERE business_id = $1 AND type LIKE 'journal_entry.%' ORDER BY number`},
	} {
		width := strings.Count(part.sql[:strings.Index(part.sql, " FROM ")], ",") + 1
		for _, row := range list(w, func(scan db.Scan) (string, error) {
			cells, into := make([]any, width), make([]any, width)
			for i := range cells {
				into[i] = cell{&cells[i]}
			}
			err := scan(into...)
			return fmt.Sprint(cells), err
		}, part.sql, w.by.BusinessID) {
			fmt.Fprintln(&b, part.name, ids.ReplaceAllString(row, "$1"))
		}
	}
	return b.String()
}

// cell reads a column of any type.
type cell struct{ into *any }

// Scan implements sql.Scanner.
func (c cell) Scan(column any) error {
	*c.into = column
	return nil
}

// alike compares two businesses.
func alike(t testing.TB, one, other *world) {
	t.Helper()
	a, b := strings.Split(one.picture(), "\n"), strings.Split(other.picture(), "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			t.Errorf("one has\n%s\nthe other\n%s", a[i], b[i])
			return
		}
	}
	if len(a) != len(b) {
		t.Errorf("one has %d lines, the other %d", len(a), len(b))
	}
}

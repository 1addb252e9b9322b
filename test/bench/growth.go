package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"daybook/internal/base/db"
)

// growth measures the same calls in a business with a thousand invoices and with as many as DAYBOOK_BENCH_GROWTH says, posted
// and told of. It takes minutes, so it runs only when asked to (`make growth`).
func growth(ctx context.Context, dir string) ([]figure, error) {
	most, err := strconv.Atoi(os.Getenv("DAYBOOK_BENCH_GROWTH"))
	if err != nil {
		return nil, nil
	}
	s, err := openShop(ctx, dir, filepath.Join(dir, "growth.db"))
	if err != nil {
		return nil, err
	}
	defer s.close()
	for range 1000 / importRows {
		if err := s.call("POST", "/invoices/bulk-import", s.importBody(), &struct{}{}); err != nil {
			return nil, err
		}
	}
	before, err := s.pace()
	if err != nil {
		return nil, err
	}
	have, err := s.grow(ctx, most)
	if err != nil {
		return nil, err
	}
	after, err := s.pace()
	if err != nil {
		return nil, err
	}
	var figures []figure
	for i, what := range []string{"GET /invoices/{id}", "GET /invoices, 50 rows", "POST /invoices, 3 lines, issued", "bulk import"} {
		figures = append(figures, figure{name: fmt.Sprintf("SQLite, %d invoices: %s", have, what), rate: after[i],
			extra: fmt.Sprintf("costs %.2f times what it does with 1000 (%.0f/s)", before[i]/after[i], before[i])})
	}
	return figures, nil
}

// pace is how fast the calls are.
func (s *shop) pace() (rates [4]float64, err error) {
	var first struct{ ID string }
	if err := s.call("POST", "/invoices", s.invoice(), &first); err != nil {
		return rates, err
	}
	get := func(path string) string {
		return "GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer " + s.token + "\r\n\r\n"
	}
	if rates[0], err = requests(s.address, get("/invoices/"+first.ID)); err != nil {
		return rates, err
	}
	if rates[1], err = requests(s.address, get("/invoices")); err != nil {
		return rates, err
	}
	post, _, err := s.writing(usual, s.post("/invoices", s.invoice), 1)
	if err != nil {
		return rates, err
	}
	bulk, _, err := s.writing(usual, s.post("/invoices/bulk-import", s.importBody), importRows)
	rates[2], rates[3] = post.rate, bulk.rate
	return rates, err
}

// grow copies the invoices with their entries and events until there are enough. A copy is older than what it was copied from, by
// its times and by its id: what is asked for most, the newest, lies together, as it does where years have passed.
func (s *shop) grow(ctx context.Context, most int) (have int, err error) {
	d := s.node.House.DB
	for past := 1; have < most; past++ {
		err := d.Write(ctx, func(tx *db.Tx) error {
			for _, sql := range copies {
				if _, err := tx.Exec(ctx, sql, past); err != nil {
					return err
				}
			}
			have, err = db.One(ctx, tx, db.Value[int], `SELECT count(*) FROM invoices`)
			return err
		})
		if err != nil {
			return have, err
		}
		fmt.Fprintf(os.Stderr, "grown to %d invoices\n", have)
	}
	return have, nil
}

// older is the id of a row's copy: that of a moment in the past, which $1 numbers.
func older(column string) string {
	return fmt.Sprintf(`substr(%s, 1, 4) || '00' || printf('%%03x', 4095 - $1) || substr(%s, 10)`, column, column)
}

// originals are the rows that are no copies.
func originals(id string) string { return fmt.Sprintf(`substr(%s, 5, 2) <> '00'`, id) }

const week = 7 * 24 * 3600 * 1000 // ms

// copies make one older copy of everything. Lines come before their entries: the database compares them.
var copies = []string{
	`INSERT INTO journal_lines (entry_id, position, id, business_id, account_id, date, debit, credit, customer_id)
		SELECT ` + older("entry_id") + `, position, ` + older("id") + `, business_id, account_id, date, debit, credit, customer_id FROM journal_lines WHERE ` + originals("entry_id"),
	`INSERT INTO journal_entries (id, business_id, number, date, memo, status, source_type, source_id, source_action, debit_total, credit_total, line_count, made_by, version, created_at, updated_at)
		SELECT ` + older("id") + `, business_id, number + (SELECT max(number) FROM journal_entries), date, memo, status, source_type, ` + older("source_id") + `, source_action, debit_total, credit_total,
			line_count, made_by, version, ` + past("created_at") + `, ` + past("updated_at") + ` FROM journal_entries WHERE ` + originals("id"),
	`INSERT INTO invoices (id, business_id, number, status, customer_id, bill_to, issue_date, due_date, currency, tax_mode, tax_rounding, lines, tax_summary, subtotal, discount_total, tax_total, total,
			amount_paid, amount_written_off, amount_due, base_net, base_total, base_settled, issued_at, journal_entry_id, source_type, source_app_id, plan_year, made_by, changed_by, version, created_at, updated_at)
		SELECT ` + older("id") + `, business_id, number || '-' || $1, status, customer_id, bill_to, issue_date, due_date, currency, tax_mode, tax_rounding, lines, tax_summary, subtotal, discount_total,
			tax_total, total, amount_paid, amount_written_off, amount_due, base_net, base_total, base_settled, issued_at, ` + older("journal_entry_id") + `, source_type, source_app_id, plan_year, made_by,
			changed_by, version, ` + past("created_at") + `, ` + past("updated_at") + ` FROM invoices WHERE ` + originals("id"),
	`INSERT INTO external_ids (business_id, app_id, kind, external_id, record_id)
		SELECT business_id, app_id, kind, external_id || '-' || $1, ` + older("record_id") + ` FROM external_ids WHERE ` + originals("record_id"),
	`INSERT INTO events (id, business_id, number, type, app_id, data, created_at)
		SELECT ` + older("id") + `, business_id, number + (SELECT max(number) FROM events), type, app_id, data, ` + past("created_at") + ` FROM events WHERE ` + originals("id"),
	`UPDATE books SET last_entry = (SELECT max(number) FROM journal_entries) WHERE $1 > 0`,
	`UPDATE event_counters SET last = (SELECT max(number) FROM events) WHERE $1 > 0`,
}

func past(column string) string { return fmt.Sprintf("%s - $1 * %d", column, week) }

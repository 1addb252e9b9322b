package ledger_test

import (
	"strings"
	"testing"

	"daybook/internal/base/db"
	"daybook/internal/books/ledger"
)

// TestTheDatabaseItselfRefuses goes behind the package's back: what a bug could do wrong, the tables do not keep.
func TestTheDatabaseItselfRefuses(t *testing.T) {
	const (
		line = `INSERT INTO journal_lines (entry_id, position, id, business_id, account_id, date, debit, credit) VALUES ($1, $2, 'jln_x', $3, $4, '2026-11-01', $5, $6)`
		head = `INSERT INTO journal_entries (id, business_id, number, date, status, source_type, source_id, source_action, debit_total, credit_total, line_count,
			made_by, version, created_at, updated_at) VALUES ($1, $2, $3, '2026-11-01', 'POSTED', 'SYSTEM', $1, 'X', $4, $5, $6, '{}', 1, 0, 0)`
	)
	type entry struct {
		lines             [][2]int // debit and credit
		debits, credits   int
		count, thatNumber int
	}
	each(t, func(t *testing.T, w *world) {
		posted := w.post(t, w.sale("2026-11-01", 5))
		draft := w.sale("2026-11-01", 5)
		draft.Draft = true
		kept := w.post(t, draft)

		for name, c := range map[string]struct {
			entry
			fine bool
		}{
			"an entry like any other":           {entry{[][2]int{{7, 0}, {0, 7}}, 7, 7, 2, 2}, true},
			"totals that differ":                {entry{[][2]int{{7, 0}, {0, 6}}, 7, 6, 2, 3}, false},
			"lines that differ":                 {entry{[][2]int{{7, 0}, {0, 6}}, 7, 7, 2, 3}, false},
			"lines other than the totals":       {entry{[][2]int{{6, 0}, {0, 6}}, 7, 7, 2, 3}, false},
			"no lines":                          {entry{nil, 7, 7, 0, 3}, false},
			"fewer lines than it says":          {entry{[][2]int{{7, 0}, {0, 7}}, 7, 7, 3, 3}, false},
			"a total of zero":                   {entry{nil, 0, 0, 0, 3}, false},
			"a line of both sides":              {entry{[][2]int{{7, 7}}, 7, 7, 1, 3}, false},
			"a line of nothing":                 {entry{[][2]int{{7, 0}, {0, 7}, {0, 0}}, 7, 7, 3, 3}, false},
			"a negative line":                   {entry{[][2]int{{-7, 0}, {14, 0}, {0, 7}}, 7, 7, 3, 3}, false},
			"a number that another entry bears": {entry{[][2]int{{7, 0}, {0, 7}}, 7, 7, 2, 1}, false},
		} {
			err := w.Write(ctx, func(tx *db.Tx) error {
				entryID := "jrn_" + strings.ReplaceAll(name, " ", "_")
				for i, l := range c.lines {
					if _, err := tx.Exec(ctx, line, entryID, i, w.by.BusinessID, w.id("1000"), l[0], l[1]); err != nil {
						return err
					}
				}
				_, err := tx.Exec(ctx, head, entryID, w.by.BusinessID, c.thatNumber, c.debits, c.credits, c.count)
				return err
			})
			if (err == nil) != c.fine {
				t.Errorf("%s: got %v", name, err)
			}
		}

		for name, c := range map[string]struct {
			sql  string
			args []any
			says string
		}{
			"one more line":      {line, []any{posted.ID, 9, w.by.BusinessID, w.id("1000"), 1, 0}, "no more lines"},
			"a changed amount":   {`UPDATE journal_lines SET debit = debit + 1 WHERE entry_id = $1 AND debit > 0`, []any{posted.ID}, "does not change"},
			"a changed account":  {`UPDATE journal_lines SET account_id = $2 WHERE entry_id = $1`, []any{posted.ID, w.id("3000")}, "does not change"},
			"a deleted line":     {`DELETE FROM journal_lines WHERE entry_id = $1`, []any{posted.ID}, ""},
			"a deleted entry":    {`DELETE FROM journal_entries WHERE id = $1`, []any{posted.ID}, "stays"},
			"a changed date":     {`UPDATE journal_entries SET date = '2026-11-02' WHERE id = $1`, []any{posted.ID}, "does not change"},
			"a changed number":   {`UPDATE journal_entries SET number = 99 WHERE id = $1`, []any{posted.ID}, "does not change"},
			"changed totals":     {`UPDATE journal_entries SET debit_total = 9, credit_total = 9 WHERE id = $1`, []any{posted.ID}, "does not change"},
			"a draft again":      {`UPDATE journal_entries SET status = 'DRAFT' WHERE id = $1`, []any{posted.ID}, "does not change"},
			"a changed memo":     {`UPDATE journal_entries SET memo = 'other' WHERE id = $1`, []any{posted.ID}, "does not change"},
			"another source":     {`UPDATE journal_entries SET source_id = 'other' WHERE id = $1`, []any{posted.ID}, "does not change"},
			"no reversal at all": {`UPDATE journal_entries SET status = 'REVERSED' WHERE id = $1`, []any{posted.ID}, "does not change"},
			"a reversal alone":   {`UPDATE journal_entries SET reversed_by = 'jrn_x' WHERE id = $1`, []any{posted.ID}, "does not change"},
			"another business's": {`UPDATE journal_entries SET business_id = $2 WHERE id = $1`, []any{posted.ID, w.another(t).by.BusinessID}, "does not change"},
			"a draft posted without its lines": {`UPDATE journal_entries SET status = 'POSTED', number = 50, draft_lines = NULL WHERE id = $1`,
				[]any{kept.ID}, "does not agree"},
			"a posted entry without a number": {`UPDATE journal_entries SET number = NULL WHERE id = $1`, []any{posted.ID}, ""},
		} {
			err := w.try(c.sql, c.args...)
			if err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%s: got %v", name, err)
			}
		}
		if read, err := w.Entry(ctx, w.by, posted.ID); err != nil || asJSON(read) != asJSON(posted) {
			t.Errorf("something got through: %s, %v", asJSON(read), err)
		}
	})
}

func TestAnAutomaticPostingExistsOncePerSourceAndAction(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		post := func(w *world, action string) error {
			return w.books(func(b *ledger.Book) error {
				_, err := b.Post(ctx, ledger.Posting{Date: "2026-11-01", Source: ledger.Source{Type: ledger.FromInvoice, ID: "inv_1", Action: action},
					Lines: []ledger.Line{{AccountID: w.id("1000"), Debit: 5}, {AccountID: w.id("4000"), Credit: 5}}})
				return err
			})
		}
		must(t, post(w, "ISSUE"))
		if err := post(w, "ISSUE"); !db.IsDuplicate(err) {
			t.Errorf("got %v", err)
		}
		must(t, post(w, "VOID"))
		must(t, post(w.another(t), "ISSUE"))
		if e := w.post(t, w.sale("2026-11-01", 5)); *e.Number != 3 {
			t.Errorf("the refused posting took a number: %d follows", *e.Number)
		}
	})
}

package ledger

import (
	"context"
	"encoding/json"
	"strings"

	"daybook/internal/base/db"
	"daybook/internal/base/money"
	"daybook/internal/books/record"
)

const (
	entryColumns = `r.id, r.business_id, r.number, r.date, r.memo, r.status, r.source_type, r.source_id, r.source_action, r.reversal_of, r.reversed_by,
	r.debit_total, r.credit_total, r.draft_lines, r.made_by, r.version, r.created_at, r.updated_at, ` + record.ExternalColumn
	entryTables = `journal_entries r ` + record.ExternalJoin
	lineColumns = `l.id, l.account_id, l.debit, l.credit, l.description, l.customer_id, l.supplier_id, l.currency, l.foreign_amount`
)

var entrySource = record.Source{Columns: entryColumns, From: entryTables}

// withLine is the condition that a posted line of the entry has one of the values.
func withLine(column string) string {
	return `r.id IN (SELECT l.entry_id FROM journal_lines l WHERE l.business_id = $1 AND l.` + column + ` IN ({}))`
}

// ofSource is the condition that the entry follows from one of the values. Naming every type lets the index be used, which
// begins with it.
func ofSource() string {
	return `r.id IN (SELECT e.id FROM journal_entries e WHERE e.business_id = $1 AND e.source_type IN ('` + strings.Join(words(sourceTypes), `', '`) +
		`') AND e.source_id IN ({}))`
}

// scanEntry reads an entry, with its lines if it is a draft.
func scanEntry(scan db.Scan) (Entry, error) {
	var e Entry
	var draft *string
	err := scan(&e.ID, &e.BusinessID, &e.Number, &e.Date, &e.Memo, &e.Status, &e.Source.Type, &e.Source.ID, &e.Source.Action, &e.ReversalOf, &e.ReversedBy,
		&e.DebitTotal, &e.CreditTotal, &draft, db.JSON(&e.MadeBy), &e.Version, &e.CreatedAt, &e.UpdatedAt, &e.ExternalID)
	if err == nil && draft != nil {
		err = json.Unmarshal([]byte(*draft), &e.Lines)
	}
	return e, err
}

// scanEntryLine reads an entry with one of its lines.
func scanEntryLine(scan db.Scan) (Entry, error) {
	var l Line
	var lineID, accountID *string
	var debit, credit *money.Amount
	e, err := scanEntry(func(dest ...any) error {
		return scan(append(dest, &lineID, &accountID, &debit, &credit, &l.Description, &l.CustomerID, &l.SupplierID, &l.Currency, &l.ForeignAmount)...)
	})
	if err == nil && lineID != nil {
		l.ID, l.AccountID, l.Debit, l.Credit = *lineID, *accountID, *debit, *credit
		e.Lines = []Line{l}
	}
	return e, err
}

// findEntries reads entries with their lines in one statement: a row for each line. $1 is the business, $2 the calling app.
func findEntries(ctx context.Context, tx *db.Tx, by record.Call, where string, args ...any) ([]Entry, error) {
	rows, err := db.All(ctx, tx, scanEntryLine, `SELECT `+entryColumns+`, `+lineColumns+` FROM `+entryTables+`
		LEFT JOIN journal_lines l ON l.entry_id = r.id WHERE r.business_id = $1 AND `+where+` ORDER BY r.number, l.position`,
		append([]any{by.BusinessID, by.Actor.AppID}, args...)...)
	if err != nil {
		return nil, err
	}
	entries := []Entry{}
	for _, e := range rows {
		if last := len(entries) - 1; last >= 0 && entries[last].ID == e.ID {
			entries[last].Lines = append(entries[last].Lines, e.Lines...)
		} else {
			entries = append(entries, e)
		}
	}
	return entries, nil
}

func findEntry(ctx context.Context, tx *db.Tx, by record.Call, entryID string) (Entry, error) {
	list, err := findEntries(ctx, tx, by, `r.id = $3`, entryID)
	if err == nil && len(list) == 0 {
		err = db.ErrNoRows
	}
	if err != nil {
		return Entry{}, err
	}
	return list[0], nil
}

func findEntriesOf(ctx context.Context, tx *db.Tx, by record.Call, t SourceType, id string) ([]Entry, error) {
	return findEntries(ctx, tx, by, `r.source_type = $3 AND r.source_id = $4`, t, id)
}

// addLines reads the lines of posted entries. The business is asked of the entry: by its own the line would be looked for
// among all lines of the business.
func addLines(ctx context.Context, tx *db.Tx, businessID string, entries []Entry) error {
	args := []any{businessID}
	at := map[string]int{}
	for i, e := range entries {
		if e.Status != Draft {
			at[e.ID] = i
			args = append(args, e.ID)
		}
	}
	if len(at) == 0 {
		return nil
	}
	_, err := db.All(ctx, tx, func(scan db.Scan) (Line, error) {
		var l Line
		var entryID string
		err := scan(&entryID, &l.ID, &l.AccountID, &l.Debit, &l.Credit, &l.Description, &l.CustomerID, &l.SupplierID, &l.Currency, &l.ForeignAmount)
		if err == nil {
			e := &entries[at[entryID]]
			e.Lines = append(e.Lines, l)
		}
		return l, err
	}, `SELECT l.entry_id, `+lineColumns+` FROM journal_lines l CROSS JOIN journal_entries e
		WHERE l.entry_id IN (`+db.In(2, len(args)-1)+`) AND e.id = l.entry_id AND e.business_id = $1 ORDER BY l.entry_id, l.position`, args...)
	return err
}

var (
	intoEntries = db.NewInsert("journal_entries", `id, business_id, number, date, memo, status, source_type, source_id, source_action, reversal_of,
		debit_total, credit_total, line_count, draft_lines, made_by, version, created_at, updated_at`, "")
	intoLines = db.NewInsert("journal_lines", `entry_id, position, id, business_id, account_id, date, debit, credit, description, customer_id, supplier_id,
		currency, foreign_amount`, "")
)

func appendEntry(rows []any, e Entry, draft any) []any {
	return append(rows, e.ID, e.BusinessID, e.Number, e.Date, e.Memo, e.Status, e.Source.Type, e.Source.ID, e.Source.Action, e.ReversalOf,
		e.DebitTotal, e.CreditTotal, len(e.Lines), draft, db.JSON(e.MadeBy), e.Version, e.CreatedAt, e.UpdatedAt)
}

func insertDraft(ctx context.Context, b *Book, e Entry) error {
	return intoEntries.Exec(ctx, b.Tx, appendEntry(intoEntries.Rows(1), e, db.JSON(e.Lines)))
}

// insertEntries writes posted entries, whose lines are rows by now.
func insertEntries(ctx context.Context, tx *db.Tx, entries ...Entry) error {
	rows := intoEntries.Rows(len(entries))
	for _, e := range entries {
		rows = appendEntry(rows, e, nil)
	}
	return intoEntries.Exec(ctx, tx, rows)
}

func insertLines(ctx context.Context, tx *db.Tx, entries ...Entry) error {
	count := 0
	for _, e := range entries {
		count += len(e.Lines)
	}
	rows := intoLines.Rows(count)
	for _, e := range entries {
		for i, l := range e.Lines {
			rows = append(rows, e.ID, i, l.ID, e.BusinessID, l.AccountID, e.Date, l.Debit, l.Credit, l.Description, l.CustomerID, l.SupplierID, l.Currency,
				l.ForeignAmount)
		}
	}
	return intoLines.Exec(ctx, tx, rows)
}

func updateDraft(ctx context.Context, b *Book, e Entry) error {
	_, err := b.Tx.Exec(ctx, `UPDATE journal_entries SET date = $3, memo = $4, debit_total = $5, credit_total = $6, line_count = $7, draft_lines = $8,
		version = $9, updated_at = $10 WHERE business_id = $1 AND id = $2 AND status = 'DRAFT'`,
		e.BusinessID, e.ID, e.Date, e.Memo, e.DebitTotal, e.CreditTotal, len(e.Lines), db.JSON(e.Lines), e.Version, e.UpdatedAt)
	return err
}

// postDraft makes a draft, whose lines are rows by now, a posted entry.
func postDraft(ctx context.Context, b *Book, e Entry) error {
	_, err := b.Tx.Exec(ctx, `UPDATE journal_entries SET status = $3, number = $4, debit_total = $5, credit_total = $6, line_count = $7, draft_lines = NULL,
		version = $8, updated_at = $9 WHERE business_id = $1 AND id = $2 AND status = 'DRAFT'`,
		e.BusinessID, e.ID, e.Status, e.Number, e.DebitTotal, e.CreditTotal, len(e.Lines), e.Version, e.UpdatedAt)
	return err
}

func deleteDraft(ctx context.Context, tx *db.Tx, businessID, entryID string) error {
	_, err := tx.Exec(ctx, `DELETE FROM journal_entries WHERE business_id = $1 AND id = $2 AND status = 'DRAFT'`, businessID, entryID)
	return err
}

// markReversed reports whether the entry was still POSTED.
func markReversed(ctx context.Context, tx *db.Tx, e Entry, by string) (bool, error) {
	n, err := tx.Exec(ctx, `UPDATE journal_entries SET status = 'REVERSED', reversed_by = $3, version = version + 1, updated_at = $4
		WHERE business_id = $1 AND id = $2 AND status = 'POSTED'`, e.BusinessID, e.ID, by, tx.Now())
	return n == 1, err
}

// touchEntry raises the version of an entry.
func touchEntry(ctx context.Context, tx *db.Tx, e Entry) error {
	_, err := tx.Exec(ctx, `UPDATE journal_entries SET version = $3, updated_at = $4 WHERE business_id = $1 AND id = $2`, e.BusinessID, e.ID, e.Version, e.UpdatedAt)
	return err
}

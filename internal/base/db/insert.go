package db

import (
	"context"
	"strings"
	"sync/atomic"
)

// Insert is an INSERT of any number of rows, in as few statements as is sensible.
type Insert struct {
	table   string
	into    string
	columns int
	keyed   bool // the first column is the key, and the last row with it counts
	tail    string
	texts   [mostRows + 1]atomic.Pointer[string] // by the number of rows
	putOff  [mostRows + 1]atomic.Pointer[string] // the same for rows that were put off
}

// mostRows is how many rows a statement has at most; beyond fewRows their number is a power of two. So the lists of any length need
// only a handful of texts, which the database compiles once.
const (
	mostRows = 64
	fewRows  = 8
)

// NewInsert is an INSERT into a table. The columns are a list as SQL has it; the tail follows the rows.
func NewInsert(table, columns, tail string) *Insert {
	return &Insert{table: table, into: table + ` (` + columns + `) VALUES `, columns: strings.Count(columns, ",") + 1, tail: tail}
}

// NewUpsert is an INSERT of rows of a key and a value, which takes the place of the value that a key has.
func NewUpsert(table, key, value string) *Insert {
	i := NewInsert(table, key+", "+value, " ON CONFLICT ("+key+") DO UPDATE SET "+value+" = excluded."+value)
	i.keyed = true
	return i
}

// Rows makes room for the values of so many rows.
func (i *Insert) Rows(n int) []any { return make([]any, 0, n*i.columns) }

// Exec writes rows, whose values stand one behind another. Without rows it does nothing.
func (i *Insert) Exec(ctx context.Context, tx *Tx, values []any) error {
	for rows := len(values) / i.columns; rows > 0; {
		n := some(rows)
		if _, err := tx.Exec(ctx, i.text(n), values[:n*i.columns]...); err != nil {
			return err
		}
		values, rows = values[n*i.columns:], rows-n
	}
	return nil
}

// some is how many of the rows the next statement takes.
func some(rows int) int {
	if rows <= fewRows {
		return rows
	}
	n := mostRows
	for n > rows {
		n /= 2
	}
	return n
}

func (i *Insert) text(rows int) string { return i.build(&i.texts[rows], "INSERT INTO ", rows) }

// textPutOff is for SQLite's writer. A statement that may write some rows and then be taken back alone copies every page before it
// changes it; here a failure takes back the whole transaction anyway.
func (i *Insert) textPutOff(rows int) string {
	return i.build(&i.putOff[rows], "INSERT OR FAIL INTO ", rows)
}

func (i *Insert) build(known *atomic.Pointer[string], verb string, rows int) string {
	if text := known.Load(); text != nil {
		return *text
	}
	var b strings.Builder
	b.WriteString(verb)
	b.WriteString(i.into)
	for n := range rows {
		if n > 0 {
			b.WriteString(", ")
		}
		b.WriteString("(" + In(n*i.columns+1, i.columns) + ")")
	}
	b.WriteString(i.tail)
	text := b.String()
	known.Store(&text)
	return text
}

package bulk_test

import (
	"fmt"
	"testing"

	"daybook/internal/base/db"
	"daybook/internal/books/bulk"
)

func TestWhatAnImportCosts(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		cost := func(r bulk.Request) int64 {
			t.Helper()
			counting, n := db.Counting(ctx)
			_, err := w.bulk.Import(counting, w.by, r)
			must(t, err)
			return n.Load()
		}
		counting, n := db.Counting(ctx)
		_, err := db.Run(counting, w.DB, w.invoices.Create(w.by, w.row("single", "1").Invoice))
		must(t, err)
		single := n.Load()
		few, many := cost(bulk.Request{Rows: w.rows("few ", 10)}), cost(bulk.Request{Rows: w.rows("many ", 60)})
		if each := (many - few) / 50; each > single-4 { // books, numbers, counter of events and events are shared
			t.Errorf("a row costs %d statements, a single invoice %d", each, single)
		}
		if again := cost(bulk.Request{Rows: w.rows("many ", 60)}); again > 5 { // books, plan, invoices by name, savepoint, release
			t.Errorf("skipping costs %d statements", again)
		}
		// A late refusal has the good rows since the last one done again, once.
		var rows []bulk.Row
		for i := range 60 {
			rows = append(rows, w.row(fmt.Sprint("good ", i), "1"))
		}
		rows[29], rows[59] = w.paid(rows[29], -1), w.paid(rows[59], -1)
		if late := cost(bulk.Request{Rows: rows}); late > 2*many+10 {
			t.Errorf("two late refusals make it cost %d statements, instead of %d", late, many)
		}
	})
}

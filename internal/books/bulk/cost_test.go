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
		few, many := cost(bulk.Request{Rows: w.rows("few ", 10)}), cost(bulk.Request{Rows: w.rows("many ", 200)})
		if few > 2*single {
			t.Errorf("ten rows cost %d statements, a single invoice %d", few, single)
		}
		if many > 4*single {
			t.Errorf("200 rows cost %d statements, a single invoice %d", many, single)
		}
		if again := cost(bulk.Request{Rows: w.rows("many ", 200)}); again > 5 { // books, plan, names, invoices, customers
			t.Errorf("skipping costs %d statements", again)
		}
		var rows []bulk.Row
		for i := range 200 {
			rows = append(rows, w.row(fmt.Sprint("good ", i), "1"))
			if i%20 == 19 {
				rows[i] = w.paid(rows[i], -1)
			}
		}
		if late := cost(bulk.Request{Rows: rows}); late > many+12 { // the rest is written in pieces of other sizes
			t.Errorf("with late refusals it costs %d statements, instead of %d", late, many)
		}
		t.Log("statements: single", single, "ten rows", few, "200 rows", many)
	})
}

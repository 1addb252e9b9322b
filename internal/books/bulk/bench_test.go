package bulk_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"daybook/internal/base/clock"
	"daybook/internal/base/db"
	"daybook/internal/base/id"
	"daybook/internal/books/bulk"
	"daybook/internal/books/invoice"
	"daybook/internal/books/record"
	"daybook/internal/schema"
	"daybook/internal/schema/dbtest"
)

// BenchmarkRows tells how many issued invoices of three lines a second come in: one by one, and by imports. It asserts nothing.
// Each is into one business: that is what an app does.
func BenchmarkRows(b *testing.B) {
	b.Run("SQLite", func(b *testing.B) { benchmarkRows(b, filepath.Join(b.TempDir(), "daybook.db")) })
	b.Run("PostgreSQL", func(b *testing.B) {
		server := os.Getenv("DAYBOOK_TEST_POSTGRES")
		if server == "" {
			b.Skip("DAYBOOK_TEST_POSTGRES is not set")
		}
		benchmarkRows(b, ownSchema(b, server))
	})
}

func benchmarkRows(b *testing.B, database string) {
	d := open(b, database)
	_, err := d.Migrate(ctx, schema.Migrations())
	must(b, err)
	h := newHouse(&dbtest.Store{DB: d, IDs: id.NewSource(clock.System{})})
	h.invoices.Plans = unlimited
	w := h.world(b, "SCALE")
	var made atomic.Int64
	row := func() bulk.Row {
		r := w.row(fmt.Sprint("row ", made.Add(1)), "10.07")
		r.Invoice.Lines = []invoice.NewLine{r.Invoice.Lines[0], r.Invoice.Lines[0], r.Invoice.Lines[0]}
		return r
	}
	single := func() {
		if _, err := db.Run(ctx, w.DB, w.invoices.Create(w.by, row().Invoice)); err != nil {
			b.Error(err)
		}
	}
	rows := func(b *testing.B, n int) { b.ReportMetric(float64(n*b.N)/b.Elapsed().Seconds(), "rows/s") }
	b.Run("single, one caller", func(b *testing.B) {
		for b.Loop() {
			single()
		}
		rows(b, 1)
	})
	b.Run("single, 16 callers", func(b *testing.B) {
		b.SetParallelism(8)
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				single()
			}
		})
		rows(b, 1)
	})
	many := func(name string, n int, change func(bulk.Row) bulk.Row) {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				list := make([]bulk.Row, n)
				for i := range list {
					list[i] = change(row())
				}
				w.all(list...)
			}
			rows(b, n)
		})
	}
	plain := func(r bulk.Row) bulk.Row { return r }
	many("import of 200", 200, plain)
	many("import of 20", 20, plain)
	many("import of 200, each with customer and payment", 200, func(r bulk.Row) bulk.Row {
		return w.paid(forNew(r, fmt.Sprint("customer ", made.Add(1)), "Somebody"), 3654)
	})
	many("import of 200, every tenth refused", 200, func(r bulk.Row) bulk.Row {
		if strings.HasSuffix(*r.Invoice.ExternalID, "0") {
			r.Invoice.Lines[2].TaxRateID = record.Setting("tax_none")
		}
		return r
	})
}

func open(b *testing.B, database string) *db.DB {
	d, err := db.Open(ctx, db.Options{Database: database, Clock: clock.System{}})
	must(b, err)
	b.Cleanup(d.Close)
	return d
}

// ownSchema makes a schema for this run and drops it afterwards.
func ownSchema(b *testing.B, server string) string {
	name := "bench_" + strings.TrimPrefix(id.NewSource(clock.System{}).New("x"), "x_")
	d := open(b, server)
	run := func(sql string) error {
		return d.Write(ctx, func(tx *db.Tx) error {
			_, err := tx.Exec(ctx, sql)
			return err
		})
	}
	must(b, run(`CREATE SCHEMA `+name))
	b.Cleanup(func() { must(b, run(`DROP SCHEMA `+name+` CASCADE`)) })
	mark := "?"
	if strings.Contains(server, "?") {
		mark = "&"
	}
	return server + mark + "search_path=" + name
}

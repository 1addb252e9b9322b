package bulk_test

import (
	"fmt"
	"testing"

	"daybook/internal/books/bulk"
)

func TestImportsAtOnceWithTheSameNamesCreateEachOnce(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		const racers, rows = 4, 25
		type ended struct {
			result bulk.Result
			err    error
		}
		done := make(chan ended)
		for n := range racers {
			var list []bulk.Row
			for i := range rows {
				// Each in its own order, with a refused row of its own in between.
				at := (i*7 + n*11) % rows
				list = append(list, forNew(w.row(fmt.Sprint("row ", at), "10"), fmt.Sprint("customer ", at%5), "Somebody"))
			}
			list[n*5] = w.paid(w.row(fmt.Sprint("bad ", n), "10"), -1)
			go func() {
				r, err := w.bulk.Import(ctx, w.by, bulk.Request{Rows: list})
				done <- ended{r, err}
			}()
		}
		created := map[string]string{}
		skipped := map[string]string{}
		for range racers {
			e := <-done
			must(t, e.err)
			for _, o := range e.result.Outcomes {
				switch o.Status {
				case bulk.Created:
					if created[*o.ExternalID] != "" {
						t.Errorf("%s was created twice", *o.ExternalID)
					}
					created[*o.ExternalID] = *o.InvoiceID
				case bulk.Skipped:
					skipped[*o.ExternalID] = *o.InvoiceID
				}
			}
			same(t, "failed", e.result.Summary.Failed, 1)
		}
		for name, id := range skipped {
			same(t, name, id, created[name])
		}
		same(t, "invoices", one[int](w, `SELECT count(*) FROM invoices`), len(created))
		same(t, "of all names", len(created), rows)
		same(t, "customers", one[int](w, `SELECT count(*) FROM parties`), 1+5)
	})
}

package partnerapi

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"daybook/internal/base/clock"
	"daybook/internal/base/db"
	"daybook/internal/base/id"
	"daybook/internal/base/secret"
	"daybook/internal/books/record"
	"daybook/internal/schema"
	"daybook/internal/schema/dbtest"
)

// BenchmarkGetInvoice compares a whole call with its two statements alone, on SQLite.
func BenchmarkGetInvoice(b *testing.B) {
	hand := clock.NewHand(dbtest.Start)
	d, err := db.Open(ctx, db.Options{Database: b.TempDir() + "/bench.db", Clock: hand})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(d.Close)
	if _, err := d.Migrate(ctx, schema.Migrations()); err != nil {
		b.Fatal(err)
	}
	w := newWorld(b, &dbtest.Store{DB: d, Clock: hand, IDs: id.NewSource(hand)})
	w.api.Limits, w.api.Meter = generous{}, nil
	token := w.all()
	invoice := w.invoice(token, w.customer(token))
	r := httptest.NewRequest(http.MethodGet, origin+"/invoices/"+invoice, nil)
	r.Header.Set("Authorization", "Bearer "+token)
	by := record.Call{BusinessID: w.shop}
	b.Run("call", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			out := httptest.NewRecorder()
			w.handler.ServeHTTP(out, r)
			if out.Code != http.StatusOK {
				b.Fatal(out.Body)
			}
		}
	})
	b.Run("call in an older version", func(b *testing.B) {
		b.ReportAllocs()
		old := r.Clone(ctx)
		old.Header.Set("Daybook-Version", older)
		for b.Loop() {
			w.handler.ServeHTTP(httptest.NewRecorder(), old)
		}
	})
	b.Run("statements alone", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := w.api.OAuth.Authenticate(ctx, secret.Of(token)); err != nil {
				b.Fatal(err)
			}
			if _, err := w.api.Invoices.Get(ctx, by, invoice); err != nil {
				b.Fatal(err)
			}
		}
	})
}

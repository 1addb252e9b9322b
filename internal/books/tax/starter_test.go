package tax_test

import (
	"fmt"
	"strings"
	"testing"

	"daybook/internal/base/db"
	"daybook/internal/books/record"
	"daybook/internal/books/tax"
)

// open gives a business the rates of a country and lists what it has then.
func (w *world) open(t *testing.T, by record.Call, country string) string {
	t.Helper()
	must(t, w.Write(ctx, func(tx *db.Tx) error { return w.OpenRates(ctx, tx, by.BusinessID, country) }))
	page, err := w.List(ctx, by, map[string][]string{"sort": {"createdAt"}})
	must(t, err)
	var list []string
	for _, r := range page.Data {
		if r.Kind != tax.Sales || r.Status != tax.Active || r.AccountID != w.output {
			t.Errorf("%s: %+v", country, r)
		}
		list = append(list, fmt.Sprintf("%s = %s %s", r.Name, r.Rate, r.Category))
	}
	return strings.Join(list, "; ")
}

func TestABusinessBeginsWithTheRatesOfItsCountry(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for country, wanted := range map[string]string{
			"NL": "VAT 21% = 21 STANDARD; VAT 9% = 9 REDUCED; VAT 0% = 0 ZERO",
			"FR": "VAT 20% = 20 STANDARD; VAT 10% = 10 REDUCED; VAT 5.5% = 5.5 REDUCED; VAT 0% = 0 ZERO",
			"AU": "GST 10% = 10 STANDARD; GST 0% = 0 ZERO",
			"JP": "Consumption tax 10% = 10 STANDARD; Consumption tax 8% = 8 REDUCED; Consumption tax 0% = 0 ZERO",
			"US": "No tax = 0 OUT_OF_SCOPE",
			"XX": "No tax = 0 OUT_OF_SCOPE",
			"":   "No tax = 0 OUT_OF_SCOPE",
		} {
			w.exec(t, `DELETE FROM tax_rates`)
			if got := w.open(t, w.by, country); got != wanted {
				t.Errorf("%s begins with %q, want %q", country, got, wanted)
			}
		}
	})
}

func TestRatesAreOpenedOnceAndInSilence(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		first := w.open(t, w.by, "NL")
		if second := w.open(t, w.by, "DE"); second != first {
			t.Errorf("opening again left %q, not %q", second, first)
		}
		if told := w.events(t, w.by); len(told) != 0 {
			t.Errorf("told %q", told)
		}
		if page, err := w.List(ctx, w.other, nil); err != nil || len(page.Data) != 0 {
			t.Errorf("another business got %v, %v", page.Data, err)
		}
	})
}

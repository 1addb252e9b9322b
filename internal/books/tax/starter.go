package tax

import (
	"context"
	"strings"

	"daybook/internal/base/db"
	"daybook/internal/base/id"
	"daybook/internal/base/money"
	"daybook/internal/books/record"
	"daybook/internal/platform/event"
)

// starters are the rates that a new business of a country begins with: what the tax is called, then the standard rate and
// the reduced ones. Each of them also gets a zero rate, which exports have everywhere.
var starters = map[string]string{
	"AT": "VAT: 20 13 10", "BE": "VAT: 21 12 6", "BG": "VAT: 20 9", "CY": "VAT: 19 9 5 3", "CZ": "VAT: 21 12", "DE": "VAT: 19 7", "DK": "VAT: 25",
	"EE": "VAT: 24 13 9", "ES": "VAT: 21 10 4", "FI": "VAT: 25.5 13.5 10", "FR": "VAT: 20 10 5.5", "GR": "VAT: 24 13 6", "HR": "VAT: 25 13 5",
	"HU": "VAT: 27 18 5", "IE": "VAT: 23 13.5 9", "IT": "VAT: 22 10 5 4", "LT": "VAT: 21 12 5", "LU": "VAT: 17 14 8 3", "LV": "VAT: 21 12 5",
	"MT": "VAT: 18 12 7 5", "NL": "VAT: 21 9", "PL": "VAT: 23 8 5", "PT": "VAT: 23 13 6", "RO": "VAT: 21 11", "SE": "VAT: 25 12 6",
	"SI": "VAT: 22 9.5 5", "SK": "VAT: 23 19 5",
	"CH": "VAT: 8.1 3.8 2.6", "GB": "VAT: 20 5", "IS": "VAT: 24 11", "LI": "VAT: 8.1 3.8 2.6", "NO": "VAT: 25 15 12",
	"AE": "VAT: 5", "AU": "GST: 10", "CA": "GST: 5", "JP": "Consumption tax: 10 8", "KR": "VAT: 10", "NZ": "GST: 15", "SG": "GST: 9", "ZA": "VAT: 15",
}

// starting are those rates as records to be.
func starting(country string) []New {
	name, percents, known := strings.Cut(starters[country], ":")
	if !known { // taxes that differ from town to town, or that we know nothing of
		return []New{{Name: "No tax", Kind: Sales, Category: OutOfScope}}
	}
	var list []New
	for i, percent := range strings.Fields(percents + " 0") {
		n := New{Name: name + " " + percent + "%", Rate: money.MustFactor(percent), Kind: Sales, Category: Reduced}
		switch {
		case i == 0:
			n.Category = Standard
		case n.Rate.IsZero():
			n.Category = Zero
		}
		list = append(list, n)
	}
	return list
}

// OpenRates gives a new business, whose books are open, the rates of its country. A business that has any keeps them as they
// are. It is a beginning and no change, so no event tells of it.
func (s *Service) OpenRates(ctx context.Context, tx *db.Tx, businessID, country string) error {
	b, err := s.Ledger.Open(ctx, tx, record.Call{BusinessID: businessID, Actor: event.Actor{Type: event.System}})
	if err != nil {
		return err
	}
	if begun, err := exists(ctx, tx, businessID); err != nil || begun {
		return err
	}
	account, err := account(ctx, b, Sales, nil)
	if err != nil {
		return err
	}
	var rates []Rate
	for _, n := range starting(country) {
		rates = append(rates, Rate{
			ID: b.NewID(id.TaxRate), BusinessID: businessID, Name: n.Name, Rate: n.Rate, Kind: n.Kind, Category: n.Category, AccountID: account.ID,
			Status: Active, Version: 1, CreatedAt: tx.Now(), UpdatedAt: tx.Now(),
		})
	}
	return insert(ctx, tx, rates...)
}

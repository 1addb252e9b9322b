package invoice

import (
	"encoding/json"
	"testing"

	"pgregory.net/rapid"

	"daybook/internal/base/money"
	"daybook/internal/books/party"
	"daybook/internal/platform/event"
)

// What writes itself as JSON writes what json.Marshal does.
func TestJSONIsThatOfTheLibrary(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String()
		maybe := rapid.Ptr(text, true)
		factor := rapid.Custom(func(t *rapid.T) money.Factor {
			return money.MustFactor(rapid.SampledFrom([]string{"0", "1", "-2.5", "10.07", "100000.000001"}).Draw(t, "factor"))
		})
		amount := rapid.Custom(func(t *rapid.T) money.Amount { return money.Amount(rapid.Int64Range(-1<<40, 1<<40).Draw(t, "amount")) })
		lines := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Line {
			return Line{
				ID: text.Draw(t, "id"), Description: text.Draw(t, "description"), Quantity: factor.Draw(t, "quantity"), UnitPrice: factor.Draw(t, "price"),
				DiscountPercent: rapid.Ptr(factor, true).Draw(t, "percent"), DiscountAmount: rapid.Ptr(amount, true).Draw(t, "discount"), AccountID: text.Draw(t, "account"),
				TaxRateID: maybe.Draw(t, "rate"), ItemCode: maybe.Draw(t, "item"), LineAmount: amount.Draw(t, "amount"), NetAmount: amount.Draw(t, "net"), TaxAmount: amount.Draw(t, "tax"),
			}
		}), 0, 3).Draw(t, "lines")
		sums := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) TaxSum {
			return TaxSum{TaxRateID: text.Draw(t, "rate"), Name: text.Draw(t, "name"), Rate: factor.Draw(t, "rate"), TaxableAmount: amount.Draw(t, "taxable"), TaxAmount: amount.Draw(t, "tax")}
		}), 0, 3).Draw(t, "sums")
		to := BillTo{Name: text.Draw(t, "name"), TaxNumber: maybe.Draw(t, "number")}
		if rapid.Bool().Draw(t, "address") {
			to.Address = &party.Address{Line1: maybe.Draw(t, "1"), Line2: maybe.Draw(t, "2"), City: maybe.Draw(t, "city"), Region: maybe.Draw(t, "region"), PostalCode: maybe.Draw(t, "code"), Country: maybe.Draw(t, "country")}
		}
		actor := event.Actor{Type: event.ActorType(text.Draw(t, "type")), AppID: text.Draw(t, "app"), UserID: text.Draw(t, "user")}
		for _, one := range []interface{ AppendJSON([]byte) []byte }{lineList(lines), lineList(nil), taxList(sums), taxList(nil), &to, actor} {
			want, err := json.Marshal(one)
			if err != nil {
				t.Fatal(err)
			}
			if got := one.AppendJSON(nil); string(got) != string(want) {
				t.Errorf("%T\n%s\n%s", one, got, want)
			}
		}
	})
}

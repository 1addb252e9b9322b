package tax_test

import (
	"slices"
	"strings"
	"testing"

	"daybook/internal/base/fault"
	"daybook/internal/base/money"
	"daybook/internal/books/ledger"
	"daybook/internal/books/record"
	"daybook/internal/books/tax"
	"daybook/internal/platform/event"
)

func TestARateIsWhatItMayBe(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for _, c := range []struct {
			name   string
			change func(n *tax.New)
			says   string // the offending members
		}{
			{"an ordinary one", func(n *tax.New) {}, ""},
			{"0 percent", func(n *tax.New) { n.Rate = money.Factor{} }, ""},
			{"100 percent", func(n *tax.New) { n.Rate = money.MustFactor("100") }, ""},
			{"4 decimals", func(n *tax.New) { n.Rate = money.MustFactor("99.9999") }, ""},
			{"trailing zeros", func(n *tax.New) { n.Rate = money.MustFactor("21.0000000") }, ""},
			{"5 decimals", func(n *tax.New) { n.Rate = money.MustFactor("5.00001") }, "rate"},
			{"above 100", func(n *tax.New) { n.Rate = money.MustFactor("100.0001") }, "rate"},
			{"below 0", func(n *tax.New) { n.Rate = money.MustFactor("-0.0001") }, "rate"},
			{"1 character", func(n *tax.New) { n.Name = "é" }, ""},
			{"100 characters", func(n *tax.New) { n.Name = strings.Repeat("é", 100) }, ""},
			{"101 characters", func(n *tax.New) { n.Name = strings.Repeat("é", 101) }, "name"},
			{"no name", func(n *tax.New) { n.Name = " " }, "name"},
			{"for purchases", func(n *tax.New) { n.Kind = tax.Purchase }, ""},
			{"for both", func(n *tax.New) { n.Kind = tax.Both }, ""},
			{"an unknown kind", func(n *tax.New) { n.Kind = "sales" }, "kind"},
			{"an unknown category", func(n *tax.New) { n.Category = "" }, "category"},
			{"reverse charge", func(n *tax.New) { n.Category = tax.ReverseCharge }, ""},
			{"zero that is not", func(n *tax.New) { n.Category = tax.Zero }, "rate"},
			{"exempt that is not", func(n *tax.New) { n.Category = tax.Exempt }, "rate"},
			{"out of scope that is not", func(n *tax.New) { n.Category = tax.OutOfScope }, "rate"},
			{"exempt", func(n *tax.New) { n.Category, n.Rate = tax.Exempt, money.Factor{} }, ""},
			{"everything wrong at once", func(n *tax.New) { *n = tax.New{Rate: money.MustFactor("101")} }, "name rate kind category"},
		} {
			n := standard
			c.change(&n)
			_, err := run(w, w.Create(w.by, n))
			if got := offences(err); got != c.says {
				t.Errorf("%s: refused for %q, want %q", c.name, got, c.says)
			}
		}
	})
}

func TestANewRateIsKeptAndToldOf(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		n := standard
		n.Name, n.Rate = "  Cafe\u0301 ", money.MustFactor("5.50")
		made := w.rate(t, n)
		if made.Name != "Café" || made.Rate.String() != "5.5" || made.Status != tax.Active || made.Version != 1 || !made.CreatedAt.Equal(w.Clock.Now()) {
			t.Errorf("made %+v", made)
		}
		read, err := w.Get(ctx, w.by, made.ID)
		must(t, err)
		if read != made {
			t.Errorf("read %+v, made %+v", read, made)
		}
		wanted := []string{told(event.TaxRateCreated, event.Data{"taxRateId": made.ID, "rate": "5.5", "kind": "SALES", "status": "ACTIVE", "version": 1})}
		if got := w.events(t, w.by); !slices.Equal(got, wanted) {
			t.Errorf("told %q, want %q", got, wanted)
		}
	})
}

func TestTaxIsBookedOnAnAccountThatFits(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		second := w.account(t, "2110", "OUTPUT_TAX")
		archived := w.account(t, "2120", "OUTPUT_TAX")
		plain := w.account(t, "2130", nil)
		w.exec(t, `UPDATE accounts SET status = 'ARCHIVED' WHERE id = $1`, archived)
		missing := record.ErrReference.With("accountId")
		output, input := ledger.ErrType.With("accountId", "OUTPUT_TAX"), ledger.ErrType.With("accountId", "INPUT_TAX")
		for _, c := range []struct {
			kind    tax.Kind
			account *string
			want    string
			refusal *fault.Fault
		}{
			{tax.Sales, nil, w.output, nil},
			{tax.Both, nil, w.output, nil},
			{tax.Purchase, nil, w.input, nil},
			{tax.Sales, &second, second, nil},
			{tax.Both, &second, second, nil},
			{tax.Purchase, &w.input, w.input, nil},
			{tax.Sales, &w.input, "", output},
			{tax.Both, &w.input, "", output},
			{tax.Purchase, &second, "", input},
			{tax.Sales, &w.bank, "", output},
			{tax.Sales, &plain, "", output},
			{tax.Sales, &archived, "", record.ErrArchived.With(record.Account)},
			{tax.Sales, &w.foreign, "", missing},
			{tax.Sales, pointer("acc_nothing"), "", missing},
		} {
			n := standard
			n.Kind, n.AccountID = c.kind, c.account
			r, err := run(w, w.Create(w.by, n))
			want(t, err, c.refusal)
			if err == nil && r.AccountID != c.want {
				t.Errorf("%s is booked on %s, want %s", c.kind, r.AccountID, c.want)
			}
		}
	})
}

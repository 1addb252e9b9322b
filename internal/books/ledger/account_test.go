package ledger_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"daybook/internal/base/db"
	"daybook/internal/base/fault"
	"daybook/internal/base/id"
	"daybook/internal/books/ledger"
	"daybook/internal/books/record"
	"daybook/internal/platform/event"
)

func setting[T any](v T) record.Patch[T] { return record.Setting(v) }

// vans is an ordinary account.
func vans() ledger.NewAccount {
	return ledger.NewAccount{Code: "0100", Name: "Vans", Type: ledger.Asset, Subtype: ptr(ledger.Subtype("FIXED"))}
}

func data(a ledger.Account) event.Data {
	return event.Data{"accountId": a.ID, "code": a.Code, "type": a.Type, "subtype": a.Subtype, "status": a.Status, "version": a.Version}
}

func TestCreatingAnAccount(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		n := ledger.NewAccount{
			Code: " A-1.b ", Name: " Café till ", Type: ledger.Asset, Subtype: ptr(ledger.Cash), Currency: ptr("USD"), Description: ptr(" Front "),
			DefaultTaxRateID: ptr(w.taxRate(t, w.id("2100"))), ExternalID: ptr("ext-1"),
		}
		a := done(t, w, w.CreateAccount(w.by, n))
		if a.Code != "A-1.b" || a.Name != "Café till" || *a.Description != "Front" || *a.Currency != "USD" || *a.ExternalID != "ext-1" ||
			a.Role != nil || a.Status != ledger.Active || a.Version != 1 || !id.Valid(id.Account, a.ID) {
			t.Errorf("created %+v", a)
		}
		read, err := w.Account(ctx, w.by, a.ID)
		must(t, err)
		if asJSON(read) != asJSON(a) {
			t.Errorf("read\n%s\nof\n%s", asJSON(read), asJSON(a))
		}
		wantTold(t, w.told(t, 0), happening(event.AccountCreated, data(a)))
	})
}

func TestWhatAnAccountMayNotBe(t *testing.T) {
	cases := map[string]struct {
		change func(n *ledger.NewAccount)
		want   string
	}{
		"without a code":             {func(n *ledger.NewAccount) { n.Code = "" }, "code"},
		"with a code of 21":          {func(n *ledger.NewAccount) { n.Code = strings.Repeat("1", 21) }, "code"},
		"with a space in the code":   {func(n *ledger.NewAccount) { n.Code = "1 0" }, "code"},
		"with an umlaut in the code": {func(n *ledger.NewAccount) { n.Code = "1ä" }, "code"},
		"without a name":             {func(n *ledger.NewAccount) { n.Name = " " }, "name"},
		"with a name of 151":         {func(n *ledger.NewAccount) { n.Name = strings.Repeat("é", 151) }, "name"},
		"of no type":                 {func(n *ledger.NewAccount) { n.Type = "" }, "type"},
		"of another type":            {func(n *ledger.NewAccount) { n.Type = "ASSETS" }, "type"},
		"of another type's subtype":  {func(n *ledger.NewAccount) { n.Subtype = ptr(ledger.Subtype("SALES")) }, "subtype"},
		"of an empty subtype":        {func(n *ledger.NewAccount) { n.Subtype = ptr(ledger.Subtype("")) }, "subtype"},
		"with a currency that is none": {func(n *ledger.NewAccount) {
			n.Subtype, n.Currency = ptr(ledger.Bank), ptr("usd")
		}, "currency"},
		"with a currency but no money":     {func(n *ledger.NewAccount) { n.Currency = ptr("USD") }, "currency"},
		"with a currency and no subtype":   {func(n *ledger.NewAccount) { n.Subtype, n.Currency = nil, ptr("USD") }, "currency"},
		"with a description of 501":        {func(n *ledger.NewAccount) { n.Description = ptr(strings.Repeat("x", 501)) }, "description"},
		"with an external id of 101":       {func(n *ledger.NewAccount) { n.ExternalID = ptr(strings.Repeat("x", 101)) }, "externalId"},
		"wrong in several ways, all named": {func(n *ledger.NewAccount) { n.Code, n.Name, n.Type = "?", "", "X" }, "code name type"},
	}
	each(t, func(t *testing.T, w *world) {
		for name, c := range cases {
			n := vans()
			c.change(&n)
			_, err := do(w, w.CreateAccount(w.by, n))
			if got := offences(err); got != c.want {
				t.Errorf("%s: offences are %s", name, got)
			}
		}
		n := vans()
		n.DefaultTaxRateID = ptr(w.another(t).taxRate(t, w.id("2100")))
		_, err := do(w, w.CreateAccount(w.by, n))
		want(t, err, record.ErrReference)
		if f := fault.From(err); f == nil || f.Params[0] != "defaultTaxRateId" {
			t.Errorf("the path is missing: %v", err)
		}
		wantTold(t, w.told(t, 0))
	})
}

func TestEdgesOfAccountsThatAreFine(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		n := ledger.NewAccount{Code: strings.Repeat("Z", 20), Name: strings.Repeat("é", 150), Type: ledger.Expense, Description: ptr(strings.Repeat("é", 500)), Currency: ptr("EUR")}
		a := done(t, w, w.CreateAccount(w.by, n))
		if a.Currency != nil {
			t.Error("the business's own currency is nobody's foreign one")
		}
		n = ledger.NewAccount{Code: "0", Name: "X", Type: ledger.Asset, Subtype: ptr(ledger.Bank), Currency: ptr("JPY"), Description: ptr(" ")}
		if a := done(t, w, w.CreateAccount(w.by, n)); *a.Currency != "JPY" || a.Description != nil {
			t.Errorf("created %+v", a)
		}
	})
}

func TestACodeIsUniqueWithinABusiness(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		a := done(t, w, w.CreateAccount(w.by, vans()))
		_, err := do(w, w.CreateAccount(w.by, vans()))
		want(t, err, ledger.ErrCode)
		done(t, w, w.CreateAccount(w.another(t).by, vans()))
		_, err = do(w, w.UpdateAccount(w.by, a.ID, ledger.AccountPatch{Code: setting("1000")}, nil))
		want(t, err, ledger.ErrCode)
		n := vans()
		n.Code = "0100a"
		done(t, w, w.CreateAccount(w.by, n))
		n.Code = "0100A" // another code: case counts
		done(t, w, w.CreateAccount(w.by, n))
	})
}

func TestChangingAnAccount(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		a := done(t, w, w.CreateAccount(w.by, vans()))
		w.Clock.Advance(time.Second)
		rate := w.taxRate(t, w.id("2100"))
		b := done(t, w, w.UpdateAccount(w.by, a.ID, ledger.AccountPatch{
			Code: setting("0200"), Name: setting(" Lorries "), Type: setting(ledger.Expense), Subtype: record.Clearing[ledger.Subtype](),
			Description: setting("Two"), DefaultTaxRateID: setting(rate), ExternalID: setting("ext"),
		}, ptr(1)))
		if b.Code != "0200" || b.Name != "Lorries" || b.Type != ledger.Expense || b.Subtype != nil || *b.Description != "Two" || *b.DefaultTaxRateID != rate ||
			b.Version != 2 || !b.UpdatedAt.Equal(w.Clock.Now()) || !b.CreatedAt.Equal(a.CreatedAt) || *b.ExternalID != "ext" {
			t.Errorf("changed to %+v", b)
		}
		read, err := w.Account(ctx, w.by, a.ID)
		must(t, err)
		if asJSON(read) != asJSON(b) {
			t.Errorf("read\n%s\nof\n%s", asJSON(read), asJSON(b))
		}
		told := data(b)
		told["changes"] = []string{"code", "defaultTaxRateId", "description", "externalId", "name", "subtype", "type"}
		wantTold(t, w.told(t, 1), happening(event.AccountUpdated, told))

		found, err := w.ListAccounts(ctx, w.by, params("q", "lor"))
		must(t, err)
		if len(found.Data) != 1 {
			t.Error("the new name is not found")
		}
	})
}

func TestAPatchThatChangesNothingWritesNothing(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		n := vans()
		n.ExternalID, n.Description = ptr("ext"), ptr("d")
		a := done(t, w, w.CreateAccount(w.by, n))
		w.Clock.Advance(time.Second)
		for name, p := range map[string]ledger.AccountPatch{
			"empty": {},
			"same values": {
				Code: setting(a.Code), Name: setting(a.Name), Type: setting(a.Type), Subtype: setting(*a.Subtype), Description: setting(" d "),
				Currency: record.Clearing[string](), DefaultTaxRateID: record.Clearing[string](), ExternalID: setting("ext"),
			},
			"the base currency": {Currency: setting("EUR")},
		} {
			b := done(t, w, w.UpdateAccount(w.by, a.ID, p, nil))
			if b.Version != 1 || !b.UpdatedAt.Equal(a.UpdatedAt) {
				t.Errorf("%s: version %d", name, b.Version)
			}
		}
		if b := done(t, w, w.UpdateAccount(w.by, a.ID, ledger.AccountPatch{ExternalID: record.Clearing[string]()}, nil)); b.ExternalID != nil {
			t.Error("the name was not taken away")
		}
		if got := len(w.told(t, 0)); got != 2 { // created, and the name taken away
			t.Errorf("%d events", got)
		}
	})
}

func TestWhatAPatchOfAnAccountMayNotSay(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		a := done(t, w, w.CreateAccount(w.by, vans()))
		for name, c := range map[string]struct {
			patch ledger.AccountPatch
			want  string
		}{
			"nulls": {ledger.AccountPatch{Code: record.Clearing[string](), Name: record.Clearing[string](), Type: record.Clearing[ledger.AccountType]()}, "code name type"},
			"bad values": {ledger.AccountPatch{
				Code: setting("?"), Name: setting(""), Type: setting(ledger.AccountType("x")), Currency: setting("eur"),
				Description: setting(strings.Repeat("x", 501)), ExternalID: setting(strings.Repeat("x", 101)),
			}, "code name type currency description externalId"},
			"a type without its subtype": {ledger.AccountPatch{Type: setting(ledger.Revenue)}, "subtype"},
			"a currency but no money":    {ledger.AccountPatch{Currency: setting("USD")}, "currency"},
		} {
			_, err := do(w, w.UpdateAccount(w.by, a.ID, c.patch, nil))
			if got := offences(err); got != c.want {
				t.Errorf("%s: offences are %s", name, got)
			}
		}
		_, err := do(w, w.UpdateAccount(w.by, a.ID, ledger.AccountPatch{DefaultTaxRateID: setting("tax_1")}, nil))
		want(t, err, record.ErrReference)
		_, err = do(w, w.UpdateAccount(w.by, a.ID, ledger.AccountPatch{Name: setting("x")}, ptr(2)))
		want(t, err, record.ErrStale)
		_, err = do(w, w.UpdateAccount(w.another(t).by, a.ID, ledger.AccountPatch{Name: setting("x")}, nil))
		want(t, err, record.ErrNotFound)
	})
}

func TestTypeAndCurrencyStayOncePostedTo(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		till := ledger.NewAccount{Code: "1010", Name: "Till", Type: ledger.Asset, Subtype: ptr(ledger.Cash)}
		w.accounts["1010"] = done(t, w, w.CreateAccount(w.by, till))
		done(t, w, w.UpdateAccount(w.by, w.id("1010"), ledger.AccountPatch{Currency: setting("USD")}, nil))
		w.post(t, ledger.NewEntry{Date: "2026-11-01", Lines: []ledger.NewLine{w.dr("1010", 5), w.cr("3000", 5)}})
		for name, c := range map[string]struct {
			patch ledger.AccountPatch
			fixed string // empty: it may change
		}{
			"type":          {ledger.AccountPatch{Type: setting(ledger.Expense), Subtype: record.Clearing[ledger.Subtype](), Currency: record.Clearing[string]()}, "type"},
			"currency":      {ledger.AccountPatch{Currency: setting("GBP")}, "currency"},
			"no currency":   {ledger.AccountPatch{Currency: record.Clearing[string]()}, "currency"},
			"subtype":       {ledger.AccountPatch{Subtype: setting(ledger.Bank)}, ""},
			"code, name":    {ledger.AccountPatch{Code: setting("1011"), Name: setting("Box")}, ""},
			"the same type": {ledger.AccountPatch{Type: setting(ledger.Asset)}, ""},
		} {
			_, err := do(w, w.UpdateAccount(w.by, w.id("1010"), c.patch, nil))
			if f := fault.From(err); c.fixed == "" && err != nil || c.fixed != "" && (!errors.Is(err, ledger.ErrFixed) || f.Params[0] != c.fixed) {
				t.Errorf("%s: got %v", name, err)
			}
		}
	})
}

func TestAccountsOfTheSystemKeepTheirMeaning(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		bank := w.id("1000")
		for name, p := range map[string]ledger.AccountPatch{
			"type":     {Type: setting(ledger.Expense), Subtype: record.Clearing[ledger.Subtype]()},
			"subtype":  {Subtype: setting(ledger.Cash)},
			"currency": {Currency: setting("USD")},
		} {
			_, err := do(w, w.UpdateAccount(w.by, bank, p, nil))
			t.Run(name, func(t *testing.T) { want(t, err, ledger.ErrSystem) })
		}
		_, err := do(w, w.ArchiveAccount(w.by, bank, nil))
		want(t, err, ledger.ErrSystem)
		_, err = do(w, w.RestoreAccount(w.by, bank, nil))
		want(t, err, record.ErrState)
		_, err = do(w, w.DeleteAccount(w.by, bank, nil))
		want(t, err, ledger.ErrSystem)
		a := done(t, w, w.UpdateAccount(w.by, bank, ledger.AccountPatch{Code: setting("1001"), Name: setting("Main bank")}, nil))
		if a.Code != "1001" || !a.Is(ledger.DefaultBank) {
			t.Errorf("got %+v", a)
		}
	})
}

func TestArchivingAndRestoring(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.accounts["0100"] = done(t, w, w.CreateAccount(w.by, vans()))
		vans := w.id("0100")
		_, err := do(w, w.RestoreAccount(w.by, vans, nil))
		want(t, err, record.ErrState)
		_, err = do(w, w.ArchiveAccount(w.by, vans, ptr(7)))
		want(t, err, record.ErrStale)
		archived := done(t, w, w.ArchiveAccount(w.by, vans, ptr(1)))
		_, err = do(w, w.ArchiveAccount(w.by, vans, nil))
		want(t, err, record.ErrState)

		n := ledger.NewEntry{Date: "2026-11-01", Lines: []ledger.NewLine{w.dr("0100", 5), w.cr("3000", 5)}}
		for _, draft := range []bool{false, true} {
			n.Draft = draft
			_, err = do(w, w.CreateEntry(w.by, n))
			want(t, err, record.ErrArchived)
		}
		// Other features judge accounts themselves; what they forget is refused all the same.
		_, err = do(w, postLines(w, ledger.Line{AccountID: vans, Debit: 5}, ledger.Line{AccountID: w.id("3000"), Credit: 5}))
		want(t, err, record.ErrArchived)

		restored := done(t, w, w.RestoreAccount(w.by, vans, ptr(2)))
		if archived.Status != ledger.Archived || restored.Status != ledger.Active || restored.Version != 3 {
			t.Errorf("got %+v, then %+v", archived, restored)
		}
		n.Draft = false
		w.post(t, n)
		told := data(restored)
		told["changes"] = []string{"status"}
		wantTold(t, w.told(t, 1)[:2], happening(event.AccountArchived, data(archived)), happening(event.AccountUpdated, told))
	})
}

func TestDeletingAnAccountThatNothingRefersTo(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		n := vans()
		n.ExternalID = ptr("ext")
		a := done(t, w, w.CreateAccount(w.by, n))
		_, err := do(w, w.DeleteAccount(w.by, a.ID, ptr(2)))
		want(t, err, record.ErrStale)
		_, err = do(w, w.DeleteAccount(w.another(t).by, a.ID, nil))
		want(t, err, record.ErrNotFound)
		done(t, w, w.DeleteAccount(w.by, a.ID, ptr(1)))
		_, err = w.Account(ctx, w.by, a.ID)
		want(t, err, record.ErrNotFound)
		wantTold(t, w.told(t, 1), happening(event.AccountDeleted, event.Data{"accountId": a.ID, "code": "0100", "version": 2}))
		if b := done(t, w, w.CreateAccount(w.by, n)); *b.ExternalID != "ext" {
			t.Error("code and external id must be free again")
		}
	})
}

func TestAnAccountInUseIsNotDeleted(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for _, code := range []string{"posted", "taxed", "reversed", "paid"} {
			w.accounts[code] = done(t, w, w.CreateAccount(w.by, ledger.NewAccount{Code: code, Name: code, Type: ledger.Asset, Subtype: ptr(ledger.Bank)}))
		}
		w.post(t, ledger.NewEntry{Date: "2026-11-01", Lines: []ledger.NewLine{w.dr("posted", 5), w.cr("3000", 5)}})
		e := w.post(t, ledger.NewEntry{Date: "2026-11-01", Lines: []ledger.NewLine{w.dr("reversed", 5), w.cr("3000", 5)}})
		done(t, w, w.ReverseEntry(w.by, e.ID, ledger.Reversal{}, nil))
		w.taxRate(t, w.id("taxed"))
		// A payment refers to its bank account by a foreign key that nobody here asks about.
		w.exec(t, `INSERT INTO payments (id, business_id, kind, date, amount, currency, method, bank_account_id, allocated, refunded, unallocated,
			base_amount, base_credit, entries, made_by, changed_by, version, created_at, updated_at)
			VALUES ('pay_1', $1, 'RECEIPT', '2026-11-01', 1, 'EUR', 'CASH', $2, 0, 0, 1, 1, 1, 0, '{}', '{}', 1, 0, 0)`, w.by.BusinessID, w.id("paid"))
		for _, code := range []string{"posted", "taxed", "reversed", "paid"} {
			_, err := do(w, w.DeleteAccount(w.by, w.id(code), nil))
			t.Run(code, func(t *testing.T) { want(t, err, record.ErrInUse) })
		}
	})
}

func TestATransactionGoesOnAfterAnAccountWasFoundToBeInUse(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.accounts["0100"] = done(t, w, w.CreateAccount(w.by, vans()))
		w.taxRate(t, w.id("0100"))
		w.accounts["4900"] = done(t, w, w.UpdateAccount(w.by, w.id("4900"), ledger.AccountPatch{Name: setting("Gifts")}, nil))
		w.post(t, ledger.NewEntry{Date: "2026-11-01", Lines: []ledger.NewLine{w.dr("1000", 5), w.cr("4900", 5)}})
		for _, code := range []string{"0100", "4900"} {
			must(t, w.Write(ctx, func(tx *db.Tx) error {
				_, err := w.DeleteAccount(w.by, w.id(code), nil)(ctx, tx)
				want(t, err, record.ErrInUse)
				_, err = tx.Exec(ctx, `UPDATE books SET payment_terms_days = 1 WHERE business_id = $1`, w.by.BusinessID)
				return err
			}))
		}
	})
}

func TestExternalIdsOfAccountsArePrivateToTheApp(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		n := vans()
		n.ExternalID = ptr("ext")
		a := done(t, w, w.CreateAccount(w.by, n))
		n.Code = "0101"
		_, err := do(w, w.CreateAccount(w.by, n))
		want(t, err, record.ErrExternalID)
		if f := fault.From(err); f == nil || f.Params[0] != a.ID {
			t.Errorf("the id is missing: %v", err)
		}
		other, person := w.by, w.by
		other.Actor.AppID, person.Actor = "app_2", event.Actor{Type: event.User, UserID: "usr_1"}
		b := done(t, w, w.CreateAccount(other, n))
		n.Code = "0102"
		c := done(t, w, w.CreateAccount(person, n))
		if *b.ExternalID != "ext" || c.ExternalID != nil {
			t.Errorf("got %v and %v", b.ExternalID, c.ExternalID)
		}
		for name, who := range map[string]record.Call{"the other app": other, "a person": person} {
			if read, err := w.Account(ctx, who, a.ID); err != nil || read.ExternalID != nil {
				t.Errorf("%s reads %v, %v", name, read.ExternalID, err)
			}
		}
		page, err := w.ListAccounts(ctx, w.by, params("externalId", "ext"))
		must(t, err)
		if len(page.Data) != 1 || page.Data[0].ID != a.ID || *page.Data[0].ExternalID != "ext" {
			t.Errorf("found %+v", page.Data)
		}
	})
}

func TestTheNormalSideFollowsFromTheType(t *testing.T) {
	for kind, debit := range map[ledger.AccountType]bool{ledger.Asset: true, ledger.Expense: true, ledger.Liability: false, ledger.Equity: false, ledger.Revenue: false} {
		a := ledger.Account{Type: kind}
		if a.DebitNormal() != debit || (a.Normal(7) == 7) != debit || (a.Normal(7) == -7) == debit {
			t.Errorf("%s grows on the wrong side", kind)
		}
	}
}

func TestTheListingNamesEverySubtypeOnce(t *testing.T) {
	for _, f := range ledger.AccountListing.Filters {
		if f.Name == "subtype" && (len(f.Values) != 17 || len(slices.Compact(slices.Sorted(slices.Values(f.Values)))) != 17) {
			t.Errorf("%d: %v", len(f.Values), f.Values)
		}
	}
}

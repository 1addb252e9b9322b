package party_test

import (
	"context"
	"reflect"
	"slices"
	"strings"
	"testing"

	"daybook/internal/base/db"
	"daybook/internal/base/fault"
	"daybook/internal/base/id"
	"daybook/internal/base/money"
	"daybook/internal/books/ledger"
	"daybook/internal/books/party"
	"daybook/internal/books/record"
	"daybook/internal/platform/event"
)

func TestAPartyNeedsNoMoreThanAName(t *testing.T) {
	eachKind(t, func(t *testing.T, w *world) {
		made := w.make(t, party.New{DisplayName: " Cafe\u0301 "})
		wanted := party.Party{
			ID: made.ID, BusinessID: w.app.BusinessID, Kind: w.kind, Type: party.Company, DisplayName: "Café", Currency: money.MustCurrency("EUR"),
			Status: party.Active, MadeBy: w.app.Actor, ChangedBy: w.app.Actor, Version: 1, CreatedAt: w.Clock.Now(), UpdatedAt: w.Clock.Now(),
		}
		read, err := w.Get(ctx, w.app, w.kind, made.ID)
		must(t, err)
		if !reflect.DeepEqual(made, wanted) || !reflect.DeepEqual(read, wanted) {
			t.Errorf("made %s\nread %s\nwant %s", show(made), show(read), show(wanted))
		}
		if prefix := map[record.Kind]id.Prefix{record.Customer: "cus", record.Supplier: "sup"}[w.kind]; !id.Valid(prefix, made.ID) {
			t.Errorf("id %s", made.ID)
		}
	})
}

func TestAPartyIsKeptAsItWasGiven(t *testing.T) {
	eachKind(t, func(t *testing.T, w *world) {
		n := full()
		rate := w.rate(t, w.app)
		n.DefaultTaxRateID = &rate.ID
		if w.kind == record.Customer {
			n.ShippingAddress = &party.Address{Line1: pointer("Dock 1"), Line2: pointer("Gate 2"), City: pointer("Leith"), Region: pointer("Scotland"),
				PostalCode: pointer("EH6"), Country: pointer("GB")}
		}
		made := w.make(t, n)
		wanted := party.Party{
			ID: made.ID, BusinessID: w.app.BusinessID, Kind: w.kind, Type: party.Individual, DisplayName: "Ada Lovelace", LegalName: n.LegalName,
			FirstName: n.FirstName, LastName: n.LastName, Email: n.Email, Phone: n.Phone, TaxNumber: n.TaxNumber, Currency: money.MustCurrency("GBP"),
			Address: n.Address, ShippingAddress: n.ShippingAddress, PaymentTermsDays: n.PaymentTermsDays, DefaultTaxRateID: &rate.ID, Notes: n.Notes,
			Status: party.Active, ExternalID: n.ExternalID, MadeBy: w.app.Actor, ChangedBy: w.app.Actor, Version: 1, CreatedAt: w.Clock.Now(), UpdatedAt: w.Clock.Now(),
		}
		read, err := w.Get(ctx, w.app, w.kind, made.ID)
		must(t, err)
		if !reflect.DeepEqual(made, wanted) || !reflect.DeepEqual(read, wanted) {
			t.Errorf("made %s\nread %s\nwant %s", show(made), show(read), show(wanted))
		}
		told := []string{w.told("created", made, event.Data{"type": "INDIVIDUAL", "status": "ACTIVE", "currency": "GBP", "version": 1})}
		if got := w.events(t); !slices.Equal(got, told) {
			t.Errorf("told %q, want %q", got, told)
		}
	})
}

func TestEveryMemberHasItsRule(t *testing.T) {
	eachKind(t, func(t *testing.T, w *world) {
		address := map[record.Kind]string{record.Customer: "billingAddress", record.Supplier: "address"}[w.kind]
		long := func(n int) *string { return pointer(strings.Repeat("é", n)) }
		email := func(n int) *string { return pointer(strings.Repeat("e", n-len("@example.com")) + "@example.com") }
		for _, c := range []struct {
			name string
			n    party.New
			says string // the offending members
		}{
			{"a name of 1", party.New{DisplayName: "é"}, ""},
			{"a name of 200", party.New{DisplayName: *long(200)}, ""},
			{"a name of 201", party.New{DisplayName: *long(201)}, "displayName"},
			{"no name", party.New{}, "displayName"},
			{"a blank name", party.New{DisplayName: " \t"}, "displayName"},
			{"a name of two lines", party.New{DisplayName: "a\nb"}, "displayName"},
			{"type", party.New{DisplayName: "x", Type: pointer(party.Company)}, ""},
			{"an unknown type", party.New{DisplayName: "x", Type: pointer(party.Type("PERSON"))}, "type"},
			{"an empty type", party.New{DisplayName: "x", Type: pointer(party.Type(""))}, "type"},
			{"longest texts", party.New{DisplayName: "x", LegalName: long(200), FirstName: long(100), LastName: long(100), Phone: long(40), TaxNumber: long(40),
				Email: email(254), Notes: long(2000), ExternalID: long(100)}, ""},
			{"longer texts", party.New{DisplayName: "x", LegalName: long(201), FirstName: long(101), LastName: long(101), Phone: long(41), TaxNumber: long(41),
				Email: email(255), Notes: long(2001), ExternalID: long(101)}, "legalName firstName lastName email phone taxNumber notes externalId"},
			{"notes of several lines", party.New{DisplayName: "x", Notes: pointer("a\r\n\tb")}, ""},
			{"notes with a bell", party.New{DisplayName: "x", Notes: pointer("a\ab")}, "notes"},
			{"an address without at", party.New{DisplayName: "x", Email: pointer("ada.example.com")}, "email"},
			{"an address with a name", party.New{DisplayName: "x", Email: pointer("Ada <ada@example.com>")}, "email"},
			{"a currency", party.New{DisplayName: "x", Currency: pointer("JPY")}, ""},
			{"an unknown currency", party.New{DisplayName: "x", Currency: pointer("XXX")}, "currency"},
			{"a small currency", party.New{DisplayName: "x", Currency: pointer("eur")}, "currency"},
			{"an empty currency", party.New{DisplayName: "x", Currency: pointer("")}, "currency"},
			{"0 days", party.New{DisplayName: "x", PaymentTermsDays: pointer(0)}, ""},
			{"365 days", party.New{DisplayName: "x", PaymentTermsDays: pointer(365)}, ""},
			{"366 days", party.New{DisplayName: "x", PaymentTermsDays: pointer(366)}, "paymentTermsDays"},
			{"-1 days", party.New{DisplayName: "x", PaymentTermsDays: pointer(-1)}, "paymentTermsDays"},
			{"the longest address", party.New{DisplayName: "x", Address: place(long(200), long(200), long(200), long(200), long(200), pointer("NL"))}, ""},
			{"a longer address", party.New{DisplayName: "x", Address: place(long(201), long(201), long(201), long(201), long(201), pointer("NLD"))},
				strings.ReplaceAll("@.line1 @.line2 @.city @.region @.postalCode @.country", "@", address)},
			{"a small country", party.New{DisplayName: "x", Address: &party.Address{Country: pointer("nl")}}, address + ".country"},
			{"no country of that code", party.New{DisplayName: "x", Address: &party.Address{Country: pointer("QQ")}}, address + ".country"},
		} {
			_, err := run(w, w.Create(w.app, w.kind, c.n))
			if got := offences(err); got != c.says {
				t.Errorf("%s: refused for %q, want %q", c.name, got, c.says)
			}
		}
	})
}

func TestOnlyCustomersHaveGoodsShipped(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		n := party.New{DisplayName: "x", ShippingAddress: &party.Address{Country: pointer("qq")}}
		if _, err := run(w, w.Create(w.app, record.Customer, n)); offences(err) != "shippingAddress.country" {
			t.Errorf("customer: %v", err)
		}
		n.ShippingAddress.Country = pointer("NL")
		if _, err := run(w, w.Create(w.app, record.Supplier, n)); offences(err) != "shippingAddress" {
			t.Errorf("supplier: %v", err)
		}
	})
}

func TestWhatIsBlankIsNull(t *testing.T) {
	eachKind(t, func(t *testing.T, w *world) {
		blank := pointer("  ")
		p := w.make(t, party.New{DisplayName: "x", LegalName: blank, FirstName: blank, LastName: blank, Email: blank, Phone: blank, TaxNumber: blank,
			Notes: blank, ExternalID: blank, Address: place(blank, blank, blank, blank, blank, pointer(""))})
		read, err := w.Get(ctx, w.app, w.kind, p.ID)
		must(t, err)
		bare := party.Party{ID: p.ID, BusinessID: p.BusinessID, Kind: w.kind, Type: party.Company, DisplayName: "x", Currency: p.Currency,
			Status: party.Active, MadeBy: w.app.Actor, ChangedBy: w.app.Actor, Version: 1, CreatedAt: p.CreatedAt, UpdatedAt: p.UpdatedAt}
		if !reflect.DeepEqual(read, bare) {
			t.Errorf("read %s", show(read))
		}
		partly := w.make(t, party.New{DisplayName: "x", Address: &party.Address{Line1: blank, City: pointer(" Delft ")}})
		if !reflect.DeepEqual(partly.Address, &party.Address{City: pointer("Delft")}) {
			t.Errorf("address %s", show(partly.Address))
		}
	})
}

func TestTheDefaultTaxRateIsARateInUse(t *testing.T) {
	eachKind(t, func(t *testing.T, w *world) {
		rate, archived, foreign := w.rate(t, w.app), w.rate(t, w.app), w.rate(t, w.abroad)
		_, err := run(w, w.Taxes.Archive(w.app, archived.ID, nil))
		must(t, err)
		plain := w.make(t, party.New{DisplayName: "x"})
		missing := record.ErrReference.With("defaultTaxRateId")
		for rateID, refusal := range map[string]*fault.Fault{
			rate.ID: nil, archived.ID: record.ErrArchived.With(record.TaxRate), foreign.ID: missing, "tax_nothing": missing, "": missing,
		} {
			_, err := run(w, w.Create(w.app, w.kind, party.New{DisplayName: "x", DefaultTaxRateID: &rateID}))
			want(t, err, refusal)
			_, err = run(w, w.Update(w.app, w.kind, plain.ID, party.Patch{DefaultTaxRateID: record.Setting(rateID)}, nil))
			want(t, err, refusal)
		}
		// Once it is there the rate may be archived, and giving it again is no change.
		_, err = run(w, w.Taxes.Archive(w.app, rate.ID, nil))
		must(t, err)
		_, err = run(w, w.Update(w.app, w.kind, plain.ID, party.Patch{DefaultTaxRateID: record.Setting(rate.ID), Phone: record.Setting("1")}, nil))
		want(t, err, nil)
	})
}

func TestPartiesAreCreatedInsideALargerWhole(t *testing.T) {
	eachKind(t, func(t *testing.T, w *world) {
		before := len(w.events(t))
		made, err := run(w, ledger.Do(w.Ledger, w.app, func(ctx context.Context, b *ledger.Book) ([]party.Party, error) {
			first, err := w.CreateIn(ctx, b, w.kind, party.New{DisplayName: "first"})
			if err != nil {
				return nil, err
			}
			found, err := w.FindIn(ctx, b, w.kind, first.ID, "somewhere")
			if err != nil || !reflect.DeepEqual(first, found) {
				t.Errorf("found %s, %v", show(found), err)
			}
			second, err := w.CreateIn(ctx, b, w.kind, party.New{DisplayName: "second"})
			return []party.Party{first, second}, err
		}))
		must(t, err)
		if got := w.events(t)[before:]; len(got) != 2 || !strings.Contains(got[0], made[0].ID) || !strings.Contains(got[1], made[1].ID) {
			t.Errorf("told %q", got)
		}
	})
}

func TestADocumentFindsThePartyItNames(t *testing.T) {
	eachKind(t, func(t *testing.T, w *world) {
		p := w.make(t, full())
		archived := w.make(t, party.New{DisplayName: "x"})
		_, err := run(w, w.Archive(w.app, w.kind, archived.ID, nil))
		must(t, err)
		otherKind := map[record.Kind]record.Kind{record.Customer: record.Supplier, record.Supplier: record.Customer}[w.kind]
		missing := record.ErrReference.With("lines.0.party")
		for _, c := range []struct {
			by      record.Call
			kind    record.Kind
			id      string
			refusal *fault.Fault
		}{
			{w.app, w.kind, p.ID, nil},
			{w.app, w.kind, archived.ID, nil}, // it is for Usable to judge
			{w.app, otherKind, p.ID, missing},
			{w.app, w.kind, "nothing", missing},
			{w.abroad, w.kind, p.ID, missing},
		} {
			_, err := run(w, ledger.Do(w.Ledger, c.by, func(ctx context.Context, b *ledger.Book) (party.Party, error) {
				counted, statements := db.Counting(ctx)
				found, err := w.FindIn(counted, b, c.kind, c.id, "lines.0.party")
				if statements.Load() != 1 {
					t.Errorf("%d statements", statements.Load())
				}
				return found, err
			}))
			want(t, err, c.refusal)
		}
	})
}

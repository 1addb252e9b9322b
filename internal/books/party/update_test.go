package party_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"testing"
	"time"

	"daybook/internal/base/money"
	"daybook/internal/books/party"
	"daybook/internal/books/record"
	"daybook/internal/platform/event"
)

func TestAPatchChangesWhatItNames(t *testing.T) {
	eachKind(t, func(t *testing.T, w *world) {
		made := w.make(t, full())
		w.Clock.Advance(time.Minute)
		patched, err := run(w, w.Update(w.app, w.kind, made.ID, party.Patch{
			DisplayName: record.Setting(" Countess "), LegalName: record.Clearing[string](), Email: record.Setting(" "), Phone: record.Setting("+44 1815 1210"),
			PaymentTermsDays: record.Setting(0), Notes: record.Setting("One\r\nTwo"), Currency: record.Setting("EUR"), Type: record.Setting(party.Company),
		}, nil))
		must(t, err)
		wanted := made
		wanted.Type, wanted.DisplayName, wanted.LegalName, wanted.Email, wanted.Currency = party.Company, "Countess", nil, nil, money.MustCurrency("EUR")
		wanted.PaymentTermsDays, wanted.Notes, wanted.Version, wanted.UpdatedAt = pointer(0), pointer("One\nTwo"), 2, made.UpdatedAt.Add(time.Minute)
		read, err := w.Get(ctx, w.app, w.kind, made.ID)
		must(t, err)
		if !reflect.DeepEqual(patched, wanted) || !reflect.DeepEqual(read, wanted) {
			t.Errorf("answered %s\nread %s\nwant %s", show(patched), show(read), show(wanted))
		}
		told := w.told("updated", made, event.Data{"type": "COMPANY", "status": "ACTIVE", "currency": "EUR", "version": 2,
			"changes": []string{"currency", "displayName", "email", "legalName", "notes", "paymentTermsDays", "type"}})
		if got := w.events(t)[1:]; !slices.Equal(got, []string{told}) {
			t.Errorf("told %q, want %q", got, told)
		}
	})
}

func TestEveryMemberThatChangesIsNamed(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		rate := w.rate(t, w.app)
		home := record.Setting(party.AddressPatch{City: record.Setting("Delft")})
		for _, c := range []struct {
			kind  record.Kind
			patch party.Patch
			want  string
		}{
			{record.Customer, party.Patch{Type: record.Setting(party.Individual)}, "type"},
			{record.Customer, party.Patch{DisplayName: record.Setting("y")}, "displayName"},
			{record.Customer, party.Patch{LegalName: record.Setting("y")}, "legalName"},
			{record.Customer, party.Patch{FirstName: record.Setting("y")}, "firstName"},
			{record.Customer, party.Patch{LastName: record.Setting("y")}, "lastName"},
			{record.Customer, party.Patch{Email: record.Setting("y@example.com")}, "email"},
			{record.Customer, party.Patch{Phone: record.Setting("y")}, "phone"},
			{record.Customer, party.Patch{TaxNumber: record.Setting("y")}, "taxNumber"},
			{record.Customer, party.Patch{Currency: record.Setting("USD")}, "currency"},
			{record.Customer, party.Patch{Address: home}, "billingAddress"},
			{record.Customer, party.Patch{ShippingAddress: home}, "shippingAddress"},
			{record.Supplier, party.Patch{Address: home}, "address"},
			{record.Customer, party.Patch{PaymentTermsDays: record.Setting(0)}, "paymentTermsDays"},
			{record.Customer, party.Patch{DefaultTaxRateID: record.Setting(rate.ID)}, "defaultTaxRateId"},
			{record.Customer, party.Patch{Notes: record.Setting("y")}, "notes"},
			{record.Customer, party.Patch{ExternalID: record.Setting("y")}, "externalId"},
		} {
			w.kind = c.kind
			p := w.make(t, party.New{DisplayName: "x"})
			for range 2 { // the second time it is no change
				_, err := run(w, w.Update(w.app, c.kind, p.ID, c.patch, nil))
				must(t, err)
			}
			read, err := w.Get(ctx, w.app, c.kind, p.ID)
			must(t, err)
			events := w.events(t)
			told := w.told("updated", p, event.Data{"type": read.Type, "status": "ACTIVE", "currency": read.Currency, "version": 2, "changes": []string{c.want}})
			if read.Version != 2 || events[len(events)-1] != told {
				t.Errorf("version %d, told %s, want %s", read.Version, events[len(events)-1], told)
			}
		}
	})
}

func TestAPatchThatChangesNothingWritesNothing(t *testing.T) {
	eachKind(t, func(t *testing.T, w *world) {
		made := w.make(t, full())
		w.Clock.Advance(time.Minute)
		for _, patch := range []party.Patch{
			{},
			{DisplayName: record.Setting(" Ada Lovelace "), Email: record.Setting("Ada@Example.com"), Currency: record.Setting("GBP"),
				ExternalID: record.Setting("crm-1815"), Address: record.Setting(party.AddressPatch{City: record.Setting("London"), Line2: record.Setting("")})},
			{ShippingAddress: record.Patch[party.AddressPatch]{}, Address: record.Setting(party.AddressPatch{})},
		} {
			same, err := run(w, w.Update(w.app, w.kind, made.ID, patch, pointer(1)))
			if err != nil || !reflect.DeepEqual(same, made) {
				t.Errorf("%s, %v", show(same), err)
			}
		}
		read, err := w.Get(ctx, w.app, w.kind, made.ID)
		if err != nil || !reflect.DeepEqual(read, made) || len(w.events(t)) != 1 {
			t.Errorf("read %s, %v, told %q", show(read), err, w.events(t))
		}
	})
}

func TestAnAddressIsMergedMemberByMember(t *testing.T) {
	eachKind(t, func(t *testing.T, w *world) {
		for _, c := range []struct{ was, patch, want string }{
			{`null`, `{"city": "Delft"}`, `{"city": "Delft"}`},
			{`null`, `{"city": null}`, `null`},
			{`null`, `{}`, `null`},
			{`{"line1": "1", "city": "Delft"}`, `{"city": "Leiden"}`, `{"line1": "1", "city": "Leiden"}`},
			{`{"line1": "1", "city": "Delft"}`, `{"city": null}`, `{"line1": "1"}`},
			{`{"line1": "1", "city": "Delft"}`, `{"city": " "}`, `{"line1": "1"}`},
			{`{"line1": "1", "city": "Delft"}`, `{"city": null, "line1": ""}`, `null`},
			{`{"line1": "1", "city": "Delft"}`, `null`, `null`},
			{`{"line1": "1"}`, `{"line2": "2", "region": "3", "postalCode": "4", "country": "NL"}`,
				`{"line1": "1", "line2": "2", "region": "3", "postalCode": "4", "country": "NL"}`},
		} {
			var was, wanted *party.Address
			var patch record.Patch[party.AddressPatch]
			must(t, json.Unmarshal([]byte(c.was), &was))
			must(t, json.Unmarshal([]byte(c.patch), &patch))
			must(t, json.Unmarshal([]byte(c.want), &wanted))
			p := w.make(t, party.New{DisplayName: "x", Address: was})
			_, err := run(w, w.Update(w.app, w.kind, p.ID, party.Patch{Address: patch}, nil))
			must(t, err)
			read, err := w.Get(ctx, w.app, w.kind, p.ID)
			must(t, err)
			if !reflect.DeepEqual(read.Address, wanted) {
				t.Errorf("%s with %s is %s, want %s", c.was, c.patch, show(read.Address), c.want)
			}
		}
	})
}

func TestAPatchIsJudgedLikeANewParty(t *testing.T) {
	eachKind(t, func(t *testing.T, w *world) {
		p := w.make(t, party.New{DisplayName: "x"})
		address := map[record.Kind]string{record.Customer: "billingAddress", record.Supplier: "address"}[w.kind]
		for _, c := range []struct {
			patch party.Patch
			says  string
		}{
			{party.Patch{DisplayName: record.Setting("")}, "displayName"},
			{party.Patch{Type: record.Clearing[party.Type](), DisplayName: record.Clearing[string](), Currency: record.Clearing[string]()}, "type displayName currency"},
			{party.Patch{Type: record.Setting(party.Type("X")), Currency: record.Setting("X")}, "type currency"},
			{party.Patch{Email: record.Setting("x"), PaymentTermsDays: record.Setting(366)}, "email paymentTermsDays"},
			{party.Patch{Address: record.Setting(party.AddressPatch{Country: record.Setting("X")})}, address + ".country"},
		} {
			if _, err := run(w, w.Update(w.app, w.kind, p.ID, c.patch, nil)); offences(err) != c.says {
				t.Errorf("got %v, want %s", err, c.says)
			}
			// Validation comes before existence and version.
			if _, err := run(w, w.Update(w.app, w.kind, "nothing", c.patch, pointer(7))); offences(err) != c.says {
				t.Errorf("got %v, want %s", err, c.says)
			}
		}
	})
}

func TestTheCurrencyStaysOnceDocumentsExist(t *testing.T) {
	eachKind(t, func(t *testing.T, w *world) {
		p := w.make(t, party.New{DisplayName: "x"})
		_, err := run(w, w.Update(w.app, w.kind, p.ID, party.Patch{Currency: record.Setting("USD")}, nil))
		must(t, err)
		w.used[p.ID] = true
		_, err = run(w, w.Update(w.app, w.kind, p.ID, party.Patch{Currency: record.Setting("EUR"), Phone: record.Setting("1")}, nil))
		want(t, err, party.ErrCurrency.With(w.kind, "USD"))
		_, err = run(w, w.Update(w.app, w.kind, p.ID, party.Patch{Currency: record.Setting("USD"), Phone: record.Setting("1")}, nil))
		want(t, err, nil)
	})
}

func TestEveryVerbAsksForTheVersionSeenAndTheBusiness(t *testing.T) {
	eachKind(t, func(t *testing.T, w *world) {
		p := w.make(t, party.New{DisplayName: "x"})
		otherKind := map[record.Kind]record.Kind{record.Customer: record.Supplier, record.Supplier: record.Customer}[w.kind]
		verbs := []struct {
			name string
			do   func(by record.Call, kind record.Kind, partyID string, seen *int) error
		}{
			{"update", func(by record.Call, kind record.Kind, partyID string, seen *int) error {
				_, err := run(w, w.Update(by, kind, partyID, party.Patch{DisplayName: record.Setting("y")}, seen))
				return err
			}},
			{"archive", func(by record.Call, kind record.Kind, partyID string, seen *int) error {
				_, err := run(w, w.Archive(by, kind, partyID, seen))
				return err
			}},
			{"restore", func(by record.Call, kind record.Kind, partyID string, seen *int) error {
				_, err := run(w, w.Restore(by, kind, partyID, seen))
				return err
			}},
			{"redact", func(by record.Call, kind record.Kind, partyID string, seen *int) error {
				_, err := run(w, w.Redact(by, kind, partyID, seen))
				return err
			}},
			{"delete", func(by record.Call, kind record.Kind, partyID string, seen *int) error {
				_, err := run(w, w.Delete(by, kind, partyID, seen))
				return err
			}},
		}
		for _, verb := range verbs {
			for _, seen := range []int{0, 2} {
				want(t, verb.do(w.app, w.kind, p.ID, &seen), record.ErrStale.With(1, seen))
			}
			want(t, verb.do(w.abroad, w.kind, p.ID, nil), record.ErrNotFound.With(w.kind))
			want(t, verb.do(w.abroad, w.kind, "nothing", nil), record.ErrNotFound.With(w.kind))
			want(t, verb.do(w.app, otherKind, p.ID, nil), record.ErrNotFound.With(otherKind))
		}
		for i, verb := range verbs { // each of them is one change
			must(t, verb.do(w.app, w.kind, p.ID, pointer(i+1)))
		}
		_, err := w.Get(ctx, w.app, w.kind, p.ID)
		want(t, err, record.ErrNotFound.With(w.kind))
	})
}

func TestAPartyOfAnotherBusinessIsUnknown(t *testing.T) {
	eachKind(t, func(t *testing.T, w *world) {
		p := w.make(t, full())
		otherKind := map[record.Kind]record.Kind{record.Customer: record.Supplier, record.Supplier: record.Customer}[w.kind]
		_, err := w.Get(ctx, w.abroad, w.kind, p.ID)
		want(t, err, record.ErrNotFound.With(w.kind))
		_, err = w.Get(ctx, w.app, w.kind, "nothing\x00")
		want(t, err, record.ErrNotFound.With(w.kind))
		_, err = w.Get(ctx, w.app, otherKind, p.ID)
		want(t, err, record.ErrNotFound.With(otherKind))
	})
}

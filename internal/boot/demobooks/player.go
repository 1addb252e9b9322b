package demobooks

import (
	"context"
	"slices"

	"daybook/internal/base/db"
	"daybook/internal/base/money"
	"daybook/internal/books/ledger"
	"daybook/internal/books/party"
	"daybook/internal/books/record"
)

// player plays a script in a transaction.
type player struct {
	books     Books
	tx        *db.Tx
	by        record.Call
	app       *record.Call // nil: the business has no app that makes invoices
	base      money.Currency
	share     int
	accounts  map[string]string // ids by code
	rates     rates
	suppliers map[role]string // ids
	book      *ledger.Book    // nil: closed
}

// The accounts that every business has, by code.
const (
	bank      = "1000"
	prepaid   = "1150"
	inputTax  = "1180"
	payable   = "2000"
	outputTax = "2100"
)

// do runs a verb that opens the books itself.
func do[T any](ctx context.Context, p *player, verb db.Step[T]) (T, error) {
	if err := p.close(ctx); err != nil {
		var none T
		return none, err
	}
	return verb(ctx, p.tx)
}

// open gives the books to what can share them: opening and closing is a third of the work of most verbs.
func (p *player) open(ctx context.Context, by record.Call) (*ledger.Book, error) {
	if p.book != nil && p.book.Call == by {
		return p.book, nil
	}
	if err := p.close(ctx); err != nil {
		return nil, err
	}
	book, err := p.books.Ledger.Open(ctx, p.tx, by)
	p.book = book
	return book, err
}

func (p *player) close(ctx context.Context) error {
	if p.book == nil {
		return nil
	}
	book := p.book
	p.book = nil
	return book.Close(ctx)
}

// play plays acts. The books are closed every week, so that events come nearly in the order of what happened.
func (p *player) play(ctx context.Context, acts []act) error {
	for i, a := range acts {
		if i > 0 && a.on/7 != acts[i-1].on/7 {
			if err := p.close(ctx); err != nil {
				return err
			}
		}
		if err := a.play(ctx, p); err != nil {
			return err
		}
	}
	return p.close(ctx)
}

// furnish makes what acts refer to: accounts, customers, suppliers.
func (p *player) furnish(ctx context.Context, s *script) (err error) {
	if p.rates, err = findRates(ctx, p.tx, p.by.BusinessID, s.country); err != nil {
		return err
	}
	if p.accounts, err = findAccounts(ctx, p.tx, p.by.BusinessID); err != nil {
		return err
	}
	for _, a := range slices.Concat(common, s.trade.accounts) {
		made, err := do(ctx, p, p.books.Ledger.CreateAccount(p.by, ledger.NewAccount{
			Code: a.code, Name: a.name, Type: a.kind, Subtype: &a.subtype, DefaultTaxRateID: p.rates.id(a.tax),
		}))
		if err != nil {
			return err
		}
		p.accounts[a.code] = made.ID
	}
	for i, c := range s.customers {
		if c.id, err = p.customer(ctx, s, i, c); err != nil {
			return err
		}
	}
	p.suppliers = map[role]string{}
	for r := goodsA; r <= workshop; r++ {
		if p.suppliers[r], err = p.supplier(ctx, s, r); err != nil {
			return err
		}
	}
	return nil
}

func (p *player) customer(ctx context.Context, s *script, n int, c *customer) (string, error) {
	currency, kind := c.currency.Code(), party.Company
	made := party.New{
		Type: &kind, DisplayName: c.fullName(), Email: ptr(c.email()), Currency: &currency, Address: c.address(s.country), PaymentTermsDays: &c.terms,
	}
	switch c.kind {
	case people:
		kind = party.Individual
		made.FirstName, made.LastName = &c.name, &c.family
	case abroad:
		made.DefaultTaxRateID = p.rates.id(zero)
	default:
		made.LegalName, made.TaxNumber, made.Phone = &c.name, numbered(s.place.taxNumber, 10+n), numbered(s.place.phone, n)
	}
	return p.party(ctx, record.Customer, made)
}

func (p *player) supplier(ctx context.Context, s *script, r role) (string, error) {
	c := s.place.suppliers[r]
	var note *string
	if r == goodsA || r == goodsB {
		c.name, note = s.trade.goods[r].in(s.country), &s.trade.goods[r].note
	}
	terms := 30
	return p.party(ctx, record.Supplier, party.New{
		DisplayName: c.name, Email: ptr(c.email()), Address: c.address(s.country), PaymentTermsDays: &terms, Notes: note,
		TaxNumber: numbered(s.place.taxNumber, 40+int(r)), Phone: numbered(s.place.phone, 40+int(r)),
	})
}

func (p *player) party(ctx context.Context, kind record.Kind, n party.New) (string, error) {
	b, err := p.open(ctx, p.by)
	if err != nil {
		return "", err
	}
	done, err := p.books.Parties.CreateIn(ctx, b, kind, n)
	return done.ID, err
}

// address of a contact, in the business's country unless the contact is from abroad.
func (c contact) address(country string) *party.Address {
	if c.country != "" {
		country = c.country
	}
	a := &party.Address{Line1: &c.street, Country: &country}
	if c.town != "" {
		a.City, a.PostalCode = &c.town, &c.postal
	}
	return a
}

func ptr[T any](v T) *T { return &v }

package demobooks

import (
	"cmp"
	"context"

	"daybook/internal/base/db"
	"daybook/internal/base/money"
	"daybook/internal/books/invoice"
	"daybook/internal/books/ledger"
	"daybook/internal/books/party"
	"daybook/internal/books/payment"
	"daybook/internal/books/record"
	"daybook/internal/platform/event"
	"daybook/internal/tenancy/business"
)

// Whose says whose books are written, and in whose name.
type Whose struct {
	BusinessID string
	Name       string // what the business sells follows from it
	OwnerID    string
	AppID      string // an app that may make invoices; empty for none
}

// Books are the features that a year is written with.
type Books struct {
	Ledger   *ledger.Service
	Parties  *party.Service
	Invoices *invoice.Service
	Payments *payment.Service
}

// lastDay that books may have.
const lastDay = "2199-12-31"

// Write fills the empty books of a business that the transaction has just made.
func Write(ctx context.Context, tx *db.Tx, books Books, w Whose) error {
	f, err := ledger.FactsOf(ctx, tx, w.BusinessID)
	if err != nil {
		return err
	}
	today, err := dayOf(min(f.DateAt(tx.Now()), lastDay))
	if err != nil {
		return err
	}
	s := &script{
		seed: w.Name, trade: tradeOf(w.Name), place: placeOf(f.Country), base: f.Currency, country: f.Country, today: today, start: today.first(-12),
	}
	s.write(roomOf(books.Invoices.Plans, f))
	owner := record.Call{BusinessID: w.BusinessID, Actor: event.Actor{Type: event.User, UserID: w.OwnerID}}
	p := &player{books: books, tx: tx, by: owner, base: f.Currency, share: s.share}
	if w.AppID != "" {
		p.app = &record.Call{BusinessID: w.BusinessID, Actor: event.Actor{Type: event.App, AppID: w.AppID, UserID: w.OwnerID}}
	}
	if err := p.furnish(ctx, s); err != nil {
		return err
	}
	if err := p.play(ctx, s.acts); err != nil {
		return err
	}
	locked := (s.start.first(1) - 1).String()
	_, err = do(ctx, p, books.Ledger.SetLockDate(owner, &locked))
	return err
}

// roomOf is what a business's plan allows. One that is no longer on offer allows everything.
func roomOf(plans *business.Plans, f ledger.Facts) room {
	offer := cmp.Or(plans, business.DefaultPlans)
	plan, ok := offer.Find(f.Plan)
	if !ok {
		return room{invoices: 1_000}
	}
	r := room{plan.InvoicesPerYear, money.Amount(plan.TurnoverPerYear[f.Currency.Code()])}
	if offer.Basis == "GROSS" {
		r.turnover = r.turnover * 4 / 5 // the rest is tax
	}
	return r
}

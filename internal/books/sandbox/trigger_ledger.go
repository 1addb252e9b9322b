package sandbox

import (
	"context"

	"daybook/internal/base/money"
	"daybook/internal/books/ledger"
	"daybook/internal/books/record"
	"daybook/internal/books/tax"
)

func (d *desk) newAccount(ctx context.Context) (ledger.Account, error) {
	mark := d.mark()
	return run(ctx, d, d.Ledger.CreateAccount(d.by, ledger.NewAccount{Code: "T-" + mark, Name: "Trial account " + mark, Type: ledger.Expense}))
}

// accountID is the account that was named, or a new one.
func (d *desk) accountID(ctx context.Context) (string, error) {
	if named := d.want.Overrides.AccountID; named != nil {
		return *named, nil
	}
	a, err := d.newAccount(ctx)
	return a.ID, err
}

func createAccount(ctx context.Context, d *desk) (Record, error) {
	a, err := d.newAccount(ctx)
	return done(record.Account, a.ID, err)
}

func updateAccount(ctx context.Context, d *desk) (Record, error) {
	account, err := d.accountID(ctx)
	if err == nil {
		_, err = run(ctx, d, d.Ledger.UpdateAccount(d.by, account, ledger.AccountPatch{Description: record.Setting("Trial " + d.mark())}, nil))
	}
	return done(record.Account, account, err)
}

func archiveAccount(ctx context.Context, d *desk) (Record, error) {
	account, err := d.accountID(ctx)
	if err == nil {
		_, err = run(ctx, d, d.Ledger.ArchiveAccount(d.by, account, nil))
	}
	return done(record.Account, account, err)
}

func deleteAccount(ctx context.Context, d *desk) (Record, error) {
	account, err := d.accountID(ctx)
	if err == nil {
		_, err = run(ctx, d, d.Ledger.DeleteAccount(d.by, account, nil))
	}
	return done(record.Account, account, err)
}

// newEntry books money that was there at the beginning.
func (d *desk) newEntry(ctx context.Context) (ledger.Entry, error) {
	bank, err := d.account(ctx, ledger.DefaultBank)
	if err != nil {
		return ledger.Entry{}, err
	}
	opening, err := d.account(ctx, ledger.OpeningBalance)
	if err != nil {
		return ledger.Entry{}, err
	}
	memo := "Trial " + d.mark()
	return run(ctx, d, d.Ledger.CreateEntry(d.by, ledger.NewEntry{
		Date: d.today(), Memo: &memo, Lines: []ledger.NewLine{{AccountID: bank, Debit: d.usual()}, {AccountID: opening, Credit: d.usual()}},
	}))
}

func postEntry(ctx context.Context, d *desk) (Record, error) {
	e, err := d.newEntry(ctx)
	return done(record.JournalEntry, e.ID, err)
}

func reverseEntry(ctx context.Context, d *desk) (Record, error) {
	entry := d.want.Overrides.JournalEntryID
	if entry == nil {
		e, err := d.newEntry(ctx)
		if err != nil {
			return Record{}, err
		}
		entry = &e.ID
	}
	_, err := run(ctx, d, d.Ledger.ReverseEntry(d.by, *entry, ledger.Reversal{}, nil))
	return done(record.JournalEntry, *entry, err)
}

func (d *desk) newRate(ctx context.Context) (tax.Rate, error) {
	return run(ctx, d, d.Taxes.Create(d.by, tax.New{Name: "Trial rate " + d.mark(), Rate: money.MustFactor("7.5"), Kind: tax.Sales, Category: tax.Reduced}))
}

func createRate(ctx context.Context, d *desk) (Record, error) {
	r, err := d.newRate(ctx)
	return done(record.TaxRate, r.ID, err)
}

func updateRate(ctx context.Context, d *desk) (Record, error) {
	rate := d.want.Overrides.TaxRateID
	if rate == nil {
		r, err := d.newRate(ctx)
		if err != nil {
			return Record{}, err
		}
		rate = &r.ID
	}
	_, err := run(ctx, d, d.Taxes.Update(d.by, *rate, tax.Patch{Name: record.Setting("Trial rate " + d.mark())}, nil))
	return done(record.TaxRate, *rate, err)
}

package ledger

import (
	"context"
	"slices"

	"daybook/internal/base/db"
	"daybook/internal/base/fault"
	"daybook/internal/base/id"
	"daybook/internal/books/record"
	"daybook/internal/platform/event"
)

// CreateAccount adds an account to the chart.
func (s *Service) CreateAccount(by record.Call, n NewAccount) db.Step[Account] {
	return Do(s, by, func(ctx context.Context, b *Book) (Account, error) { return createAccount(ctx, b, n) })
}

func createAccount(ctx context.Context, b *Book, n NewAccount) (Account, error) {
	var c fault.Check
	n = n.check(&c)
	a := Account{
		ID: b.NewID(id.Account), BusinessID: b.BusinessID, Code: n.Code, Name: n.Name, Type: n.Type, Subtype: n.Subtype, Currency: n.Currency,
		Description: n.Description, DefaultTaxRateID: n.DefaultTaxRateID, Status: Active, MadeBy: b.Actor, ChangedBy: b.Actor, Version: 1,
		CreatedAt: b.Tx.Now(), UpdatedAt: b.Tx.Now(),
	}.fits(&c, b.Currency)
	if err := c.Err(); err != nil {
		return Account{}, err
	}
	if err := taxRateExists(ctx, b, a.DefaultTaxRateID); err != nil {
		return Account{}, err
	}
	free, err := insertAccount(ctx, b.Tx, a)
	if err != nil {
		return Account{}, err
	}
	if !free {
		return Account{}, ErrCode.With(a.Code)
	}
	b.Tell(event.AccountCreated, accountData(a))
	return named(ctx, b, a, n.ExternalID)
}

// UpdateAccount changes an account. The type and currency stay once it has postings; of an account that the system uses
// only what people read (and the code) changes.
func (s *Service) UpdateAccount(by record.Call, accountID string, p AccountPatch, seen *int) db.Step[Account] {
	return Do(s, by, func(ctx context.Context, b *Book) (Account, error) { return updateAccount(ctx, b, accountID, p, seen) })
}

func updateAccount(ctx context.Context, b *Book, accountID string, p AccountPatch, seen *int) (Account, error) {
	var c fault.Check
	p = p.check(&c)
	if err := c.Err(); err != nil {
		return Account{}, err
	}
	was, err := currentAccount(ctx, b, accountID, seen)
	if err != nil {
		return Account{}, err
	}
	is := p.apply(was).fits(&c, b.Currency)
	if err := c.Err(); err != nil {
		return Account{}, err
	}
	changed := changes(was, is)
	if err := mayChange(ctx, b, was, is, changed); err != nil {
		return Account{}, err
	}
	renamed := b.Actor.AppID != "" && p.ExternalID.Set && !equal(p.ExternalID.Optional(nil), was.ExternalID)
	if renamed {
		changed = append(changed, "externalId")
		slices.Sort(changed)
	}
	if is, err = writeAccount(ctx, b, is, changed); err != nil || !renamed {
		return is, err
	}
	return named(ctx, b, is, p.ExternalID.Optional(nil))
}

// mayChange refuses changes that the account's past or its role forbid, and values that others have or that do not exist.
func mayChange(ctx context.Context, b *Book, was, is Account, changed []string) error {
	for _, member := range []string{"type", "subtype", "currency"} {
		if was.Role != nil && slices.Contains(changed, member) {
			return ErrSystem.With(*was.Role, "given another "+member)
		}
	}
	if slices.Contains(changed, "type") || slices.Contains(changed, "currency") {
		posted, err := PostedTo(ctx, b.Tx, b.BusinessID, was.ID)
		if err != nil {
			return err
		}
		if posted && was.Type != is.Type {
			return ErrFixed.With("type")
		}
		if posted {
			return ErrFixed.With("currency")
		}
	}
	if slices.Contains(changed, "code") {
		taken, err := codeTaken(ctx, b.Tx, b.BusinessID, is.Code)
		if err != nil {
			return err
		}
		if taken {
			return ErrCode.With(is.Code)
		}
	}
	if slices.Contains(changed, "defaultTaxRateId") {
		return taxRateExists(ctx, b, is.DefaultTaxRateID)
	}
	return nil
}

// writeAccount writes what changed, if anything did, and tells of it.
func writeAccount(ctx context.Context, b *Book, a Account, changed []string) (Account, error) {
	if len(changed) == 0 {
		return a, nil
	}
	a.ChangedBy, a.Version, a.UpdatedAt = b.Actor, a.Version+1, b.Tx.Now()
	if err := updateAccountRow(ctx, b.Tx, a); err != nil {
		return Account{}, err
	}
	if a.Status == Archived && slices.Contains(changed, "status") {
		b.Tell(event.AccountArchived, accountData(a))
		return a, nil
	}
	data := accountData(a)
	data["changes"] = changed
	b.Tell(event.AccountUpdated, data)
	return a, nil
}

// named gives an account the name that the calling app has for it.
func named(ctx context.Context, b *Book, a Account, externalID *string) (Account, error) {
	if externalID == nil && a.ExternalID == nil || b.Actor.AppID == "" {
		return a, nil
	}
	a.ExternalID = externalID
	return a, record.SetExternalID(ctx, b.Tx, b.Call, record.Account, a.ID, externalID)
}

// currentAccount reads an account that is going to change.
func currentAccount(ctx context.Context, b *Book, accountID string, seen *int) (Account, error) {
	a, err := account(ctx, b.Tx, b.Call, accountID)
	if err == nil {
		err = record.Fresh(a.Version, seen)
	}
	return a, err
}

// taxRateExists judges the rate that an account gives to the lines of documents.
func taxRateExists(ctx context.Context, b *Book, rateID *string) error {
	if rateID == nil {
		return nil
	}
	found, err := hasTaxRate(ctx, b.Tx, b.BusinessID, *rateID)
	if err == nil && !found {
		err = record.ErrReference.With("defaultTaxRateId")
	}
	return err
}

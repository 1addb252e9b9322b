package payment

import (
	"context"
	"slices"

	"daybook/internal/base/db"
	"daybook/internal/base/fault"
	"daybook/internal/books/ledger"
	"daybook/internal/books/record"
	"daybook/internal/platform/event"
)

// Change is what may change of a payment.
type Change struct {
	Reference  record.Patch[string]
	Memo       record.Patch[string]
	Method     record.Patch[Method]
	ExternalID record.Patch[string]
}

func (ch Change) check() (Change, error) {
	var c fault.Check
	c.Require(!ch.Method.Null, "method", "must not be null")
	if ch.Method.Set && !ch.Method.Null {
		checkMethod(&c, &ch.Method.Value)
	}
	ch.Reference = cleaned(ch.Reference, func(s *string) *string { return checkReference(&c, s) })
	ch.Memo = cleaned(ch.Memo, func(s *string) *string { return checkMemo(&c, s) })
	ch.ExternalID = cleaned(ch.ExternalID, func(s *string) *string { return record.CheckExternalID(&c, s) })
	return ch, c.Err()
}

// cleaned is a patch whose value was judged; one that became empty is null.
func cleaned(p record.Patch[string], judge func(*string) *string) record.Patch[string] {
	if !p.Set || p.Null {
		return p
	}
	if kept := judge(&p.Value); kept != nil {
		return record.Setting(*kept)
	}
	return record.Clearing[string]()
}

// Update changes the members that no posting depends on.
func (s *Service) Update(by record.Call, paymentID string, ch Change, seen *int) db.Step[Payment] {
	return ledger.Do(s.Ledger, by, func(ctx context.Context, b *ledger.Book) (Payment, error) {
		return s.update(ctx, b, paymentID, ch, seen)
	})
}

func (s *Service) update(ctx context.Context, b *ledger.Book, paymentID string, ch Change, seen *int) (Payment, error) {
	ch, err := ch.check()
	if err != nil {
		return Payment{}, err
	}
	p, err := open(ctx, b, paymentID, seen)
	if err != nil {
		return Payment{}, err
	}
	changes, renamed := p.apply(ch, b.Actor)
	if len(changes) == 0 {
		return *p, nil
	}
	touch(b, p)
	if err := update(ctx, b.Tx, p); err != nil {
		return Payment{}, err
	}
	b.Tell(event.PaymentUpdated, p.told(event.Data{"changes": changes}))
	if !renamed {
		return *p, nil
	}
	return *p, record.SetExternalID(ctx, b.Tx, b.Call, record.Payment, p.ID, p.ExternalID)
}

// apply makes the changes and names those that are some, sorted.
func (p *Payment) apply(ch Change, by event.Actor) (changes []string, renamed bool) {
	note := func(name string, changed bool) bool {
		if changed {
			changes = append(changes, name)
		}
		return changed
	}
	optional := func(name string, member **string, patch record.Patch[string]) bool {
		now := patch.Optional(*member)
		changed := note(name, !same(*member, now))
		*member = now
		return changed
	}
	if by.AppID != "" { // only apps have names for records
		renamed = optional("externalId", &p.ExternalID, ch.ExternalID)
	}
	optional("reference", &p.Reference, ch.Reference)
	optional("memo", &p.Memo, ch.Memo)
	method := ch.Method.Or(p.Method)
	note("method", method != p.Method)
	p.Method = method
	slices.Sort(changes)
	return changes, renamed
}

func same(a, b *string) bool { return a == b || a != nil && b != nil && *a == *b }

package invoice

import (
	"context"
	"slices"
	"strings"

	"daybook/internal/base/db"
	"daybook/internal/base/fault"
	"daybook/internal/base/text"
	"daybook/internal/books/ledger"
	"daybook/internal/books/record"
	"daybook/internal/platform/event"
)

// Issue fixes a draft and books it. What it refers to is judged anew: a customer, account or rate may have been archived
// since.
func (s *Service) Issue(by record.Call, invoiceID string, seen *int) db.Step[Invoice] {
	return ledger.Do(s.Ledger, by, func(ctx context.Context, b *ledger.Book) (Invoice, error) {
		was, err := current(ctx, b, invoiceID, seen)
		if err != nil {
			return Invoice{}, err
		}
		if err := was.may(issue); err != nil {
			return Invoice{}, err
		}
		w, err := Patch{}.on(was)
		if err != nil {
			return Invoice{}, err
		}
		w.issue = true
		j, err := s.work(ctx, b, w, &was)
		if err != nil {
			return Invoice{}, err
		}
		if err := j.ready(b); err != nil {
			return Invoice{}, err
		}
		if err := j.issue(ctx, b); err != nil {
			return Invoice{}, err
		}
		if err := s.countIssued(ctx, b, &j.Invoice); err != nil {
			return Invoice{}, err
		}
		j.touch(b)
		if err := save(ctx, b.Tx, j.Invoice); err != nil {
			return Invoice{}, err
		}
		j.tellIssued(b)
		return j.Invoice, nil
	})
}

// Channel is the way an invoice is sent.
type Channel string

// The channels. We have no mail relay yet, so EMAIL is refused.
const (
	ByEmail      Channel = "EMAIL"
	ByLink       Channel = "LINK"
	ByOtherMeans Channel = "EXTERNAL" // by the caller, outside of this service
)

var channels = []Channel{ByEmail, ByLink, ByOtherMeans}

// Sending says how an invoice is sent.
type Sending struct {
	Channel Channel
	To      *string // an address, for EMAIL
}

func (d Sending) check() error {
	var c fault.Check
	var names []string
	for _, known := range channels {
		names = append(names, string(known))
	}
	c.Require(slices.Contains(channels, d.Channel), "channel", "must be one of %s", strings.Join(names, ", "))
	if to := text.Optional(&c, "to", d.To, 254); to != nil {
		c.Require(text.IsEmail(*to), "to", "must be an e-mail address such as ada@example.com")
	}
	return c.Err()
}

// Send marks an invoice as sent.
func (s *Service) Send(by record.Call, invoiceID string, d Sending, seen *int) db.Step[Invoice] {
	return ledger.Do(s.Ledger, by, func(ctx context.Context, b *ledger.Book) (Invoice, error) {
		if err := d.check(); err != nil {
			return Invoice{}, err
		}
		i, err := current(ctx, b, invoiceID, seen)
		if err != nil {
			return Invoice{}, err
		}
		if err := i.do(send); err != nil {
			return Invoice{}, err
		}
		if d.Channel == ByEmail {
			return Invoice{}, ErrMail
		}
		now := b.Tx.Now()
		i.SentAt = &now
		i.touch(b)
		if err := saveState(ctx, b.Tx, i); err != nil {
			return Invoice{}, err
		}
		b.Tell(event.InvoiceSent, i.told(event.Data{"sentAt": instant(i.SentAt), "channel": d.Channel}))
		return i, nil
	})
}

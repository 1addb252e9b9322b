package consoleapi

import (
	"context"

	"daybook/internal/base/money"
	"daybook/internal/books/sandbox"
	"daybook/internal/platform/event"
)

type triggerBody struct {
	Type      string            `json:"type" doc:"An event of the catalog, such as invoice.paid."`
	ClientID  *string           `json:"clientId,omitempty" doc:"The app that an event for a single app concerns; by default the only one it can concern."`
	Overrides *triggerOverrides `json:"overrides,omitempty" doc:"What to work on; each sort of event takes some of them."`
}

type triggerOverrides struct {
	CustomerID     *string   `json:"customerId,omitempty"`
	SupplierID     *string   `json:"supplierId,omitempty"`
	InvoiceID      *string   `json:"invoiceId,omitempty"`
	PaymentID      *string   `json:"paymentId,omitempty"`
	AccountID      *string   `json:"accountId,omitempty"`
	JournalEntryID *string   `json:"journalEntryId,omitempty"`
	TaxRateID      *string   `json:"taxRateId,omitempty"`
	Amount         *int64    `json:"amount,omitempty" minimum:"1" doc:"Of what is made, in minor units."`
	AppID          *string   `json:"appId,omitempty" doc:"Instead of clientId."`
	Scopes         *[]string `json:"scopes,omitempty" doc:"To grant; by default all that the app registered."`
}

func (b triggerBody) asked() sandbox.Want {
	w := sandbox.Want{Type: event.Type(b.Type), ClientID: b.ClientID}
	if o := b.Overrides; o != nil {
		w.Overrides = sandbox.Overrides{
			CustomerID: o.CustomerID, SupplierID: o.SupplierID, InvoiceID: o.InvoiceID, PaymentID: o.PaymentID, AccountID: o.AccountID,
			JournalEntryID: o.JournalEntryID, TaxRateID: o.TaxRateID, Amount: (*money.Amount)(o.Amount), AppID: o.AppID,
		}
		if o.Scopes != nil {
			w.Overrides.Scopes = append([]string{}, *o.Scopes...)
		}
	}
	return w
}

func (b triggerBody) judge() error { return b.asked().Check() }

type outcomeDoc struct {
	Type   string        `json:"type"`
	Record WorkedDoc     `json:"record" doc:"What it was done to."`
	Events []HappenedDoc `json:"events" nullable:"false" doc:"All that came of it, in the order in which it happened. The one that was asked for is among them."`
}

// WorkedDoc is what a trigger worked on.
type WorkedDoc struct {
	Type string `json:"type" enum:"invoice,payment,customer,supplier,account,journal_entry,tax_rate,business,installation"`
	ID   string `json:"id"`
}

// HappenedDoc is an event that happened.
type HappenedDoc struct {
	ID   string `json:"id" doc:"As in GET /events, and the eventId of webhooks."`
	Type string `json:"type"`
}

func (a *API) trigger(ctx context.Context, c *call, body triggerBody) (outcomeDoc, error) {
	out, err := a.Sandboxes.Trigger(ctx, c.sandboxID(), c.by(), body.asked())
	if err != nil {
		return outcomeDoc{}, err
	}
	return outcomeDoc{
		Type: string(out.Type), Record: WorkedDoc{out.Record.Type, out.Record.ID},
		Events: each(out.Events, func(e event.Event) HappenedDoc { return HappenedDoc{e.ID, string(e.Type)} }),
	}, nil
}

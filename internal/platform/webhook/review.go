package webhook

import (
	"context"
	"time"

	"daybook/internal/base/db"
	"daybook/internal/base/id"
	"daybook/internal/base/outbound"
	"daybook/internal/base/secret"
	"daybook/internal/platform/event"
)

// What reviews of apps ask about webhooks.

// OfApp reads the webhooks of an app for a feature that has settled who is asking.
func OfApp(ctx context.Context, tx *db.Tx, appID string) ([]Webhook, error) {
	return listOf(ctx, tx, appID)
}

// Privacy are the events that an app must act on.
var Privacy = []event.Type{event.BusinessRedact, event.CustomerRedact, event.SupplierRedact}

// Answered tells which privacy events an app's enabled webhooks have received and answered since an instant. Test deliveries do not
// count: they are about nobody.
func Answered(ctx context.Context, tx *db.Tx, appID string, since time.Time) ([]event.Type, error) {
	return listAnswered(ctx, tx, appID, since)
}

// Probe sends a webhook something that is signed with a secret that is not its own, and tells how it was answered. A receiver that
// checks signatures refuses it. It is no delivery: it is not kept, and not tried again.
func (s *Service) Probe(ctx context.Context, w Webhook) (status int, err error) {
	kind := event.InvoiceCreated
	if len(w.Events) > 0 {
		kind = w.Events[0]
	}
	now := s.Clock.Now()
	data, err := sampleData(event.Sample(kind))
	if err != nil {
		return 0, err
	}
	d := Delivery{ID: s.IDs.New(id.Delivery), Type: kind}
	body, err := content{kind: kind, version: versionOf(nil), businessID: TestBusiness, created: now, data: data}.body(d.ID)
	if err != nil {
		return 0, err
	}
	header := d.Header()
	header["X-Webhook-Signature"] = []string{sign(now, []byte(body), newSigner(secret.Mint(secret.WebhookSecret).Reveal()))}
	res, err := s.Outbound.Do(ctx, outbound.Request{Method: "POST", URL: w.URL, Header: header, Body: []byte(body), Timeout: answerTime, MaxBody: keptAnswer})
	if err != nil {
		return 0, err
	}
	return res.Status, nil
}

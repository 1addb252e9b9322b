package webhook

import (
	"context"
	"strings"
	"time"

	"daybook/internal/base/db"
	"daybook/internal/base/id"
	"daybook/internal/platform/event"
)

// Host runs hosted functions. They hear of events like webhooks: the same rows, gate, lanes and retries; only the attempt is
// another.
type Host interface {
	// Run makes one attempt, its number-th. An error says that none was made: the delivery is put back.
	Run(ctx context.Context, d Delivery, number int) (Ran, error)
}

// Ran is an attempt that a function made.
type Ran struct {
	Duration time.Duration
	Answer   *string // the beginning of what it returned
	Error    *string // nil: it is done
	// Keep writes down the run, in the transaction that writes down the attempt.
	Keep func(context.Context, *db.Tx) error
}

// runHosted has a function make the attempt.
func (s *Sender) runHosted(ctx context.Context, o outcome) outcome {
	d := &o.delivery
	a := &Attempt{Number: d.Sent + 1, At: s.Clock.Now()}
	ran, err := s.Host.Run(ctx, *d, a.Number)
	if err != nil {
		if ctx.Err() == nil {
			s.trouble(ctx, "a function was not run", err)
		}
		o.released = true
		return o
	}
	a.Duration, a.Answer, a.Error = ran.Duration, ran.Answer, ran.Error
	done := a.Error == nil
	o.attempt, o.keep, o.verdict = a, ran.Keep, quick
	if !done || a.Duration > slowAnswer {
		o.verdict = troubled
	}
	d.advance(*a, done, s.Clock.Now())
	s.observe(Observation{Delivered: done, Duration: a.Duration})
	return o
}

// Target is a hosted function, as far as it hears of events.
type Target struct {
	FunctionID string
	AppID      string
	Events     []event.Type
	Enabled    bool
}

// PutTarget makes or changes the row by which a function hears, in the transaction that changes the function.
func PutTarget(ctx context.Context, tx *db.Tx, t Target) error { return putTarget(ctx, tx, t) }

// DropTarget takes it away. Deliveries that wait for it are dropped when they fall due.
func DropTarget(ctx context.Context, tx *db.Tx, appID, functionID string) error {
	_, err := markDeleted(ctx, tx, appID, functionID)
	return err
}

// Occasion is something besides an event that a function is told of, in each of some businesses.
type Occasion struct {
	Kind       event.Type
	APIVersion *string // the app's pin
	Data       []byte  // JSON
	Businesses []string
}

// QueueOccasion writes a delivery for each of the businesses.
func (s *Service) QueueOccasion(ctx context.Context, tx *db.Tx, t Target, o Occasion) error {
	now := tx.Now()
	list := make([]Delivery, len(o.Businesses))
	for i, businessID := range o.Businesses {
		d := Delivery{
			ID: s.IDs.New(id.Delivery), WebhookID: t.FunctionID, AppID: t.AppID, BusinessID: businessID, Type: o.Kind, Status: Queued, CreatedAt: now, DueAt: &now,
		}
		var err error
		d.Body, err = content{kind: o.Kind, version: versionOf(o.APIVersion), businessID: businessID, created: now, data: o.Data}.body(d.ID)
		if err != nil {
			return err
		}
		list[i] = d
	}
	return s.queue(ctx, tx, list)
}

// SampleBody is what a delivery of an event says, made up: of a sample, or of data that somebody brings.
func SampleBody(deliveryID string, kind event.Type, pin *string, businessID string, created time.Time, data []byte) (string, error) {
	return content{kind: kind, version: versionOf(pin), businessID: businessID, created: created, data: data}.body(deliveryID)
}

// SampleData is the sample of an event, marked as a test.
func SampleData(kind event.Type) ([]byte, error) { return sampleData(event.Sample(kind)) }

// DeliveriesTo lists the most recent deliveries to a function, newest first, without their bodies, for whoever asked who it is. A
// delivery that was dropped says why.
func DeliveriesTo(ctx context.Context, tx *db.Tx, functionID string, f Filter) ([]Delivery, error) {
	list, err := listDeliveries(ctx, tx, functionID, f, MaxListed)
	for i := range list {
		if e := list[i].LastError; e != nil && (*e == string(Off) || *e == string(Deleted)) {
			text := strings.Replace(*e, "webhook", "function", 1)
			list[i].LastError = &text
		}
	}
	return list, err
}

// RepeatFailedTo queues up to 1000 failed deliveries to a function again, oldest first, in the transaction of whoever asked who it is.
func (s *Service) RepeatFailedTo(ctx context.Context, tx *db.Tx, t Target, span Span) (Redelivered, error) {
	return s.repeatFailed(ctx, tx, t.AppID, t.FunctionID, span)
}

// RepeatTo queues a failed delivery of a function again, in the transaction of whoever asked who it is.
func (s *Service) RepeatTo(ctx context.Context, tx *db.Tx, t Target, deliveryID string) (Delivery, error) {
	return s.repeat(ctx, tx, t.AppID, t.FunctionID, deliveryID)
}

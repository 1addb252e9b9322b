package webhook

import (
	"time"

	"daybook/internal/base/outbound"
	"daybook/internal/platform/event"
)

// Status of a delivery, as it is written on the wire.
type Status string

// The statuses.
const (
	Queued    Status = "queued"
	Retrying  Status = "retrying"
	Delivered Status = "delivered"
	Failed    Status = "failed"
)

// TestBusiness stands for the business of a test delivery (TDEL-01).
const TestBusiness = "test"

// Retention is how long deliveries are kept, from their creation (DLIV-04).
const Retention = 30 * 24 * time.Hour

// Delivery is one event on its way to one webhook.
type Delivery struct {
	ID           string
	WebhookID    string
	AppID        string
	BusinessID   string  // TestBusiness for a test
	EventID      *string // nil for a test, and for what no event led to
	Type         event.Type
	Body         string
	Status       Status
	Attempts     int // since it was queued
	Sent         int // in all
	DueAt        *time.Time
	Owner        *string
	ResponseCode *int
	LastError    *string
	CreatedAt    time.Time
	DeliveredAt  *time.Time

	// judged is its receiver as the gate saw it in the transaction that has just been committed. It counts for an attempt
	// that begins at once; whatever had to wait is judged again.
	judged *receiver
}

func (d Delivery) test() bool { return d.BusinessID == TestBusiness }

// Header is what every attempt sends beside the signature of its own (HOOK-03).
func (d Delivery) Header() outbound.Header {
	header := outbound.Header{
		"Content-Type":    {"application/json"},
		"X-Webhook-Id":    {d.ID},
		"X-Webhook-Event": {string(d.Type)},
	}
	if d.EventID != nil {
		header["X-Webhook-Event-Id"] = []string{*d.EventID}
	}
	return header
}

// tooOld reports whether its history has ended (REDL-03).
func (d Delivery) tooOld(now time.Time) bool { return !now.Before(d.CreatedAt.Add(Retention)) }

// Attempt is one try to deliver.
type Attempt struct {
	Number    int
	At        time.Time
	Duration  time.Duration
	Signature string  // the header as it was sent
	Status    *int    // of the answer; nil: there was none
	Answer    *string // its beginning
	Error     *string
}

// MaxAttempts since a delivery was queued.
const MaxAttempts = len(waits)

// waits before each attempt, after the failure before it (DLIV-02).
var waits = [...]time.Duration{0, time.Minute, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 6 * time.Hour}

// next is where a delivery stands after its attempts-th attempt ended, well or not, and when the next one is due.
func next(attempts int, delivered bool, ended time.Time) (Status, *time.Time) {
	switch {
	case delivered:
		return Delivered, nil
	case attempts >= MaxAttempts:
		return Failed, nil
	}
	due := ended.Add(waits[attempts])
	return Retrying, &due
}

// succeeded reports whether a status says that the receiver has it. Redirects are not followed, so they do not (DLIV-01).
func succeeded(status int) bool { return status >= 200 && status <= 299 }

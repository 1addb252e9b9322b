package webhook

import (
	"encoding/json"
	"errors"
	"fmt"
)

// ErrBody: the body is not an event, though it was signed.
var ErrBody = errors.New("webhook: the body is not an event")

// Event is the body of a delivery.
type Event struct {
	// ID is the delivery's: the same at every attempt and redelivery.
	ID string `json:"id"`
	// EventID is the event's, as in the Events API: the same at all webhooks of an app. Empty for a test delivery.
	EventID string `json:"eventId"`
	// Type is the event's name: "invoice.paid".
	Type string `json:"type"`
	// APIVersion names the shape of Data: the version that the app is pinned to, or the newest.
	APIVersion string `json:"apiVersion"`
	// BusinessID tells where it happened; "test" for a test delivery.
	BusinessID string `json:"businessId"`
	// Created is when it happened, in Unix seconds. Many things happen in one second: it gives no order.
	Created int64 `json:"created"`
	// Data differs from type to type.
	Data json.RawMessage `json:"data"`
}

// Test reports whether somebody only tried the webhook: nothing happened in any business.
func (e Event) Test() bool { return e.EventID == "" }

// Parse reads a body that was verified. Members that it does not know are passed over.
func Parse(body []byte) (Event, error) {
	var e Event
	if err := json.Unmarshal(body, &e); err != nil {
		return Event{}, fmt.Errorf("%w: %w", ErrBody, err)
	}
	if e.ID == "" || e.Type == "" {
		return Event{}, fmt.Errorf("%w: it needs id and type", ErrBody)
	}
	return e, nil
}

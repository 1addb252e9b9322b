package webhook

import (
	"slices"
	"strings"
	"time"

	"daybook/internal/base/fault"
	"daybook/internal/base/secret"
	"daybook/internal/base/text"
	"daybook/internal/platform/event"
)

// MaxPerApp is how many webhooks an app has at most.
const MaxPerApp = 10

// Overlap is how long the secret before the present one goes on signing (SIGN-03).
const Overlap = 24 * time.Hour

// secretUse names the place that webhook secrets are sealed for.
const secretUse = "webhook secret"

// Webhook is an address of an app that hears of events.
type Webhook struct {
	ID          string
	AppID       string
	URL         string
	Description *string
	Events      []event.Type // in the order in which they were chosen
	Enabled     bool
	// PreviousUntil is when the secret before the present one stops signing; nil when there is none.
	PreviousUntil *time.Time
	Version       int
	CreatedAt     time.Time
	UpdatedAt     time.Time
}

// forgetPrevious leaves out an end that has come.
func (w *Webhook) forgetPrevious(now time.Time) {
	if w.PreviousUntil != nil && !now.Before(*w.PreviousUntil) {
		w.PreviousUntil = nil
	}
}

// New is a webhook about to be created.
type New struct {
	URL         string
	Description *string
	Events      []event.Type
	Enabled     bool
	// Secret is minted when empty; a fixture brings its own.
	Secret secret.Secret
	// Unproven leaves out the look-up of the address: a fixture may name hosts that do not exist yet. Every attempt decides
	// anyway.
	Unproven bool
}

// Patch changes a webhook; nil leaves a member as it is.
type Patch struct {
	URL         *string
	Description **string
	Events      *[]event.Type
	Enabled     *bool
}

// Created is a webhook with its secret, which is shown this once.
type Created struct {
	Webhook
	Secret secret.Secret
}

// Rotated is a new secret, shown this once, and when the one before it stops signing.
type Rotated struct {
	Secret        secret.Secret
	PreviousUntil time.Time
}

const maxDescription = 300

func checkDescription(c *fault.Check, d *string) *string {
	return text.Optional(c, "description", d, maxDescription)
}

// CheckEvents refuses names that are no events, and names that are there twice; at is the path of the list.
func CheckEvents(at string, list []event.Type) ([]event.Type, error) { return checkEvents(at, list) }

// checkEvents refuses names that are no events: the set may be empty, and says each once.
func checkEvents(at string, list []event.Type) ([]event.Type, error) {
	var c fault.Check
	out := []event.Type{}
	var twice []event.Type
	for _, t := range list {
		_, known := event.Find(t)
		switch {
		case !known:
			return nil, ErrUnknownEvent.With(clip(string(t)))
		case !slices.Contains(out, t):
			out = append(out, t)
		case !slices.Contains(twice, t):
			twice = append(twice, t)
			c.Add(at, "must name %s only once", t)
		}
	}
	return out, c.Err()
}

// clip keeps a stranger's text short.
func clip(s string) string {
	if r := []rune(s); len(r) > 60 {
		return string(r[:60]) + "…"
	}
	return s
}

func joinEvents(list []event.Type) string {
	words := make([]string, len(list))
	for i, t := range list {
		words[i] = string(t)
	}
	return strings.Join(words, " ")
}

func splitEvents(text string) []event.Type {
	list := []event.Type{}
	for word := range strings.FieldsSeq(text) {
		list = append(list, event.Type(word))
	}
	return list
}

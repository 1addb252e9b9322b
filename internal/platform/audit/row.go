package audit

import (
	"encoding/json"
	"strings"
	"time"
	"unicode"

	"daybook/internal/base/trail"
)

// Actor says what sort of actor it was.
type Actor string

// The actors.
const (
	User    Actor = "USER"
	Command Actor = "COMMAND" // an operator at the command line; a user id, if any, is in whose name
	System  Actor = "SYSTEM"  // the service itself
)

// Row is one action that was kept.
type Row struct {
	ID             string
	At             time.Time
	Actor          Actor
	UserID         *string
	Action         trail.Action
	Object         trail.Object
	OrganizationID *string
	BusinessID     *string
	IP             *string
	RequestID      *string
	UserAgent      *string // of a Command, the command
	Details        json.RawMessage
}

// newRow is the row of an act that comes from somewhere.
func newRow(id string, at time.Time, a trail.Act, from trail.Origin) Row {
	r := Row{
		ID: id, At: at, Actor: System, UserID: optional(a.UserID), Action: a.Action, Object: a.Object, OrganizationID: optional(a.OrganizationID),
		BusinessID: optional(a.BusinessID), IP: optional(from.IP), RequestID: optional(from.RequestID), UserAgent: optional(clip(from.UserAgent)), Details: details(a.Details),
	}
	if r.UserID == nil {
		r.UserID = optional(from.UserID)
	}
	switch {
	case from.Command != "":
		r.Actor, r.UserAgent = Command, optional(clip(from.Command))
	case r.UserID != nil:
		r.Actor = User
	}
	return r
}

func optional(word string) *string {
	if word == "" {
		return nil
	}
	return &word
}

// longestAgent is how much of a user agent is kept, in code points.
const longestAgent = 200

// clip cuts what others chose, and leaves out what is no letter.
func clip(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, ""))
	if runes := []rune(text); len(runes) > longestAgent {
		return string(runes[:longestAgent]) + "…"
	}
	return text
}

// mostDetails in bytes.
const mostDetails = 2048

// details are written as JSON. More than is worth keeping is left out, rather than to stop the action.
func details(d map[string]any) json.RawMessage {
	if len(d) == 0 {
		return json.RawMessage(`{}`)
	}
	text, err := json.Marshal(d)
	if err != nil || len(text) > mostDetails {
		return json.RawMessage(`{"leftOut":true}`)
	}
	return text
}

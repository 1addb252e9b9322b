package appdata

import (
	"encoding/json"
	"strconv"
	"time"

	"daybook/internal/base/fault"
)

// Origin says who wrote a value.
type Origin string

// The origins.
const (
	ByApp  Origin = "APP"
	ByUser Origin = "USER" // on our own pages
)

// The most of a call.
const (
	MaxValues  = 25 // that are written
	MaxRecords = 50 // whose values are read
)

// Value is what an app keeps under a key on a record.
type Value struct {
	ID           string
	ResourceType ResourceType
	ResourceID   string
	Key          string
	Type         Type
	Value        json.RawMessage
	Valid        bool // by the present rules of its field
	Origin       Origin
	UserID       *string // who wrote it on our own pages, for the business's own people; nil for an app
	CreatedAt    time.Time
	UpdatedAt    time.Time

	fieldID string
}

// NewValue is what it takes to write one.
type NewValue struct {
	ResourceType ResourceType
	ResourceID   string
	Key          string
	Value        json.RawMessage // nil: was not sent
}

// place is where a value stands.
type place struct{ resourceID, name string }

// Offence is one thing that is wrong with one value.
type Offence struct {
	ResourceType ResourceType `json:"resourceType"`
	ResourceID   string       `json:"resourceId"`
	Key          string       `json:"key"`
	Reason       Reason       `json:"reason"`
}

// checkShape refuses what is no list of values at all (ADAT-02).
func checkShape(values []NewValue) error {
	var c fault.Check
	c.Require(len(values) >= 1 && len(values) <= MaxValues, "values", "must be a list of 1 to %d values", MaxValues)
	first := map[place]int{}
	for i, v := range values[:min(len(values), MaxValues)] {
		at := "values." + strconv.Itoa(i)
		c.Require(v.ResourceType.Known(), at+".resourceType", "must be one of %s", joined(ResourceTypes))
		c.Require(v.ResourceID != "", at+".resourceId", "must not be empty")
		c.Require(v.Key != "", at+".key", "must not be empty")
		c.Require(v.Value != nil, at+".value", "is required")
		here := place{v.ResourceID, v.Key}
		if earlier, twice := first[here]; twice {
			c.Add(at, "must not name the same record and key as values.%d", earlier)
			continue
		}
		first[here] = i
	}
	return c.Err()
}

// judge reads a value by the rules of its field: it gives the JSON that is kept, or everything against it.
func (f Field) judge(value json.RawMessage) (json.RawMessage, []Reason) {
	if string(value) == "null" {
		return nil, []Reason{Required}
	}
	kept, against := f.Rules.judge(value)
	if len(against) > 0 {
		return nil, against
	}
	text, err := json.Marshal(kept)
	if err != nil {
		panic("appdata: " + err.Error()) // made of our own types
	}
	return text, nil
}

// shown is a stored value as it stands under the present rules.
func (v Value) shown(r Rules) Value {
	_, against := r.judge(v.Value)
	v.Valid = len(against) == 0
	return v
}

package appdata

import (
	"cmp"
	"encoding/json"
	"errors"
	"time"
)

// day is a date such as 2026-05-04. Dates sort as texts.
type day string

// instant is a moment, written as everywhere: UTC, milliseconds, Z. Instants sort as texts, too.
type instant string

var errNoTime = errors.New("not a date or instant")

func readDay(s string) (day, bool) {
	_, err := time.Parse(time.DateOnly, s)
	return day(s), err == nil
}

// readInstant takes ISO 8601 with a zone. Parts of a millisecond are dropped.
func readInstant(s string) (instant, bool) {
	const form = "2006-01-02T15:04:05Z"
	if len(s) < len(form) || s[13] != ':' { // the library would take a single digit for the hour
		return "", false
	}
	t, err := time.Parse(time.RFC3339, s)
	t = t.UTC()
	if err != nil || t.Year() < 0 || t.Year() > 9999 { // a zone may push a moment over the edge
		return "", false
	}
	return instant(t.Format("2006-01-02T15:04:05.000Z")), true
}

// UnmarshalJSON implements json.Unmarshaler.
func (d *day) UnmarshalJSON(data []byte) error { return unmarshal(data, d, readDay) }

// UnmarshalJSON implements json.Unmarshaler.
func (i *instant) UnmarshalJSON(data []byte) error { return unmarshal(data, i, readInstant) }

func unmarshal[T any](data []byte, into *T, read func(string) (T, bool)) error {
	s, ok := str(data)
	if ok {
		*into, ok = read(s)
	}
	if !ok {
		return errNoTime
	}
	return nil
}

type dateRules struct {
	Min *day `json:"min"`
	Max *day `json:"max"`
}

func (r *dateRules) complete() error { return ordered(r.Min, r.Max, cmp.Compare) }

func (r *dateRules) judge(value json.RawMessage) (any, []Reason) {
	return judgeTime(value, r.Min, r.Max)
}

type dateTimeRules struct {
	Min *instant `json:"min"`
	Max *instant `json:"max"`
}

func (r *dateTimeRules) complete() error { return ordered(r.Min, r.Max, cmp.Compare) }

func (r *dateTimeRules) judge(value json.RawMessage) (any, []Reason) {
	return judgeTime(value, r.Min, r.Max)
}

func judgeTime[T day | instant](value json.RawMessage, least, most *T) (any, []Reason) {
	var t T
	if json.Unmarshal(value, &t) != nil {
		return nil, []Reason{WrongType}
	}
	if against := between(t, least, most, cmp.Compare[T]); len(against) > 0 {
		return nil, against
	}
	return t, nil
}

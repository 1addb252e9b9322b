package record

import "encoding/json"

// Patch is a member of a merge patch: absent, null, or a value.
type Patch[T any] struct {
	Set   bool // present, null included
	Null  bool
	Value T
}

// UnmarshalJSON is only called for a member that is present.
func (p *Patch[T]) UnmarshalJSON(data []byte) error {
	p.Set = true
	if string(data) == "null" {
		p.Null = true
		return nil
	}
	return json.Unmarshal(data, &p.Value)
}

// Setting is a patch that sets a value.
func Setting[T any](v T) Patch[T] { return Patch[T]{Set: true, Value: v} }

// Clearing is a patch that takes a value away.
func Clearing[T any]() Patch[T] { return Patch[T]{Set: true, Null: true} }

// Optional is what a nullable member becomes.
func (p Patch[T]) Optional(now *T) *T {
	switch {
	case !p.Set:
		return now
	case p.Null:
		return nil
	}
	return &p.Value
}

// Or is what a member becomes that is never null; a null leaves it, and is for the caller to refuse.
func (p Patch[T]) Or(now T) T {
	if !p.Set || p.Null {
		return now
	}
	return p.Value
}

package event

import (
	"maps"
	"slices"
	"strings"

	"daybook/internal/base/id"
)

// actor is added to every event of a business.
var actor = member{"actor", object(
	member{"type", word("APP", "USER", "SYSTEM")},
	member{"appId", orNull(named(id.App))},
)}

// members are all members of an event, in the newest shape.
func members(t Type) []member {
	all := payloads[t].members
	if e, ok := Find(t); ok && e.Audience == ForBusiness {
		all = append(slices.Clone(all), actor)
	}
	return all
}

// Sample is a payload such as the event could have, complete and in the newest shape. It belongs to whoever asks; nil for
// what is not in the catalog.
func Sample(t Type) map[string]any {
	p, ok := payloads[t]
	if !ok {
		return nil
	}
	sample, _ := copied(object(members(t)...).sample).(map[string]any)
	for name, value := range p.like {
		sample[name] = copied(value)
	}
	return sample
}

// copied is a value that shares nothing with the table.
func copied(value any) any {
	switch v := value.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for name, one := range v {
			out[name] = copied(one)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, one := range v {
			out[i] = copied(one)
		}
		return out
	}
	return value
}

// Schema is the JSON Schema (2020-12) of an event's payload as a version of the API shows it; nil for what is not in the
// catalog.
func Schema(v string, t Type) map[string]any {
	if _, ok := payloads[t]; !ok {
		return nil
	}
	family, _, _ := strings.Cut(string(t), ".")
	all := members(t)
	for _, c := range slices.Backward(shapes) {
		if v < c.since && c.family == family { // dates sort as text
			all = c.down(all)
		}
	}
	s, _ := copied(object(all...).schema).(map[string]any)
	return s
}

// shapes are the changes of package apiversion that concern events, done to members instead of values. Tests hold both
// against each other.
var shapes = []struct {
	since, family string
	down          func([]member) []member
}{
	{"2026-06-01", "payment", oneInvoice},
	{"2026-06-01", "invoice", sentForOpen},
}

// oneInvoice has the first allocation's invoice in place of the allocations. An event about one allocation names its
// invoice already.
func oneInvoice(all []member) []member {
	i := slices.IndexFunc(all, func(m member) bool { return m.name == "allocations" })
	if i < 0 {
		return all
	}
	all = slices.Delete(slices.Clone(all), i, i+1)
	if !slices.ContainsFunc(all, func(m member) bool { return m.name == invoiceID.name }) {
		all = append(all, member{invoiceID.name, orNull(invoiceID.form)})
	}
	return all
}

// sentForOpen calls an open invoice by its older name.
func sentForOpen(all []member) []member {
	all = slices.Clone(all)
	for i, m := range all {
		words, ok := m.schema["enum"].([]any)
		if open := slices.Index(words, any("OPEN")); ok && open >= 0 {
			words = slices.Clone(words)
			words[open] = "SENT"
			all[i].schema = maps.Clone(m.schema)
			all[i].schema["enum"] = words
		}
	}
	return all
}

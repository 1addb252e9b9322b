package event

import (
	"maps"

	"daybook/internal/base/id"
)

// form is what a member of a payload holds: its JSON Schema, and a value as an example.
type form struct {
	schema map[string]any
	sample any
}

// largest is the largest whole number that every JSON parser reads exactly.
const largest = 1<<53 - 1

// named is the id of a record.
func named(p id.Prefix) form {
	return matching("^"+string(p)+"_[0-7][0-9a-hjkmnp-tv-z]{25}$", string(p)+"_01k9m4x2v7q3t8r5w1y6z0a2bc")
}

// matching is a text of a pattern.
func matching(pattern, sample string) form {
	return form{map[string]any{"type": "string", "pattern": pattern}, sample}
}

// words is any text that is not empty.
func words(sample string) form {
	return form{map[string]any{"type": "string", "minLength": 1}, sample}
}

// word is one of several; the first is the example.
func word(words ...string) form {
	list := make([]any, len(words))
	for i, w := range words {
		list[i] = w
	}
	return form{map[string]any{"type": "string", "enum": list}, words[0]}
}

// amount is money in minor units.
func amount(sample int) form {
	return form{map[string]any{"type": "integer", "minimum": -largest, "maximum": largest}, sample}
}

// count is a number of things.
func count(sample int) form {
	return form{map[string]any{"type": "integer", "minimum": 0}, sample}
}

func flag(sample bool) form { return form{map[string]any{"type": "boolean"}, sample} }

func date(sample string) form { return matching(`^\d{4}-\d{2}-\d{2}$`, sample) }

func moment(sample string) form {
	return matching(`^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$`, sample)
}

// list is any number of a form, with one as the example.
func list(of form) form {
	return form{map[string]any{"type": "array", "items": of.schema}, []any{of.sample}}
}

// orNull is a form that may be absent. It is there in the example.
func orNull(f form) form {
	f.schema = maps.Clone(f.schema)
	f.schema["type"] = []any{f.schema["type"], "null"}
	if words, ok := f.schema["enum"].([]any); ok {
		f.schema["enum"] = append(words[:len(words):len(words)], nil)
	}
	return f
}

// object has exactly these members.
func object(members ...member) form {
	properties, names, sample := map[string]any{}, make([]any, len(members)), map[string]any{}
	for i, m := range members {
		properties[m.name], names[i], sample[m.name] = m.schema, m.name, m.sample
	}
	return form{map[string]any{"type": "object", "additionalProperties": false, "properties": properties, "required": names}, sample}
}

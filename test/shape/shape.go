// Package shape holds JSON against schemas, for tests.
package shape

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
)

// Fits holds a JSON value, read with its numbers as they were written, against a JSON Schema of the few words that our own
// schemas use, and gives a sentence for everything that is wrong.
func Fits(schema map[string]any, value any, path string) (wrong []string) {
	say := func(format string, args ...any) { wrong = append(wrong, path+" "+fmt.Sprintf(format, args...)) }
	types, several := schema["type"].([]any)
	if !several {
		types = []any{schema["type"]}
	}
	if kind := kindOf(value); !slices.Contains(types, any(kind)) {
		say("is %s, not %v", kind, types)
		return wrong
	}
	if words, ok := schema["enum"].([]any); ok && !slices.Contains(words, value) {
		say("is %v, none of %v", value, words)
	}
	switch v := value.(type) {
	case string:
		if pattern, ok := schema["pattern"].(string); ok && !regexp.MustCompile(pattern).MatchString(v) {
			say("is %q, not %s", v, pattern)
		}
		if least, ok := schema["minLength"].(int); ok && len(v) < least {
			say("is too short")
		}
	case json.Number:
		n, _ := v.Int64()
		if least, ok := schema["minimum"].(int); ok && n < int64(least) {
			say("is below %d", least)
		}
	case []any:
		for i, item := range v {
			wrong = append(wrong, Fits(schema["items"].(map[string]any), item, fmt.Sprint(path, ".", i))...)
		}
	case map[string]any:
		properties := schema["properties"].(map[string]any)
		for _, name := range schema["required"].([]any) {
			if _, there := v[name.(string)]; !there {
				say("has no %s", name)
			}
		}
		for name, one := range v {
			if property, known := properties[name].(map[string]any); known {
				wrong = append(wrong, Fits(property, one, path+"."+name)...)
			} else {
				say("has a %s", name)
			}
		}
	}
	return wrong
}

func kindOf(value any) string {
	switch v := value.(type) {
	case nil:
		return "null"
	case string:
		return "string"
	case bool:
		return "boolean"
	case json.Number:
		if _, err := v.Int64(); err == nil {
			return "integer"
		}
		return "number"
	case []any:
		return "array"
	}
	return "object"
}

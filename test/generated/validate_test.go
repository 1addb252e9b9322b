package generated_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/big"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// schemas are the components of the document, by name.
type schemas map[string]*schema

// resolve follows a reference.
func (all schemas) resolve(s *schema) *schema {
	for s.ref != "" {
		next, ok := all[s.ref]
		if !ok {
			panic("the document has no schema " + s.ref)
		}
		s = next
	}
	return s
}

// decode reads JSON and keeps numbers as they are written.
func decode(text []byte) (any, error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var v any
	if err := decoder.Decode(&v); err != nil {
		return nil, err
	}
	if _, err := decoder.Token(); err != io.EOF {
		return nil, fmt.Errorf("there is something behind the first value")
	}
	return v, nil
}

// offences says where a value, read by decode, is not what the schema promises.
func (all schemas) offences(s *schema, v any) []string { return all.offencesAt("", s, v) }

func (all schemas) offencesAt(path string, s *schema, v any) []string {
	s = all.resolve(s)
	var found []string
	say := func(format string, args ...any) {
		found = append(found, strings.TrimPrefix(path+": ", ": ")+fmt.Sprintf(format, args...))
	}
	if len(s.choices) > 0 {
		fitting := 0
		for _, choice := range s.choices {
			if len(all.offencesAt(path, choice, v)) == 0 {
				fitting++
			}
		}
		if fitting == 0 || s.exactlyOne && fitting > 1 {
			say("fits %d of %d choices: %s", fitting, len(s.choices), short(v))
		}
	}
	if len(s.types) > 0 && !slices.ContainsFunc(s.types, func(kind string) bool { return is(kind, v) }) {
		say("is no %s: %s", strings.Join(s.types, " or "), short(v))
		return found
	}
	if v == nil {
		return found // allowed by its type, and nothing else says anything about null
	}
	if len(s.enum) > 0 && !slices.Contains(s.enum, v) {
		say("is none of %v: %s", s.enum, short(v))
	}
	switch v := v.(type) {
	case json.Number:
		n, _ := new(big.Float).SetString(v.String())
		if s.minimum != nil && n.Cmp(big.NewFloat(*s.minimum)) < 0 || s.maximum != nil && n.Cmp(big.NewFloat(*s.maximum)) > 0 {
			say("is out of bounds: %s", v)
		}
		if _, err := v.Int64(); s.format == "int64" && err != nil {
			say("is no int64: %s", v)
		}
	case string:
		if n := utf8.RuneCountInString(v); s.minLength != nil && n < *s.minLength || s.maxLength != nil && n > *s.maxLength {
			say("has %d characters", n)
		}
		if s.pattern != nil && !s.pattern.MatchString(v) {
			say("does not match %s: %s", s.pattern, short(v))
		}
	case []any:
		if n := len(v); s.minItems != nil && n < *s.minItems || s.maxItems != nil && n > *s.maxItems {
			say("has %d items", n)
		}
		for i, item := range v {
			if s.items != nil && !s.apart {
				found = append(found, all.offencesAt(fmt.Sprintf("%s.%d", path, i), s.items, item)...)
			}
		}
	case object:
		for _, name := range s.required {
			if _, there := v[name]; !there {
				say("lacks %s", name)
			}
		}
		for _, name := range slices.Sorted(maps.Keys(v)) {
			member, known := s.properties[name]
			switch {
			case known:
				found = append(found, all.offencesAt(path+"."+name, member, v[name])...)
			case s.closed:
				say("has an unknown member %q", name)
			case s.others != nil:
				found = append(found, all.offencesAt(path+"."+name, s.others, v[name])...)
			}
		}
	}
	return found
}

// is reports whether a value is of a type of JSON Schema.
func is(kind string, v any) bool {
	switch v := v.(type) {
	case nil:
		return kind == "null"
	case bool:
		return kind == "boolean"
	case string:
		return kind == "string"
	case json.Number:
		return kind == "number" || kind == "integer" && !strings.ContainsAny(v.String(), ".eE")
	case []any:
		return kind == "array"
	case object:
		return kind == "object"
	}
	return false
}

// short writes a value for a sentence.
func short(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return clip(string(text), 120)
}

func clip(s string, most int) string {
	if len(s) > most {
		return fmt.Sprintf("%s… (%d bytes)", strings.ToValidUTF8(s[:most], ""), len(s))
	}
	return s
}

func TestTheValidatorKnowsRightFromWrong(t *testing.T) {
	all := schemas{"Name": {types: []string{"string"}}}
	for _, c := range []struct{ schema, good, bad string }{
		{`{"type":"string"}`, `"a"`, `1`},
		{`{"type":"string"}`, `""`, `null`},
		{`{"type":["string","null"]}`, `null`, `false`},
		{`{"type":"integer","format":"int64"}`, `9223372036854775807`, `9223372036854775808`},
		{`{"type":"integer"}`, `-5`, `1.0`},
		{`{"type":"integer"}`, `5`, `1e3`},
		{`{"type":"integer","minimum":0,"maximum":365}`, `0`, `-1`},
		{`{"type":"integer","minimum":0,"maximum":365}`, `365`, `366`},
		{`{"type":"boolean"}`, `true`, `"true"`},
		{`{"type":"string","maxLength":2}`, `"éé"`, `"eee"`},
		{`{"type":"string","minLength":2}`, `"éé"`, `"é"`},
		{`{"type":"string","pattern":"^[a-c]+$"}`, `"abc"`, `"abcd"`},
		{`{"type":"string","enum":["A","B"]}`, `"A"`, `"a"`},
		{`{"type":"array","items":{"type":"string"}}`, `["a"]`, `["a",1]`},
		{`{"type":"array","minItems":1,"maxItems":2}`, `[1,2]`, `[1,2,3]`},
		{`{"type":"array","minItems":1,"maxItems":2}`, `[1]`, `[]`},
		{`{"type":"object","required":["a"],"properties":{"a":{"type":"string"}}}`, `{"a":"","b":1}`, `{"b":""}`},
		{`{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":false}`, `{}`, `{"b":1}`},
		{`{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":false}`, `{"a":"x"}`, `{"a":null}`},
		{`{"type":"object","additionalProperties":{"type":"string"}}`, `{"x":"y"}`, `{"x":1}`},
		{`{"anyOf":[{"type":"string"},{"type":"null"}]}`, `null`, `1`},
		{`{"oneOf":[{"type":"integer","minimum":0},{"type":"integer","maximum":0}]}`, `1`, `0`},
		{`{"$ref":"#/components/schemas/Name"}`, `"a"`, `{}`},
		{`{"type":"array","items":{"type":"object","properties":{"a":{"$ref":"#/components/schemas/Name"}}}}`, `[{"a":"x"}]`, `[{"a":1}]`},
	} {
		var s schema
		must(t, json.Unmarshal([]byte(c.schema), &s))
		for text, right := range map[string]bool{c.good: true, c.bad: false} {
			v, err := decode([]byte(text))
			must(t, err)
			if found := all.offences(&s, v); (len(found) == 0) != right {
				t.Errorf("%s by %s: %v", text, c.schema, found)
			}
		}
	}
	if err := json.Unmarshal([]byte(`{"type":"string","const":"x"}`), &schema{}); err == nil {
		t.Error("a word that nobody checks was taken")
	}
}

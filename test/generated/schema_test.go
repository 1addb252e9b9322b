package generated_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// schema is the part of JSON Schema that the document uses. A word that is not read here is an error, so that the
// document cannot promise what nobody checks.
type schema struct {
	ref         string // name of a component
	types       []string
	enum        []any
	required    []string
	properties  map[string]*schema
	names       []string // of the properties, sorted
	closed      bool     // no other properties
	others      *schema  // what other properties are
	items       *schema
	choices     []*schema // anyOf or oneOf
	exactlyOne  bool      // oneOf
	format      string
	pattern     *regexp.Regexp
	minimum     *float64
	maximum     *float64
	minLength   *int
	maxLength   *int
	minItems    *int
	maxItems    *int
	description string
	// apart: the items are judged one by one, and a bad one does not make the whole a bad request.
	apart bool
}

// UnmarshalJSON reads a schema word by word.
func (s *schema) UnmarshalJSON(text []byte) error {
	var words map[string]json.RawMessage
	if err := json.Unmarshal(text, &words); err != nil {
		return err
	}
	for _, word := range slices.Sorted(maps.Keys(words)) {
		if err := s.read(word, words[word]); err != nil {
			return fmt.Errorf("%s: %w", word, err)
		}
	}
	s.names = slices.Sorted(maps.Keys(s.properties))
	return nil
}

func (s *schema) read(word string, value json.RawMessage) error {
	into := map[string]any{
		"enum": &s.enum, "required": &s.required, "properties": &s.properties, "items": &s.items, "anyOf": &s.choices, "oneOf": &s.choices,
		"format": &s.format, "minimum": &s.minimum, "maximum": &s.maximum, "minLength": &s.minLength, "maxLength": &s.maxLength,
		"minItems": &s.minItems, "maxItems": &s.maxItems, "description": &s.description, "x-each-by-itself": &s.apart,
	}
	switch word {
	case "$ref":
		var path string
		err := json.Unmarshal(value, &path)
		s.ref = strings.TrimPrefix(path, "#/components/schemas/")
		return err
	case "type":
		if value[0] == '[' {
			return json.Unmarshal(value, &s.types)
		}
		s.types = []string{""}
		return json.Unmarshal(value, &s.types[0])
	case "additionalProperties":
		if s.closed = string(value) == "false"; s.closed || string(value) == "true" {
			return nil
		}
		return json.Unmarshal(value, &s.others)
	case "pattern":
		var text string
		if err := json.Unmarshal(value, &text); err != nil {
			return err
		}
		var err error
		s.pattern, err = regexp.Compile(text)
		return err
	case "examples", "example", "title", "default", "contentMediaType", "contentEncoding", "readOnly", "deprecated":
		return nil // they promise nothing about answers
	}
	target, known := into[word]
	if !known {
		return fmt.Errorf("the tests do not know this word of JSON Schema")
	}
	s.exactlyOne = s.exactlyOne || word == "oneOf"
	return json.Unmarshal(value, target)
}

// may reports whether the schema names a type.
func (s *schema) may(kind string) bool { return slices.Contains(s.types, kind) }

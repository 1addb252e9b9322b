package reference

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// document is the part of OpenAPI that the page shows.
type document struct {
	Info struct {
		Title       string `json:"title"`
		Version     string `json:"version"`
		Description string `json:"description"`
	} `json:"info"`
	Paths      map[string]map[string]operation `json:"paths"`
	Components struct {
		Schemas         map[string]schema   `json:"schemas"`
		Responses       map[string]response `json:"responses"`
		SecuritySchemes map[string]struct {
			Flows struct {
				AuthorizationCode struct {
					Scopes map[string]string `json:"scopes"`
				} `json:"authorizationCode"`
			} `json:"flows"`
		} `json:"securitySchemes"`
	} `json:"components"`
	Tags []struct {
		Name        string `json:"name"`
		Description string `json:"description"`
	} `json:"tags"`
}

type operation struct {
	OperationID string                `json:"operationId"`
	Summary     string                `json:"summary"`
	Description string                `json:"description"`
	Tags        []string              `json:"tags"`
	Parameters  []parameter           `json:"parameters"`
	Security    []map[string][]string `json:"security"`
	RequestBody *struct {
		Required bool             `json:"required"`
		Content  map[string]media `json:"content"`
	} `json:"requestBody"`
	Responses map[string]response `json:"responses"`
}

type parameter struct {
	Name        string `json:"name"`
	In          string `json:"in"`
	Description string `json:"description"`
	Required    bool   `json:"required"`
	Schema      schema `json:"schema"`
}

type media struct {
	Schema  schema          `json:"schema"`
	Example json.RawMessage `json:"example"`
}

type response struct {
	Ref         string           `json:"$ref"`
	Description string           `json:"description"`
	Content     map[string]media `json:"content"`
}

type schema struct {
	Ref         string            `json:"$ref"`
	Type        words             `json:"type"`
	Description string            `json:"description"`
	Format      string            `json:"format"`
	Enum        []any             `json:"enum"`
	MaxLength   *int              `json:"maxLength"`
	MinLength   *int              `json:"minLength"`
	Minimum     *float64          `json:"minimum"`
	Maximum     *float64          `json:"maximum"`
	MinItems    *int              `json:"minItems"`
	MaxItems    *int              `json:"maxItems"`
	Items       *schema           `json:"items"`
	Properties  map[string]schema `json:"properties"`
	Required    []string          `json:"required"`
	AnyOf       []schema          `json:"anyOf"`
	OneOf       []schema          `json:"oneOf"`
}

// words is a string or several: a type, or a type and null.
type words []string

// UnmarshalJSON reads either form.
func (w *words) UnmarshalJSON(text []byte) error {
	var one string
	if json.Unmarshal(text, &one) == nil {
		*w = words{one}
		return nil
	}
	var many []string
	err := json.Unmarshal(text, &many)
	*w = many
	return err
}

// resolve follows a reference to its schema.
func (d *document) resolve(s schema) (schema, string) {
	name, ok := strings.CutPrefix(s.Ref, "#/components/schemas/")
	if !ok {
		return s, ""
	}
	return d.Components.Schemas[name], name
}

// say describes a schema in a few words.
func (d *document) say(s schema) string {
	for _, choice := range append(s.AnyOf, s.OneOf...) {
		if len(choice.Type) == 0 || !slices.Contains(choice.Type, "null") {
			return d.say(choice) + ", or null"
		}
	}
	found, name := d.resolve(s)
	nullable := ""
	if slices.Contains(found.Type, "null") {
		nullable = ", or null"
	}
	kind := "any"
	for _, t := range found.Type {
		if t != "null" {
			kind = t
		}
	}
	switch {
	case len(found.Enum) > 0:
		var list []string
		for _, e := range found.Enum {
			if e != nil {
				list = append(list, fmt.Sprint(e))
			}
		}
		return strings.Join(list, ", ") + nullable
	case kind == "array" && found.Items != nil:
		return "list of " + d.say(*found.Items) + bounds(found.MinItems, found.MaxItems, "items")
	case kind == "object" && name != "":
		return "object " + name + nullable
	case kind == "string":
		return "string" + bounds(found.MinLength, found.MaxLength, "characters") + nullable
	}
	return kind + nullable
}

func bounds(least, most *int, of string) string {
	switch {
	case least != nil && most != nil:
		return fmt.Sprintf(", %d to %d %s", *least, *most, of)
	case most != nil:
		return fmt.Sprintf(", at most %d %s", *most, of)
	case least != nil && *least > 0:
		return fmt.Sprintf(", at least %d %s", *least, of)
	}
	return ""
}

package wire

import (
	"encoding/json"
	"maps"
	"reflect"
	"strings"
	"sync"

	"github.com/danielgtaylor/huma/v2"
)

const schemaPrefix = "#/components/schemas/"

// schemaName is what the document calls a type: its name, without the word that tells documents from records in the code.
func schemaName(t reflect.Type, hint string) string {
	return strings.ReplaceAll(huma.DefaultSchemaNamer(t, hint), "Doc", "")
}

// Describe gives the OpenAPI document of a surface whose routes are all added, written when it is first asked for; and from then on has
// huma judge requests by their structure alone: the types of members, and that there are no others. What values must be is for the
// features to judge, which know it better and name everything that is wrong at once; the document tells it all the same.
func Describe(api huma.API) func() []byte {
	registry := api.OpenAPI().Components.Schemas
	schemas := registry.Map()
	delete(schemas, "ErrorModel") // huma's own, which nobody ever gets
	delete(schemas, "ErrorDetail")
	told, known := maps.Clone(schemas), leaves{}
	for name, s := range told {
		schemas[name] = known.structure(s)
	}
	for name, s := range told {
		nullable(s, registry.TypeFromRef(schemaPrefix+name))
	}
	document, components := *api.OpenAPI(), *api.OpenAPI().Components
	components.Schemas = toldSchemas{registry, told}
	document.Components = &components
	return sync.OnceValue(func() []byte {
		text, err := json.Marshal(&document)
		if err != nil {
			panic("wire: " + err.Error()) // made of our own types
		}
		document = huma.OpenAPI{} // it is not needed again
		return text
	})
}

// toldSchemas are a registry's schemas as the document has them.
type toldSchemas struct {
	huma.Registry
	all map[string]*huma.Schema
}

// MarshalJSON implements json.Marshaler.
func (t toldSchemas) MarshalJSON() ([]byte, error) { return json.Marshal(t.all) }

// ByItself marks a list whose items are judged one by one, by JudgePart, so that a bad one does not spoil the others.
const ByItself = "x-each-by-itself"

// leaves are the structures without parts: a handful, of which the thousands of members share one each.
type leaves map[leaf]*huma.Schema

type leaf struct {
	kind, ref string
	nullable  bool
}

// structure is a schema without its demands on values.
func (known leaves) structure(s *huma.Schema) *huma.Schema {
	if s == nil {
		return nil
	}
	alone := leaf{s.Type, s.Ref, s.Nullable}
	isLeaf := s.Items == nil && s.Properties == nil && s.AdditionalProperties == nil && s.Extensions[ByItself] == nil
	if bare := known[alone]; isLeaf && bare != nil {
		return bare
	}
	if s.Extensions[ByItself] != nil {
		return &huma.Schema{Type: s.Type, Nullable: s.Nullable, Items: &huma.Schema{}}
	}
	bare := &huma.Schema{Type: s.Type, Nullable: s.Nullable, Ref: s.Ref, Items: known.structure(s.Items), AdditionalProperties: s.AdditionalProperties}
	if s.Properties != nil {
		bare.Properties = map[string]*huma.Schema{}
		for name, p := range s.Properties {
			bare.Properties[name] = known.structure(p)
		}
	}
	bare.PrecomputeMessages()
	if isLeaf {
		known[alone] = bare
	}
	return bare
}

// nullable documents members that are pointers to objects: huma knows null for scalars only.
func nullable(s *huma.Schema, t reflect.Type) {
	if t == nil || t.Kind() != reflect.Struct {
		return
	}
	for _, field := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		property := s.Properties[name]
		if property == nil || property.Ref == "" || field.Type.Kind() != reflect.Pointer {
			continue
		}
		s.Properties[name] = &huma.Schema{
			Description: property.Description,
			AnyOf:       []*huma.Schema{{Ref: property.Ref}, {Type: "null"}},
		}
	}
}

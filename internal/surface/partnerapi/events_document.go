package partnerapi

import (
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"daybook/internal/platform/apiversion"
	"daybook/internal/platform/event"
)

// webhookDoc is the body of a delivery, for the document.
type webhookDoc struct {
	ID         string    `json:"id" doc:"The delivery's: the same at every attempt."`
	EventID    *string   `json:"eventId" doc:"The event's; null for a test delivery."`
	Type       string    `json:"type"`
	APIVersion string    `json:"apiVersion" doc:"The version in whose shape data is: the app's pinned one, else the newest."`
	BusinessID string    `json:"businessId" doc:"The word test for a test delivery."`
	Created    int64     `json:"created" doc:"Unix seconds."`
	Data       eventData `json:"data"`
}

// describeEvents tells of every event, as the webhook that brings it, in the newest version.
func describeEvents(o *huma.OpenAPI) {
	all := o.Components.Schemas
	body := all.Schema(typeOf[webhookDoc](), true, "")
	o.Webhooks = map[string]*huma.PathItem{}
	version := apiversion.Latest().Name
	for _, e := range event.Catalog {
		name := schemaName(e.Type)
		data := schemaOf(event.Schema(version, e.Type))
		data.AdditionalProperties = nil // a test delivery has one more, and receivers are to bear with new ones
		all.Map()[name] = data
		o.Webhooks[string(e.Type)] = &huma.PathItem{Post: &huma.Operation{
			OperationID: "webhook-" + strings.ReplaceAll(string(e.Type), ".", "-"), Summary: string(e.Type), Description: audience(e), Tags: []string{"events"},
			RequestBody: &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{"application/json": {
				Schema: &huma.Schema{AllOf: []*huma.Schema{body, {Properties: map[string]*huma.Schema{
					"type": {Enum: []any{string(e.Type)}}, "data": {Ref: "#/components/schemas/" + name},
				}}}},
				Example: delivery(version, e.Type),
			}}},
			Responses: map[string]*huma.Response{"2XX": {Description: "Received. Anything else, and no answer within 10 seconds, is tried again."}},
		}}
	}
}

// schemaName is what the document calls an event's payload: InvoicePaidEvent.
func schemaName(t event.Type) string {
	var name strings.Builder
	for _, w := range strings.FieldsFunc(string(t), func(r rune) bool { return r == '.' || r == '_' }) {
		name.WriteString(strings.ToUpper(w[:1]) + w[1:])
	}
	return name.String() + "Event"
}

func audience(e event.Entry) string {
	switch e.Audience {
	case event.ForApp:
		return "For the one app it concerns. Needs no scope."
	case event.ForPrivacy:
		return "A privacy notice, which apps must act on. Needs " + string(e.Scope) + "."
	}
	return "Needs " + string(e.Scope) + "."
}

// delivery is an example of a body.
func delivery(version string, t event.Type) any {
	return map[string]any{
		"id": "dlv_01k9m4x2v7q3t8r5w1y6z0a2bp", "eventId": "evt_01k9m4x2v7q3t8r5w1y6z0a2bq", "type": string(t), "apiVersion": version,
		"businessId": "biz_01k9m4x2v7q3t8r5w1y6z0a2br", "created": 1779096600, "data": event.Sample(t),
	}
}

// schemaOf turns an event's JSON Schema into huma's.
func schemaOf(from map[string]any) *huma.Schema {
	s := &huma.Schema{AdditionalProperties: from["additionalProperties"]}
	switch kind := from["type"].(type) {
	case string:
		s.Type = kind
	case []any: // of something, or null
		s.Type, _ = kind[0].(string)
		s.Nullable = true
	}
	s.Enum, _ = from["enum"].([]any)
	s.Pattern, _ = from["pattern"].(string)
	if least, ok := from["minLength"].(int); ok {
		s.MinLength = &least
	}
	s.Minimum, s.Maximum = bound(from["minimum"]), bound(from["maximum"])
	if items, ok := from["items"].(map[string]any); ok {
		s.Items = schemaOf(items)
	}
	properties, ok := from["properties"].(map[string]any)
	if !ok {
		return s
	}
	s.Properties = map[string]*huma.Schema{}
	for name, p := range properties {
		one, _ := p.(map[string]any)
		s.Properties[name] = schemaOf(one)
		s.Required = append(s.Required, name)
	}
	slices.Sort(s.Required) // every member is always there
	return s
}

func bound(value any) *float64 {
	n, ok := value.(int)
	if !ok {
		return nil
	}
	f := float64(n)
	return &f
}

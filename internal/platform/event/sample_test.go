package event_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"daybook/internal/platform/apiversion"
	"daybook/internal/platform/event"
	"daybook/internal/platform/scope"
	"daybook/test/shape"
)

// EVTS-06: exactly 45 events, each with its audience, its scope and a sample that is as its schema says in every version.
func TestTheCatalogIsComplete(t *testing.T) {
	if len(event.Catalog) != 45 {
		t.Fatalf("%d events", len(event.Catalog))
	}
	audiences, seen := map[event.Audience]int{}, map[event.Type]bool{}
	for _, e := range event.Catalog {
		audiences[e.Audience]++
		if seen[e.Type] {
			t.Errorf("%s stands there twice", e.Type)
		}
		seen[e.Type] = true
		if (e.Audience == event.ForApp) != (e.Scope == "") || e.Scope != "" && !scope.Partner(e.Scope) {
			t.Errorf("%s is for %s, with the scope %q", e.Type, e.Audience, e.Scope)
		}
		sample := event.Sample(e.Type)
		if _, has := sample["actor"]; has != (e.Audience == event.ForBusiness) {
			t.Errorf("%s: actor %v", e.Type, has)
		}
		for _, v := range apiversion.All {
			sampleFits(t, v.Name, e.Type, sample)
		}
	}
	if audiences[event.ForBusiness] != 38 || audiences[event.ForApp] != 5 || audiences[event.ForPrivacy] != 2 {
		t.Errorf("%v", audiences)
	}
	if event.Sample("invoice.eaten") != nil || event.Schema(apiversion.Latest().Name, "invoice.eaten") != nil {
		t.Error("an event that is not in the catalog has a sample")
	}
}

func sampleFits(t *testing.T, version string, kind event.Type, sample map[string]any) {
	t.Helper()
	text, err := json.Marshal(sample)
	if err != nil {
		t.Fatal(err)
	}
	if text, err = apiversion.RewriteEvent(version, string(kind), text); err != nil {
		t.Fatal(err)
	}
	d, err := apiversion.Decode(text)
	if err != nil {
		t.Fatal(err)
	}
	schema := event.Schema(version, kind)
	if wrong := shape.Fits(schema, d, "data"); len(wrong) > 0 {
		t.Errorf("%s in %s: %s\n%s", kind, version, strings.Join(wrong, "; "), text)
	}
	// The checker itself would notice: a member more, one less, one of another sort.
	for name := range d {
		without := map[string]any{"more": nil}
		for n, v := range d {
			if n != name {
				without[n] = v
			}
		}
		if len(shape.Fits(schema, without, "data")) != 2 {
			t.Fatalf("%s: not noticed that %s is gone", kind, name)
		}
	}
}

// What the versions call differently, the schemas do too.
func TestSchemasOfOlderVersions(t *testing.T) {
	property := func(version string, kind event.Type, name string) any {
		p, _ := event.Schema(version, kind)["properties"].(map[string]any)[name].(map[string]any)
		if words, ok := p["enum"]; ok {
			return words
		}
		return p["type"]
	}
	const older, newest = "2025-10-01", "2026-06-01"
	open := []any{"DRAFT", "OPEN", "PARTIALLY_PAID", "PAID", "VOID", "UNCOLLECTIBLE"}
	sent := []any{"DRAFT", "SENT", "PARTIALLY_PAID", "PAID", "VOID", "UNCOLLECTIBLE"}
	orNull := []any{"string", "null"}
	for _, c := range []struct {
		version string
		kind    event.Type
		name    string
		want    any
	}{
		{newest, event.InvoicePaid, "status", open}, {older, event.InvoicePaid, "status", sent},
		{newest, event.PaymentReceived, "allocations", "array"}, {older, event.PaymentReceived, "allocations", nil},
		{newest, event.PaymentReceived, "invoiceId", nil}, {older, event.PaymentReceived, "invoiceId", orNull},
		{newest, event.PaymentAllocated, "invoiceId", "string"}, {older, event.PaymentAllocated, "invoiceId", "string"},
		{older, event.PaymentDeleted, "invoiceId", nil}, {older, event.AccountCreated, "subtype", property(newest, event.AccountCreated, "subtype")},
	} {
		if got := property(c.version, c.kind, c.name); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s %s %s: %v, want %v", c.version, c.kind, c.name, got, c.want)
		}
	}
}

// What was handed out is the caller's to change.
func TestSamplesAndSchemasAreNotShared(t *testing.T) {
	for _, e := range event.Catalog {
		before := event.Sample(e.Type)
		spoil(event.Sample(e.Type))
		if !reflect.DeepEqual(event.Sample(e.Type), before) {
			t.Errorf("%s has another sample now", e.Type)
		}
		schema := event.Schema("2026-06-01", e.Type)
		spoil(event.Schema("2026-06-01", e.Type))
		if !reflect.DeepEqual(event.Schema("2026-06-01", e.Type), schema) {
			t.Errorf("%s has another schema now", e.Type)
		}
	}
}

func spoil(value any) {
	switch v := value.(type) {
	case map[string]any:
		for name, one := range v {
			spoil(one)
			v[name] = "spoilt"
		}
	case []any:
		for i, one := range v {
			spoil(one)
			v[i] = "spoilt"
		}
	}
}

package consoleapi

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"daybook/internal/tenancy/organization"
)

func TestATableWithAMistakeDoesNotStart(t *testing.T) {
	does := remove(func(context.Context, *call) error { return nil })
	good := Route{Method: "DELETE", Path: "/developer/apps/{appId}/things", Needs: organization.Build, Summary: "End things", verb: does}
	for name, c := range map[string]struct {
		spoil func(*Route)
		told  string
	}{
		"nothing to do":             {func(r *Route) { r.verb = verb{} }, "does nothing"},
		"nothing said":              {func(r *Route) { r.Summary = "" }, "says nothing"},
		"another place":             {func(r *Route) { r.Path = "/apps/{appId}" }, "not of the console"},
		"an app that is not asked":  {func(r *Route) { r.Of = Organization }, "names an app"},
		"an app that is not named":  {func(r *Route) { r.Path = "/developer/things" }, "names an app"},
		"a write that is no secret": {func(r *Route) { r.Needs = organization.Look }, "open to who may only look"},
	} {
		t.Run(name, func(t *testing.T) {
			r := good
			c.spoil(&r)
			if err := check([]Route{r}); err == nil || !strings.Contains(err.Error(), c.told) {
				t.Errorf("%v", err)
			}
		})
	}
	if err := check([]Route{good}); err != nil {
		t.Error(err)
	}
	if err := check([]Route{good, good}); err == nil || !strings.Contains(err.Error(), "twice") {
		t.Errorf("%v", err)
	}
}

// Every row is described with the role it asks for, the parameters it takes and the answer it gives.
func TestTheDocumentDescribesEveryRow(t *testing.T) {
	a := &API{ServiceName: "Daybook", BaseURL: "http://127.0.0.1:8080"}
	a.Register(http.NewServeMux())
	var document struct {
		OpenAPI string `json:"openapi"`
		Paths   map[string]map[string]struct {
			Summary    string                      `json:"summary"`
			Role       string                      `json:"x-role"`
			Security   []map[string][]string       `json:"security"`
			Parameters []struct{ Name, In string } `json:"parameters"`
			Body       any                         `json:"requestBody"`
			Responses  map[string]any              `json:"responses"`
		} `json:"paths"`
		Components struct{ Schemas map[string]any }
	}
	if err := json.Unmarshal(a.Document(), &document); err != nil {
		t.Fatal(err)
	}
	if document.OpenAPI != "3.1.0" || document.Components.Schemas["Error"] == nil || document.Components.Schemas["ErrorModel"] != nil {
		t.Errorf("%s, %d schemas", document.OpenAPI, len(document.Components.Schemas))
	}
	for _, r := range a.Routes() {
		op := document.Paths[r.Path][strings.ToLower(r.Method)]
		if op.Summary != r.Summary || op.Responses["401"] == nil || len(op.Security) != 1 || (op.Role == "") != (r.Of == Person) || r.verb.reads && op.Body == nil {
			t.Errorf("%s: %+v", r.pattern(), op)
		}
		names := map[string]bool{}
		for _, p := range op.Parameters {
			names[p.Name] = true
		}
		for _, want := range r.paramNames() {
			if !names[want] {
				t.Errorf("%s does not tell of %s", r.pattern(), want)
			}
		}
		if names["If-Match"] != r.Versioned {
			t.Errorf("%s: If-Match is told of: %v", r.pattern(), names["If-Match"])
		}
	}
}

func TestTheLeastRole(t *testing.T) {
	for ability, want := range map[organization.Ability]organization.Role{
		organization.Look: organization.Viewer, organization.Build: organization.Developer, organization.Govern: organization.Owner,
	} {
		if got := roleFor(ability); got != want {
			t.Errorf("%v needs %s, told is %s", ability, want, got)
		}
	}
}

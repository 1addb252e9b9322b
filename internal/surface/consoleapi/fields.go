package consoleapi

import (
	"context"
	"encoding/json"
	"net/http"

	"daybook/internal/base/fault"
	"daybook/internal/books/record"
	"daybook/internal/platform/appdata"
	"daybook/internal/tenancy/organization"
)

// fieldRoutes are the fields that an app declares.
func (a *API) fieldRoutes() []Route {
	const all, one, build = "/developer/apps/{appId}/fields", "/developer/apps/{appId}/fields/{fieldId}", organization.Build
	return []Route{
		{Method: "GET", Path: all, Summary: "List the fields that an app declares", verb: show(a.listFields)},
		{Method: "POST", Path: all, Needs: build, Summary: "Declare a field", verb: reads(http.StatusCreated, a.declareField)},
		{Method: "PATCH", Path: one, Needs: build, Versioned: true, Summary: "Change a field", About: "resourceType, key and type never change.",
			verb: reads(http.StatusOK, a.changeField)},
		{Method: "DELETE", Path: one, Needs: build, Versioned: true, Summary: "Delete a field with its values", verb: remove(a.deleteField)},
	}
}

type fieldDoc struct {
	ID           string        `json:"id"`
	ResourceType string        `json:"resourceType"`
	Key          string        `json:"key"`
	Label        string        `json:"label"`
	Description  *string       `json:"description"`
	Type         string        `json:"type"`
	Rules        appdata.Rules `json:"rules"`
	Visibility   string        `json:"visibility"`
	Version      int           `json:"version"`
	CreatedAt    string        `json:"createdAt"`
	UpdatedAt    string        `json:"updatedAt"`
}

func (d fieldDoc) revision() int { return d.Version }

func newFieldDoc(f appdata.Field) fieldDoc {
	return fieldDoc{
		ID: f.ID, ResourceType: string(f.ResourceType), Key: f.Key, Label: f.Label, Description: f.Description, Type: string(f.Type), Rules: f.Rules,
		Visibility: string(f.Visibility), Version: f.Version, CreatedAt: instant(f.CreatedAt), UpdatedAt: instant(f.UpdatedAt),
	}
}

type fieldsDoc struct {
	Data []fieldDoc `json:"data" nullable:"false"`
}

func (a *API) listFields(ctx context.Context, c *call) (fieldsDoc, error) {
	list, err := a.AppData.Fields(ctx, c.app.ID, c.by())
	return fieldsDoc{each(list, newFieldDoc)}, err
}

type newField struct {
	ResourceType appdata.ResourceType `json:"resourceType"`
	Key          string               `json:"key"`
	Label        string               `json:"label"`
	Description  *string              `json:"description,omitempty"`
	Type         appdata.Type         `json:"type"`
	Rules        appdata.RuleSet      `json:"rules,omitempty"`
	Visibility   *appdata.Visibility  `json:"visibility,omitempty"`
}

func (a *API) declareField(ctx context.Context, c *call, body newField) (fieldDoc, error) {
	return fieldAnswer(a.AppData.Declare(ctx, c.app.ID, c.by(), appdata.NewField(body)))
}

type fieldPatch struct {
	Label       record.Patch[string]             `json:"label,omitempty"`
	Description record.Patch[string]             `json:"description,omitempty"`
	Rules       record.Patch[appdata.RuleSet]    `json:"rules,omitempty"`
	Visibility  record.Patch[appdata.Visibility] `json:"visibility,omitempty"`
	// What is fixed is read only to be refused by name.
	ResourceType json.RawMessage `json:"resourceType,omitempty" doc:"Never changes."`
	Key          json.RawMessage `json:"key,omitempty" doc:"Never changes."`
	Type         json.RawMessage `json:"type,omitempty" doc:"Never changes."`
}

func (a *API) changeField(ctx context.Context, c *call, body fieldPatch) (fieldDoc, error) {
	var wrong fault.Check
	wrong.Require(body.ResourceType == nil, "resourceType", "never changes: declare another field")
	wrong.Require(body.Key == nil, "key", "never changes: declare another field")
	wrong.Require(body.Type == nil, "type", "never changes: declare another field")
	wrong.Require(!body.Label.Null, "label", "must not be null")
	wrong.Require(!body.Visibility.Null, "visibility", "must not be null")
	if err := wrong.Err(); err != nil {
		return fieldDoc{}, err
	}
	patch := appdata.FieldPatch{Label: given(body.Label), Description: given(body.Description), Rules: body.Rules.Value, NoRules: body.Rules.Null, Visibility: given(body.Visibility)}
	return fieldAnswer(a.AppData.ChangeField(ctx, c.app.ID, c.by(), c.at("fieldId"), c.seen, patch))
}

// given is the value of a member that was sent; of null it is the empty one.
func given[T any](p record.Patch[T]) *T {
	if !p.Set {
		return nil
	}
	return &p.Value
}

func (a *API) deleteField(ctx context.Context, c *call) error {
	return a.AppData.DeleteField(ctx, c.app.ID, c.by(), c.at("fieldId"), c.seen)
}

func fieldAnswer(f appdata.Field, err error) (fieldDoc, error) {
	if err != nil {
		return fieldDoc{}, err
	}
	return newFieldDoc(f), nil
}

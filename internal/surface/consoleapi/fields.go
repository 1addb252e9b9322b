package consoleapi

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"

	"daybook/internal/base/fault"
	"daybook/internal/books/record"
	"daybook/internal/platform/appdata"
	"daybook/internal/surface/wire"
	"daybook/internal/tenancy/identity"
)

// registerFields adds the routes of the fields that an app declares.
func (a *API) registerFields(mux *http.ServeMux) {
	mux.Handle("GET /developer/apps/{appId}/fields", a.asDeveloper(a.listFields))
	mux.Handle("POST /developer/apps/{appId}/fields", a.asDeveloper(a.declareField))
	mux.Handle("PATCH /developer/apps/{appId}/fields/{fieldId}", a.asDeveloper(a.changeField))
	mux.Handle("DELETE /developer/apps/{appId}/fields/{fieldId}", a.asDeveloper(a.deleteField))
}

// asDeveloper serves a handler for someone who is signed in, wherever they work. Whose app it is the feature decides.
func (a *API) asDeveloper(h func(w http.ResponseWriter, r *http.Request, by identity.User) error) http.Handler {
	return wire.JSON(func(w http.ResponseWriter, r *http.Request) error {
		_, user, err := a.signedIn(r.Context(), r)
		if err != nil {
			return err
		}
		return h(w, r, user)
	})
}

type fieldBody struct {
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

func newFieldBody(f appdata.Field) fieldBody {
	return fieldBody{
		ID: f.ID, ResourceType: string(f.ResourceType), Key: f.Key, Label: f.Label, Description: f.Description, Type: string(f.Type), Rules: f.Rules,
		Visibility: string(f.Visibility), Version: f.Version, CreatedAt: instant(f.CreatedAt), UpdatedAt: instant(f.UpdatedAt),
	}
}

func (a *API) listFields(w http.ResponseWriter, r *http.Request, by identity.User) error {
	if err := wire.CheckQuery(r); err != nil {
		return err
	}
	list, err := a.AppData.Fields(r.Context(), r.PathValue("appId"), by.ID)
	if err != nil {
		return err
	}
	data := []fieldBody{}
	for _, f := range list {
		data = append(data, newFieldBody(f))
	}
	wire.WriteJSON(w, http.StatusOK, map[string]any{"data": data})
	return nil
}

func (a *API) declareField(w http.ResponseWriter, r *http.Request, by identity.User) error {
	var body struct {
		ResourceType appdata.ResourceType `json:"resourceType"`
		Key          string               `json:"key"`
		Label        string               `json:"label"`
		Description  *string              `json:"description"`
		Type         appdata.Type         `json:"type"`
		Rules        appdata.RuleSet      `json:"rules"`
		Visibility   *appdata.Visibility  `json:"visibility"`
	}
	if err := wire.CheckQuery(r); err != nil {
		return err
	}
	if err := wire.ReadJSON(r, &body); err != nil {
		return err
	}
	f, err := a.AppData.Declare(r.Context(), r.PathValue("appId"), by.ID, appdata.NewField(body))
	return writeField(w, http.StatusCreated, f, err)
}

func (a *API) changeField(w http.ResponseWriter, r *http.Request, by identity.User) error {
	var body struct {
		Label       record.Patch[string]             `json:"label"`
		Description record.Patch[string]             `json:"description"`
		Rules       record.Patch[appdata.RuleSet]    `json:"rules"`
		Visibility  record.Patch[appdata.Visibility] `json:"visibility"`
		// What is fixed is read only to be refused by name.
		ResourceType json.RawMessage `json:"resourceType"`
		Key          json.RawMessage `json:"key"`
		Type         json.RawMessage `json:"type"`
	}
	if err := wire.CheckQuery(r); err != nil {
		return err
	}
	seen, err := seenVersion(r)
	if err != nil {
		return err
	}
	if err := wire.ReadJSON(r, &body); err != nil {
		return err
	}
	var c fault.Check
	c.Require(body.ResourceType == nil, "resourceType", "never changes: declare another field")
	c.Require(body.Key == nil, "key", "never changes: declare another field")
	c.Require(body.Type == nil, "type", "never changes: declare another field")
	c.Require(!body.Label.Null, "label", "must not be null")
	c.Require(!body.Visibility.Null, "visibility", "must not be null")
	if err := c.Err(); err != nil {
		return err
	}
	patch := appdata.FieldPatch{Label: given(body.Label), Description: given(body.Description), Rules: body.Rules.Value, NoRules: body.Rules.Null, Visibility: given(body.Visibility)}
	f, err := a.AppData.ChangeField(r.Context(), r.PathValue("appId"), by.ID, r.PathValue("fieldId"), seen, patch)
	return writeField(w, http.StatusOK, f, err)
}

// given is the value of a member that was sent; of null it is the empty one.
func given[T any](p record.Patch[T]) *T {
	if !p.Set {
		return nil
	}
	return &p.Value
}

func (a *API) deleteField(w http.ResponseWriter, r *http.Request, by identity.User) error {
	if err := wire.CheckQuery(r); err != nil {
		return err
	}
	seen, err := seenVersion(r)
	if err != nil {
		return err
	}
	if err := a.AppData.DeleteField(r.Context(), r.PathValue("appId"), by.ID, r.PathValue("fieldId"), seen); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

func writeField(w http.ResponseWriter, status int, f appdata.Field, err error) error {
	if err != nil {
		return err
	}
	w.Header().Set("ETag", `"`+strconv.Itoa(f.Version)+`"`)
	wire.WriteJSON(w, status, newFieldBody(f))
	return nil
}

// seenVersion reads which version of a record the caller has seen; 0 when they do not say.
func seenVersion(r *http.Request) (int, error) {
	values := r.Header["If-Match"]
	if len(values) == 0 || len(values) == 1 && values[0] == "*" {
		return 0, nil
	}
	text := strings.Join(values, ", ")
	n, err := strconv.Atoi(strings.Trim(text, `"`))
	if err != nil || n < 1 || text != `"`+strconv.Itoa(n)+`"` {
		return 0, fault.InvalidFields(`If-Match must be the ETag of the record, such as "3", or *`)
	}
	return n, nil
}

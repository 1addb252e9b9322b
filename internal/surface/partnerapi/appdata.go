package partnerapi

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"daybook/internal/platform/appdata"
	"daybook/internal/platform/idem"
	"daybook/internal/platform/scope"
	"daybook/internal/surface/wire"
)

type appValueDoc struct {
	ID           string     `json:"id" example:"adv_01k9m4x2v7q3t8r5w1y6z0a2bm"`
	ResourceType string     `json:"resourceType" enum:"INVOICE,CUSTOMER,SUPPLIER,PAYMENT,ACCOUNT,JOURNAL_ENTRY"`
	ResourceID   string     `json:"resourceId"`
	Key          string     `json:"key"`
	Type         string     `json:"type" enum:"TEXT,NUMBER,BOOLEAN,DATE,DATETIME,URL,MONEY,CHOICE" example:"CHOICE"`
	Value        shownValue `json:"value" doc:"As its type is written: true or false, an object with amount and currency, or a string."`
	Valid        bool       `json:"valid" example:"true" doc:"False: the rules of the field have changed, and this no longer fits them."`
	Origin       string     `json:"origin" enum:"APP,USER" doc:"Who wrote it."`
	CreatedAt    string     `json:"createdAt"`
	UpdatedAt    string     `json:"updatedAt"`
}

// shownValue is a value, which is JSON already.
type shownValue struct{ json.RawMessage }

// Schema implements huma.SchemaProvider.
func (shownValue) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{AnyOf: []*huma.Schema{{Type: huma.TypeString, Examples: []any{"THURSDAY"}}, {Type: huma.TypeBoolean}, moneySchema()}}
}

// sentValue is a value of whatever shape; the field says what it must be.
type sentValue struct{ json.RawMessage }

// Schema implements huma.SchemaProvider.
func (sentValue) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{AnyOf: []*huma.Schema{{Type: huma.TypeString}, {Type: huma.TypeBoolean}, {Type: huma.TypeInteger}, moneySchema()}}
}

func moneySchema() *huma.Schema {
	return &huma.Schema{
		Type: huma.TypeObject, AdditionalProperties: false, Required: []string{"amount", "currency"},
		Properties: map[string]*huma.Schema{"amount": {Type: huma.TypeInteger}, "currency": {Type: huma.TypeString}},
	}
}

func newAppValueDoc(v appdata.Value) appValueDoc {
	return appValueDoc{
		ID: v.ID, ResourceType: string(v.ResourceType), ResourceID: v.ResourceID, Key: v.Key, Type: string(v.Type), Value: shownValue{v.Value}, Valid: v.Valid,
		Origin: string(v.Origin), CreatedAt: instant(v.CreatedAt), UpdatedAt: instant(v.UpdatedAt),
	}
}

func newAppValuesDoc(list []appdata.Value) dataDoc[appValueDoc] {
	return dataDoc[appValueDoc]{each(list, newAppValueDoc)}
}

type appDataBody struct {
	Values []newAppValue `json:"values" nullable:"false" minItems:"1" maxItems:"25"`
}

type newAppValue struct {
	ResourceType string    `json:"resourceType" enum:"INVOICE,CUSTOMER,SUPPLIER,PAYMENT,ACCOUNT,JOURNAL_ENTRY"`
	ResourceID   string    `json:"resourceId" minLength:"1"`
	Key          string    `json:"key" minLength:"1" doc:"Of a field that the app declared for this sort of record."`
	Value        sentValue `json:"value" doc:"What the type of the field says. Delete a value to take it away: null is refused."`
}

func (a *API) appDataRoutes() []Route {
	var read []scope.Scope
	var view []string
	for _, t := range appdata.ResourceTypes {
		read = append(read, t.Scope())
		view = append(view, string(t.Permission()))
	}
	row := func(method, path, summary string, v verb, params ...Param) Route {
		return Route{
			Method: method, Path: path, OneOf: read, About: "The sort of record decides which scope the token and which permission the person needs: one of the permissions " +
				strings.Join(view, ", ") + ".", Partner: true, AppsOnly: appdata.ErrConnectedAppsOnly, Summary: summary, verb: v, Params: params,
		}
	}
	return []Route{
		row("GET", "/app-data", "List the app's values on records", show(a.appValues), Param{"resourceId", "The id of a record; this or resourceIds."},
			Param{"resourceIds", "Up to 50 ids, separated by commas."}, Param{"keys", "Only values of these fields, separated by commas."}),
		row("PUT", "/app-data", "Write up to 25 values, all or none", change(http.StatusOK, a.putAppValues, newAppValuesDoc)),
		row("DELETE", "/app-data/{id}", "Delete a value", remove(func(c *call) idem.Step[struct{}] { return a.AppData.Delete(c.keeper(), c.id()) })),
	}
}

// keeper is the app that calls, as who keeps values.
func (c *call) keeper() appdata.Call {
	return appdata.Call{BusinessID: c.app.BusinessID, AppID: c.app.AppID, Scopes: c.app.Scopes, Access: c.access}
}

func (a *API) appValues(ctx context.Context, c *call) (dataDoc[appValueDoc], error) {
	params, err := wire.Query(c.request)
	if err != nil {
		return dataDoc[appValueDoc]{}, err
	}
	ids := commaList(params["resourceIds"])
	if one := params["resourceId"]; len(one) > 0 && one[0] != "" { // a name of its own, whatever it holds
		ids = append(ids, one[0])
	}
	list, err := a.AppData.List(ctx, c.keeper(), ids, commaList(params["keys"]))
	return newAppValuesDoc(list), err
}

// commaList is what a parameter names, without the empty ones.
func commaList(values []string) []string {
	var list []string
	for _, v := range values {
		for _, word := range strings.Split(v, ",") {
			if word = strings.TrimSpace(word); word != "" {
				list = append(list, word)
			}
		}
	}
	return list
}

func (a *API) putAppValues(c *call, b appDataBody) (idem.Step[[]appdata.Value], error) {
	values := make([]appdata.NewValue, len(b.Values))
	for i, v := range b.Values {
		values[i] = appdata.NewValue{ResourceType: appdata.ResourceType(v.ResourceType), ResourceID: v.ResourceID, Key: v.Key, Value: v.Value.RawMessage}
	}
	return a.AppData.Put(c.keeper(), values), nil
}

package consoleapi

import (
	"context"
	"net/http"

	"daybook/internal/base/fault"
	"daybook/internal/books/record"
	"daybook/internal/platform/appdata"
	"daybook/internal/platform/extension"
	"daybook/internal/tenancy/organization"
)

// extensionRoutes are the pages of an app that are shown inside ours.
func (a *API) extensionRoutes() []Route {
	const all, one, build = "/developer/apps/{appId}/extensions", "/developer/apps/{appId}/extensions/{extensionId}", organization.Build
	return []Route{
		{Method: "GET", Path: all, Summary: "List an app's extensions", About: "Each with the address it leads to now, and why it is not shown, if it is not.",
			verb: list(a.extensions, newExtensionDoc)},
		{Method: "POST", Path: all, Needs: build, Summary: "Add an extension", About: "At most 10 for an app.", verb: reads(http.StatusCreated, a.createExtension)},
		{Method: "PATCH", Path: one, Needs: build, Versioned: true, Summary: "Change an extension", verb: reads(http.StatusOK, a.changeExtension)},
		{Method: "DELETE", Path: one, Needs: build, Versioned: true, Summary: "Delete an extension", verb: remove(a.deleteExtension)},
	}
}

type extensionDoc struct {
	ID           string  `json:"id"`
	Kind         string  `json:"kind" enum:"PAGE,PANEL,TAB,ACTION"`
	ResourceType *string `json:"resourceType" doc:"The sort of record that it stands beside; null for a PAGE."`
	Label        string  `json:"label"`
	Path         string  `json:"path" doc:"Relative to the App URL."`
	Enabled      bool    `json:"enabled"`
	Address      *string `json:"address" doc:"Where the path leads now; null when it leads to no page on the App URL's origin."`
	HiddenBy     *string `json:"hiddenBy" doc:"Why it is shown nowhere; null when it is shown wherever the app is installed with the scope." enum:"DISABLED,APP_NOT_ACTIVE,EXTENSION_PATH_INVALID,EXTENSION_SCOPE_REQUIRED"`
	Version      int     `json:"version"`
	CreatedAt    string  `json:"createdAt"`
	UpdatedAt    string  `json:"updatedAt"`
}

func (d extensionDoc) revision() int { return d.Version }

func newExtensionDoc(e extension.Placed) extensionDoc {
	d := extensionDoc{
		ID: e.ID, Kind: string(e.Kind), Label: e.Label, Path: e.Path, Enabled: e.Enabled, Version: e.Version, CreatedAt: instant(e.CreatedAt), UpdatedAt: instant(e.UpdatedAt),
	}
	if e.ResourceType != nil {
		d.ResourceType = (*string)(e.ResourceType)
	}
	if e.Address.URL != "" {
		d.Address = &e.Address.URL
	}
	if e.Hidden != extension.Shown {
		d.HiddenBy = (*string)(&e.Hidden)
	}
	return d
}

func (a *API) extensions(ctx context.Context, c *call) ([]extension.Placed, error) {
	return a.Extensions.List(ctx, c.app.ID, c.by())
}

type newExtension struct {
	Kind         extension.Kind        `json:"kind"`
	ResourceType *appdata.ResourceType `json:"resourceType,omitempty"`
	Label        string                `json:"label"`
	Path         *string               `json:"path" nullable:"false"`
	Enabled      *bool                 `json:"enabled,omitempty"`
}

func (a *API) createExtension(ctx context.Context, c *call, body newExtension) (extensionDoc, error) {
	n := extension.New{Kind: body.Kind, ResourceType: body.ResourceType, Label: body.Label, Path: body.Path, Enabled: body.Enabled == nil || *body.Enabled}
	return extensionAnswer(a.Extensions.Create(ctx, c.app.ID, c.by(), n))
}

type extensionPatch struct {
	Kind         record.Patch[extension.Kind]       `json:"kind,omitempty"`
	ResourceType record.Patch[appdata.ResourceType] `json:"resourceType,omitempty"`
	Label        record.Patch[string]               `json:"label,omitempty"`
	Path         record.Patch[string]               `json:"path,omitempty"`
	Enabled      record.Patch[bool]                 `json:"enabled,omitempty"`
}

func (a *API) changeExtension(ctx context.Context, c *call, body extensionPatch) (extensionDoc, error) {
	var wrong fault.Check
	wrong.Require(!body.Kind.Null, "kind", "must not be null")
	wrong.Require(!body.Label.Null, "label", "must not be null")
	wrong.Require(!body.Path.Null, "path", "must not be null")
	wrong.Require(!body.Enabled.Null, "enabled", "must not be null")
	if err := wrong.Err(); err != nil {
		return extensionDoc{}, err
	}
	patch := extension.Patch{Kind: given(body.Kind), Label: given(body.Label), Path: given(body.Path), Enabled: given(body.Enabled)}
	if body.ResourceType.Set {
		beside := body.ResourceType.Optional(nil)
		patch.ResourceType = &beside
	}
	return extensionAnswer(a.Extensions.Change(ctx, c.app.ID, c.by(), c.at("extensionId"), c.seen, patch))
}

func (a *API) deleteExtension(ctx context.Context, c *call) error {
	return a.Extensions.Delete(ctx, c.app.ID, c.by(), c.at("extensionId"), c.seen)
}

func extensionAnswer(e extension.Placed, err error) (extensionDoc, error) {
	if err != nil {
		return extensionDoc{}, err
	}
	return newExtensionDoc(e), nil
}

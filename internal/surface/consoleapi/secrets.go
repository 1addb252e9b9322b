package consoleapi

import (
	"context"
	"net/http"

	"daybook/internal/platform/app"
	"daybook/internal/tenancy/organization"
)

// SecretDoc is a client secret without its value.
type SecretDoc struct {
	ID         string  `json:"id"`
	CreatedAt  string  `json:"createdAt"`
	LastUsedAt *string `json:"lastUsedAt" doc:"To the half minute; null while it was never used."`
}

func newSecretDoc(s app.Secret) SecretDoc {
	return SecretDoc{s.ID, instant(s.CreatedAt), optionalInstant(s.LastUsedAt)}
}

type createdSecretDoc struct {
	SecretDoc
	Secret string `json:"secret" doc:"Shown this once."`
}

func (a *API) secretRoutes() []Route {
	const all, build = "/developer/apps/{appId}/secrets", organization.Build
	return []Route{
		{Method: "GET", Path: all, Summary: "List an app's client secrets", About: "Without their values, which nobody knows any more.", verb: list(a.secrets, newSecretDoc)},
		{Method: "POST", Path: all, Needs: build, Summary: "Create a client secret",
			About: "An app has up to 2 at a time, so that its servers can change over one by one.", verb: act(http.StatusCreated, a.addSecret)},
		{Method: "DELETE", Path: all + "/{secretId}", Needs: build, Summary: "End a client secret", About: "It stops working at once. The last one stays.",
			verb: remove(a.deleteSecret)},
	}
}

func (a *API) secrets(ctx context.Context, c *call) ([]app.Secret, error) {
	return a.Apps.Secrets(ctx, c.app.ID, c.by())
}

func (a *API) addSecret(ctx context.Context, c *call) (createdSecretDoc, error) {
	made, err := a.Apps.AddSecret(ctx, c.app.ID, c.by())
	if err != nil {
		return createdSecretDoc{}, err
	}
	return createdSecretDoc{newSecretDoc(made.Secret), made.Value.Reveal()}, nil
}

func (a *API) deleteSecret(ctx context.Context, c *call) error {
	return a.Apps.DeleteSecret(ctx, c.app.ID, c.by(), c.at("secretId"))
}

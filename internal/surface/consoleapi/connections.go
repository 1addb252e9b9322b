package consoleapi

import (
	"context"

	"daybook/internal/base/cursor"
	"daybook/internal/base/id"
	"daybook/internal/platform/install"
	"daybook/internal/platform/oauth"
)

// ConnectionDoc is an installation as the developer sees it.
type ConnectionDoc struct {
	ID            string   `json:"id"`
	AppID         string   `json:"appId"`
	BusinessID    string   `json:"businessId"`
	BusinessName  string   `json:"businessName"`
	Sandbox       bool     `json:"sandbox"`
	Status        string   `json:"status" enum:"ACTIVE,UNINSTALLED"`
	GrantedScopes []string `json:"grantedScopes" nullable:"false"`
	InstalledAt   string   `json:"installedAt"`
	UninstalledAt *string  `json:"uninstalledAt"`
	RedactAt      *string  `json:"redactAt" doc:"When the app's data in the business is erased; null unless uninstalled."`
	LastUsedAt    *string  `json:"lastUsedAt" doc:"The last call, to the half minute."`
}

func newConnectionDoc(c install.Connection) ConnectionDoc {
	return ConnectionDoc{
		ID: c.ID, AppID: c.AppID, BusinessID: c.BusinessID, BusinessName: c.BusinessName, Sandbox: c.Sandbox, Status: string(c.Status),
		GrantedScopes: words(c.GrantedScopes), InstalledAt: instant(c.InstalledAt), UninstalledAt: optionalInstant(c.UninstalledAt),
		RedactAt: optionalInstant(c.RedactAt), LastUsedAt: optionalInstant(c.LastUsedAt),
	}
}

type connectionDetailDoc struct {
	ConnectionDoc
	TokenFamilies []familyDoc `json:"tokenFamilies" nullable:"false" doc:"The newest 100, the newest first. They are forgotten a week after their end."`
}

// familyDoc is the life of what came from one consent or session: never a token.
type familyDoc struct {
	ID              string   `json:"id"`
	UserID          string   `json:"userId"`
	Grant           string   `json:"grant" enum:"CONSENT,TOKEN_EXCHANGE"`
	Scopes          []string `json:"scopes" nullable:"false"`
	IssuedAt        string   `json:"issuedAt"`
	Refreshes       int      `json:"refreshes" doc:"How often its tokens were replaced."`
	LastRefreshedAt *string  `json:"lastRefreshedAt"`
	ExpiresAt       string   `json:"expiresAt" doc:"When its last token expires."`
	State           string   `json:"state" enum:"LIVE,ENDED,BURNT" doc:"BURNT: somebody else may hold its tokens, so all of them were ended."`
	EndedAt         *string  `json:"endedAt"`
	EndReason       *string  `json:"endReason" enum:"TOKEN_REUSED,CODE_REPLAYED,REVOKED_BY_APP,ACCESS_REVOKED,UNINSTALLED,EXPIRED,REVOKED"`
}

func newFamilyDoc(h oauth.History) familyDoc {
	d := familyDoc{
		ID: h.ID, UserID: h.UserID, Grant: "CONSENT", Scopes: words(h.Scopes), IssuedAt: instant(h.IssuedAt), Refreshes: h.Refreshes,
		LastRefreshedAt: optionalInstant(h.RefreshedAt), ExpiresAt: instant(h.ExpiresAt), State: "LIVE", EndedAt: optionalInstant(h.EndedAt),
	}
	if h.Exchange {
		d.Grant = "TOKEN_EXCHANGE"
	}
	if h.Why != "" {
		why := string(h.Why)
		d.State, d.EndReason = "ENDED", &why
	}
	if h.Why.Burnt() {
		d.State = "BURNT"
	}
	return d
}

func (a *API) connectionRoutes() []Route {
	const all = "/developer/apps/{appId}/installations"
	return []Route{
		{Method: "GET", Path: all, Summary: "List where an app is installed", About: "The newest first.", verb: page(a.connections, newConnectionDoc),
			Params: []Param{limitParam, cursorParam, {"status", "ACTIVE or UNINSTALLED."}, {"businessId", "Only those of this business."}}},
		{Method: "GET", Path: all + "/{installationId}", Summary: "Show an installation and the life of its tokens", verb: show(a.showConnection)},
	}
}

func (a *API) connections(ctx context.Context, c *call) ([]install.Connection, *string, error) {
	q := query{of: c.param}
	l := install.Listing{Limit: q.number("limit", defaultPage, 1, maxPage), BusinessID: q.id("businessId", id.Business), Status: install.Status(q.word("status"))}
	q.wrong.Require(l.Status == "" || l.Status == install.Active || l.Status == install.Uninstalled, "status", "must be ACTIVE or UNINSTALLED")
	at := q.word("cursor")
	if err := q.wrong.Err(); err != nil || c.wrong.Err() != nil {
		return nil, nil, err
	}
	list := []any{"installations", c.app.ID, l.BusinessID, l.Status}
	var err error
	if l.Behind, err = cursor.Read(at, list...); err != nil {
		return nil, nil, err
	}
	found, more, err := a.Installations.OfApp(ctx, c.app.ID, c.by(), l)
	if err != nil || !more {
		return found, nil, err
	}
	next := cursor.Write(found[len(found)-1].ID, list...)
	return found, &next, nil
}

// maxPage is how many a page shows at most.
const maxPage = 100

func (a *API) showConnection(ctx context.Context, c *call) (connectionDetailDoc, error) {
	one, err := a.Installations.OneOfApp(ctx, c.app.ID, c.by(), c.at("installationId"))
	if err != nil {
		return connectionDetailDoc{}, err
	}
	families, err := a.OAuth.History(ctx, c.app.ID, c.by(), one.ID)
	return connectionDetailDoc{newConnectionDoc(one), each(families, newFamilyDoc)}, err
}

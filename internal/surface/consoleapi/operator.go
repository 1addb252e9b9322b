package consoleapi

import (
	"net/http"

	"daybook/internal/base/fault"
	"daybook/internal/base/trail"
	"daybook/internal/platform/app"
	"daybook/internal/surface/wire"
	"daybook/internal/tenancy/identity"
)

// registerOperator adds the routes of operators: those who look after all of it.
func (a *API) registerOperator(mux *http.ServeMux) {
	mux.Handle("GET /operator/apps", a.asOperator(a.searchApps))
	mux.Handle("GET /operator/apps/{appId}", a.asOperator(a.showWatchedApp))
	mux.Handle("POST /operator/apps/{appId}/suspend", a.asOperator(a.suspendApp))
	mux.Handle("POST /operator/apps/{appId}/unsuspend", a.asOperator(a.unsuspendApp))
	mux.Handle("GET /operator/users", a.asOperator(a.findUsers))
	mux.Handle("GET /operator/users/{userId}", a.asOperator(a.showWatchedUser))
	for path, m := range measures {
		mux.Handle("POST /operator/users/{userId}/"+path, a.asOperator(a.measure(m)))
	}
	a.registerReviews(mux)
	mux.Handle("GET /operator/health", a.asOperator(a.showHealth))
	mux.Handle("GET /operator/audit", a.asOperator(a.listAudit))
}

// measures are what an operator can do about a person. lift undoes whatever is in force.
var measures = map[string]identity.Measure{
	"suspend": identity.Suspending, "unsuspend": identity.Unsuspending, "restrict": identity.Restricting, "unrestrict": identity.Unrestricting,
	"lift": identity.Lifting,
}

// asOperator serves a handler for a signed-in operator. For anyone else there is nothing here. What is done is kept in the
// operator's name.
func (a *API) asOperator(h func(w http.ResponseWriter, r *http.Request, by identity.User) error) http.Handler {
	return wire.JSON(func(w http.ResponseWriter, r *http.Request) error {
		_, user, err := a.signedIn(r.Context(), r)
		switch {
		case fault.KindOf(err) == fault.Unauthenticated, err == nil && !user.Operator:
			return wire.Nothing(r)
		case err != nil:
			return err
		}
		return h(w, r.WithContext(trail.As(r.Context(), user.ID)), user)
	})
}

// paramsOf reads the query parameters of a route outside of the table.
func paramsOf(r *http.Request, known ...string) (query, error) {
	if err := wire.CheckQuery(r, known...); err != nil {
		return query{}, err
	}
	params := r.URL.Query()
	return query{of: func(name string) *string {
		if !params.Has(name) {
			return nil
		}
		value := params.Get(name)
		return &value
	}}, nil
}

type watchedAppBody struct {
	AppID            string  `json:"appId"`
	Name             string  `json:"name"`
	OrganizationID   *string `json:"organizationId"`
	Origin           string  `json:"origin"`
	ClientID         string  `json:"clientId"`
	ClientType       string  `json:"clientType"`
	Status           string  `json:"status"`
	ReviewStatus     string  `json:"reviewStatus"`
	DeactivatedAt    *string `json:"deactivatedAt"`
	SuspendedAt      *string `json:"suspendedAt"`
	SuspensionReason *string `json:"suspensionReason"`
	CreatedAt        string  `json:"createdAt"`
	UpdatedAt        string  `json:"updatedAt"`
}

func newWatchedAppBody(o app.App) watchedAppBody {
	return watchedAppBody{
		AppID: o.ID, Name: o.Name, OrganizationID: o.OrganizationID, Origin: string(o.Origin), ClientID: o.ClientID, ClientType: string(o.ClientType),
		Status: string(o.Status()), ReviewStatus: string(o.ReviewStatus), DeactivatedAt: optionalInstant(o.DeactivatedAt), SuspendedAt: optionalInstant(o.SuspendedAt),
		SuspensionReason: o.SuspensionReason, CreatedAt: instant(o.CreatedAt), UpdatedAt: instant(o.UpdatedAt),
	}
}

func (a *API) searchApps(w http.ResponseWriter, r *http.Request, _ identity.User) error {
	q, err := paramsOf(r, "search", "status", "limit", "cursor")
	if err != nil {
		return err
	}
	f := app.Search{Text: q.word("search"), Status: app.Status(q.oneOf("status", string(app.Active), string(app.Deactivated), string(app.Suspended)))}
	limit, at := q.number("limit", defaultPage, 1, app.MaxPage), q.word("cursor")
	if err := q.wrong.Err(); err != nil {
		return err
	}
	found, err := a.Apps.Search(r.Context(), f, at, limit)
	if err != nil {
		return err
	}
	body := newListBody(found.Apps, newWatchedAppBody)
	body.HasMore, body.NextCursor = found.Next != nil, found.Next
	wire.WriteJSON(w, http.StatusOK, body)
	return nil
}

func (a *API) showWatchedApp(w http.ResponseWriter, r *http.Request, _ identity.User) error {
	if err := wire.CheckQuery(r); err != nil {
		return err
	}
	one, err := a.Apps.Show(r.Context(), r.PathValue("appId"))
	return writeWatchedApp(w, one, err)
}

// reasonBody says why.
type reasonBody struct {
	Reason string `json:"reason"`
}

func (a *API) suspendApp(w http.ResponseWriter, r *http.Request, _ identity.User) error {
	var body reasonBody
	if err := readStrictly(r, &body); err != nil {
		return err
	}
	one, err := a.Apps.Suspend(r.Context(), r.PathValue("appId"), body.Reason)
	return writeWatchedApp(w, one, err)
}

func (a *API) unsuspendApp(w http.ResponseWriter, r *http.Request, _ identity.User) error {
	if err := readStrictly(r, &struct{}{}); err != nil {
		return err
	}
	one, err := a.Apps.Unsuspend(r.Context(), r.PathValue("appId"))
	return writeWatchedApp(w, one, err)
}

func writeWatchedApp(w http.ResponseWriter, one app.App, err error) error {
	if err != nil {
		return err
	}
	wire.WriteJSON(w, http.StatusOK, newWatchedAppBody(one))
	return nil
}

// readStrictly reads a body that may be left out, of a request without parameters.
func readStrictly(r *http.Request, v any) error {
	if err := wire.CheckQuery(r); err != nil {
		return err
	}
	return readOptional(r, v)
}

type watchedUserBody struct {
	ID           string  `json:"id"`
	Email        string  `json:"email"`
	DisplayName  string  `json:"displayName"`
	Operator     bool    `json:"operator"`
	Status       string  `json:"status"`
	SuspendedAt  *string `json:"suspendedAt"`
	RestrictedAt *string `json:"restrictedAt"`
	CreatedAt    string  `json:"createdAt"`
	UpdatedAt    string  `json:"updatedAt"`
}

func newWatchedUserBody(u identity.User) watchedUserBody {
	return watchedUserBody{
		ID: u.ID, Email: u.Email, DisplayName: u.DisplayName, Operator: u.Operator, Status: string(u.Status()), SuspendedAt: optionalInstant(u.SuspendedAt),
		RestrictedAt: optionalInstant(u.RestrictedAt), CreatedAt: instant(u.CreatedAt), UpdatedAt: instant(u.UpdatedAt),
	}
}

// findUsers finds people by their address, or those whom something holds: nobody browses through all of them.
func (a *API) findUsers(w http.ResponseWriter, r *http.Request, _ identity.User) error {
	q, err := paramsOf(r, "email", "held", "limit", "cursor")
	if err != nil {
		return err
	}
	email, held := q.word("email"), identity.Hold(q.oneOf("held", string(identity.HeldSuspended), string(identity.HeldRestricted)))
	limit, at := q.number("limit", defaultPage, 1, identity.MaxPage), q.word("cursor")
	q.wrong.Require(q.of("email") != nil || q.of("held") != nil, "email", "is required, unless held says whom to list")
	q.wrong.Require(q.of("email") == nil || q.of("held") == nil, "held", "cannot go with email")
	if err := q.wrong.Err(); err != nil {
		return err
	}
	var found identity.People
	if held != "" {
		found, err = a.Identity.Held(r.Context(), held, at, limit)
	} else {
		found.Users, err = a.userBy(r, email)
	}
	if err != nil {
		return err
	}
	body := newListBody(found.Users, newWatchedUserBody)
	body.HasMore, body.NextCursor = found.Next != nil, found.Next
	wire.WriteJSON(w, http.StatusOK, body)
	return nil
}

// userBy is the person with an address, if there is one.
func (a *API) userBy(r *http.Request, email string) ([]identity.User, error) {
	u, err := a.Identity.FindByEmail(r.Context(), email)
	switch {
	case fault.KindOf(err) == fault.NotFound:
		return nil, nil
	case err != nil:
		return nil, err
	}
	return []identity.User{u}, nil
}

func (a *API) showWatchedUser(w http.ResponseWriter, r *http.Request, _ identity.User) error {
	if err := wire.CheckQuery(r); err != nil {
		return err
	}
	u, err := a.Identity.Get(r.Context(), r.PathValue("userId"))
	if err != nil {
		return err
	}
	wire.WriteJSON(w, http.StatusOK, newWatchedUserBody(u))
	return nil
}

func (a *API) measure(m identity.Measure) func(w http.ResponseWriter, r *http.Request, by identity.User) error {
	return func(w http.ResponseWriter, r *http.Request, by identity.User) error {
		var body reasonBody
		if err := readStrictly(r, &body); err != nil {
			return err
		}
		u, err := a.Identity.Take(r.Context(), by.ID, r.PathValue("userId"), m, body.Reason)
		if err != nil {
			return err
		}
		wire.WriteJSON(w, http.StatusOK, newWatchedUserBody(u))
		return nil
	}
}

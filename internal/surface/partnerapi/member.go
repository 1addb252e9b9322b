package partnerapi

import (
	"context"
	"net/http"

	"daybook/internal/base/fault"
	"daybook/internal/tenancy/business"
)

type memberDoc struct {
	UserID      string        `json:"userId"`
	DisplayName string        `json:"displayName"`
	Email       string        `json:"email"`
	Role        string        `json:"role"`
	Overrides   []overrideDoc `json:"overrides" nullable:"false"`
	CreatedAt   string        `json:"createdAt"`
}

type roleDoc struct {
	Role        string        `json:"role"`
	Permissions []string      `json:"permissions" nullable:"false" doc:"What the role may do unless the business says otherwise"`
	Overrides   []overrideDoc `json:"overrides" nullable:"false"`
}

type overrideDoc struct {
	Permission string `json:"permission"`
	Effect     string `json:"effect" enum:"GRANT,DENY"`
}

type dataDoc[D any] struct {
	Data []D `json:"data" nullable:"false"`
}

type newMember struct {
	Email string `json:"email"`
	Role  string `json:"role" enum:"OWNER,ADMIN,ACCOUNTANT,STAFF,VIEWER"`
}

type memberPatch struct {
	Role string `json:"role" enum:"OWNER,ADMIN,ACCOUNTANT,STAFF,VIEWER"`
}

type overrideBody struct {
	Effect *string `json:"effect" enum:"GRANT,DENY" doc:"Null returns to the default."`
}

func (a *API) memberRoutes() []Route {
	const manage = business.MembersManage
	return []Route{
		{Method: "GET", Path: "/members", Summary: "List who belongs to the business", verb: show(a.members)},
		{Method: "POST", Path: "/members", Permission: manage, Summary: "Take a user in", verb: manages(http.StatusCreated, a.addMember)},
		{Method: "PATCH", Path: "/members/{userId}", Permission: manage, Summary: "Give a member another role", verb: manages(http.StatusOK, a.changeRole)},
		{Method: "DELETE", Path: "/members/{userId}", Permission: manage, Summary: "Let a member go", verb: dismisses(a.removeMember)},
		{Method: "PUT", Path: "/members/{userId}/permissions/{permission}", Permission: manage, Summary: "Grant or deny a permission to one member",
			verb: manages(http.StatusOK, a.overrideMember)},
		{Method: "GET", Path: "/roles", Summary: "List the roles and what they may do", verb: show(a.roles)},
		{Method: "PUT", Path: "/roles/{role}/permissions/{permission}", Permission: manage, Summary: "Grant or deny a permission to a role",
			verb: manages(http.StatusOK, a.overrideRole)},
	}
}

func (a *API) members(ctx context.Context, c *call) (dataDoc[memberDoc], error) {
	doc := dataDoc[memberDoc]{Data: []memberDoc{}}
	list, err := a.Businesses.Members(ctx, c.by.BusinessID, c.userID())
	if err != nil {
		return doc, err
	}
	overrides, err := a.Businesses.Overrides(ctx, c.by.BusinessID, c.userID())
	if err != nil {
		return doc, err
	}
	for _, m := range list {
		user, err := a.Identity.Get(ctx, m.UserID)
		if err != nil {
			return doc, err
		}
		doc.Data = append(doc.Data, memberDoc{
			UserID: user.ID, DisplayName: user.DisplayName, Email: user.Email, Role: string(m.Role), CreatedAt: instant(m.CreatedAt),
			Overrides: overridesOf(overrides, func(o business.Override) bool { return o.UserID == m.UserID }),
		})
	}
	return doc, nil
}

func overridesOf(list []business.Override, of func(business.Override) bool) []overrideDoc {
	docs := []overrideDoc{}
	for _, o := range list {
		if of(o) {
			docs = append(docs, overrideDoc{string(o.Permission), string(o.Effect)})
		}
	}
	return docs
}

// member is one of them, as the list shows it.
func (a *API) member(ctx context.Context, c *call, userID string) (memberDoc, error) {
	all, err := a.members(ctx, c)
	if err != nil {
		return memberDoc{}, err
	}
	for _, m := range all.Data {
		if m.UserID == userID {
			return m, nil
		}
	}
	return memberDoc{}, business.ErrNoMember
}

func (a *API) addMember(ctx context.Context, c *call, body newMember) (memberDoc, error) {
	user, err := a.Identity.FindByEmail(ctx, body.Email)
	if fault.KindOf(err) == fault.NotFound {
		return memberDoc{}, fault.InvalidFields("email must be the address of someone with an account here")
	}
	if err != nil {
		return memberDoc{}, err
	}
	if err := a.Businesses.AddMember(ctx, c.by.BusinessID, c.userID(), user.ID, business.Role(body.Role)); err != nil {
		return memberDoc{}, err
	}
	return a.member(ctx, c, user.ID)
}

func (a *API) changeRole(ctx context.Context, c *call, body memberPatch) (memberDoc, error) {
	userID := c.request.PathValue("userId")
	if err := a.Businesses.ChangeRole(ctx, c.by.BusinessID, c.userID(), userID, business.Role(body.Role)); err != nil {
		return memberDoc{}, err
	}
	return a.member(ctx, c, userID)
}

func (a *API) removeMember(ctx context.Context, c *call) error {
	return a.Businesses.RemoveMember(ctx, c.by.BusinessID, c.userID(), c.request.PathValue("userId"))
}

func (a *API) overrideMember(ctx context.Context, c *call, body overrideBody) (memberDoc, error) {
	userID, p := c.request.PathValue("userId"), business.Permission(c.request.PathValue("permission"))
	if err := a.Businesses.SetMemberOverride(ctx, c.by.BusinessID, c.userID(), userID, p, (*business.Effect)(body.Effect)); err != nil {
		return memberDoc{}, err
	}
	return a.member(ctx, c, userID)
}

func (a *API) roles(ctx context.Context, c *call) (dataDoc[roleDoc], error) {
	doc := dataDoc[roleDoc]{Data: []roleDoc{}}
	overrides, err := a.Businesses.Overrides(ctx, c.by.BusinessID, c.userID())
	if err != nil {
		return doc, err
	}
	for _, role := range business.Roles {
		doc.Data = append(doc.Data, roleDoc{
			Role: string(role), Permissions: words(business.Defaults(role)),
			Overrides: overridesOf(overrides, func(o business.Override) bool { return o.Role == role }),
		})
	}
	return doc, nil
}

func (a *API) overrideRole(ctx context.Context, c *call, body overrideBody) (roleDoc, error) {
	role, p := business.Role(c.request.PathValue("role")), business.Permission(c.request.PathValue("permission"))
	if err := a.Businesses.SetRoleOverride(ctx, c.by.BusinessID, c.userID(), role, p, (*business.Effect)(body.Effect)); err != nil {
		return roleDoc{}, err
	}
	all, err := a.roles(ctx, c)
	if err != nil {
		return roleDoc{}, err
	}
	for _, r := range all.Data {
		if r.Role == string(role) {
			return r, nil
		}
	}
	return roleDoc{}, business.ErrNotFound
}

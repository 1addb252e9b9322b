package consoleapi

import (
	"context"
	"net/http"

	"daybook/internal/base/fault"
	"daybook/internal/surface/wire"
	"daybook/internal/tenancy/organization"
)

type organizationDoc struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	Role      string `json:"role" enum:"OWNER,DEVELOPER,VIEWER" doc:"Of the person who asks."`
	Version   int    `json:"version"`
	CreatedAt string `json:"createdAt"`
	UpdatedAt string `json:"updatedAt"`
}

func (d organizationDoc) revision() int { return d.Version }

func newOrganizationDoc(m organization.Membership) organizationDoc {
	return organizationDoc{m.ID, m.Name, string(m.Role), m.Version, instant(m.CreatedAt), instant(m.UpdatedAt)}
}

type organizationPatch struct {
	Name *string `json:"name,omitempty" minLength:"1" maxLength:"100"`
}

func (p organizationPatch) judge() error {
	if p.Name == nil {
		return nil
	}
	return organization.CheckName(*p.Name)
}

func (a *API) organizationRoutes() []Route {
	return []Route{
		{Method: "GET", Path: "/developer/organizations", Of: Person, Summary: "List the organizations that you belong to", verb: list(a.organizations, newOrganizationDoc)},
		{Method: "GET", Path: "/developer/organization", Of: Organization, Summary: "Show your organization", verb: show(a.showOrganization)},
		{Method: "PATCH", Path: "/developer/organization", Of: Organization, Needs: organization.Govern, Versioned: true, Summary: "Change your organization",
			verb: change(http.StatusOK, organizationPatch.judge, a.changeOrganization)},
	}
}

func (a *API) organizations(ctx context.Context, c *call) ([]organization.Membership, error) {
	return a.Organizations.Memberships(ctx, c.by())
}

func (a *API) showOrganization(_ context.Context, c *call) (organizationDoc, error) {
	return newOrganizationDoc(c.membership), nil
}

func (a *API) changeOrganization(ctx context.Context, c *call, body organizationPatch) (organizationDoc, error) {
	m := c.membership
	if body.Name == nil {
		if c.seen != 0 && c.seen != m.Version {
			return organizationDoc{}, organization.ErrChanged
		}
		return newOrganizationDoc(m), nil
	}
	changed, err := a.Organizations.Rename(ctx, m.ID, c.by(), c.seen, *body.Name)
	m.Organization = changed
	return newOrganizationDoc(m), err
}

type memberDoc struct {
	UserID      string `json:"userId"`
	DisplayName string `json:"displayName"`
	Email       string `json:"email"`
	Role        string `json:"role" enum:"OWNER,DEVELOPER,VIEWER"`
	CreatedAt   string `json:"createdAt"`
}

func newMemberDoc(m organization.Colleague) memberDoc {
	return memberDoc{m.UserID, m.DisplayName, m.Email, string(m.Role), instant(m.CreatedAt)}
}

type newMember struct {
	Email string `json:"email" doc:"Of someone who has an account here."`
	Role  string `json:"role" enum:"OWNER,DEVELOPER,VIEWER"`
}

func (n newMember) judge() error { return organization.CheckRole(organization.Role(n.Role)) }

type memberPatch struct {
	Role string `json:"role" enum:"OWNER,DEVELOPER,VIEWER"`
}

func (p memberPatch) judge() error { return organization.CheckRole(organization.Role(p.Role)) }

func (a *API) memberRoutes() []Route {
	const govern = organization.Govern
	return []Route{
		{Method: "GET", Path: "/developer/organization/members", Of: Organization, Summary: "List who belongs to the organization", verb: list(a.members, newMemberDoc)},
		{Method: "POST", Path: "/developer/organization/members", Of: Organization, Needs: govern, Summary: "Take somebody in",
			verb: change(http.StatusCreated, newMember.judge, a.addMember)},
		{Method: "PATCH", Path: "/developer/organization/members/{userId}", Of: Organization, Needs: govern, Summary: "Give a member another role",
			About: "The last OWNER stays one.", verb: change(http.StatusOK, memberPatch.judge, a.changeMember)},
		{Method: "DELETE", Path: "/developer/organization/members/{userId}", Of: Organization, Needs: govern, Summary: "Let a member go",
			About: "The last OWNER stays.", verb: remove(a.removeMember)},
	}
}

func (a *API) members(ctx context.Context, c *call) ([]organization.Colleague, error) {
	return a.Organizations.Roster(ctx, c.membership.ID, c.by())
}

// member is one of them, as the list shows it.
func (a *API) member(ctx context.Context, c *call, userID string) (memberDoc, error) {
	all, err := a.members(ctx, c)
	if err != nil {
		return memberDoc{}, err
	}
	for _, m := range all {
		if m.UserID == userID {
			return newMemberDoc(m), nil
		}
	}
	return memberDoc{}, organization.ErrNoMember // gone in this very moment
}

func (a *API) addMember(ctx context.Context, c *call, body newMember) (memberDoc, error) {
	var wrong fault.Check
	user, err := a.Identity.FindByEmail(ctx, body.Email)
	if err != nil && fault.KindOf(err) != fault.NotFound {
		return memberDoc{}, err
	}
	wrong.Require(err == nil, "email", "must be the address of someone with an account here")
	if err := wire.Merge(wrong.Err(), body.judge()); err != nil {
		return memberDoc{}, err
	}
	if err := a.Organizations.AddMember(ctx, c.membership.ID, c.by(), user.ID, organization.Role(body.Role)); err != nil {
		return memberDoc{}, err
	}
	return a.member(ctx, c, user.ID)
}

func (a *API) changeMember(ctx context.Context, c *call, body memberPatch) (memberDoc, error) {
	if err := a.Organizations.ChangeRole(ctx, c.membership.ID, c.by(), c.at("userId"), organization.Role(body.Role)); err != nil {
		return memberDoc{}, err
	}
	return a.member(ctx, c, c.at("userId"))
}

func (a *API) removeMember(ctx context.Context, c *call) error {
	return a.Organizations.RemoveMember(ctx, c.membership.ID, c.by(), c.at("userId"))
}

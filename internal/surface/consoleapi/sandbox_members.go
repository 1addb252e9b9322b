package consoleapi

import (
	"context"

	"daybook/internal/base/secret"
	"daybook/internal/books/sandbox"
	"daybook/internal/tenancy/business"
)

// SandboxMemberDoc is somebody who belongs to a sandbox.
type SandboxMemberDoc struct {
	UserID      string `json:"userId"`
	Email       string `json:"email"`
	DisplayName string `json:"displayName"`
	Role        string `json:"role" enum:"OWNER,ADMIN,ACCOUNTANT,STAFF,VIEWER"`
	Test        bool   `json:"test" doc:"Made to try a role; goes with the last sandbox they belong to."`
	CreatedAt   string `json:"createdAt"`
}

func newSandboxMemberDoc(p business.Person) SandboxMemberDoc {
	return SandboxMemberDoc{p.UserID, p.Email, p.DisplayName, string(p.Role), p.Test, instant(p.CreatedAt)}
}

type joinedDoc struct {
	SandboxMemberDoc
	Password *string `json:"password" doc:"Of a test user who was made by this call, shown this once; null for anyone who was there before."`
}

type newSandboxMember struct {
	Email       string  `json:"email" doc:"Of a member of the organization or one of its test users, or, for a new test user, one that ends in .test, .example, .invalid or @example.com."`
	Role        string  `json:"role" enum:"OWNER,ADMIN,ACCOUNTANT,STAFF,VIEWER"`
	DisplayName *string `json:"displayName,omitempty" maxLength:"200" doc:"Of a new test user."`
	Password    *string `json:"password,omitempty" doc:"Of a new test user; by default one is made."`
}

func (n newSandboxMember) asked() sandbox.NewMember {
	made := sandbox.NewMember{Email: n.Email, Role: business.Role(n.Role)}
	if n.DisplayName != nil {
		made.DisplayName = *n.DisplayName
	}
	if n.Password != nil {
		made.Password = secret.Of(*n.Password)
	}
	return made
}

func (n newSandboxMember) judge() error { return n.asked().Check() }

func (a *API) sandboxMembers(ctx context.Context, c *call) ([]business.Person, error) {
	return a.Sandboxes.Members(ctx, c.sandboxID(), c.by())
}

func (a *API) addSandboxMember(ctx context.Context, c *call, body newSandboxMember) (joinedDoc, error) {
	joined, err := a.Sandboxes.AddMember(ctx, c.sandboxID(), c.by(), body.asked())
	if err != nil {
		return joinedDoc{}, err
	}
	doc := joinedDoc{SandboxMemberDoc: newSandboxMemberDoc(joined.Person)}
	if !joined.Password.Empty() {
		value := joined.Password.Reveal()
		doc.Password = &value
	}
	return doc, nil
}

func (a *API) removeSandboxMember(ctx context.Context, c *call) error {
	return a.Sandboxes.RemoveMember(ctx, c.sandboxID(), c.by(), c.at("userId"))
}

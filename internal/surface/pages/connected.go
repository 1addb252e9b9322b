package pages

import (
	"context"
	"net/http"

	"daybook/internal/tenancy/business"
)

type connectedView struct {
	Business  string
	Apps      []connectedApp
	MayManage bool
}

type connectedApp struct {
	ID         string
	App        appView
	Grants     []grantView
	Since      stamp
	LastUsedAt *stamp
}

var connectedPage = newPage[connectedView]("connected.html")

// connected lists the apps that a business is connected to, and what each may do.
func (s *Site) connected(w http.ResponseWriter, r *http.Request, d *atDesk) error {
	list, err := s.Installations.List(r.Context(), d.business.ID, d.who.user.ID)
	if err != nil {
		return err
	}
	v := connectedView{Business: d.business.Name, MayManage: d.access.May(business.AppsManage)}
	for _, one := range list {
		a, err := s.Apps.Show(r.Context(), one.AppID)
		if err != nil {
			return err
		}
		described, err := s.describeApp(r, a)
		if err != nil {
			return err
		}
		row := connectedApp{ID: one.ID, App: described, Grants: grants(one.GrantedScopes.Entries()), Since: d.stamp(one.InstalledAt)}
		if one.LastUsedAt != nil {
			row.LastUsedAt = new(d.stamp(*one.LastUsedAt))
		}
		v.Apps = append(v.Apps, row)
	}
	connectedPage.write(w, r, s, http.StatusOK, d.frame("Apps", "Connected apps"), v)
	return nil
}

func (s *Site) currentBusiness(ctx context.Context, who visitor) (*business.Membership, error) {
	list, err := s.Businesses.Of(ctx, who.user.ID)
	return business.Current(who.session, list), err
}

func (s *Site) uninstall(w http.ResponseWriter, r *http.Request) error {
	return s.onInstallation(w, r, func(ctx context.Context, businessID, userID, id string) error {
		_, err := s.Installations.Uninstall(ctx, businessID, userID, id)
		return err
	})
}

func (s *Site) revokeAccess(w http.ResponseWriter, r *http.Request) error {
	return s.onInstallation(w, r, func(ctx context.Context, businessID, userID, id string) error {
		access, err := s.Businesses.Access(ctx, businessID, userID)
		if err != nil {
			return err
		}
		if access.May(business.AppsManage) {
			return s.Installations.RevokeAccess(ctx, businessID, userID, id)
		}
		return s.Installations.RevokeOwn(ctx, businessID, userID, id)
	})
}

func (s *Site) onInstallation(w http.ResponseWriter, r *http.Request, do func(ctx context.Context, businessID, userID, id string) error) error {
	who, err := s.visitor(r)
	if err != nil {
		return err
	}
	current, err := s.currentBusiness(r.Context(), who)
	if err != nil {
		return err
	}
	if current == nil {
		return business.ErrNotFound
	}
	if err := do(r.Context(), current.ID, who.user.ID, r.PathValue("id")); err != nil {
		return err
	}
	seeOther(w, r, "/apps")
	return nil
}

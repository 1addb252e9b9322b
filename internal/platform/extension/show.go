package extension

import (
	"context"

	"daybook/internal/base/db"
	"daybook/internal/base/fault"
	"daybook/internal/platform/app"
	"daybook/internal/platform/appdata"
	"daybook/internal/platform/scope"
	"daybook/internal/tenancy/business"
)

// Viewer is a member of a business who looks at its pages.
type Viewer struct {
	BusinessID string
	Access     business.Access
}

// Guest is an extension on its way into a page.
type Guest struct {
	Extension
	AppName  string
	ClientID string
	Address  Address
}

// Shown lists what a member sees: the pages of apps and, if a sort of record is given, what stands beside records of it; app by app, in
// the order of their making. What they may not see has no guests either.
func (s *Service) Shown(ctx context.Context, by Viewer, t appdata.ResourceType) ([]Guest, error) {
	var all []standing
	err := s.DB.Read(ctx, func(tx *db.Tx) (err error) {
		all, err = listStanding(ctx, tx, by.BusinessID, t)
		return err
	})
	var guests []Guest
	for _, one := range all {
		if p, ok := one.shown(s.Home); ok && (one.ResourceType == nil || by.Access.May(one.ResourceType.Permission())) {
			guests = append(guests, Guest{Extension: one.Extension, AppName: one.app.Name, ClientID: one.app.ClientID, Address: p.Address})
		}
	}
	return guests, err
}

// shown reports whether the app may show it there, and where it leads.
func (s standing) shown(home Home) (Placed, bool) {
	p := s.place(s.app, home)
	return p, p.Hidden == Shown && (s.ResourceType == nil || s.granted.Has(s.ResourceType.Scope()))
}

// Record is one that an extension stands beside.
type Record struct {
	Type appdata.ResourceType
	ID   string
}

// Frame is what a session token is asked for, by the page around it.
type Frame struct {
	BusinessID  string
	AppID       string
	ExtensionID string    // empty: none is named
	Record      *Record   // nil: none is named
	Granted     scope.Set // what the business granted the app
}

// Admit refuses a frame that is not shown to a member there: an extension of another app or one that is not shown, a record that there is
// not, that the member may not see or that the app has no business with. The caller has proved the member, and that the app is installed
// and running.
func (s *Service) Admit(ctx context.Context, tx *db.Tx, f Frame, access business.Access) error {
	if f.Record != nil {
		if err := s.admitRecord(ctx, tx, f, *f.Record, access); err != nil {
			return err
		}
	}
	if f.ExtensionID == "" {
		return nil
	}
	return s.admitExtension(ctx, tx, f)
}

// check judges the shape of it.
func (r Record) check() error {
	var c fault.Check
	c.Require(r.Type.Known(), "resourceType", "must be one of %s", joined(appdata.ResourceTypes))
	c.Require(r.ID != "", "resourceId", "must name the record: it goes together with resourceType")
	return c.Err()
}

// admitRecord asks for what the record asks: that the app may read such records here, that the member may, and that it is there.
func (s *Service) admitRecord(ctx context.Context, tx *db.Tx, f Frame, r Record, access business.Access) error {
	if err := r.check(); err != nil {
		return err
	}
	of, err := app.Find(ctx, tx, f.AppID)
	if err != nil {
		return err
	}
	if !of.Scopes.Has(r.Type.Scope()) || !f.Granted.Has(r.Type.Scope()) {
		return ErrNoAccess.With(r.Type, r.Type.Scope())
	}
	if !access.May(r.Type.Permission()) {
		return business.ErrPermission.With(r.Type.Permission())
	}
	there := r.Type.Names(r.ID)
	if there {
		if there, err = s.Records.Exists(ctx, tx, f.BusinessID, r.Type, r.ID); err != nil {
			return err
		}
	}
	if !there {
		return appdata.ErrRecordNotFound.With(r.Type, r.ID)
	}
	return nil
}

// admitExtension asks whether the app shows the extension beside that record, or by itself.
func (s *Service) admitExtension(ctx context.Context, tx *db.Tx, f Frame) error {
	var beside *appdata.ResourceType
	var t appdata.ResourceType
	if f.Record != nil {
		t = f.Record.Type
		beside = &t
	}
	all, err := listStanding(ctx, tx, f.BusinessID, t)
	if err != nil {
		return err
	}
	for _, one := range all {
		if one.ID != f.ExtensionID || one.AppID != f.AppID || !equal(one.ResourceType, beside) {
			continue
		}
		if _, ok := one.shown(s.Home); ok {
			return nil
		}
	}
	return ErrNotShown
}

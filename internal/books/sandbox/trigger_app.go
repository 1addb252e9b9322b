package sandbox

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"daybook/internal/base/db"
	"daybook/internal/books/record"
	"daybook/internal/platform/app"
	"daybook/internal/platform/appdata"
	"daybook/internal/platform/install"
	"daybook/internal/platform/scope"
	"daybook/internal/tenancy/business"
)

// tenant is an app of the organization, and how it stands in the sandbox.
type tenant struct {
	app.App
	active *install.Installation // nil: it is not installed
	ended  *install.Installation // uninstalled, and its data is still to be erased
}

// tenants are the apps of the organization.
func (h *hand) tenants(ctx context.Context) ([]tenant, error) {
	apps, err := h.Apps.List(ctx, h.one.OrganizationID, h.user)
	if err != nil {
		return nil, err
	}
	var installations []install.Installation
	err = h.DB.Read(ctx, func(tx *db.Tx) (err error) {
		installations, err = install.Of(ctx, tx, h.one.ID)
		return err
	})
	list := make([]tenant, len(apps))
	for i, a := range apps {
		list[i].App = a
		for n := range installations {
			switch one := &installations[n]; {
			case one.AppID != a.ID:
			case one.Status == install.Active:
				list[i].active = one
			case one.RedactAt != nil && list[i].ended == nil:
				list[i].ended = one
			}
		}
	}
	return list, err
}

// tenant is the app that was named, or the only one that it can be.
func (h *hand) tenant(ctx context.Context, fits func(tenant) bool, none error) (tenant, error) {
	all, err := h.tenants(ctx)
	if err != nil {
		return tenant{}, err
	}
	if id, client := h.want.Overrides.AppID, h.want.ClientID; id != nil || client != nil {
		for _, t := range all {
			if id != nil && t.ID == *id || client != nil && t.ClientID == *client {
				if !fits(t) {
					return t, none
				}
				return t, nil
			}
		}
		return tenant{}, ErrNoApp
	}
	all = slices.DeleteFunc(all, func(t tenant) bool { return !fits(t) })
	switch len(all) {
	case 0:
		return tenant{}, none
	case 1:
		return all[0], nil
	}
	return tenant{}, ErrWhichApp.With(h.want.Type, clients(all))
}

func clients(all []tenant) string {
	var ids []string
	for _, t := range all {
		ids = append(ids, t.ClientID)
	}
	return strings.Join(ids, ", ")
}

func isActive(t tenant) bool { return t.active != nil }

// scopes are those that were asked for, or everything that the app registered.
func (h *hand) scopes(a app.App) scope.Set {
	if h.want.Overrides.Scopes == nil {
		return a.Scopes
	}
	var list []scope.Scope
	for _, s := range h.want.Overrides.Scopes {
		list = append(list, scope.Scope(s))
	}
	return scope.Of(list...)
}

func (h *hand) approve(ctx context.Context, t tenant, scopes scope.Set) (Record, error) {
	made, err := h.Installations.Approve(ctx, install.Approval{AppID: t.ID, BusinessID: h.one.ID, UserID: h.by.Actor.UserID, Scopes: scopes})
	return Record{"installation", made.Installation.ID}, err
}

func installApp(ctx context.Context, h *hand) (Record, error) {
	t, err := h.tenant(ctx, func(t tenant) bool { return t.active == nil }, ErrThere)
	if err != nil {
		return Record{}, err
	}
	return h.approve(ctx, t, h.scopes(t.App))
}

func widenScopes(ctx context.Context, h *hand) (Record, error) {
	t, err := h.tenant(ctx, isActive, ErrNotThere)
	if err != nil {
		return Record{}, err
	}
	more := h.scopes(t.App)
	if len(more.Minus(t.active.GrantedScopes)) == 0 {
		return Record{}, ErrAllGranted
	}
	return h.approve(ctx, t, more)
}

func uninstallApp(ctx context.Context, h *hand) (Record, error) {
	t, err := h.tenant(ctx, isActive, ErrNotThere)
	if err != nil {
		return Record{}, err
	}
	_, err = h.Installations.Uninstall(ctx, h.one.ID, h.by.Actor.UserID, t.active.ID)
	return Record{"installation", t.active.ID}, err
}

// redactForApp erases an app's data as 48 hours after it was uninstalled, without the wait. An app that is installed is
// uninstalled for it.
func redactForApp(ctx context.Context, h *hand) (Record, error) {
	t, err := h.tenant(ctx, func(t tenant) bool { return t.active != nil || t.ended != nil }, ErrNotThere)
	if err != nil {
		return Record{}, err
	}
	ending := t.active
	if ending == nil {
		ending = t.ended
	} else if _, err := h.Installations.Uninstall(ctx, h.one.ID, h.by.Actor.UserID, ending.ID); err != nil {
		return Record{}, err
	}
	return Record{"installation", ending.ID}, h.Installations.RedactNow(ctx, h.one.ID, h.by.Actor.UserID, ending.ID, h.AppData.Erase)
}

// writeAppData has an app keep a value on a record, under a field that it declared and with a value that the field allows.
func writeAppData(ctx context.Context, h *hand) (Record, error) {
	t, err := h.tenant(ctx, isActive, ErrNotThere)
	if err != nil {
		return Record{}, err
	}
	field, value, err := h.field(ctx, t)
	if err != nil {
		return Record{}, err
	}
	d, err := h.sitDown(ctx)
	if err != nil {
		return Record{}, err
	}
	return d.work(ctx, func(ctx context.Context, d *desk) (Record, error) {
		on, err := d.newRecord(ctx, field.ResourceType)
		if err != nil {
			return Record{}, err
		}
		access, err := business.AccessOf(ctx, d.tx, h.one.ID, h.by.Actor.UserID)
		if err != nil {
			return Record{}, err
		}
		by := appdata.Call{BusinessID: h.one.ID, AppID: t.ID, Scopes: t.active.GrantedScopes, Access: access}
		_, err = run(ctx, d, h.AppData.Put(by, []appdata.NewValue{{ResourceType: field.ResourceType, ResourceID: on.ID, Key: field.Key, Value: value}}))
		return on, err
	})
}

// field is one that the app may write to here, with a value for it.
func (h *hand) field(ctx context.Context, t tenant) (appdata.Field, json.RawMessage, error) {
	fields, err := h.AppData.Fields(ctx, t.ID, h.user)
	if err != nil {
		return appdata.Field{}, nil, err
	}
	for _, f := range fields {
		if value, ok := f.Example(); ok && t.active.GrantedScopes.Has(f.ResourceType.Scope()) {
			return f, value, nil
		}
	}
	return appdata.Field{}, nil, ErrNoField
}

// newRecord makes a record of a sort.
func (d *desk) newRecord(ctx context.Context, t appdata.ResourceType) (Record, error) {
	switch t {
	case appdata.Customer:
		return createParty(record.Customer)(ctx, d)
	case appdata.Supplier:
		return createParty(record.Supplier)(ctx, d)
	case appdata.Payment:
		return receive(ctx, d)
	case appdata.Account:
		return createAccount(ctx, d)
	case appdata.JournalEntry:
		return postEntry(ctx, d)
	}
	return createDraft(ctx, d)
}

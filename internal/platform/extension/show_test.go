package extension_test

import (
	"testing"

	"daybook/internal/base/db"
	"daybook/internal/base/fault"
	"daybook/internal/base/id"
	"daybook/internal/platform/app"
	"daybook/internal/platform/appdata"
	"daybook/internal/platform/extension"
	"daybook/internal/platform/scope"
	"daybook/internal/tenancy/business"
)

func TestWhatAMemberSees(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		other := w.newApp(t, "Archive")
		w.install(t, other, scope.CustomersRead)
		w.add(t, w.app, draft(extension.Panel, appdata.Invoice, "panel", "panel"))
		w.add(t, w.app, draft(extension.Page, "", "page", ""))
		w.add(t, w.app, draft(extension.Tab, appdata.Customer, "tab", "tab"))
		w.add(t, other, draft(extension.Action, appdata.Customer, "action", "action"))
		w.add(t, other, draft(extension.Action, appdata.Invoice, "not granted", "x"))
		elsewhere := w.newApp(t, "Not installed")
		w.add(t, elsewhere, draft(extension.Page, "", "nowhere", "x"))
		const panel, page, tab, action = "Ledger Sync/panel@https://app.example/daybook/panel", "Ledger Sync/page@https://app.example/daybook/",
			"Ledger Sync/tab@https://app.example/daybook/tab", "Archive/action@https://app.example/daybook/action"
		check := func(what, got, want string) {
			t.Helper()
			if got != want {
				t.Errorf("%s: %s", what, got)
			}
		}
		check("beside invoices", w.shown(t, all, appdata.Invoice), panel+" "+page)
		check("beside customers", w.shown(t, all, appdata.Customer), action+" "+page+" "+tab)
		check("beside suppliers", w.shown(t, all, appdata.Supplier), page)
		check("beside nothing", w.shown(t, all, ""), page)
		check("to somebody who may not see invoices", w.shown(t, business.Access{Permissions: []business.Permission{business.CustomersView}}, appdata.Invoice), page)

		_, err := w.apps.SetScopes(ctx, w.app, w.owner, 0, scope.Of(scope.ProfileRead, scope.InvoicesRead))
		must(t, err)
		check("without the registered scope", w.shown(t, all, appdata.Customer), action+" "+page)
		w.setURL(t, w.app, "https://books.example/")
		check("on our own host", w.shown(t, all, appdata.Invoice), "")
		w.setURL(t, w.app, "https://app.example/")
		check("with another App URL", w.shown(t, all, ""), "Ledger Sync/page@https://app.example/")
		_, err = w.apps.Suspend(ctx, w.app, "because")
		must(t, err)
		check("of a suspended app", w.shown(t, all, appdata.Invoice), "")
		_, err = w.apps.Unsuspend(ctx, w.app)
		must(t, err)
		_, err = w.installs.Uninstall(ctx, w.shop, w.owner, w.installationOf(t, w.app))
		must(t, err)
		check("of an app that is gone", w.shown(t, all, ""), "")
	})
}

func (w *world) installationOf(t *testing.T, appID string) (found string) {
	t.Helper()
	must(t, w.Read(ctx, func(tx *db.Tx) (err error) {
		found, err = db.One(ctx, tx, db.Value[string], `SELECT id FROM installations WHERE business_id = $1 AND app_id = $2 AND status = 'ACTIVE'`, w.shop, appID)
		return err
	}))
	return found
}

// C.8: what a session token says about the frame is true.
func TestWhatASessionTokenMayName(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		invoice, customer := w.IDs.New(id.Invoice), w.IDs.New(id.Customer)
		w.standing[w.shop+" INVOICE "+invoice], w.standing[w.shop+" CUSTOMER "+customer] = true, true
		other := w.newApp(t, "Other")
		w.install(t, other, scope.InvoicesRead)
		panel := w.add(t, w.app, draft(extension.Panel, appdata.Invoice, "panel", "x")).ID
		page := w.add(t, w.app, draft(extension.Page, "", "page", "x")).ID
		off := draft(extension.Panel, appdata.Invoice, "off", "x")
		off.Enabled = false
		hidden := w.add(t, w.app, off).ID
		foreign := w.add(t, other, draft(extension.Panel, appdata.Invoice, "foreign", "x")).ID
		on := func(t appdata.ResourceType, id string) *extension.Record { return &extension.Record{Type: t, ID: id} }
		granted, none := scope.Of(scope.InvoicesRead, scope.CustomersRead), business.Access{}
		for name, c := range map[string]struct {
			frame   extension.Frame
			access  business.Access
			refusal *fault.Fault
			fields  bool
		}{
			"nothing":                            {extension.Frame{}, all, nil, false},
			"a page":                             {extension.Frame{ExtensionID: page}, none, nil, false},
			"a panel beside a record":            {extension.Frame{ExtensionID: panel, Record: on(appdata.Invoice, invoice)}, all, nil, false},
			"a record alone":                     {extension.Frame{Record: on(appdata.Customer, customer)}, all, nil, false},
			"a panel beside nothing":             {extension.Frame{ExtensionID: panel}, all, extension.ErrNotShown, false},
			"a page beside a record":             {extension.Frame{ExtensionID: page, Record: on(appdata.Invoice, invoice)}, all, extension.ErrNotShown, false},
			"a panel beside another sort":        {extension.Frame{ExtensionID: panel, Record: on(appdata.Customer, customer)}, all, extension.ErrNotShown, false},
			"one that is switched off":           {extension.Frame{ExtensionID: hidden, Record: on(appdata.Invoice, invoice)}, all, extension.ErrNotShown, false},
			"another app's":                      {extension.Frame{ExtensionID: foreign, Record: on(appdata.Invoice, invoice)}, all, extension.ErrNotShown, false},
			"none that there is":                 {extension.Frame{ExtensionID: w.IDs.New(id.Extension)}, all, extension.ErrNotShown, false},
			"a record that is not there":         {extension.Frame{Record: on(appdata.Invoice, w.IDs.New(id.Invoice))}, all, appdata.ErrRecordNotFound, false},
			"a record of another sort":           {extension.Frame{Record: on(appdata.Customer, invoice)}, all, appdata.ErrRecordNotFound, false},
			"a record they may not see":          {extension.Frame{ExtensionID: panel, Record: on(appdata.Invoice, invoice)}, none, business.ErrPermission, false},
			"a sort that the app may not read":   {extension.Frame{Record: on(appdata.Supplier, w.IDs.New(id.Supplier))}, all, extension.ErrNoAccess, false},
			"an unknown sort":                    {extension.Frame{Record: on("invoice", invoice)}, all, nil, true},
			"a sort without a record":            {extension.Frame{Record: on(appdata.Invoice, "")}, all, nil, true},
			"a record without its sort":          {extension.Frame{Record: on("", invoice)}, all, nil, true},
			"a record in a business without any": {extension.Frame{BusinessID: "biz_other", Record: on(appdata.Invoice, invoice)}, all, appdata.ErrRecordNotFound, false},
		} {
			c.frame.AppID, c.frame.Granted = w.app, granted
			if c.frame.BusinessID == "" {
				c.frame.BusinessID = w.shop
			}
			err := w.admit(c.frame, c.access)
			if f := fault.From(err); c.fields {
				if f == nil || len(f.Fields) == 0 {
					t.Errorf("%s: %v", name, err)
				}
				continue
			}
			t.Run(name, func(t *testing.T) { want(t, err, c.refusal) })
		}
		beside := extension.Frame{BusinessID: w.shop, AppID: w.app, ExtensionID: panel, Record: on(appdata.Invoice, invoice), Granted: scope.Of(scope.CustomersRead)}
		want(t, w.admit(beside, all), extension.ErrNoAccess)
		beside.Granted = granted
		_, err := w.apps.SetScopes(ctx, w.app, w.owner, 0, scope.Of(scope.ProfileRead))
		must(t, err)
		want(t, w.admit(beside, all), extension.ErrNoAccess)
		want(t, w.admit(extension.Frame{BusinessID: w.shop, AppID: "app_none", Record: on(appdata.Invoice, invoice)}, all), app.ErrNotFound)
	})
}

func (w *world) admit(f extension.Frame, access business.Access) error {
	return w.DB.Snapshot(ctx, func(tx *db.Tx) error { return w.pages.Admit(ctx, tx, f, access) })
}

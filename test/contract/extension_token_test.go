package contract_test

import (
	"net/http"
	"reflect"
	"testing"
)

// tokensOfExtensions proves what a session token says about where a page is shown (EXCH-02), and what the tokens it is exchanged for are
// good for (EXCH-05). Olivia owns the store, Rosa is staff of the shop.
func tokensOfExtensions(t *testing.T, n *apiNode) {
	dan, path := n.session(t, "dan", "shop"), n.extensionsOf("full")
	app := n.by(t, fullApp, "olivia", "shop")
	customer := n.id(app.make(t, "/customers", object{"displayName": "Ada"}))
	invoice := n.id(app.make(t, "/invoices", object{"customerId": customer, "lines": []object{{"description": "Bread", "unitPrice": "3"}}}))
	panelID := n.id(dan.make(t, path, panel(nil)))
	pageID := n.id(dan.make(t, path, object{"kind": "PAGE", "label": "Home", "path": ""}))
	said(t, dan.do(t, "PATCH", "/developer/apps/"+n.ids["twin"], object{"appUrl": "https://twin.example/"}), http.StatusOK)
	foreign := n.id(dan.make(t, n.extensionsOf("twin"), panel(nil)))
	n.by(t, twinApp, "olivia", "shop")
	olivia := n.in(t, "olivia", n.ids["shop"])
	shop := n.ids["shop"]
	t.Run("EXCH-02 the claims name the extension and the record", func(t *testing.T) {
		_, body := n.verified(t, n.sessionToken(t, olivia, fullApp, map[string]string{"businessId": shop, "extensionId": panelID, "resourceType": "INVOICE", "resourceId": invoice}))
		if body["ext"] != panelID || !reflect.DeepEqual(body["res"], map[string]any{"type": "INVOICE", "id": invoice}) || body["business_id"] != shop {
			t.Errorf("%v", body)
		}
		_, body = n.verified(t, n.sessionToken(t, olivia, fullApp, map[string]string{"extensionId": pageID}))
		if _, there := body["res"]; body["ext"] != pageID || there {
			t.Errorf("%v", body)
		}
		_, body = n.verified(t, n.sessionToken(t, olivia, fullApp, map[string]string{"resourceType": "CUSTOMER", "resourceId": customer}))
		if _, there := body["ext"]; there || !reflect.DeepEqual(body["res"], map[string]any{"type": "CUSTOMER", "id": customer}) {
			t.Errorf("%v", body)
		}
	})
	t.Run("EXCH-05 what it is exchanged for reads the record", func(t *testing.T) {
		set := exchanged(t, n.exchange(t, fullApp, n.sessionToken(t, olivia, fullApp, map[string]string{"extensionId": panelID, "resourceType": "INVOICE", "resourceId": invoice}), nil))
		if got := n.with(set.AccessToken).get(t, "/invoices/"+invoice); got["id"] != invoice {
			t.Errorf("%v", got)
		}
	})
	for name, c := range map[string]struct {
		members map[string]string
		status  int
		code    string
	}{
		"a panel beside nothing":               {map[string]string{"extensionId": panelID}, http.StatusNotFound, "NOT_FOUND"},
		"a panel beside another sort":          {map[string]string{"extensionId": panelID, "resourceType": "CUSTOMER", "resourceId": customer}, http.StatusNotFound, "NOT_FOUND"},
		"a page beside a record":               {map[string]string{"extensionId": pageID, "resourceType": "INVOICE", "resourceId": invoice}, http.StatusNotFound, "NOT_FOUND"},
		"another app's extension":              {map[string]string{"extensionId": foreign, "resourceType": "INVOICE", "resourceId": invoice}, http.StatusNotFound, "NOT_FOUND"},
		"no such extension":                    {map[string]string{"extensionId": "ext_" + nowhere}, http.StatusNotFound, "NOT_FOUND"},
		"no such record":                       {map[string]string{"resourceType": "INVOICE", "resourceId": "inv_" + nowhere}, http.StatusNotFound, "RECORD_NOT_FOUND"},
		"a record of another sort":             {map[string]string{"resourceType": "CUSTOMER", "resourceId": invoice}, http.StatusNotFound, "RECORD_NOT_FOUND"},
		"nothing of the form of a record's id": {map[string]string{"resourceType": "INVOICE", "resourceId": "' OR 1=1"}, http.StatusNotFound, "RECORD_NOT_FOUND"},
	} {
		t.Run("EXCH-02 no token for "+name, func(t *testing.T) { refused(t, n.askSessionToken(t, olivia, fullApp, c.members), c.status, c.code) })
	}
	t.Run("EXCH-02 members that are wrong", func(t *testing.T) {
		offends(t, n.askSessionToken(t, olivia, fullApp, map[string]string{"resourceType": "invoice", "resourceId": invoice}), "resourceType")
		offends(t, n.askSessionToken(t, olivia, fullApp, map[string]string{"resourceType": "INVOICE"}), "resourceId")
		offends(t, n.askSessionToken(t, olivia, fullApp, map[string]string{"resourceId": invoice}), "resourceType")
	})
	t.Run("EXCH-02 no token for a record that the person may not see, or in another business", func(t *testing.T) {
		rosa := n.in(t, "rosa", shop) // staff sees no journal
		entry := n.id(n.by(t, fullApp, "olivia", "shop").make(t, "/journal-entries", object{"date": today(n), "draft": true, "lines": n.twoLines(t)}))
		refused(t, n.askSessionToken(t, rosa, fullApp, map[string]string{"resourceType": "JOURNAL_ENTRY", "resourceId": entry}), http.StatusForbidden, "PERMISSION_DENIED")
		n.sessionToken(t, olivia, fullApp, map[string]string{"resourceType": "JOURNAL_ENTRY", "resourceId": entry})
		n.by(t, fullApp, "olivia", "store")
		refused(t, n.askSessionToken(t, olivia, fullApp, map[string]string{"businessId": n.ids["store"], "resourceType": "INVOICE", "resourceId": invoice}), http.StatusNotFound, "RECORD_NOT_FOUND")
	})
	t.Run("EXCH-02 no token for a scope that the business did not grant", func(t *testing.T) {
		n.by(t, twinApp, "olivia", "stall", "customers:read")
		stall := map[string]string{"businessId": n.ids["stall"], "resourceType": "INVOICE", "resourceId": "inv_" + nowhere}
		refused(t, n.askSessionToken(t, olivia, twinApp, stall), http.StatusForbidden, "APP_CANNOT_ACCESS_TYPE_RECORD")
		stall["extensionId"] = foreign
		refused(t, n.askSessionToken(t, olivia, twinApp, stall), http.StatusForbidden, "APP_CANNOT_ACCESS_TYPE_RECORD")
	})
	t.Run("EXCH-02 no token for what is not shown any more", func(t *testing.T) {
		beside := map[string]string{"extensionId": panelID, "resourceType": "INVOICE", "resourceId": invoice}
		for _, body := range []object{{"enabled": false}, {"enabled": true}} {
			said(t, dan.do(t, "PATCH", path+"/"+panelID, body), http.StatusOK)
			if body["enabled"] == true {
				n.sessionToken(t, olivia, fullApp, beside)
				continue
			}
			refused(t, n.askSessionToken(t, olivia, fullApp, beside), http.StatusNotFound, "NOT_FOUND")
		}
		said(t, dan.do(t, "PATCH", "/developer/apps/"+n.ids["full"], object{"appUrl": n.AuthURL}), http.StatusOK) // our own host
		refused(t, n.askSessionToken(t, olivia, fullApp, beside), http.StatusNotFound, "NOT_FOUND")
		said(t, dan.do(t, "PATCH", "/developer/apps/"+n.ids["full"], object{"appUrl": "https://app.example/"}), http.StatusOK)
		n.sessionToken(t, olivia, fullApp, beside)
	})
	n.emptyExtensions(t, "full")
	n.emptyExtensions(t, "twin")
}

// twoLines are those of a small journal entry of the shop.
func (n *apiNode) twoLines(t *testing.T) []object {
	t.Helper()
	accounts := rowsOf(n.by(t, fullApp, "olivia", "shop").get(t, "/accounts?limit=50"))
	return []object{{"accountId": accounts[0]["id"], "debit": 1}, {"accountId": accounts[1]["id"], "credit": 1}}
}

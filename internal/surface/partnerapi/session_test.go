package partnerapi

import (
	"encoding/json"
	"slices"
	"testing"

	"daybook/internal/base/db"
	"daybook/internal/platform/event"
	"daybook/internal/tenancy/business"
)

// CALL-08: our own pages use the same routes with the session cookie.
func TestASessionWorksInItsBusiness(t *testing.T) {
	eachStore(t, func(t *testing.T, w *world) {
		owner := header{"Cookie", w.cookie(w.owner)}
		me := w.call(owner, "GET", "/me", nil).is(200, "").object()
		if me["installation"] != nil || me["token"] != nil || me["role"] != "OWNER" || me["business"].(object)["id"] != w.shop || me["user"].(object)["id"] != w.owner {
			t.Errorf("%v", me)
		}
		made := w.call(owner, "POST", "/customers", object{"displayName": "Ada", "externalId": "ignored"}).is(201, "").object()
		if made["externalId"] != nil {
			t.Errorf("people have no names for records: %v", made)
		}
		invoice := w.call(owner, "POST", "/invoices", object{"customerId": made["id"], "lines": []object{{"description": "x", "unitPrice": "1"}}}).is(201, "").object()
		if s := invoice["source"].(object); s["type"] != "UI" || s["appId"] != nil {
			t.Errorf("%v", s)
		}
		if h := w.call(owner, "GET", "/me", nil).Header(); h.Get("RateLimit-Limit") != "" || h.Get("Daybook-Version") != "2026-06-01" {
			t.Errorf("%v", h)
		}
		staff := header{"Cookie", w.cookie(w.member(business.Staff))}
		w.call(staff, "POST", "/journal-entries", object{}).is(403, "PERMISSION_DENIED")
		w.call(staff, "GET", "/journal-entries", nil).is(403, "PERMISSION_DENIED")
		w.call(staff, "GET", "/customers", nil).is(200, "")
		w.call(header{"Cookie", w.cookie(w.Person(t))}, "GET", "/me", nil).is(404, "NOT_FOUND") // who has no business
		// A token counts before a cookie.
		w.call(owner.with(bearer("at_nonsense")...), "GET", "/me", nil).is(401, "INVALID_TOKEN")
		if len(w.meter.calls) != 0 {
			t.Errorf("sessions are counted as apps: %v", w.meter.calls)
		}
	})
}

// said is the payload of the last event of a type.
func (w *world) said(eventType event.Type) object {
	w.t.Helper()
	var text string
	must(w.t, w.Read(ctx, func(tx *db.Tx) (err error) {
		text, err = db.One(ctx, tx, db.Value[string], `SELECT data FROM events WHERE business_id = $1 AND type = $2 ORDER BY number DESC LIMIT 1`, w.shop, eventType)
		return err
	}))
	var o object
	must(w.t, json.Unmarshal([]byte(text), &o))
	return o
}

func TestSettings(t *testing.T) {
	eachStore(t, func(t *testing.T, w *world) {
		owner := header{"Cookie", w.cookie(w.owner)}
		got := w.call(owner.with("If-Match", `"1"`), "PATCH", "/business", object{"name": "Bakery", "legalName": "Bakery B.V.", "defaultTaxMode": "INCLUSIVE", "paymentTermsDays": 14}).is(200, "")
		b := got.object()
		if b["name"] != "Bakery" || b["legalName"] != "Bakery B.V." || b["defaultTaxMode"] != "INCLUSIVE" || b["paymentTermsDays"] != json.Number("14") || b["version"] != json.Number("2") || got.Header().Get("ETag") != `"2"` {
			t.Errorf("%v", b)
		}
		if read := w.call(owner, "GET", "/business", nil).Body.String(); read != got.Body.String() {
			t.Errorf("read: %s\nanswered: %s", read, got.Body)
		}
		said := w.said(event.BusinessUpdated)
		if changes := said["changes"].([]any); !slices.Equal(changes, []any{"defaultTaxMode", "legalName", "name", "paymentTermsDays"}) || said["version"] != 2.0 || said["timeZone"] != "Europe/Amsterdam" {
			t.Errorf("%v", said)
		}
		w.call(owner, "PATCH", "/business", object{"name": "Bakery"}).is(200, "")
		if n := w.events(event.BusinessUpdated); n != 1 {
			t.Errorf("told %d times", n)
		}
		w.call(owner, "PATCH", "/business", object{"defaultTaxRounding": "DOCUMENT"}).is(200, "")
		if said := w.said(event.BusinessUpdated); said["version"] != 3.0 {
			t.Errorf("a setting of the books alone: %v", said)
		}
		w.call(owner.with("If-Match", `"1"`), "PATCH", "/business", object{"name": "Late", "defaultTaxMode": "NONE"}).is(412, "VERSION_CONFLICT")
		if got := w.call(owner, "GET", "/business", nil).object(); got["defaultTaxMode"] != "INCLUSIVE" {
			t.Error("half of a refused change stayed")
		}
		if got := w.call(owner, "PATCH", "/business", object{"name": nil, "currency": "USD"}).offences(); got[0] != "currency is not a member of this request" {
			t.Errorf("%q", got)
		}
		w.call(owner, "PATCH", "/business", object{"timeZone": "Mars"}).offences()
		w.call(owner, "PATCH", "/business", object{"defaultTaxMode": "SOME"}).offences()
		w.call(header{"Cookie", w.cookie(w.member(business.Staff))}, "PATCH", "/business", object{"name": "Mine"}).is(403, "PERMISSION_DENIED")
	})
}

func TestMembersAndRoles(t *testing.T) {
	eachStore(t, func(t *testing.T, w *world) {
		owner := header{"Cookie", w.cookie(w.owner)}
		person := w.Person(t) // whose address is their id
		added := w.call(owner, "POST", "/members", object{"email": person, "role": "STAFF"}).is(201, "").object()
		if added["userId"] != person || added["role"] != "STAFF" || len(added["overrides"].([]any)) != 0 {
			t.Errorf("%v", added)
		}
		w.call(owner, "POST", "/members", object{"email": person, "role": "STAFF"}).is(409, "ALREADY_MEMBER")
		w.call(owner, "POST", "/members", object{"email": "nobody@example.com", "role": "STAFF"}).offences()
		w.call(owner, "POST", "/members", object{"email": person, "role": "KING"}).offences()
		if got := w.call(owner, "PATCH", "/members/"+person, object{"role": "ACCOUNTANT"}).is(200, "").text("role"); got != "ACCOUNTANT" {
			t.Error(got)
		}
		denied := w.call(owner, "PUT", "/members/"+person+"/permissions/invoices.manage", object{"effect": "DENY"}).is(200, "").object()
		if o := denied["overrides"].([]any); len(o) != 1 || o[0].(object)["permission"] != "invoices.manage" || o[0].(object)["effect"] != "DENY" {
			t.Errorf("%v", denied)
		}
		theirs := header{"Cookie", w.cookie(person)}
		w.call(theirs, "POST", "/invoices", object{}).is(403, "PERMISSION_DENIED")
		w.call(owner, "PUT", "/members/"+person+"/permissions/invoices.manage", object{"effect": nil}).is(200, "")
		w.call(theirs, "POST", "/invoices", object{}).offences()

		w.call(owner, "PUT", "/roles/ACCOUNTANT/permissions/journal.post", object{"effect": "GRANT"}).is(200, "")
		roles := w.call(theirs, "GET", "/roles", nil).is(200, "").object()["data"].([]any)
		if len(roles) != 5 || roles[2].(object)["role"] != "ACCOUNTANT" || len(roles[2].(object)["overrides"].([]any)) != 1 || len(roles[4].(object)["permissions"].([]any)) != 8 {
			t.Errorf("%v", roles)
		}
		w.call(owner, "PUT", "/roles/OWNER/permissions/journal.post", object{"effect": "DENY"}).is(409, "OWNER_HAS_ALL")
		w.call(owner, "PUT", "/roles/ACCOUNTANT/permissions/fly", object{"effect": "GRANT"}).offences()
		w.call(theirs, "DELETE", "/members/"+w.owner, nil).is(403, "PERMISSION_DENIED")
		if list := w.call(theirs, "GET", "/members", nil).is(200, "").object()["data"].([]any); len(list) != 2 {
			t.Errorf("%v", list)
		}
		w.call(owner, "DELETE", "/members/"+person, nil).is(204, "")
		w.call(owner, "DELETE", "/members/"+person, nil).is(404, "NOT_FOUND")
		w.call(theirs, "GET", "/me", nil).is(404, "NOT_FOUND")
	})
}

func TestWhatOnlyOurOwnPagesDoToTheBooks(t *testing.T) {
	eachStore(t, func(t *testing.T, w *world) {
		owner := header{"Cookie", w.cookie(w.owner)}
		if got := w.call(owner, "PUT", "/books/lock", object{"lockDate": "2026-10-31"}).is(200, "").text("lockDate"); got != "2026-10-31" {
			t.Error(got)
		}
		if got := w.call(bearer(w.all()), "GET", "/books/lock", nil).is(200, "").text("lockDate"); got != "2026-10-31" || w.events(event.BooksLocked) != 1 {
			t.Error(got)
		}
		w.call(owner, "PUT", "/books/lock", object{"lockDate": "soon"}).offences()
		if got := w.call(owner, "PUT", "/books/lock", object{"lockDate": nil}).is(200, "").object(); got["lockDate"] != nil {
			t.Errorf("%v", got)
		}

		rate := w.call(owner, "POST", "/tax-rates", object{"name": "Luxury", "rate": "33.5", "kind": "SALES", "category": "STANDARD"}).is(201, "").object()
		if rate["rate"] != "33.5" || rate["status"] != "ACTIVE" {
			t.Errorf("%v", rate)
		}
		id := rate["id"].(string)
		w.call(owner, "POST", "/tax-rates", object{"name": "Luxury", "rate": "much", "kind": "SALES", "category": "STANDARD"}).offences()
		w.call(owner, "PATCH", "/tax-rates/"+id, object{"name": "Luxuries"}).is(200, "")
		next := w.call(owner, "POST", "/tax-rates/"+id+"/supersede", object{"rate": "34"}).is(201, "").object()
		if next["rate"] != "34" || next["name"] != "Luxuries" || next["id"] == id {
			t.Errorf("%v", next)
		}
		w.call(owner, "POST", "/tax-rates/"+id+"/supersede", object{"rate": "x"}).offences()
		w.call(owner, "POST", "/tax-rates/"+id+"/restore", nil).is(200, "")
		w.call(owner, "POST", "/tax-rates/"+id+"/archive", nil).is(200, "")

		for _, path := range []string{"/customers", "/suppliers"} {
			party := w.call(owner, "POST", path, object{"displayName": "Ada", "email": "ada@example.com"}).is(201, "").text("id")
			gone := w.call(owner, "POST", path+"/"+party+"/redact", nil).is(200, "").object()
			if gone["status"] != "REDACTED" || gone["email"] != nil {
				t.Errorf("%v", gone)
			}
		}
	})
}

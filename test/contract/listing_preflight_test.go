package contract_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
)

// preflights fails every check in turn, and then none (C.9.4).
func preflights(t *testing.T, n *apiNode) {
	s := n.newStand(t)
	bare := s.dan.make(t, theApps, draft(object{"scopes": []string{"profile:read", "customers:read", "journal:write"}, "redirectUris": []string{returnURI}}))
	bareApp := theApps + "/" + n.id(bare)
	is := said(t, s.dan.do(t, "PUT", bareApp+"/listing", object{"slug": "bare-app"}), http.StatusOK)
	bareRevision := bareApp + "/listing/revisions/" + n.id(is["open"].(object))
	t.Run("C.9.4 an app with nothing", func(t *testing.T) {
		found := s.dan.act(t, bareRevision+"/preflight", nil)
		has(t, found, "passed checks at")
		if fails := failing(found["checks"], "FAIL"); found["passed"] != false ||
			fails != "LISTING_INCOMPLETE LISTING_ASSETS_MISSING SCOPE_JUSTIFICATION_REQUIRED PRIVACY_EVENTS_REQUIRED PRIVACY_WEBHOOK_UNVERIFIED REDIRECT_URI_LOOPBACK_ONLY API_VERSION_NOT_PINNED" {
			t.Errorf("fails: %s", fails)
		}
		if warns := failing(found["checks"], "WARN"); warns != "UNUSED_SCOPE NO_SANDBOX_ACTIVITY" {
			t.Errorf("warns: %s", warns)
		}
		first := objects(found["checks"])[0]
		has(t, first, "check level message params")
		if p0 := first["params"].(object)["p0"].(string); !strings.HasPrefix(p0, "name, tagline, description, category") || !strings.Contains(first["message"].(string), p0) {
			t.Errorf("%v", first)
		}
		if kept := s.dan.get(t, bareRevision); !same(kept["preflight"], found["checks"]) || kept["preflightAt"] == nil || kept["version"] != 1.0 {
			t.Errorf("%v", kept)
		}
	})
	t.Run("C.9.4 a submission that fails has the first as its code and all as details", func(t *testing.T) {
		a := s.dan.do(t, "POST", bareRevision+"/submit", nil)
		var body struct {
			StatusCode           int
			Code, Message, Error string
			Params               object
			Details              []object
		}
		must(t, json.Unmarshal([]byte(a.Body), &body))
		if a.Status != http.StatusBadRequest || body.Code != "LISTING_INCOMPLETE" || len(body.Details) != 11 || !strings.Contains(body.Message, body.Params["p0"].(string)) {
			t.Errorf("%d %s", a.Status, a.Body)
		}
		if s.dan.get(t, bareRevision)["state"] != "DRAFT" {
			t.Error("it was submitted")
		}
	})
	t.Run("C.9.4 a version that ends soon", func(t *testing.T) {
		said(t, s.dan.do(t, "PATCH", bareApp, object{"pinnedApiVersion": "2025-10-01"}), http.StatusOK)
		pinned := func() string { return failing(s.dan.act(t, bareRevision+"/preflight", nil)["checks"], "FAIL") }
		if fails := pinned(); strings.Contains(fails, "API_VERSION") {
			t.Errorf("%s", fails)
		}
		n.sql(t, `UPDATE apps SET pinned_api_version = '2025-03-01' WHERE id = $1`, n.id(bare))
		if fails := pinned(); !strings.Contains(fails, "API_VERSION_NEAR_SUNSET") {
			t.Errorf("%s", fails)
		}
	})
	s.saved(t, "checked-app")
	preflight := func(t *testing.T) (fails, warns string) {
		t.Helper()
		found := s.dan.act(t, s.at("/preflight"), nil)
		fails, warns = failing(found["checks"], "FAIL"), failing(found["checks"], "WARN")
		if (fails == "") != found["passed"].(bool) {
			t.Errorf("%v", found)
		}
		return fails, warns
	}
	t.Run("C.9.4 subscribed, and never received", func(t *testing.T) {
		if fails, warns := preflight(t); fails != "PRIVACY_WEBHOOK_UNVERIFIED" || warns != "UNUSED_SCOPE NO_SANDBOX_ACTIVITY" {
			t.Errorf("%q %q", fails, warns)
		}
		// A test delivery is about nobody.
		for _, h := range rowsOf(s.dan.get(t, s.path+"/webhooks")) {
			s.dan.make(t, s.path+"/webhooks/"+n.id(h)+"/test", object{"type": "customer.redact"})
		}
		n.settle(t)
		if fails, _ := preflight(t); fails != "PRIVACY_WEBHOOK_UNVERIFIED" {
			t.Errorf("%q", fails)
		}
	})
	s.tried(t)
	n.Advance(t, "31s") // what was called is written down
	t.Run("C.9.4 nothing fails", func(t *testing.T) {
		if fails, warns := preflight(t); fails != "" || warns != "UNUSED_SCOPE" {
			t.Errorf("%q %q", fails, warns)
		}
		found := s.rosa.act(t, s.review("/preflight"), nil)
		if !same(found["checks"], s.dan.get(t, s.at(""))["preflight"]) || found["passed"] != true {
			t.Errorf("a reviewer sees %v", found)
		}
	})
	t.Run("C.9.4 what was used is no warning", func(t *testing.T) {
		said(t, s.dan.do(t, "PUT", s.path+"/scopes", object{"scopes": []string{"profile:read", "customers:read", "suppliers:read"}}), http.StatusOK)
		if _, warns := preflight(t); warns != "" {
			t.Errorf("%q", warns)
		}
		said(t, s.dan.do(t, "PUT", s.path+"/scopes", object{"scopes": []string{"profile:read", "customers:read", "suppliers:read", "journal:write"}}), http.StatusOK)
	})
	t.Run("C.9.4 a receiver that believes everything", func(t *testing.T) {
		s.careless.Store(true)
		defer s.careless.Store(false)
		if fails, _ := preflight(t); fails != "SIGNATURE_CHECK_FAILED" {
			t.Errorf("%q", fails)
		}
		a := s.dan.do(t, "POST", s.at("/submit"), nil)
		if a.Status != http.StatusBadRequest || !strings.Contains(a.Body, `"code":"SIGNATURE_CHECK_FAILED"`) || !strings.Contains(a.Body, "(200)") {
			t.Errorf("%d %s", a.Status, a.Body)
		}
	})
	t.Run("C.9.4 a receiver that is not there, and one that is off", func(t *testing.T) {
		hook := s.dan.make(t, s.path+"/webhooks", object{"url": "http://127.0.0.1:9/", "events": []string{}})
		if fails, _ := preflight(t); fails != "SIGNATURE_CHECK_FAILED" {
			t.Errorf("%q", fails)
		}
		said(t, s.dan.do(t, "PATCH", s.path+"/webhooks/"+n.id(hook), object{"enabled": false}), http.StatusOK)
		if fails, _ := preflight(t); fails != "" {
			t.Errorf("%q", fails)
		}
		gone(t, s.dan.do(t, "DELETE", s.path+"/webhooks/"+n.id(hook), nil))
	})
	t.Run("C.9.4 a probe is no delivery", func(t *testing.T) {
		for _, h := range rowsOf(s.dan.get(t, s.path+"/webhooks")) {
			for _, d := range rowsOf(s.dan.get(t, s.path+"/webhooks/"+n.id(h)+"/deliveries")) {
				if d["status"] != "delivered" {
					t.Errorf("%v", d)
				}
			}
		}
		s.submitted(t)
	})
}

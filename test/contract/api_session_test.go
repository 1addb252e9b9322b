package contract_test

import (
	"net/http"
	"strings"
	"testing"
)

// TestOurOwnPagesCallTheAPI proves CALL-08.
func TestOurOwnPagesCallTheAPI(t *testing.T) {
	eachAPI(t, func(t *testing.T, n *apiNode) {
		pages := n.session(t, "olivia", "shop")
		t.Run("CALL-08 a session works on the business endpoints, in the business it is in", func(t *testing.T) {
			me := pages.get(t, "/me")
			if me["business"].(object)["id"] != n.ids["shop"] || me["user"].(object)["id"] != n.ids["olivia"] || me["installation"] != nil || me["token"] != nil {
				t.Error(me)
			}
			l := n.fill(t, pages)
			if got := pages.get(t, "/invoices/"+l.invoice)["source"]; !same(got, object{"type": "UI", "appId": nil}) {
				t.Errorf("the invoice comes from %v", got)
			}
			n.switchTo(t, pages.http, n.ids["store"])
			if got := pages.get(t, "/business")["id"]; got != n.ids["store"] {
				t.Errorf("after the switch it is in %v", got)
			}
			refused(t, pages.do(t, "GET", "/invoices/"+l.invoice, nil), http.StatusNotFound, "NOT_FOUND")
			n.switchTo(t, pages.http, n.ids["shop"])
		})
		t.Run("CALL-08 what only our own pages may call", func(t *testing.T) {
			for _, path := range []string{"/plan", "/members", "/roles", "/installations"} {
				pages.get(t, path)
			}
			said(t, pages.do(t, "PATCH", "/business", object{"paymentTermsDays": 14}), http.StatusOK)
			if got := pages.get(t, "/business")["paymentTermsDays"]; got != 14.0 {
				t.Errorf("the terms are %v", got)
			}
		})
		t.Run("CALL-08 a session that does not count is 401, as nobody is", func(t *testing.T) {
			unauthenticated(t, n.nobody().do(t, "GET", "/me", nil))
			unauthenticated(t, n.nobody().and("Cookie", "daybook_session=ds_"+strings.Repeat("A", 43)).do(t, "GET", "/me", nil))
			ended := n.session(t, "vera", "shop")
			ended.get(t, "/me")
			cookies := ended.http.Jar.Cookies(mustURL(t, n.BaseURL))
			ended.http.Post(n.AuthURL+"/sign-out", "application/x-www-form-urlencoded", nil) //nolint:errcheck,bodyclose // the next call tells
			stolen := n.nobody()
			for _, cookie := range cookies {
				stolen = stolen.and("Cookie", cookie.String())
			}
			unauthenticated(t, stolen.do(t, "GET", "/me", nil))
		})
		t.Run("CALL-08 an Authorization header is what counts, even a wrong one", func(t *testing.T) {
			if got := pages.and("Authorization", n.by(t, fullApp, "sam", "store").header.Get("Authorization")).get(t, "/me"); got["user"].(object)["id"] != n.ids["sam"] {
				t.Error(got)
			}
			unauthenticated(t, pages.and("Authorization", "Bearer at_"+strings.Repeat("A", 43)).do(t, "GET", "/me", nil))
			unauthenticated(t, pages.and("Authorization", "Basic eDp5").do(t, "GET", "/me", nil))
			unauthenticated(t, pages.and("Authorization", "").do(t, "GET", "/me", nil))
		})
		for _, method := range []string{"POST", "PATCH", "PUT", "DELETE"} {
			for _, one := range crossings(n.Node) {
				t.Run("CALL-08 "+method+" from "+one.name, func(t *testing.T) {
					c := pages
					if one.origin != "" {
						c = c.and("Origin", one.origin)
					}
					if one.site != "" {
						c = c.and("Sec-Fetch-Site", one.site)
					}
					customer := n.id(pages.make(t, "/customers", object{"displayName": "Before"}))
					call := map[string]struct {
						path string
						body any
						done func() bool
					}{
						"POST":   {"/customers/" + customer + "/archive", nil, func() bool { return pages.get(t, "/customers/"+customer)["status"] == "ARCHIVED" }},
						"PATCH":  {"/customers/" + customer, object{"displayName": "After"}, func() bool { return pages.get(t, "/customers/"+customer)["displayName"] == "After" }},
						"PUT":    {"/books/lock", object{"lockDate": "2001-01-01"}, func() bool { return pages.get(t, "/books/lock")["lockDate"] != nil }},
						"DELETE": {"/customers/" + customer, nil, func() bool { return pages.do(t, "GET", "/customers/"+customer, nil).Status == http.StatusNotFound }},
					}[method]
					a := c.do(t, method, call.path, call.body)
					if one.refused {
						refused(t, a, http.StatusForbidden, "CROSS_ORIGIN")
					} else if a.Status > 299 {
						t.Errorf("%d %s", a.Status, a.Body)
					}
					if call.done() == one.refused {
						t.Errorf("it answered %d, and done is %v", a.Status, !one.refused)
					}
					said(t, pages.do(t, "PUT", "/books/lock", object{"lockDate": nil}), http.StatusOK)
				})
			}
		}
		t.Run("CALL-08 a form of another site cannot be mistaken for JSON", func(t *testing.T) {
			for _, contentType := range []string{"application/x-www-form-urlencoded", "text/plain", "multipart/form-data; boundary=x"} {
				refused(t, pages.and("Content-Type", contentType).do(t, "POST", "/customers", `{"displayName":"Form"}`), http.StatusUnsupportedMediaType, "UNSUPPORTED_MEDIA_TYPE")
			}
		})
		t.Run("CALL-08 no other origin may read what a cookie gets, our own token's answers any", func(t *testing.T) {
			for _, origin := range []string{"https://evil.test", n.AuthURL, "null"} {
				a := pages.and("Origin", origin).do(t, "GET", "/me", nil)
				if a.Status != http.StatusOK || a.Header.Get("Access-Control-Allow-Origin") != "" || a.Header.Get("Access-Control-Allow-Credentials") != "" {
					t.Errorf("%s: %d %v", origin, a.Status, a.Header)
				}
				a = n.by(t, fullApp, "olivia", "shop").and("Origin", origin).do(t, "GET", "/me", nil)
				if a.Header.Get("Access-Control-Allow-Origin") != "*" || a.Header.Get("Access-Control-Allow-Credentials") != "" {
					t.Errorf("%s with a token: %v", origin, a.Header)
				}
			}
			a := n.nobody().and("Origin", "https://evil.test").and("Access-Control-Request-Method", "PATCH").do(t, "OPTIONS", "/customers/cus_"+nowhere, nil)
			if a.Status != http.StatusNoContent || a.Header.Get("Access-Control-Allow-Origin") != "*" || a.Header.Get("Access-Control-Allow-Credentials") != "" {
				t.Errorf("the question beforehand: %d %v", a.Status, a.Header)
			}
		})
		t.Run("CALL-08 a token needs no origin of ours: no browser sends it by itself", func(t *testing.T) {
			c := n.by(t, fullApp, "olivia", "shop").and("Origin", "https://partner.test").and("Sec-Fetch-Site", "cross-site")
			c.make(t, "/customers", object{"displayName": "From a page of a partner"})
		})
		t.Run("CALL-08 a session asks for permissions as they are now", func(t *testing.T) {
			viewer := n.session(t, "vera", "shop")
			viewer.get(t, "/customers")
			refused(t, viewer.do(t, "POST", "/customers", object{"displayName": "Mine"}), http.StatusForbidden, "PERMISSION_DENIED")
			said(t, pages.do(t, "PATCH", "/members/"+n.ids["vera"], object{"role": "STAFF"}), http.StatusOK)
			viewer.make(t, "/customers", object{"displayName": "Mine"})
			gone(t, pages.do(t, "DELETE", "/members/"+n.ids["vera"], nil))
			if me := viewer.do(t, "GET", "/me", nil); me.Status == http.StatusOK && strings.Contains(me.Body, n.ids["shop"]) {
				t.Errorf("let go, and still in: %s", me.Body)
			}
		})
	})
}

package contract_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"daybook/test/harness"
)

// askWith is a correct request of a client that is a document.
func askWith(clientID string) (q url.Values, verifier string) {
	q = ask(clientID, "profile:read")
	return q, withPKCE(q)
}

// eachWithDocuments is eachOAuth with nodes that trust the site's certificate.
func eachWithDocuments(t *testing.T, test func(t *testing.T, n *oauthNode, site *documents)) {
	t.Helper()
	harness.EachDatabase(t, func(t *testing.T, database string) {
		site := newDocuments(t)
		env := []string{"DAYBOOK_LIMIT_SCALE=1000", "SSL_CERT_FILE=" + site.authority}
		test(t, &oauthNode{harness.Dev(t, harness.Options{Database: database, Env: env}), database}, site)
	})
}

// TestAClientIsADocument holds CIMD-01 and CIMD-02.
func TestAClientIsADocument(t *testing.T) {
	eachWithDocuments(t, func(t *testing.T, n *oauthNode, site *documents) {
		dan, olivia, lab := signedIn(t, n.Node, "dan"), n.worksIn(t, "olivia", "Bakery Brandt"), n.business(t, "Acme Lab")
		// The one slow document goes on in the background while the others are looked at.
		release, slow := make(chan struct{}), make(chan harness.Answer, 1)
		defer close(release)
		site.put("/slow", func(http.ResponseWriter, *http.Request) { <-release })
		begun := time.Now()
		go func() { q, _ := askWith(site.URL + "/slow"); slow <- n.authorize(t, dan, q) }()

		t.Run("CIMD-01 META-05 such a client really works", func(t *testing.T) {
			id := site.publish("/good.json", nil)
			q, verifier := askWith(id)
			handle := n.held(t, dan, q)
			text := page(t, harness.Get(t, dan, n.AuthURL+"/oauth/consent?request="+handle), http.StatusOK)
			for _, want := range []string{"Garden Shed", strings.TrimPrefix(site.URL, "https://"), "Acme Lab"} {
				if !strings.Contains(text, want) {
					t.Errorf("the consent page does not show %q:\n%s", want, text)
				}
			}
			code := callback(t, n.decide(t, dan, handle, lab, "allow")).Get("code")
			form := url.Values{"grant_type": {"authorization_code"}, "client_id": {id}, "code": {code}, "redirect_uri": {returnURI}, "code_verifier": {verifier}}
			set := tokens(t, n.post(t, "/oauth/token", nil, form))
			next := url.Values{"grant_type": {"refresh_token"}, "refresh_token": {set.RefreshToken}}
			set = tokens(t, n.post(t, "/oauth/token", basic(id, ""), next)) // by Basic the address is form-encoded
			emptySuccess(t, n.revoke(t, nil, url.Values{"client_id": {id}, "token": {set.RefreshToken}}))
			oauthError(t, n.post(t, "/oauth/token", nil, url.Values{"grant_type": {"refresh_token"}, "client_id": {id}, "refresh_token": {set.RefreshToken}}), http.StatusBadRequest, "invalid_grant", "revoked")
		})
		t.Run("CIMD-01 it is PUBLIC", func(t *testing.T) {
			id := site.publish("/public.json", map[string]any{"token_endpoint_auth_method": nil})
			refusalPage(t, n.authorize(t, dan, ask(id, "profile:read")), http.StatusBadRequest, "PKCE is required for public clients")
			oauthError(t, n.exchangeAs(t, id), http.StatusUnauthorized, "invalid_client", "*")
		})
		t.Run("CIMD-01 it is bound by its document", func(t *testing.T) {
			id := site.publish("/bound.json", nil)
			q, _ := askWith(id)
			q.Set("redirect_uri", returnURI+"/")
			refusalPage(t, n.authorize(t, dan, q), http.StatusBadRequest, "redirect_uri does not match any registered URI")
			q, _ = askWith(id)
			q.Set("scope", "journal:write")
			refusalPage(t, n.authorize(t, dan, q), http.StatusBadRequest, "Requested scopes not permitted for this client")
			q, _ = askWith(id)
			refusalPage(t, n.decide(t, olivia, n.held(t, olivia, q), n.business(t, "Bakery Brandt"), "allow"), http.StatusBadRequest, notReviewed)
		})
		t.Run("CIMD-01", func(t *testing.T) { badDocuments(t, n, dan, site) })
		t.Run("CIMD-01", func(t *testing.T) { badDocumentAddresses(t, n, dan, site) })
		t.Run("CIMD-02", func(t *testing.T) { cachedDocuments(t, n, dan, site) })
		t.Run("CIMD-02 an answer that takes longer than five seconds", func(t *testing.T) {
			a := <-slow
			refusalPage(t, a, http.StatusBadRequest, "Invalid client_id")
			if took := time.Since(begun); took < 4*time.Second || site.fetches("/slow") != 1 {
				t.Errorf("given up after %v and %d fetches", took, site.fetches("/slow"))
			}
		})
	})
}

// exchangeAs asks for a token exchange as a client that has no secret.
func (n *oauthNode) exchangeAs(t *testing.T, clientID string) harness.Answer {
	t.Helper()
	return n.post(t, "/oauth/token", nil, url.Values{"grant_type": {exchangeGrant}, "client_id": {clientID}, "subject_token": {"x"}, "subject_token_type": {jwtType}})
}

// badDocuments are fetched, and not taken.
func badDocuments(t *testing.T, n *oauthNode, dan *http.Client, site *documents) {
	write := func(status int, media, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", media)
			w.WriteHeader(status)
			_, _ = w.Write([]byte(body))
		}
	}
	publish := func(name string, changes map[string]any) { site.publish("/bad/"+name, changes) }
	publish("another-client-id", map[string]any{"client_id": site.URL + "/good.json"})
	publish("no-client-id", map[string]any{"client_id": nil})
	publish("client-id-in-capitals", map[string]any{"client_id": nil, "CLIENT_ID": site.URL + "/bad/client-id-in-capitals"})
	publish("with-a-slash", map[string]any{"client_id": site.URL + "/bad/with-a-slash/"})
	publish("a-secret", map[string]any{"client_secret": "x"})
	publish("basic", map[string]any{"token_endpoint_auth_method": "client_secret_basic"})
	publish("private-key-jwt", map[string]any{"token_endpoint_auth_method": "private_key_jwt"})
	publish("no-redirect-uris", map[string]any{"redirect_uris": nil})
	publish("empty-redirect-uris", map[string]any{"redirect_uris": []string{}})
	publish("six-redirect-uris", map[string]any{"redirect_uris": append(uris(5), returnURI)})
	publish("a-redirect-uri-by-http", map[string]any{"redirect_uris": []string{returnURI, "http://app.example/cb"}})
	publish("a-scope-nobody-has", map[string]any{"scope": "profile:read unheard:of"})
	publish("a-scope-apps-may-not-have", map[string]any{"scope": "profile:read console:manage"})
	publish("a-name-that-deceives", map[string]any{"client_name": "Daybook official"})
	site.sized("/bad/5121-bytes", 5121)
	good := func(name string) string { return string(site.document("/bad/"+name, nil)) }
	site.put("/bad/no-json", write(200, "application/json", "<html>"))
	site.put("/bad/another-type", write(200, "text/html", good("another-type")))
	site.put("/bad/no-type", write(200, "", good("no-type")))
	site.put("/bad/an-array", write(200, "application/json", "["+good("an-array")+"]"))
	site.put("/bad/half-a-document", write(200, "application/json", strings.TrimSuffix(good("half-a-document"), "}")))
	site.put("/bad/201", write(201, "application/json", good("201")))
	site.put("/bad/500", write(500, "application/json", good("500")))
	for _, status := range []string{"301", "302", "307", "308"} {
		target := site.publish("/target/"+status, map[string]any{"client_id": site.URL + "/bad/" + status})
		site.put("/bad/"+status, func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, target, map[string]int{"301": 301, "302": 302, "307": 307, "308": 308}[status])
		})
	}
	for _, path := range site.below("/bad/") {
		name := strings.TrimPrefix(path, "/bad/")
		t.Run("not taken: "+name, func(t *testing.T) {
			q, _ := askWith(site.URL + path)
			refusalPage(t, n.authorize(t, dan, q), http.StatusBadRequest, "Invalid client_id")
			if site.fetches(path) != 1 || site.fetches("/target/"+name) != 0 {
				t.Errorf("%d fetches, %d of where it redirects", site.fetches(path), site.fetches("/target/"+name))
			}
		})
	}
	t.Run("not taken: gone", func(t *testing.T) {
		q, _ := askWith(site.URL + "/nothing-there")
		refusalPage(t, n.authorize(t, dan, q), http.StatusBadRequest, "Invalid client_id")
		site.publish("/nothing-there", nil)
		n.held(t, dan, q) // a failure is not kept
	})
	t.Run("CIMD-02 5 KiB are not too many", func(t *testing.T) {
		q, _ := askWith(site.sized("/5120-bytes", 5120))
		n.held(t, dan, q)
	})
}

// badDocumentAddresses are never fetched.
func badDocumentAddresses(t *testing.T, n *oauthNode, dan *http.Client, site *documents) {
	host := strings.TrimPrefix(site.URL, "https://")
	site.publish("/", nil)
	before := site.requests()
	for name, id := range map[string]string{
		"http": "http://" + host + "/good.json", "no path": site.URL, "the root": site.URL + "/", "a query": site.URL + "/good.json?a=b", "a fragment": site.URL + "/good.json#a",
		"user info": "https://a@" + host + "/good.json", "dots": site.URL + "/a/../good.json", "encoded dots": site.URL + "/a/%2e%2e/good.json", "a dot": site.URL + "/./good.json",
		"a space": site.URL + "/good .json", "more than 512 characters": site.URL + "/" + strings.Repeat("a", 512),
	} {
		t.Run("never fetched: "+name, func(t *testing.T) {
			q, _ := askWith(id)
			refusalPage(t, n.authorize(t, dan, q), http.StatusBadRequest, "Invalid client_id")
		})
	}
	if got := site.requests(); got != before {
		t.Errorf("%d requests or connections were made", got-before)
	}
}

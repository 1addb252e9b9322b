package oauth

import (
	"strings"
	"testing"
	"time"

	"daybook/internal/platform/app"
)

const document = "https://client.example/meta.json"

// CIMD-01: which client ids are the address of a metadata document.
func TestWhichClientIDsAreDocuments(t *testing.T) {
	for _, good := range []string{
		document, "https://a/b", "https://a.example:8443/x/", "https://client.example/a/b/c", "https://client.example/.well-known/x", "https://client.example/..x", "https://client.example/%20",
		"https://[2001:db8::1]/x", "https://a/" + strings.Repeat("b", maxDocumentURL-len("https://a/")),
	} {
		if !IsDocument(good) {
			t.Errorf("%q is none", good)
		}
	}
	for _, bad := range []string{
		"", "cli_1", "https://", "https:///x", "https://client.example", "https://client.example/", "http://client.example/x",
		"HTTPS://client.example/x", " https://client.example/x",
		"https://client.example/x?y", "https://client.example/x#y", "https://client.example/?", "https://user@client.example/x",
		"https://@client.example/x", "https://client.example/../x",
		"https://client.example/a/./b", "https://client.example/a/..", "https://client.example/%2e%2E/x", "https://client.example/%2e",
		`https://client.example\x`, "https://client.example/x y",
		"https://client.example/é", "https://client.example/x\n", "https://client.example/x\x00", "https://client.example/%zz",
		"https://client.example:x/y", "https://%zz/x",
		"https://a/" + strings.Repeat("b", maxDocumentURL),
	} {
		if IsDocument(bad) {
			t.Errorf("%q is one", bad)
		}
	}
}

func TestWhatAMetadataDocumentMustBe(t *testing.T) {
	const redirect = `"redirect_uris":["https://client.example/cb"]`
	const least = `{"client_id":"` + document + `",` + redirect + `}`
	const asJSON = "application/json"
	good := []struct{ name, contentType, body, scopes string }{
		{"the least", asJSON, least, "profile:read"},
		{"with a charset", "application/json; charset=utf-8", least, "profile:read"},
		{"of a kind of JSON", "application/client+json", least, "profile:read"},
		{"with members nobody knows", asJSON, least[:len(least)-1] + `,"jwks_uri":7}`, "profile:read"},
		{"with scopes", asJSON, least[:len(least)-1] + `,"scope":"profile:read invoices:read"}`, "profile:read invoices:read"},
		{"with a blank scope", asJSON, least[:len(least)-1] + `,"scope":"  "}`, "profile:read"},
		{"with its way of authentication", asJSON, least[:len(least)-1] + `,"token_endpoint_auth_method":"none"}`, "profile:read"},
	}
	for _, c := range good {
		n, err := parseDocument(document, 200, c.contentType, []byte(c.body), false)
		if err != nil || n.ClientType != app.Public || n.Scopes.String() != c.scopes || len(n.RedirectURIs) != 1 {
			t.Errorf("%s: %+v, %v", c.name, n, err)
		}
	}
	six := `"redirect_uris":[` + strings.Repeat(`"https://client.example/cb",`, maxDocumentURIs) + `"https://client.example/cb"]`
	for _, c := range []struct {
		name        string
		status      int
		contentType string
		body        string
		truncated   bool
	}{
		{"not found", 404, asJSON, least, false},
		{"elsewhere", 302, asJSON, least, false},
		{"partial", 206, asJSON, least, false},
		{"cut off", 200, asJSON, least, true},
		{"a page", 200, "text/html", least, false},
		{"plain text", 200, "text/plain", least, false},
		{"without a type", 200, "", least, false},
		{"a script", 200, "application/javascript", least, false},
		{"empty", 200, asJSON, "", false},
		{"a list", 200, asJSON, "[]", false},
		{"null", 200, asJSON, "null", false},
		{"two objects", 200, asJSON, least + least, false},
		{"without an id", 200, asJSON, "{" + redirect + "}", false}, {"another id", 200, asJSON, strings.Replace(least, "meta", "other", 1), false},
		{"an id with a slash more", 200, asJSON, strings.Replace(least, "meta.json", "meta.json/", 1), false},
		{"a secret", 200, asJSON, least[:len(least)-1] + `,"client_secret":"x"}`, false},
		{"an empty secret", 200, asJSON, least[:len(least)-1] + `,"client_secret":""}`, false},
		{"another way of authentication", 200, asJSON, least[:len(least)-1] + `,"token_endpoint_auth_method":"client_secret_basic"}`, false},
		{"no redirect URI", 200, asJSON, `{"client_id":"` + document + `","redirect_uris":[]}`, false},
		{"none named", 200, asJSON, `{"client_id":"` + document + `"}`, false},
		{"too many", 200, asJSON, `{"client_id":"` + document + `",` + six + `}`, false},
		{"a bad one", 200, asJSON, strings.Replace(least, "https://client.example/cb", "http://client.example/cb", 1), false},
		{"one that is no text", 200, asJSON, strings.Replace(least, `"https://client.example/cb"`, "7", 1), false},
		{"a null", 200, asJSON, strings.Replace(least, `"https://client.example/cb"`, "null", 1), false},
	} {
		if n, err := parseDocument(document, c.status, c.contentType, []byte(c.body), c.truncated); err == nil {
			t.Errorf("%s: taken as %+v", c.name, n)
		}
	}
}

// CIMD-02: the document's own word, within five minutes and a day.
func TestHowLongADocumentIsFresh(t *testing.T) {
	for header, want := range map[string]time.Duration{
		"": leastFresh, "no-store": leastFresh, "no-cache, private": leastFresh, "max-age=0": leastFresh, "max-age=-1": leastFresh,
		"max-age=299": leastFresh, "max-age=301": 301 * time.Second,
		"public, max-age=3600": time.Hour, "MAX-AGE=3600": time.Hour, `max-age="3600"`: time.Hour, " max-age=3600 ,must-revalidate": time.Hour, "max-age=86400": mostFresh, "max-age=86401": mostFresh,
		"max-age=1073741823": mostFresh, "max-age=x": leastFresh, "max-age=": leastFresh, "s-maxage=3600": leastFresh,
		"max-age=99999999999999999999": leastFresh, "max-age=3600x": leastFresh,
	} {
		if got := freshFor(header); got != want {
			t.Errorf("%q: %v, want %v", header, got, want)
		}
	}
}

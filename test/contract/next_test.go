package contract_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"daybook/test/harness"
)

// hostile values of next: what a browser, a proxy or a sloppy parser could read as another place.
var hostile = []string{
	"https://evil.test/", "http://evil.test", "HTTPS://EVIL.TEST", "//evil.test", "///evil.test", "////evil.test", "//evil.test/%2e%2e",
	`\\evil.test`, `\evil.test`, `/\evil.test`, `/\/evil.test`, `\/\/evil.test`, `//\evil.test`, `/\\evil.test`,
	"/\t/evil.test", "/\n/evil.test", "/\r/evil.test", "/\x00/evil.test", "\t//evil.test", " //evil.test", "/ /evil.test", "/\u00a0/evil.test",
	"/\u2028/evil.test", "/%09/evil.test", "/%5cevil.test", "/%2f%2fevil.test", "/%2fevil.test", "%2f%2fevil.test", "/.//evil.test",
	"/..//evil.test", "/./\\evil.test", "/%2e//evil.test", "/x/..//evil.test", "/;//evil.test", "/?//evil.test", "/#//evil.test",
	"javascript:alert(1)", "JaVaScRiPt:alert(1)", "java\nscript:alert(1)", "data:text/html,x", "vbscript:x", "file:///etc/passwd",
	"evil.test", "evil.test/account", ".evil.test", "@evil.test", "user@evil.test", "/@evil.test", "//user:pass@evil.test/", "http:evil.test",
	"http:/evil.test", "http:\\\\evil.test", "https:///evil.test", "//[::1]/", "//0x7f000001/", "//evil.test:443/", "?next=//evil.test", "#x",
	"/account\r\nSet-Cookie: x=1", "/account\r\n\r\n<html>", "/account%0d%0aSet-Cookie:%20x=1", "/\u2215evil.test", "/\uff0fevil.test",
	"/" + strings.Repeat("a", 5000), "", "/%", "/%zz", "//", "/\\", "\\", "/.", "/..", "/../..",
}

// staysHere proves that a browser that follows the answer stays on our host. A browser drops tabs and line breaks and
// reads a backslash as a slash (WHATWG URL, 4.4).
func staysHere(t *testing.T, n *harness.Node, a harness.Answer) {
	t.Helper()
	location := a.Header.Get("Location")
	if a.Status != http.StatusSeeOther || len(a.Header.Values("Location")) != 1 || a.Header.Get("Set-Cookie") == "x=1" {
		t.Fatalf("%d %v", a.Status, a.Header)
	}
	asRead := strings.NewReplacer("\t", "", "\r", "", "\n", "", `\`, "/").Replace(location)
	if !strings.HasPrefix(asRead, "/") || strings.HasPrefix(asRead, "//") {
		t.Errorf("Location %q", location)
	}
	here, err := url.Parse(n.AuthURL + "/sign-in")
	if err != nil {
		t.Fatal(err)
	}
	there, err := here.Parse(asRead)
	if err != nil || there.Host != here.Host || there.Scheme != here.Scheme {
		t.Errorf("Location %q leads to %v (%v)", location, there, err)
	}
	for _, b := range []byte(location) {
		if b < ' ' || b >= 0x7f {
			t.Errorf("Location %q has byte %#x", location, b)
		}
	}
}

func TestNoNextLeadsElsewhere(t *testing.T) {
	n := harness.Dev(t, harness.Options{})
	olivia := n.User(t, "olivia")
	someone := signedIn(t, n, "olivia")
	for _, next := range hostile {
		t.Run("A-4 "+short(next), func(t *testing.T) {
			query := n.AuthURL + "/sign-in?" + url.Values{"next": {next}}.Encode()
			staysHere(t, n, harness.Get(t, someone, query)) // who is signed in already is sent on at once
			text := page(t, harness.Get(t, plain(t), query), http.StatusOK)
			_, after, _ := strings.Cut(text, `name="next" value="`)
			if kept, _, _ := strings.Cut(after, `"`); !strings.HasPrefix(kept, "/") || strings.HasPrefix(kept, "//") || strings.Contains(kept, `\`) {
				t.Errorf("the form keeps %q", kept)
			}
		})
	}
	// Checking the password takes time, so the form is posted for the most dangerous only.
	for _, next := range []string{"https://evil.test/", "//evil.test", `/\evil.test`, "/\t/evil.test", "javascript:alert(1)", "/account\r\nSet-Cookie: x=1", "/%2f%2fevil.test"} {
		t.Run("A-4 posted "+short(next), func(t *testing.T) {
			form := url.Values{"email": {olivia.Email}, "password": {olivia.Password}, "next": {next}}
			staysHere(t, n, harness.PostForm(t, plain(t), n.AuthURL+"/sign-in", form))
		})
	}
	// A-6 the answer to a form with a password is 303, and a harmless next is kept whole.
	for _, next := range []string{"/account", "/account?done=password", "/oauth/consent?request=abc&x=%2F%2F", "/a/b?c=d:e@f"} {
		t.Run("A-6 kept "+next, func(t *testing.T) {
			form := url.Values{"email": {olivia.Email}, "password": {olivia.Password}, "next": {next}}
			seeOther(t, harness.PostForm(t, plain(t), n.AuthURL+"/sign-in", form), next)
		})
	}
}

// short is a name for a case, without the bytes that make it hostile.
func short(next string) string {
	name := url.QueryEscape(next)
	return name[:min(len(name), 60)]
}

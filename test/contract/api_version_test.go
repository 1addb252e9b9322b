package contract_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"daybook/test/harness"
)

// The versions of the API, the oldest first.
const (
	oldest = "2025-03-01"
	older  = "2025-10-01"
	newest = "2026-06-01"
)

// TestVersionsOfTheAPI begins on the last day of the oldest version, and goes on to the last day of the next.
func TestVersionsOfTheAPI(t *testing.T) {
	eachAPI(t, func(t *testing.T, n *apiNode) {
		t.Run("which version", func(t *testing.T) { resolved(t, n) })
		t.Run("lists", func(t *testing.T) { listShapes(t, n) })
		t.Run("customers and suppliers", func(t *testing.T) { termShapes(t, n) })
		t.Run("invoices", func(t *testing.T) { statusShapes(t, n) })
		t.Run("payments", func(t *testing.T) { allocationShapes(t, n) })
		t.Run("the list of versions", func(t *testing.T) { versionList(t, n) })
		t.Run("sunset", func(t *testing.T) { sunsets(t, n) })
	}, "--clock", "2026-09-30T12:00:00Z")
}

// speaking is the same caller in a version.
func (c caller) speaking(version string) caller { return c.and("Daybook-Version", version) }

// pin sets an app's version, as the console will; empty for none.
func (n *apiNode) pin(t *testing.T, app, version string) {
	t.Helper()
	var value any
	if version != "" {
		value = version
	}
	n.sql(t, `UPDATE apps SET pinned_api_version = $2 WHERE id = $1`, n.ids[app], value)
}

// warnings are what an answer says of the end of its version.
func warnings(a harness.Answer) string {
	return a.Header.Get("Deprecation") + " | " + a.Header.Get("Sunset") + " | " + a.Header.Get("Link")
}

// ends is what is said of each version.
func (n *apiNode) ends(version string) string {
	link := "<" + n.BaseURL + `/versions>; rel="deprecation"`
	return map[string]string{
		oldest: "@1759276800 | Thu, 01 Oct 2026 00:00:00 GMT | " + link, // 2025-10-01
		older:  "@1780272000 | Tue, 01 Jun 2027 00:00:00 GMT | " + link, // 2026-06-01
		newest: " |  | ",
	}[version]
}

// speaks proves that an answer is in a version, and says so.
func (n *apiNode) speaks(t *testing.T, a harness.Answer, version string) {
	t.Helper()
	if got := a.Header.Values("Daybook-Version"); !slices.Equal(got, []string{version}) {
		t.Errorf("%d answer in %q, want %s: %s", a.Status, got, version, a.Body)
	}
	if got, want := warnings(a), n.ends(version); got != want {
		t.Errorf("%s warns with %s, want %s", version, got, want)
	}
}

// unsupported proves VERS-02.
func unsupported(t *testing.T, a harness.Answer) {
	t.Helper()
	refused(t, a, http.StatusBadRequest, "UNSUPPORTED_API_VERSION")
	if got := a.Header.Get("Daybook-Version"); got != "" || warnings(a) != " |  | " {
		t.Errorf("refused, and yet in version %q, with %s", got, warnings(a))
	}
}

// resolved proves VERS-01 and VERS-02.
func resolved(t *testing.T, n *apiNode) {
	app, pages := n.by(t, fullApp, "olivia", "shop"), n.session(t, "olivia", "shop")
	for _, c := range []struct {
		what, pin, header, want string // none wanted: refused
	}{
		{"VERS-01 nothing said", "", "", newest},
		{"VERS-01 by header", "", oldest, oldest},
		{"VERS-01 by header", "", older, older},
		{"VERS-01 by header, the newest one", "", newest, newest},
		{"VERS-01 by pin", oldest, "", oldest},
		{"VERS-01 by pin", older, "", older},
		{"VERS-01 the header before the pin", older, newest, newest},
		{"VERS-01 the header before the pin", newest, older, older},
		{"VERS-01 the header before a pin that does not exist", "2024-01-01", older, older},
		{"VERS-02 a pin that does not exist", "2024-01-01", "", ""},
		{"VERS-02 a version that does not exist", "", "2026-06-02", ""},
		{"VERS-02 a version that does not exist, before a good pin", older, "2025-11-01", ""},
		{"VERS-02 a version to come", "", "2027-01-01", ""},
		{"VERS-02 a word", "", "latest", ""},
		{"VERS-02 a version with something behind it", "", newest + "Z", ""},
		{"VERS-02 a date in another fashion", "", "2026-6-1", ""},
		{"VERS-02 two versions", "", newest + ", " + newest, ""},
		{"VERS-02 a very long word", "", strings.Repeat("9", 4000), ""},
	} {
		t.Run(c.what+" "+c.pin+" "+c.header[:min(len(c.header), 20)], func(t *testing.T) {
			n.pin(t, "full", c.pin)
			defer n.pin(t, "full", "")
			caller := app
			if c.header != "" {
				caller = app.speaking(c.header)
			}
			a := caller.do(t, "GET", "/me", nil)
			if c.want == "" {
				unsupported(t, a)
				limitHeaders(t, a)
				return
			}
			n.speaks(t, a, c.want)
			if got := a.JSON(t)["apiVersion"]; got != c.want {
				t.Errorf("GET /me says %v", got)
			}
		})
	}
	t.Run("VERS-02 an empty header, and two headers", func(t *testing.T) {
		unsupported(t, app.speaking("").do(t, "GET", "/me", nil))
		unsupported(t, app.speaking(newest).speaking(older).do(t, "GET", "/me", nil))
	})
	t.Run("VERS-01 a pin is one app's, and a session has none", func(t *testing.T) {
		n.pin(t, "full", older)
		defer n.pin(t, "full", "")
		n.speaks(t, n.by(t, twinApp, "olivia", "shop").do(t, "GET", "/me", nil), newest)
		n.speaks(t, pages.do(t, "GET", "/me", nil), newest)
		n.speaks(t, pages.speaking(older).do(t, "GET", "/me", nil), older)
		unsupported(t, pages.speaking("x").do(t, "GET", "/me", nil))
	})
	t.Run("VERS-01 refusals are in a version too, once it is known", func(t *testing.T) {
		n.speaks(t, app.speaking(older).do(t, "GET", "/customers/cus_"+nowhere, nil), older)
		n.speaks(t, app.speaking(older).do(t, "POST", "/customers", object{}), older)
		n.speaks(t, app.speaking(oldest).do(t, "GET", "/members", nil), oldest)
		n.speaks(t, n.by(t, fullApp, "olivia", "shop", "profile:read").speaking(older).do(t, "GET", "/invoices", nil), older)
	})
	t.Run("VERS-02 is asked before what is called, and after who calls", func(t *testing.T) {
		unsupported(t, app.speaking("x").do(t, "GET", "/nothing", nil))
		unsupported(t, n.by(t, fullApp, "olivia", "shop", "profile:read").speaking("x").do(t, "GET", "/invoices", nil))
		unauthenticated(t, n.nobody().speaking("x").do(t, "GET", "/me", nil))
	})
	t.Run("VERS-01 neither OAuth nor the list of versions minds the header", func(t *testing.T) {
		n.nobody().speaking("x").get(t, "/versions")
		said(t, n.nobody().speaking("x").do(t, "GET", "/.well-known/oauth-authorization-server", nil), http.StatusOK)
	})
	t.Run("VERS-01 the shape of refusals is the same in all", func(t *testing.T) {
		want := app.do(t, "GET", "/customers?limit=0&x=1", nil)
		for _, version := range []string{oldest, older} {
			if got := app.speaking(version).do(t, "GET", "/customers?limit=0&x=1", nil); got.Body != want.Body || got.Status != want.Status {
				t.Errorf("%s: %d %s", version, got.Status, got.Body)
			}
		}
	})
}

func versionList(t *testing.T, n *apiNode) {
	list := n.nobody().get(t, "/versions")
	var got []string
	for _, one := range list["versions"].([]any) {
		v := one.(object)
		sunset, _ := v["sunsetAt"].(string)
		got = append(got, v["version"].(string)+" "+v["releasedAt"].(string)+" "+sunset+" "+v["state"].(string))
		if len(v["changes"].([]any)) == 0 && v["version"] != oldest {
			t.Errorf("%v changed nothing", v["version"])
		}
	}
	want := []string{
		oldest + " 2025-03-01T00:00:00.000Z 2026-10-01T00:00:00.000Z DEPRECATED",
		older + " 2025-10-01T00:00:00.000Z 2027-06-01T00:00:00.000Z DEPRECATED",
		newest + " 2026-06-01T00:00:00.000Z  CURRENT",
	}
	t.Run("VERS-01 everybody may see what there is", func(t *testing.T) {
		if list["current"] != newest || !slices.Equal(got, want) {
			t.Errorf("newest %v, versions\n%s", list["current"], strings.Join(got, "\n"))
		}
	})
}

// sunsets proves VERS-02 on the day a version ends.
func sunsets(t *testing.T, n *apiNode) {
	for _, c := range []struct {
		version string
		end     time.Time
	}{
		{oldest, time.Date(2026, 10, 1, 0, 0, 0, 0, time.UTC)},
		{older, time.Date(2027, 6, 1, 0, 0, 0, 0, time.UTC)},
	} {
		token := func() caller { return n.by(t, fullApp, "olivia", "shop") } // tokens live an hour
		t.Run("VERS-02 "+c.version+" in its last minute", func(t *testing.T) {
			n.setClock(t, c.end.Add(-time.Minute))
			app := token()
			n.speaks(t, app.speaking(c.version).do(t, "GET", "/me", nil), c.version)
			n.pin(t, "full", c.version)
			defer n.pin(t, "full", "")
			n.speaks(t, app.do(t, "GET", "/me", nil), c.version)
		})
		t.Run("VERS-02 "+c.version+" from its sunset on, by header and by pin", func(t *testing.T) {
			n.setClock(t, c.end)
			app := token()
			unsupported(t, app.speaking(c.version).do(t, "GET", "/me", nil))
			n.pin(t, "full", c.version)
			defer n.pin(t, "full", "")
			unsupported(t, app.do(t, "GET", "/me", nil))
			n.speaks(t, app.speaking(newest).do(t, "GET", "/me", nil), newest)
			for _, one := range n.nobody().get(t, "/versions")["versions"].([]any) {
				if v := one.(object); v["version"] == c.version && v["state"] != "SUNSET" {
					t.Errorf("the list says %v", v["state"])
				}
			}
		})
	}
	t.Run("VERS-02 the newest one goes on", func(t *testing.T) {
		n.speaks(t, n.by(t, fullApp, "olivia", "shop").do(t, "GET", "/me", nil), newest)
	})
}

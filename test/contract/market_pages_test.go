package contract_test

import (
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"daybook/test/harness"
)

// TestMarketplacePages proves what everybody sees of listings, without signing in, and when they do not.
func TestMarketplacePages(t *testing.T) {
	eachHook(t, func(t *testing.T, n *apiNode) {
		s := n.newStand(t).tried(t).saved(t, "market-pages")
		s.submitted(t)
		see := func(t *testing.T, path string) harness.Answer {
			t.Helper()
			a := harness.Send(t, http.DefaultClient, http.MethodGet, n.AuthURL+path, nil, "")
			guarded(t, a)
			if len(a.Header.Values("Set-Cookie")) != 0 {
				t.Errorf("%s sets a cookie", path)
			}
			return a
		}
		const page, search = "/marketplace/market-pages", "/marketplace?search=ledger"
		shown := func(t *testing.T, want bool) {
			t.Helper()
			status := map[bool]int{true: http.StatusOK, false: http.StatusNotFound}[want]
			if a := see(t, page); a.Status != status {
				t.Errorf("%s: %d, want %d", page, a.Status, status)
			}
			if a := see(t, search); a.Status != http.StatusOK || strings.Contains(a.Body, `href="`+page+`"`) != want {
				t.Errorf("%s: %d, want it there: %v", search, a.Status, want)
			}
		}
		t.Run("C.9.3 nothing is shown before the approval", func(t *testing.T) { shown(t, false) })
		s.approved(t)
		t.Run("C.9.3 and everything of it is afterwards", func(t *testing.T) {
			shown(t, true)
			body := see(t, page).Body
			for _, words := range []string{"Ledger Sync", "Keeps books in step", "It <em>syncs</em>.", "English, Dutch", `rel="nofollow noopener noreferrer ugc"`, "Install", "https://app.example"} {
				if !strings.Contains(body, words) {
					t.Errorf("the page does not say %q:\n%s", words, body)
				}
			}
			if strings.Contains(body, "It posts.") || strings.Contains(body, "Click.") {
				t.Error("what is for reviewers is told to everybody")
			}
			pictures := regexp.MustCompile(`src="(/assets/[0-9a-f]{64}\.png)"`).FindAllStringSubmatch(body, -1)
			if len(pictures) != 2 {
				t.Fatalf("%d pictures", len(pictures))
			}
			for _, one := range pictures {
				if a := harness.Send(t, http.DefaultClient, http.MethodGet, n.AuthURL+one[1], nil, ""); a.Status != http.StatusOK || a.Header.Get("Content-Type") != "image/png" {
					t.Errorf("%s: %d", one[1], a.Status)
				}
			}
		})
		t.Run("it is found by category and by words", func(t *testing.T) {
			for query, want := range map[string]bool{
				"": true, "?category=TAX": true, "?category=BANKING": false, "?category=nothing": true, "?search=LEDG+sy": true, "?search=ledger+payroll": false, "?category=TAX&search=books": true, "?search=%3Cb%3E%25": true, "?search=%25_": false,
			} {
				if a := see(t, "/marketplace"+query); a.Status != http.StatusOK || strings.Contains(a.Body, `href="`+page+`"`) != want {
					t.Errorf("%q: %d, want it there: %v", query, a.Status, want)
				}
			}
			for _, path := range []string{"/marketplace?cursor=nonsense", "/marketplace?search=x&cursor=nonsense"} {
				if a := see(t, path); a.Status != http.StatusBadRequest {
					t.Errorf("%s: %d", path, a.Status)
				}
			}
		})
		t.Run("C.9.2 it goes with the app, and comes back with it", func(t *testing.T) {
			s.rosa.act(t, "/operator/apps/"+s.appID+"/suspend", object{"reason": "It sends too much."})
			shown(t, false)
			s.rosa.act(t, "/operator/apps/"+s.appID+"/unsuspend", nil)
			shown(t, true)
			s.dan.act(t, s.path+"/deactivate", nil)
			shown(t, false)
			s.dan.act(t, s.path+"/reactivate", nil)
			s.dan.act(t, s.path+"/listing/unlist", nil)
			shown(t, false)
			s.dan.act(t, s.path+"/listing/relist", nil)
			shown(t, true)
		})
		t.Run("CONS-06 pages about it are for its organization and for operators", func(t *testing.T) {
			review := "/operator/review/" + s.revision
			people := map[string]*http.Client{}
			for _, one := range []string{"dan", "rosa", "olivia"} {
				people[one] = signedIn(t, n.Node, one)
			}
			for path, who := range map[string]string{s.path + "/listing": "dan", s.path + "/listing/edit": "dan", s.path + "/listing/pictures": "dan", s.at(""): "dan", review: "rosa", "/operator/review": "rosa"} {
				for one, client := range people {
					want := http.StatusNotFound
					if one == who {
						want = http.StatusOK
					}
					if a := harness.Send(t, client, http.MethodGet, n.AuthURL+path, nil, ""); a.Status != want {
						t.Errorf("%s for %s: %d, want %d", path, one, a.Status, want)
					}
				}
				if a := harness.Send(t, harness.Browser(t), http.MethodGet, n.AuthURL+path, nil, ""); a.Status != http.StatusSeeOther || !strings.HasPrefix(a.Header.Get("Location"), "/sign-in?next=") {
					t.Errorf("%s for nobody: %d", path, a.Status)
				}
			}
		})
	})
}

// TestTheMarketplaceIsLookedAtInMeasure: nobody has to be known to search, so each place has a limit.
func TestTheMarketplaceIsLookedAtInMeasure(t *testing.T) {
	n := harness.Dev(t, harness.Options{Data: t.TempDir()})
	const most = 300
	refused := 0
	for range most + 5 {
		a := harness.Send(t, http.DefaultClient, http.MethodGet, n.AuthURL+"/marketplace", nil, "")
		if a.Status == http.StatusTooManyRequests {
			refused++
			if wait, err := strconv.Atoi(a.Header.Get("Retry-After")); err != nil || wait < 1 || wait > 60 || !strings.Contains(a.Body, "Wait a little") {
				t.Fatalf("Retry-After %q: %s", a.Header.Get("Retry-After"), a.Body)
			}
		}
	}
	if refused != 5 {
		t.Errorf("%d of %d were refused", refused, most+5)
	}
	n.Advance(t, "61s")
	if a := harness.Send(t, http.DefaultClient, http.MethodGet, n.AuthURL+"/marketplace", nil, ""); a.Status != http.StatusOK {
		t.Errorf("a minute later: %d", a.Status)
	}
}

package contract_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"daybook/test/harness"
)

// current is the id of the business that Olivia's account page shows as the one worked in.
func current(t *testing.T, n *harness.Node, c *http.Client) string {
	t.Helper()
	return harness.CurrentBusiness(page(t, harness.Get(t, c, n.AuthURL+"/account"), http.StatusOK), n.User(t, "olivia"))
}

func TestSwitchingBusinesses(t *testing.T) {
	harness.EachStore(t, func(t *testing.T, n *harness.Node) {
		bakery, catering := n.User(t, "olivia").Businesses[0], n.User(t, "olivia").Businesses[1]
		lab := n.User(t, "dan").Businesses[0]
		c, other := signedIn(t, n, "olivia"), signedIn(t, n, "olivia")
		if got := current(t, n, c); got != bakery.ID {
			t.Fatalf("at first it is %q, not the first one", got)
		}
		seeOther(t, harness.PostForm(t, c, n.AuthURL+"/switch", url.Values{"business": {catering.ID}}), "/account")
		if got := current(t, n, c); got != catering.ID {
			t.Errorf("after the switch it is %q", got)
		}
		if got := current(t, n, other); got != bakery.ID {
			t.Errorf("the person's other session went along to %q", got)
		}
		var answers []string
		for _, one := range []struct{ name, business string }{
			{"a business of others", lab.ID},
			{"a business that does not exist", "biz_00000000000000000000000000"},
			{"nothing", ""},
			{"an id of another kind", n.User(t, "olivia").ID},
			{"the id in capitals", strings.ToUpper(bakery.ID)},
			{"SQL", "' OR '1'='1"},
		} {
			t.Run(one.name, func(t *testing.T) {
				a := harness.PostForm(t, c, n.AuthURL+"/switch", url.Values{"business": {one.business}})
				text := page(t, a, http.StatusNotFound)
				if got := current(t, n, c); got != catering.ID {
					t.Errorf("it changed to %q", got)
				}
				answers = append(answers, strings.ReplaceAll(text, requestID(t, a), "(request id)"))
			})
		}
		if len(answers) < 2 || answers[0] != answers[1] {
			t.Errorf("a foreign business can be told from a missing one:\n%q", answers)
		}
		seeOther(t, harness.PostForm(t, c, n.AuthURL+"/switch", url.Values{"business": {bakery.ID}}), "/account")
		if got := current(t, n, c); got != bakery.ID {
			t.Errorf("back again it is %q", got)
		}
	})
}

func TestChangingThePassword(t *testing.T) {
	harness.EachStore(t, func(t *testing.T, n *harness.Node) {
		sam := n.User(t, "sam")
		c, other := signedIn(t, n, "sam"), signedIn(t, n, "sam")
		change := func(old, fresh string) harness.Answer {
			return harness.PostForm(t, c, n.AuthURL+"/account/password", url.Values{"password": {old}, "newPassword": {fresh}})
		}
		page(t, change("wrong-"+sam.Password, "a-new-password"), http.StatusUnauthorized)
		page(t, change(sam.Password, "short"), http.StatusBadRequest)
		page(t, change(sam.Password, strings.Repeat("x", 201)), http.StatusBadRequest)
		page(t, harness.Get(t, other, n.AuthURL+"/account"), http.StatusOK)
		seeOther(t, change(sam.Password, "a-new-password"), "/account?done=password")
		page(t, harness.Get(t, c, n.AuthURL+"/account"), http.StatusOK)
		seeOther(t, harness.Get(t, other, n.AuthURL+"/account"), "/sign-in?next=%2Faccount")
		page(t, signIn(t, n, plain(t), sam.Email, sam.Password), http.StatusUnauthorized)
		seeOther(t, signIn(t, n, plain(t), sam.Email, "a-new-password"), "/")
	})
}

package clients

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"daybook/test/harness"
)

// person is somebody at a browser, signed in.
type person struct {
	node     *harness.Node
	browser  *http.Client
	business string
}

// olivia owns two businesses and connects apps to the first.
func olivia(t *testing.T, n *harness.Node) person {
	t.Helper()
	u := n.User(t, "olivia")
	p := person{n, harness.Browser(t), u.Businesses[0].ID}
	n.SignIn(t, p.browser, u)
	return p
}

// answers opens an authorization link and decides on the consent page. It gives the callback's parameters.
func (p person) answers(t *testing.T, link, decision string) url.Values {
	t.Helper()
	consent := p.follow(t, harness.Get(t, p.browser, link), p.node.AuthURL+"/oauth/consent?")
	a := harness.PostForm(t, p.browser, p.node.AuthURL+"/oauth/consent", url.Values{
		"request": {consent.Get("request")}, "business": {p.business}, "decision": {decision},
	})
	return p.follow(t, a, redirectURI+"?")
}

// follow proves that an answer redirects to an address that begins so, and gives the address's parameters.
func (p person) follow(t *testing.T, a harness.Answer, beginning string) url.Values {
	t.Helper()
	base, err := url.Parse(p.node.AuthURL)
	if err != nil {
		t.Fatal(err)
	}
	to, err := base.Parse(a.Header.Get("Location"))
	if err != nil || a.Status != http.StatusSeeOther || !strings.HasPrefix(to.String(), beginning) {
		t.Fatalf("want a redirect to %s, got %d to %v\n%s", beginning, a.Status, to, a.Body)
	}
	return to.Query()
}

// decides types the code of a device and answers for it.
func (p person) decides(t *testing.T, userCode, decision string) {
	t.Helper()
	page := harness.PostForm(t, p.browser, p.node.AuthURL+"/device", url.Values{"user_code": {userCode}})
	if page.Status != http.StatusOK || !strings.Contains(page.Body, userCode) {
		t.Fatalf("the page for device %s: %d\n%s", userCode, page.Status, page.Body)
	}
	a := harness.PostForm(t, p.browser, p.node.AuthURL+"/device", url.Values{
		"user_code": {userCode}, "business": {p.business}, "decision": {decision},
	})
	p.follow(t, a, p.node.AuthURL+"/device/done?")
}

package browser

import (
	"net/url"
	"strings"

	"daybook/test/harness"
)

// sight is a page in a state that people meet.
type sight struct {
	name   string
	title  string // before the name of the service
	status int
	// reach leads a new window there. Sights share a node: what one changes, no other looks at.
	reach func(w *window) (status int)
}

// sights are all of them. What every page must be is asked of each (TestEveryPage).
var sights = []sight{
	{"sign in", "Sign in", 200, func(w *window) int { return w.visit("/sign-in") }},
	{"sign in refused", "Sign in", 401, func(w *window) int {
		return w.signInAs("olivia@brandt.test", "not her password")
	}},
	{"sign in locked", "Too many tries", 429, func(w *window) int {
		for range 11 {
			harness.PostForm(w.t, harness.Browser(w.t), w.node.AuthURL+"/sign-in", url.Values{"email": {"sam@brandt.test"}, "password": {"wrong"}})
		}
		return w.signInAs("sam@brandt.test", "sam-works-here")
	}},
	{"account", "Your account", 200, account("olivia")},
	{"account of an operator without a business", "Your account", 200, account("rosa")},
	{"account of a developer", "Your account", 200, account("dan")},
	{"account with long names and many businesses", "Your account", 200, func(w *window) int {
		loadCrowd(w)
		w.signInAs(crowdEmail, crowdPassword)
		return w.visit("/account")
	}},
	{"password changed", "Your account", 200, func(w *window) int {
		w.node = startNode(w.t) // others sign in as Vera, too
		return changePassword(w, w.signIn("vera").Password, "vera looks on, still")
	}},
	{"present password refused", "Your account", 401, func(w *window) int {
		w.signIn("dan")
		return changePassword(w, "not his password", "dan builds more apps")
	}},
	{"new password refused", "Your account", 400, func(w *window) int {
		u := w.signIn("dan")
		run(w, noValidation)
		return changePassword(w, u.Password, "short")
	}},
	{"consent", "Connect Ledger Sync", 200, func(w *window) int {
		w.signIn("olivia")
		return w.visit("/oauth/authorize?" + url.Values{
			"response_type": {"code"}, "client_id": {"cli_demosync"}, "redirect_uri": {"http://127.0.0.1:3000/callback"},
			"scope": {"invoices:read invoices:write customers:read"}, "state": {"anything"},
			"code_challenge": {"E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"}, "code_challenge_method": {"S256"}, // RFC 7636, appendix B
		}.Encode())
	}},
	{"app refused", "This app cannot connect", 400, func(w *window) int { return w.visit("/oauth/authorize?client_id=nobody") }},
	{"device code", "Connect a device", 200, func(w *window) int {
		w.signIn("olivia")
		return w.visit("/device")
	}},
	{"device code refused", "Connect a device", 404, func(w *window) int {
		w.signIn("olivia")
		w.visit("/device")
		w.fill("user_code", "BBBB-BBBB")
		return w.click("Continue")
	}},
	{"device", "Connect Pocket Till", 200, func(w *window) int {
		w.signIn("olivia")
		return w.toDevice(newDevice(w))
	}},
	{"device connected", "Your device is connected", 200, func(w *window) int {
		w.signIn("olivia")
		w.click("Switch to " + otherBusiness(w)) // the first one's apps are looked at below
		w.toDevice(newDevice(w))
		return w.click("Allow")
	}},
	{"device denied", "Access denied", 200, func(w *window) int {
		w.signIn("olivia")
		w.toDevice(newDevice(w))
		return w.click("Deny")
	}},
	{"connected apps", "Connected apps · Bakery Brandt", 200, func(w *window) int {
		w.signIn("olivia")
		return w.visit("/apps")
	}},
	{"no connected app", "Connected apps · Acme Lab", 200, func(w *window) int {
		w.signIn("dan")
		return w.visit("/apps")
	}},
	{"API reference", "API reference", 200, func(w *window) int { return w.visit(w.node.BaseURL + "/docs") }},
	{"not found", "Page not found", 404, func(w *window) int { return w.visit("/nowhere/in/particular") }},
	{"not found under a long address", "Page not found", 404, func(w *window) int { return w.visit("/" + strings.Repeat("nowhere", 60)) }},
	{"not a page", "Not a page to open", 405, func(w *window) int { return w.visit("/sign-out") }},
	{"from another site", "Not allowed", 403, func(w *window) int {
		w.visit(otherSite(w.t, "localhost", postingPage(w.node.AuthURL+"/sign-in", url.Values{"email": {"eve@example.com"}})))
		return w.click("Send")
	}},
	{"too large", "Too much at once", 413, func(w *window) int {
		w.visit("/sign-in")
		return postHere(w, "/sign-in", "application/x-www-form-urlencoded", "next", strings.Repeat("x", 64<<10))
	}},
	{"unreadable", "This request could not be understood", 400, func(w *window) int {
		w.visit("/sign-in")
		return postHere(w, "/sign-in", "multipart/form-data", "next", "/account")
	}},
	{"broken", "Something went wrong", 500, func(w *window) int {
		w.node = startNode(w.t)
		w.signIn("olivia")
		breakDatabase(w)
		return w.visit("/account")
	}},
}

func account(name string) func(w *window) int {
	return func(w *window) int {
		w.signIn(name)
		return 200
	}
}

func changePassword(w *window, present, fresh string) (status int) {
	w.t.Helper()
	w.fill("password", present)
	w.fill("newPassword", fresh)
	return w.click("Change password")
}

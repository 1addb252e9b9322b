package browser

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/chromedp/chromedp"

	"daybook/pkg/webhook"
	"daybook/test/harness"
)

// stall is an app of Dan's on its way into the marketplace, with a server of its own: where people begin and return to, and what
// receives its webhooks, which it proves.
type stall struct {
	developer
	path, id, clientID string
	server             string
	secret             atomic.Pointer[string]
}

// newStall is an app that has all that the checks want of it outside of its listing, but for the privacy events that must have
// happened.
func newStall(w *window, name string, scopes ...string) *stall {
	w.t.Helper()
	s := &stall{developer: newDeveloper(w, "dan")}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", s.begin)
	mux.HandleFunc("GET /callback", s.back)
	mux.HandleFunc("POST /webhooks", s.receive)
	server := httptest.NewServer(mux)
	w.t.Cleanup(server.Close)
	s.server = server.URL
	made := s.do("POST", "/developer/apps", map[string]any{
		"name": name, "clientType": "CONFIDENTIAL", "redirectUris": []string{"https://app.example/callback", s.server + "/callback"}, "scopes": scopes, "appUrl": s.server + "/",
	})
	s.id, s.clientID = made["id"].(string), made["clientId"].(string)
	s.path = "/developer/apps/" + s.id
	s.do("PATCH", s.path, map[string]any{"pinnedApiVersion": "2026-06-01"})
	hook := s.do("POST", s.path+"/webhooks", map[string]any{"url": s.server + "/webhooks", "events": []string{"business.redact", "customer.redact", "supplier.redact"}})
	secret := hook["secret"].(string)
	s.secret.Store(&secret)
	return s
}

// begin is where the app begins: it asks for access, as apps do.
func (s *stall) begin(w http.ResponseWriter, r *http.Request) {
	challenge := sha256.Sum256([]byte(strings.ReplaceAll(verifier, " ", "-")))
	http.Redirect(w, r, s.w.node.AuthURL+"/oauth/authorize?"+url.Values{
		"response_type": {"code"}, "client_id": {s.clientID}, "redirect_uri": {s.server + "/callback"}, "scope": {"invoices:read"}, "state": {"begun"},
		"code_challenge": {base64.RawURLEncoding.EncodeToString(challenge[:])}, "code_challenge_method": {"S256"},
	}.Encode(), http.StatusFound)
}

func (s *stall) back(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/html")
	_, _ = io.WriteString(w, "<!doctype html><title>Back</title><link rel=icon href=data:,><main>Back at the app</main>")
}

func (s *stall) receive(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	secret := s.secret.Load()
	if secret == nil || webhook.Verify(r.Header.Get("X-Webhook-Signature"), body, []string{*secret}, 10*365*24*time.Hour, time.Now()) != nil {
		w.WriteHeader(http.StatusUnauthorized)
	}
}

// hears has the privacy events happen in the organization's sandbox.
func (s *stall) hears(events ...string) {
	s.w.t.Helper()
	labs := s.do("GET", "/developer/sandbox-businesses", nil)["data"].([]any)
	lab := "/developer/sandbox-businesses/" + labs[0].(map[string]any)["id"].(string)
	s.do("POST", lab+"/trigger", map[string]any{"type": "app.installed", "clientId": s.clientID})
	for _, one := range events {
		body := map[string]any{"type": one}
		if one == "business.redact" {
			body["clientId"] = s.clientID
		}
		s.do("POST", lab+"/trigger", body)
	}
	s.w.node.Advance(s.w.t, "1s")
}

// picture uploads one and gives its id.
func (s *stall) picture(kind string, content []byte) string {
	s.w.t.Helper()
	a := harness.Send(s.w.t, s.developer.client, "POST", s.w.node.AuthURL+"/rest"+s.path+"/assets?kind="+kind, http.Header{"Content-Type": {"image/png"}}, string(content))
	if a.Status != http.StatusCreated {
		s.w.t.Fatalf("%d %s", a.Status, a.Body)
	}
	return a.JSON(s.w.t)["id"].(string)
}

// list saves a listing that leaves nothing out, and gives the path of its revision.
func (s *stall) list(slug, name string) string {
	s.w.t.Helper()
	saved := s.do("PUT", s.path+"/listing", map[string]any{
		"slug": slug, "name": name, "tagline": "The books are done when you wake up", "category": "ACCOUNTING", "languages": []string{"en", "nl", "pt-BR"},
		"description": "# What it does\n\nEvery night it looks at the **invoices** of the day and puts them where they belong.\n\n- Matches payments\n- Finds what is *missing*\n- Tells you in the morning\n\n## Who it is for\n\nBusinesses that would rather sleep. See [the manual](https://app.example/manual).",
		"iconAssetId": s.picture("ICON", drawn(512, 512, 40)), "screenshotAssetIds": []string{s.picture("SCREENSHOT", drawn(1280, 720, 90)), s.picture("SCREENSHOT", drawn(800, 600, 150))},
		"websiteUrl": "https://app.example", "supportEmail": "help@app.example", "supportUrl": "https://app.example/help", "privacyUrl": "https://app.example/privacy", "termsUrl": "https://app.example/terms",
		"pricing": map[string]any{"model": "FREEMIUM", "text": "Free for 50 invoices a month.\nThen € 9 a month."}, "testInstructions": "1. Connect it to a sandbox.\n2. Issue an invoice.\n3. Wait.",
		"scopeJustifications": map[string]any{"journal:write": "It posts what it found in the night."},
	})
	return s.path + "/listing/revisions/" + saved["open"].(map[string]any)["id"].(string)
}

// submitted lists the app and hands the revision in; the answer is the path of its review.
func (s *stall) submitted(slug, name string) string {
	s.w.t.Helper()
	revision := s.list(slug, name)
	s.hears("business.redact")
	s.do("POST", revision+"/submit", nil)
	return "/operator/revisions/" + revision[strings.LastIndex(revision, "/")+1:]
}

// published has the listing approved.
func (s *stall) published(slug, name string) {
	s.w.t.Helper()
	s.approve(s.submitted(slug, name))
}

func (s *stall) approve(review string) {
	s.w.t.Helper()
	rosa := newDeveloper(s.w, "rosa")
	rosa.do("POST", review+"/claim", nil)
	rosa.do("POST", review+"/approve", nil)
}

// drawn is a picture of that size, in some colour.
func drawn(width, height int, tint uint8) []byte {
	m := image.NewNRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			band := uint8((x/64 + y/64) % 2 * 24)
			m.SetNRGBA(x, y, color.NRGBA{tint + band, 110 + band, 96, 255})
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// attach puts a file into the n-th file field of the page, as somebody who chose it.
func (w *window) attach(n int, content []byte) {
	w.t.Helper()
	run(w, chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`{
		const bytes = Uint8Array.from(atob(%q), c => c.charCodeAt(0)), chosen = new DataTransfer()
		chosen.items.add(new File([bytes], "picture.png", {type: "image/png"}))
		document.querySelectorAll("input[type=file]")[%d].files = chosen.files
	}`, base64.StdEncoding.EncodeToString(content), n)))
}

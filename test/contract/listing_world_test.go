package contract_test

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"daybook/internal/base/db"
	"daybook/test/harness"
)

// stand is an app on its way into the marketplace: one of acme's, by dan, who builds it, and rosa, who reviews it.
type stand struct {
	n         *apiNode
	dan, rosa caller
	path      string // of the app
	appID     string
	clientID  string
	careless  *atomic.Bool // its receiver takes whatever comes
	revision  string       // its id
}

// newStand is an app with a receiver that proves signatures, and with what the checks want of it outside of its listing.
func (n *apiNode) newStand(t *testing.T) *stand {
	t.Helper()
	s := &stand{n: n, dan: n.console(t, "dan"), rosa: n.console(t, "rosa"), careless: &atomic.Bool{}}
	path, made := n.newApp(t, s.dan, object{"scopes": []string{"profile:read", "customers:read", "suppliers:read", "journal:write"}, "redirectUris": []string{"https://app.example/callback", returnURI}})
	s.path, s.appID, s.clientID = path, n.id(made), made["clientId"].(string)
	said(t, s.dan.do(t, "PATCH", path, object{"pinnedApiVersion": "2026-06-01"}), http.StatusOK)
	var secret atomic.Pointer[string]
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		header := r.Header.Get("X-Webhook-Signature")
		if known := secret.Load(); !s.careless.Load() && (known == nil || header != signature(header, string(body), *known)) {
			w.WriteHeader(http.StatusUnauthorized)
		}
	}))
	t.Cleanup(receiver.Close)
	hook := s.dan.make(t, path+"/webhooks", object{"url": receiver.URL, "events": []string{"business.redact", "customer.redact", "supplier.redact"}})
	value := hook["secret"].(string)
	secret.Store(&value)
	return s
}

// tried has every privacy event happen in a sandbox, where the app makes a call of its own, too.
func (s *stand) tried(t *testing.T) *stand {
	t.Helper()
	one, id := s.n.lab(t, s.dan)
	app := s.n.with(s.n.issue(t, s.clientID, "dan", id).AccessToken)
	app.get(t, "/me")
	s.dan.act(t, one+"/trigger", object{"type": "customer.redact"})
	s.dan.act(t, one+"/trigger", object{"type": "supplier.redact"})
	s.dan.act(t, one+"/trigger", object{"type": "business.redact", "clientId": s.clientID})
	s.n.settle(t)
	return s
}

// words are a listing that leaves nothing out.
func (s *stand) words(t *testing.T) object {
	t.Helper()
	return object{
		"name": "Ledger Sync", "tagline": "Keeps books in step", "description": "It *syncs*.", "category": "TAX", "iconAssetId": s.picture(t, "ICON", 512, 512),
		"screenshotAssetIds": []string{s.picture(t, "SCREENSHOT", 640, 360)}, "websiteUrl": "https://app.example", "supportEmail": "help@app.example",
		"privacyUrl": "https://app.example/privacy", "termsUrl": "https://app.example/terms", "pricing": object{"model": "FREEMIUM", "text": "5 a month"},
		"scopeJustifications": object{"journal:write": "It posts."}, "testInstructions": "Click.", "languages": []string{"en", "nl"},
	}
}

// picture uploads one and gives its id.
func (s *stand) picture(t *testing.T, kind string, width, height int) string {
	t.Helper()
	return s.n.id(said(t, s.upload(t, kind, pngOf(width, height)), http.StatusCreated))
}

func (s *stand) upload(t *testing.T, kind, content string) harness.Answer {
	t.Helper()
	return s.dan.and("Content-Type", "image/png").do(t, "POST", s.path+"/assets?kind="+kind, content)
}

// saved saves the listing, whole.
func (s *stand) saved(t *testing.T, slug string) *stand {
	t.Helper()
	body := s.words(t)
	body["slug"] = slug
	s.revision = s.n.id(said(t, s.dan.do(t, "PUT", s.path+"/listing", body), http.StatusOK)["open"].(object))
	return s
}

// at is the path of its revision, for the developer.
func (s *stand) at(rest string) string { return s.path + "/listing/revisions/" + s.revision + rest }

// review is the same for the reviewer.
func (s *stand) review(rest string) string { return "/operator/revisions/" + s.revision + rest }

// submitted hands it in.
func (s *stand) submitted(t *testing.T) *stand {
	t.Helper()
	if is := s.dan.act(t, s.at("/submit"), nil); is["state"] != "SUBMITTED" {
		t.Fatalf("%v", is)
	}
	return s
}

// approved has it claimed and approved.
func (s *stand) approved(t *testing.T) *stand {
	t.Helper()
	s.rosa.act(t, s.review("/claim"), nil)
	if is := s.rosa.act(t, s.review("/approve"), nil); is["state"] != "PUBLISHED" {
		t.Fatalf("%v", is)
	}
	return s
}

// state of its revision.
func (s *stand) state(t *testing.T) any { t.Helper(); return s.dan.get(t, s.at(""))["state"] }

// drawing is a picture of that size.
func drawing(width, height int) image.Image {
	m := image.NewNRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			m.SetNRGBA(x, y, color.NRGBA{uint8(x / 4), uint8(y / 4), 90, 255})
		}
	}
	return m
}

func pngOf(width, height int) string {
	var b bytes.Buffer
	if err := png.Encode(&b, drawing(width, height)); err != nil {
		panic(err)
	}
	return b.String()
}

func jpegOf(width, height int) string {
	var b bytes.Buffer
	if err := jpeg.Encode(&b, drawing(width, height), nil); err != nil {
		panic(err)
	}
	return b.String()
}

// failing are the checks among results that have a level.
func failing(results any, level string) string {
	var names []string
	for _, r := range objects(results) {
		if r["level"] == level {
			names = append(names, r["check"].(string))
		}
	}
	return strings.Join(names, " ")
}

// stored reads one text from the store.
func (n *apiNode) stored(t *testing.T, sql string, args ...any) (text string) {
	t.Helper()
	ctx := context.Background()
	must(t, n.store(t).Read(ctx, func(tx *db.Tx) (err error) {
		text, err = db.One(ctx, tx, db.Value[string], sql, args...)
		return err
	}))
	return text
}

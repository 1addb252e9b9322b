package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

var noon = time.Date(2026, 11, 14, 12, 0, 0, 0, time.UTC)

// signer publishes a key as Daybook does, and signs with it.
type signer struct {
	key     *ecdsa.PrivateKey
	fetches int
}

func newSigner(t *testing.T) (*signer, *daybook) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	s := &signer{key: key}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		s.fetches++
		point, _ := key.PublicKey.Bytes()
		fmt.Fprintf(w, `{"keys":[{"kid":"other","kty":"RSA"},{"kid":"k1","kty":"EC","crv":"P-256","x":%q,"y":%q}]}`,
			base64.RawURLEncoding.EncodeToString(point[1:33]), base64.RawURLEncoding.EncodeToString(point[33:]))
	}))
	t.Cleanup(server.Close)
	return s, &daybook{base: server.URL, clientID: "cli_1", http: server.Client()}
}

func (s *signer) sign(t *testing.T, header, body map[string]any) string {
	t.Helper()
	part := func(v any) string {
		text, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return base64.RawURLEncoding.EncodeToString(text)
	}
	signed := part(header) + "." + part(body)
	digest := sha256.Sum256([]byte(signed))
	r, z, err := ecdsa.Sign(rand.Reader, s.key, digest[:])
	if err != nil {
		t.Fatal(err)
	}
	signature := make([]byte, 64)
	r.FillBytes(signature[:32])
	z.FillBytes(signature[32:])
	return signed + "." + base64.RawURLEncoding.EncodeToString(signature)
}

func TestOnlyOurOwnFreshTokensCount(t *testing.T) {
	s, d := newSigner(t)
	header := func() map[string]any { return map[string]any{"alg": "ES256", "typ": "session+jwt", "kid": "k1"} }
	body := func() map[string]any {
		return map[string]any{"iss": d.base, "aud": "cli_1", "sub": "usr_1", "business_id": "biz_1", "nbf": noon.Unix(), "exp": noon.Unix() + 60, "ext": "ext_1", "res": map[string]string{"type": "INVOICE", "id": "inv_1"}}
	}
	good := s.sign(t, header(), body())
	c, err := d.verify(t.Context(), good, noon)
	if err != nil || c.Subject != "usr_1" || c.BusinessID != "biz_1" || c.Extension != "ext_1" || *c.Resource != (record{"INVOICE", "inv_1"}) {
		t.Fatalf("%+v, %v", c, err)
	}
	for at, counts := range map[time.Duration]bool{-6 * time.Second: false, -5 * time.Second: true, 64 * time.Second: true, 65 * time.Second: false} {
		if _, err := d.verify(t.Context(), good, noon.Add(at)); (err == nil) != counts {
			t.Errorf("after %v: %v", at, err)
		}
	}
	parts := strings.Split(good, ".")
	wrong := map[string]string{
		"nothing": "", "two parts": parts[0] + "." + parts[1], "no signature": parts[0] + "." + parts[1] + ".", "another body": parts[0] + "." + strings.Split(s.sign(t, header(), map[string]any{}), ".")[1] + "." + parts[2],
		"a short signature": parts[0] + "." + parts[1] + "." + parts[2][:40], "no base64": parts[0] + "." + parts[1] + ".!!!!",
	}
	for name, change := range map[string]func(h, b map[string]any){
		"alg none": func(h, _ map[string]any) { h["alg"] = "none" }, "another algorithm": func(h, _ map[string]any) { h["alg"] = "HS256" }, "another type": func(h, _ map[string]any) { h["typ"] = "JWT" },
		"an unknown key": func(h, _ map[string]any) { h["kid"] = "k2" }, "another issuer": func(_, b map[string]any) { b["iss"] = "https://evil.example" }, "another app's": func(_, b map[string]any) { b["aud"] = "cli_2" },
	} {
		h, b := header(), body()
		change(h, b)
		wrong[name] = s.sign(t, h, b)
	}
	for name, token := range wrong {
		if c, err := d.verify(t.Context(), token, noon); err == nil {
			t.Errorf("%s counts: %+v", name, c)
		}
	}
	if s.fetches != 1 {
		t.Errorf("the keys were fetched %d times within a minute", s.fetches)
	}
	if _, err := d.verify(t.Context(), wrong["an unknown key"], noon.Add(time.Minute)); err == nil || s.fetches != 2 {
		t.Errorf("after a minute: %v, %d fetches", err, s.fetches)
	}
}

func TestNobodyElseFramesThePage(t *testing.T) {
	handler := (&app{host: "https://books.example"}).handler()
	for _, path := range []string{"/", "/page.js", "/page.css"} {
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		if got := w.Header().Get("Content-Security-Policy"); w.Code != http.StatusOK || got != "default-src 'self'; frame-ancestors https://books.example" {
			t.Errorf("%s: %d %s", path, w.Code, got)
		}
	}
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, httptest.NewRequest("GET", "/record", nil))
	if w.Code != http.StatusUnauthorized {
		t.Errorf("%d", w.Code)
	}
}

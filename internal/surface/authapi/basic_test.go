package authapi

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

func basic(text string) string { return "Basic " + base64.StdEncoding.EncodeToString([]byte(text)) }

// CLNT-01: both halves form-decoded, and taken as they are where they do not decode.
func TestBasicHeaders(t *testing.T) {
	for _, c := range []struct {
		name, header, id, password string
		present, ok                bool
	}{
		{"none", "", "", "", false, false},
		{"another scheme", "Bearer at_1", "", "", false, false},
		{"a longer scheme", "Basics Y2xpOmNz", "", "", false, false},
		{"plain", basic("cli_1:cs_1"), "cli_1", "cs_1", true, true},
		{"another case", "bASIC " + base64.StdEncoding.EncodeToString([]byte("cli_1:cs_1")), "cli_1", "cs_1", true, true},
		{"more blanks", "Basic   " + base64.StdEncoding.EncodeToString([]byte("cli_1:cs_1")) + " ", "cli_1", "cs_1", true, true},
		{"an empty secret", basic("cli_1:"), "cli_1", "", true, true},
		{"an empty id", basic(":cs_1"), "", "cs_1", true, true},
		{"nothing but a colon", basic(":"), "", "", true, true},
		{"no colon", basic("cli_1"), "", "", true, false},
		{"encoded", basic("cli%5F1:cs%5f1"), "cli_1", "cs_1", true, true},
		{"an address", basic("https%3A%2F%2Fclient.example%2Fmeta:"), "https://client.example/meta", "", true, true},
		{"a plus", basic("cli+1:a+b"), "cli 1", "a b", true, true},
		{"a colon in the secret", basic("cli_1:a:b"), "cli_1", "a:b", true, true},
		{"what does not decode", basic("cli%zz:100%"), "cli%zz", "100%", true, true},
		{"one half that does not decode", basic("cli%5F1:100%"), "cli_1", "100%", true, true},
		{"no base64", "Basic %%%", "", "", true, false},
		{"base64 for addresses", "Basic " + base64.URLEncoding.EncodeToString([]byte("cli_1:\xff\xfe\xfd")), "", "", true, false},
		{"without padding", "Basic " + strings.TrimRight(base64.StdEncoding.EncodeToString([]byte("cli_1:cs")), "="), "", "", true, false},
		{"nothing", "Basic", "", "", true, false},
		{"nothing after a blank", "Basic ", "", "", true, false},
	} {
		id, password, present, ok := parseBasic(c.header)
		if id != c.id || password != c.password || present != c.present || ok != c.ok {
			t.Errorf("%s: %q, %q, present %v, ok %v", c.name, id, password, present, ok)
		}
	}
}

// One way of authentication, and one client.
func TestClaims(t *testing.T) {
	for _, c := range []struct {
		name, header, id, secret string
		wantID                   string
		sent, basic, refused     bool
	}{
		{"nobody", "", "", "", "", false, false, false},
		{"a public client", "", "cli_1", "", "cli_1", false, false, false},
		{"by post", "", "cli_1", "cs_1", "cli_1", true, false, false},
		{"a secret alone", "", "", "cs_1", "", true, false, false},
		{"by header", basic("cli_1:cs_1"), "", "", "cli_1", true, true, false},
		{"by header, named again", basic("cli_1:cs_1"), "cli_1", "", "cli_1", true, true, false},
		{"by header, without a secret", basic("cli_1:"), "", "", "cli_1", false, true, false},
		{"by header, another one named", basic("cli_1:cs_1"), "cli_2", "", "", false, false, true},
		{"both ways", basic("cli_1:cs_1"), "cli_1", "cs_1", "", false, false, true},
		{"both ways, the header empty", basic(":"), "", "cs_1", "", false, false, true},
		{"an unreadable header", "Basic %%%", "cli_1", "cs_1", "", false, true, false},
		{"another header", "Bearer at_1", "cli_1", "cs_1", "cli_1", true, false, false},
	} {
		r := &http.Request{Header: http.Header{"Authorization": {c.header}}}
		got, no := readClaim(r, c.id, c.secret)
		if (no != nil) != c.refused || got.proof.ClientID != c.wantID || got.sentSecret() != c.sent || got.basic != c.basic {
			t.Errorf("%s: %q, secret sent %v, basic %v, %v", c.name, got.proof.ClientID, got.sentSecret(), got.basic, no)
		}
		if no != nil && (no.status != http.StatusBadRequest || no.denial.Code != "invalid_request") {
			t.Errorf("%s: refused with %v", c.name, no)
		}
	}
}

// Whatever is encoded properly is read back; nothing else can take its place.
func FuzzBasic(f *testing.F) {
	f.Add("cli_1", "cs_1", "")
	f.Add("https://client.example/a:b", "%+ é\x00", "Basic Og==")
	f.Fuzz(func(t *testing.T, id, password, raw string) {
		gotID, gotPassword, present, ok := parseBasic(basic(url.QueryEscape(id) + ":" + url.QueryEscape(password)))
		if !present || !ok || gotID != id || gotPassword != password {
			t.Fatalf("%q and %q became %q and %q", id, password, gotID, gotPassword)
		}
		gotID, gotPassword, present, ok = parseBasic(raw)
		scheme, _, _ := strings.Cut(raw, " ")
		if present != strings.EqualFold(scheme, "Basic") || ok && !present || !ok && (gotID != "" || gotPassword != "") {
			t.Fatalf("%q: %q, %q, %v, %v", raw, gotID, gotPassword, present, ok)
		}
		if claim, no := readClaim(&http.Request{Header: http.Header{"Authorization": {raw}}}, id, password); no == nil && present && ok && password != "" {
			t.Fatalf("%q with a secret in the body: taken as %q", raw, claim.proof.ClientID)
		}
	})
}

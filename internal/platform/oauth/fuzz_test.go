package oauth

import (
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"net/url"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"daybook/internal/base/secret"
	"daybook/internal/platform/app"
	"daybook/internal/platform/scope"
)

// Whatever the query, a request that passes names one client, one registered address and scopes that are registered; and
// it can be sent back the same.
func FuzzAsk(f *testing.F) {
	f.Add(goodAsk().Encode(), true)
	f.Add("client_id=a&client_id=b", false)
	f.Add("client_id=a&redirect_uri=https%3A%2F%2Fapp.example%2Fcallback&response_type=code&scope=profile:read&state=%00%ff&resource=https://api.example/", false)
	f.Add("client_id=a&redirect_uri=https://app.example/callback%00&response_type=code&scope=x", true)
	a := app.App{ClientID: "cli_1", RedirectURIs: []string{callback}, Scopes: registered}
	f.Fuzz(func(t *testing.T, query string, public bool) {
		q, err := url.ParseQuery(query)
		if err != nil {
			return
		}
		id, message := ParseAsk(q)
		if (id == "") != (message != "") || id != "" && (len(q["client_id"]) != 1 || id != q["client_id"][0]) {
			t.Fatalf("%q, %q", id, message)
		}
		a := a
		if a.ClientType = app.Confidential; public {
			a.ClientType = app.Public
		}
		ask, message := CheckAsk(q, a, issuer)
		if message != "" {
			if !utf8.ValidString(message) || strings.ContainsAny(message, "<>\n\r") {
				t.Fatalf("message %q", message)
			}
			return
		}
		if !slices.Contains(a.RedirectURIs, ask.RedirectURI) || len(ask.Scopes) == 0 || !ask.Scopes.Within(registered) || public && !validChallenge(ask.Challenge) {
			t.Fatalf("passed as %+v", ask)
		}
		if ask.State != nil && *ask.State != q.Get("state") || ask.State == nil && q.Get("state") != "" || len(q.Get("state")) > maxState {
			t.Fatalf("state %v", ask.State)
		}
		target, err := url.Parse(Callback(ask.RedirectURI, issuer, ask.State, url.Values{"code": {"c"}}))
		if err != nil || target.Host != "app.example" || target.Path != "/callback" || target.Query().Get("state") != q.Get("state") || target.Query().Get("iss") != issuer {
			t.Fatalf("sent to %v, %v", target, err)
		}
	})
}

// A resource that passes is on the API origin by any reading of it.
func FuzzResource(f *testing.F) {
	for _, s := range []string{
		"", issuer, issuer + "/a", "https://api.example@evil/", "https://evil\\@api.example/", "https://api.example:443", "https:/api.example",
		"https://API.EXAMPLE/%2f",
	} {
		f.Add(s, false)
	}
	f.Fuzz(func(t *testing.T, raw string, twice bool) {
		values := []string{raw}
		if twice {
			values = append(values, raw)
		}
		got, denial := CheckResource(values, issuer)
		if denial != nil {
			if denial.Code != CodeInvalidTarget || got != "" {
				t.Fatalf("%q: %q, %+v", raw, got, denial)
			}
			return
		}
		if got == "" {
			if raw != "" || twice {
				t.Fatalf("%q counts as absent", values)
			}
			return
		}
		rest := got[len("https://"):]
		host, _, _ := strings.Cut(rest, "/")
		host, _, _ = strings.Cut(host, "?")
		if got != raw || twice || len(got) > 512 || !strings.EqualFold(got[:8], "https://") || !strings.EqualFold(host, "api.example") || strings.Contains(got, "#") {
			t.Fatalf("%q passed", raw)
		}
	})
}

// Scopes survive being written and read, and a device may ask for no more than its app registered.
func FuzzScope(f *testing.F) {
	for _, s := range []string{"", "profile:read", "profile:read  profile:read", "\t\n", "a\u00a0b", "profile:read\x00", "é", "invoices:write profile:read"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		set := scope.Parse(text)
		if again := scope.Parse(set.String()); !again.Equal(set) || again.String() != set.String() {
			t.Fatalf("%q became %q and %q", text, set, again)
		}
		for _, s := range set {
			if s == "" || !strings.Contains(text, string(s)) {
				t.Fatalf("%q holds %q", text, s)
			}
		}
		if extra := set.Minus(registered); len(extra) > 0 {
			for _, c := range []byte(describeScope(extra[0])) {
				if c < 0x20 || c > 0x7e || c == '"' || c == '\\' {
					t.Fatalf("%q is described with %q", extra[0], c) // RFC 6749, 5.2
				}
			}
		} else if !set.Within(registered) {
			t.Fatalf("%q is not within", set)
		}
	})
}

// A pair verifies exactly when the challenge is the hash of a well-formed verifier.
func FuzzPKCE(f *testing.F) {
	f.Add(challenge, verifier)
	f.Add("", "")
	f.Add(verifier, verifier)
	f.Add(challengeOf("short"), "short")
	f.Fuzz(func(t *testing.T, c, v string) {
		sum := sha256.Sum256([]byte(v))
		want := len(v) >= 43 && len(v) <= 128 && c == base64.RawURLEncoding.EncodeToString(sum[:])
		for _, r := range v {
			if !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("-._~", r)) {
				want = false
			}
		}
		if verifies(c, v) != want {
			t.Fatalf("%q with %q: %v", c, v, !want)
		}
		if _, err := base64.RawURLEncoding.DecodeString(c); validChallenge(c) && err != nil || !validChallenge(c) && err == nil && len(c) == 43 && !strings.ContainsAny(c, "\r\n") {
			t.Fatalf("challenge %q: %v", c, err)
		}
	})
}

// A user code that is read has eight letters of the alphabet, which are those typed, in their order.
func FuzzUserCode(f *testing.F) {
	for _, s := range []string{"BCDF-GHJK", "bcdfghjk", "", "BCDF\u2013GHJK", "ſCDF-GHJK", "BCDF-GHJ\u212a", "\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, typed string) {
		code, ok := ParseUserCode(typed)
		if !ok {
			return
		}
		var letters strings.Builder
		for _, r := range typed {
			if 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' {
				letters.WriteRune(r)
			}
		}
		if code != strings.ToUpper(letters.String()) || len(code) != 8 || len(typed) > 64 {
			t.Fatalf("%q was read as %q", typed, code)
		}
		if again, ok := ParseUserCode(ShowUserCode(code)); !ok || again != code {
			t.Fatalf("%q is read as %q", code, again)
		}
	})
}

// A metadata document that is taken names its own address and holds only addresses that an app may register.
func FuzzDocument(f *testing.F) {
	f.Add(document, `{"client_id":"`+document+`","redirect_uris":["https://client.example/cb"]}`, "application/json")
	f.Add("https://a/b", `{"client_id":"https://a/b","CLIENT_ID":"x","redirect_uris":[]}`, "text/x+json")
	f.Add("https://a/%2e%2e", `{}`, "")
	f.Fuzz(func(t *testing.T, address, body, contentType string) {
		if IsDocument(address) {
			u, err := url.Parse(address)
			if err != nil || u.Scheme != "https" || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" || u.Path == "" || len(address) > maxDocumentURL {
				t.Fatalf("%q is an address", address)
			}
			if clean := u.JoinPath(); strings.Contains(address, "/../") || strings.HasSuffix(address, "/..") || clean.Host != u.Host {
				t.Fatalf("%q has dot segments", address)
			}
		}
		n, err := parseDocument(address, 200, contentType, []byte(body), false)
		if err != nil {
			return
		}
		if n.ClientType != app.Public || len(n.RedirectURIs) < 1 || len(n.RedirectURIs) > app.MaxRedirectURIs || !strings.Contains(strings.ToLower(contentType), "json") {
			t.Fatalf("taken as %+v", n)
		}
		for _, uri := range n.RedirectURIs {
			if app.CheckRedirectURI(uri) != "" {
				t.Fatalf("with %q", uri)
			}
		}
	})
}

// An arbitrary bearer token is ErrToken and nothing else, and costs a look-up only if it could have been minted.
func FuzzBearer(f *testing.F) {
	w := fuzzWorld(f)
	good := w.tokens(f, w.mine)
	for _, s := range []string{"", "at_", "at_" + secret.Random(43), "rt_" + secret.Random(43), good.Refresh.Reveal(), "at_\x00", strings.Repeat("at_", 1000)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, value string) {
		if _, err := w.Authenticate(ctx, secret.Of(value)); !errors.Is(err, ErrToken) && value != good.Access.Reveal() {
			t.Fatalf("%q: %v", value, err)
		}
		in, failed, err := w.Introspect(ctx, w.mine.proof(), secret.Of(value))
		if err != nil || failed || in.Active && value != good.Refresh.Reveal() && value != good.Access.Reveal() {
			t.Fatalf("%q: %+v, %v, %v", value, in, failed, err)
		}
		if _, failed, err := w.Prove(ctx, Proof{ClientID: value}); err != nil || !failed && value != w.open.ClientID {
			t.Fatalf("client %q: %v, %v", value, failed, err)
		}
	})
}

// No bytes but those we signed verify.
func FuzzSessionToken(f *testing.F) {
	w := fuzzWorld(f)
	w.install(f, w.mine)
	good := w.sessionToken(f, w.mine).Reveal()
	keys, now := w.keys(f), w.Clock.Now()
	parts := strings.Split(good, ".")
	none := base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"none","typ":"session+jwt"}`))
	for _, s := range []string{
		good, "", "..", good + ".", parts[0] + "." + parts[1] + ".", none + "." + parts[1] + ".", parts[1] + "." + parts[1] + "." + parts[2],
		strings.Repeat("a", 9000),
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, token string) {
		claims, ok := verify(token, keys, now)
		if !ok {
			return
		}
		// base64url without padding leaves a few bits of the last character free
		if p := strings.Split(token, "."); len(p) != 3 || p[0] != parts[0] || p[1] != parts[1] || claims.Subject != w.owner {
			t.Fatalf("%q verifies as %+v", token, claims)
		}
	})
}

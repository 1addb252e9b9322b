package contract_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"daybook/test/harness"
)

const (
	metadataPath = "/.well-known/oauth-authorization-server"
	keysPath     = "/.well-known/jwks.json"
)

// words reads a member that is a list of strings.
func words(t *testing.T, document map[string]any, name string) []string {
	t.Helper()
	list, ok := document[name].([]any)
	if !ok {
		t.Fatalf("%s is %v, want a list", name, document[name])
	}
	var out []string
	for _, one := range list {
		out = append(out, one.(string))
	}
	return out
}

func TestDiscovery(t *testing.T) {
	eachOAuth(t, func(t *testing.T, n *oauthNode) {
		a := harness.Get(t, plain(t), n.BaseURL+metadataPath)
		document := a.JSON(t)
		t.Run("META-01 the document is on the API host and names its origin as issuer", func(t *testing.T) {
			if a.Status != http.StatusOK || a.Header.Get("Content-Type") != "application/json; charset=utf-8" {
				t.Errorf("%d %s", a.Status, a.Header.Get("Content-Type"))
			}
			if document["issuer"] != n.BaseURL || strings.HasSuffix(n.BaseURL, "/") {
				t.Errorf("issuer %v, want %s", document["issuer"], n.BaseURL)
			}
			page(t, harness.Get(t, plain(t), n.AuthURL+metadataPath), http.StatusNotFound)
		})
		t.Run("META-01 the issuer is configured, not what the caller calls us", func(t *testing.T) {
			r, _ := http.NewRequest(http.MethodGet, n.BaseURL+metadataPath, nil)
			r.Host = "evil.test"
			response, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			defer response.Body.Close()
			var other map[string]any
			if err := json.NewDecoder(response.Body).Decode(&other); err != nil || other["issuer"] != n.BaseURL {
				t.Errorf("issuer %v, %v", other["issuer"], err)
			}
		})
		t.Run("META-02 every address is on its host", func(t *testing.T) {
			for name, want := range map[string]string{
				"authorization_endpoint":        n.AuthURL + "/oauth/authorize",
				"token_endpoint":                n.BaseURL + "/oauth/token",
				"device_authorization_endpoint": n.BaseURL + "/oauth/device/authorize",
				"registration_endpoint":         n.BaseURL + "/oauth/register",
				"revocation_endpoint":           n.BaseURL + "/oauth/revoke",
				"introspection_endpoint":        n.BaseURL + "/oauth/introspect",
				"jwks_uri":                      n.BaseURL + keysPath,
				"api_base_url":                  n.BaseURL,
			} {
				if document[name] != want {
					t.Errorf("%s is %v, want %s", name, document[name], want)
				}
			}
		})
		t.Run("META-03 all scopes are listed, and more than an app may have", func(t *testing.T) {
			listed := words(t, document, "scopes_supported")
			for _, s := range append([]string{"profile:read", "invoices:read", "invoices:write", "customers:read", "payments:read", "events:read"}, n.app(t, syncApp).Scopes...) {
				if !slices.Contains(listed, s) {
					t.Errorf("%s is not listed", s)
				}
			}
			var refused []string
			for _, s := range listed {
				body, _ := json.Marshal(map[string]any{"client_name": "Scope Reader", "redirect_uris": []string{returnURI}, "scope": s})
				if a := harness.PostJSON(t, plain(t), n.BaseURL+"/oauth/register", string(body)); a.Status != http.StatusCreated {
					refused = append(refused, s)
				}
			}
			if len(refused) == 0 || len(refused) == len(listed) || len(slices.Compact(slices.Sorted(slices.Values(listed)))) != len(listed) {
				t.Errorf("of %v an app may not have %v", listed, refused)
			}
		})
		t.Run("META-04 the lists are exact", func(t *testing.T) {
			for name, want := range map[string][]string{
				"response_types_supported":              {"code"},
				"code_challenge_methods_supported":      {"S256"},
				"token_endpoint_auth_methods_supported": {"client_secret_basic", "client_secret_post", "none"},
				"grant_types_supported": {"authorization_code", "refresh_token",
					"urn:ietf:params:oauth:grant-type:device_code", "urn:ietf:params:oauth:grant-type:token-exchange"},
			} {
				if got := words(t, document, name); !slices.Equal(slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(want))) {
					t.Errorf("%s is %v, want %v", name, got, want)
				}
			}
		})
		t.Run("META-04 nothing is promised that is not kept", func(t *testing.T) {
			for _, name := range []string{"pushed_authorization_request_endpoint", "dpop_signing_alg_values_supported", "request_parameter_supported", "response_modes_supported"} {
				if v, there := document[name]; there {
					t.Errorf("%s is %v", name, v)
				}
			}
		})
		t.Run("META-05 META-07 both switches are on", func(t *testing.T) {
			for _, name := range []string{"client_id_metadata_document_supported", "authorization_response_iss_parameter_supported"} {
				if document[name] != true {
					t.Errorf("%s is %v", name, document[name])
				}
			}
		})
		t.Run("META-07 both kinds of callback carry the issuer", func(t *testing.T) {
			c := signedIn(t, n.Node, "olivia")
			for _, decision := range []string{"allow", "deny"} {
				values := callback(t, n.decide(t, c, n.held(t, c, ask(syncApp, "profile:read")), n.business(t, "Bakery Brandt"), decision))
				if got := values["iss"]; len(got) != 1 || got[0] != document["issuer"] {
					t.Errorf("%s: iss is %q", decision, got)
				}
			}
		})
	})
}

// jwk is a public key of the set.
type jwk struct{ Kid, Kty, Crv, Alg, Use, X, Y, D string }

func keySet(t *testing.T, n *oauthNode) map[string]jwk {
	t.Helper()
	var set struct{ Keys []jwk }
	a := harness.Get(t, plain(t), n.BaseURL+keysPath)
	if err := json.Unmarshal([]byte(a.Body), &set); err != nil || a.Status != http.StatusOK || len(set.Keys) == 0 {
		t.Fatalf("%d %s", a.Status, a.Body)
	}
	out := map[string]jwk{}
	for _, k := range set.Keys {
		if k.Kty != "EC" || k.Crv != "P-256" || k.Alg != "ES256" || k.Use != "sig" || k.Kid == "" || k.D != "" || strings.Contains(a.Body, `"d"`) {
			t.Errorf("not a public signing key: %+v", k)
		}
		out[k.Kid] = k
	}
	return out
}

// signedBy proves that a key of the set verifies a fresh session token, and names the key.
func signedBy(t *testing.T, n *oauthNode, keys map[string]jwk) string {
	t.Helper()
	body := `{"clientId":"` + syncApp + `","businessId":"` + n.business(t, "Bakery Brandt") + `"}`
	a := harness.PostJSON(t, signedIn(t, n.Node, "olivia"), n.BaseURL+"/embedded/session-token", body)
	token, _ := a.JSON(t)["sessionToken"].(string)
	parts := strings.Split(token, ".")
	if a.Status != http.StatusOK || len(parts) != 3 {
		t.Fatalf("%d %s", a.Status, a.Body)
	}
	decode := func(s string) []byte {
		b, err := base64.RawURLEncoding.DecodeString(s)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	var header struct{ Kid, Alg string }
	if err := json.Unmarshal(decode(parts[0]), &header); err != nil || header.Alg != "ES256" {
		t.Fatalf("header %s", decode(parts[0]))
	}
	k, published := keys[header.Kid]
	if !published {
		t.Fatalf("signed by %s, which is not published", header.Kid)
	}
	signature := decode(parts[2])
	digest := sha256.Sum256([]byte(parts[0] + "." + parts[1]))
	number := func(b []byte) *big.Int { return new(big.Int).SetBytes(b) }
	public, err := ecdsa.ParseUncompressedPublicKey(elliptic.P256(), append([]byte{4}, append(decode(k.X), decode(k.Y)...)...))
	if err != nil {
		t.Fatal(err)
	}
	if len(signature) != 64 || !ecdsa.Verify(public, digest[:], number(signature[:32]), number(signature[32:])) {
		t.Errorf("key %s does not verify the token", header.Kid)
	}
	return header.Kid
}

func TestSigningKeys(t *testing.T) {
	harness.EachDatabase(t, func(t *testing.T, database string) {
		data := t.TempDir()
		n := &oauthNode{harness.Dev(t, harness.Options{Database: database, Data: data}), database}
		first := keySet(t, n)
		old := signedBy(t, n, first)
		if len(first) != 1 {
			t.Fatalf("%d keys at first", len(first))
		}
		// what is published at each moment, and which key signs
		for _, step := range []struct {
			name, advance string
			published     int
			oldThere      bool
			oldSigns      bool
		}{
			{"META-06 before the next key is due", "82d", 1, true, true},
			{"META-06 the next key is published a week before it signs", "2d", 2, true, true},
			{"META-06 the next key signs, the old one still verifies", "6d", 2, true, false},
			{"META-06 the old key goes a day later", "1d1h", 1, false, false},
		} {
			t.Run(step.name, func(t *testing.T) {
				n.Advance(t, step.advance)
				keys := keySet(t, n)
				_, there := keys[old]
				signer := signedBy(t, n, keys)
				if len(keys) != step.published || there != step.oldThere || (signer == old) != step.oldSigns {
					t.Errorf("published %v, signed by %s, the first one was %s", slices.Collect(maps.Keys(keys)), signer, old)
				}
			})
		}
		t.Run("META-06 keys survive a restart", func(t *testing.T) {
			before := keySet(t, n)
			instant := now(t, harness.Get(t, plain(t), n.BaseURL+"/dev/clock"))
			if status := n.Stop(); status != 0 {
				t.Fatalf("ended with %d", status)
			}
			again := &oauthNode{harness.Dev(t, harness.Options{Database: database, Data: data, Args: []string{"--clock", instant.Format(time.RFC3339)}}), database}
			after := keySet(t, again)
			if fmt.Sprint(before) != fmt.Sprint(after) {
				t.Errorf("before %v, after %v", before, after)
			}
			signedBy(t, again, after)
		})
	})
}

package contract_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"maps"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-jose/go-jose/v4"

	"daybook/internal/base/db"
	"daybook/internal/base/secret"
	"daybook/test/harness"
)

// signer makes session tokens with the node's own key, taken from its database, so that a token can be wrong in one
// place alone.
type signer struct {
	kid string
	key *ecdsa.PrivateKey
}

func newSigner(t *testing.T, n *oauthNode, keyFile string) signer {
	t.Helper()
	keys, err := secret.ReadKeyFile(keyFile)
	must(t, err)
	var s signer
	var sealed []byte
	must(t, n.open(t).Read(t.Context(), func(tx *db.Tx) (err error) {
		s, err = db.One(context.Background(), tx, func(scan db.Scan) (s signer, err error) {
			err = scan(&s.kid, &sealed)
			return s, err
		}, `SELECT id, sealed FROM signing_keys ORDER BY signs_from LIMIT 1`)
		return err
	}))
	der, err := keys.Open("signing key", s.kid, sealed)
	must(t, err)
	key, err := x509.ParsePKCS8PrivateKey(der)
	must(t, err)
	s.key = key.(*ecdsa.PrivateKey)
	return s
}

// sign makes a token with that type and those claims.
func (s signer) sign(t *testing.T, kind string, body claims) string {
	t.Helper()
	options := (&jose.SignerOptions{}).WithHeader("kid", s.kid)
	if kind != "" {
		options = options.WithType(jose.ContentType(kind))
	}
	made, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.ES256, Key: s.key}, options)
	must(t, err)
	text, err := json.Marshal(body)
	must(t, err)
	signed, err := made.Sign(text)
	must(t, err)
	compact, err := signed.CompactSerialize()
	must(t, err)
	return compact
}

// with is the claims with some changed; nil removes one. Each has a jti of its own.
func (c claims) with(changed claims) claims {
	all := maps.Clone(c)
	all["jti"] = secret.Random(22)
	for name, value := range changed {
		if all[name] = value; value == nil {
			delete(all, name)
		}
	}
	return all
}

// TestAForgedSessionTokenIsRefused holds EXCH-04: whatever is wrong with it, the answer is the same.
func TestAForgedSessionTokenIsRefused(t *testing.T) {
	harness.EachDatabase(t, func(t *testing.T, database string) {
		data := t.TempDir()
		n := &oauthNode{harness.Dev(t, harness.Options{Database: database, Data: data, Env: []string{"DAYBOOK_LIMIT_SCALE=1000"}}), database}
		olivia := n.worksIn(t, "olivia", "Bakery Brandt")
		honest := n.sessionToken(t, olivia, syncApp, nil)
		_, good := n.verified(t, honest)
		s := newSigner(t, n, filepath.Join(data, "daybook.key"))
		exchanged(t, n.exchange(t, syncApp, s.sign(t, "session+jwt", good.with(nil)), nil)) // the one that is right

		at := good["iat"].(float64)
		for name, changed := range map[string]claims{
			"another issuer": {"iss": "https://elsewhere.example"}, "no issuer": {"iss": nil}, "another audience": {"aud": draftApp}, "no audience": {"aud": nil},
			"another business": {"business_id": n.business(t, "Brandt Catering")}, "a business nobody has": {"business_id": "biz_x"},
			"another installation": {"installation_id": "ins_x"}, "no jti": {"jti": nil}, "no expiry": {"exp": nil},
			"another person": {"sub": n.User(t, "dan").ID}, "a person whose session it is not": {"sub": n.User(t, "sam").ID}, "nobody": {"sub": nil},
			"another session": {"sid": "ses_x"}, "no session": {"sid": nil}, "expired long ago": {"exp": at - 60, "iat": at - 120, "nbf": at - 120},
			"of tomorrow": {"nbf": at + 86400, "iat": at + 86400, "exp": at + 86460}, "an empty jti": {"jti": ""},
		} {
			t.Run("EXCH-04 "+name, func(t *testing.T) {
				invalidGrant(t, n.exchange(t, syncApp, s.sign(t, "session+jwt", good.with(changed)), nil))
			})
		}
		for name, kind := range map[string]string{"no typ": "", "typ JWT": "JWT", "typ of an access token": "at+jwt"} {
			t.Run("EXCH-04 "+name, func(t *testing.T) { invalidGrant(t, n.exchange(t, syncApp, s.sign(t, kind, good.with(nil)), nil)) })
		}
		t.Run("EXCH-02 clocks may be five seconds apart", func(t *testing.T) {
			ahead := float64(n.time(t).Unix() + 4)
			exchanged(t, n.exchange(t, syncApp, s.sign(t, "session+jwt", good.with(claims{"nbf": ahead, "iat": ahead, "exp": ahead + 60})), nil))
			ahead = float64(n.time(t).Unix() + 30)
			invalidGrant(t, n.exchange(t, syncApp, s.sign(t, "session+jwt", good.with(claims{"nbf": ahead, "iat": ahead, "exp": ahead + 60})), nil))
		})
		honest = n.sessionToken(t, olivia, syncApp, nil)
		for name, token := range mangled(t, honest, s) {
			t.Run("EXCH-04 "+name, func(t *testing.T) { invalidGrant(t, n.exchange(t, syncApp, token, nil)) })
		}
		exchanged(t, n.exchange(t, syncApp, honest, nil)) // none of it used the honest one up
	})
}

// mangled are changes of a token that break its signature, or do without one.
func mangled(t *testing.T, honest string, s signer) map[string]string {
	t.Helper()
	part := strings.Split(honest, ".")
	encode := base64.RawURLEncoding.EncodeToString
	payload, err := base64.RawURLEncoding.DecodeString(part[1])
	must(t, err)
	sum, err := base64.RawURLEncoding.DecodeString(part[2])
	must(t, err)
	sum[10] ^= 1
	stranger := s
	stranger.key, err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(t, err)
	unknown := s
	unknown.kid = "key_x"
	public, err := json.Marshal(jose.JSONWebKey{Key: s.key.Public(), KeyID: s.kid})
	must(t, err)
	shared, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.HS256, Key: public}, (&jose.SignerOptions{}).WithType("session+jwt").WithHeader("kid", s.kid))
	must(t, err)
	hmac, err := shared.Sign(payload)
	must(t, err)
	compact, err := hmac.CompactSerialize()
	must(t, err)
	var body claims
	must(t, json.Unmarshal(payload, &body))
	none := encode([]byte(`{"alg":"none","typ":"session+jwt","kid":"` + s.kid + `"}`))
	return map[string]string{
		"a changed signature":           part[0] + "." + part[1] + "." + encode(sum),
		"a changed payload":             part[0] + "." + encode([]byte(strings.Replace(string(payload), "usr_", "usr_0", 1))) + "." + part[2],
		"a cut signature":               part[0] + "." + part[1] + "." + part[2][:40],
		"no signature":                  part[0] + "." + part[1] + ".",
		"two parts":                     part[0] + "." + part[1],
		"alg none":                      none + "." + part[1] + ".",
		"alg none with the signature":   none + "." + part[1] + "." + part[2],
		"a shared secret for the key":   compact,
		"another key under its name":    stranger.sign(t, "session+jwt", body.with(nil)),
		"a key nobody published":        unknown.sign(t, "session+jwt", body.with(nil)),
		"something that is no token":    "x",
		"dots":                          "..",
		"far too much":                  honest + strings.Repeat("A", 20000),
		"a NUL":                         honest[:len(honest)-1] + "\x00",
		"a JSON serialization of a JWT": `{"payload":"` + part[1] + `","protected":"` + part[0] + `","signature":"` + part[2] + `"}`,
	}
}

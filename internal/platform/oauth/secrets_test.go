package oauth

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"daybook/internal/base/db"
	"daybook/internal/base/secret"
	"daybook/internal/platform/app"
)

// TOK-06: whoever reads the database file, its journal included, finds no secret that was ever handed out.
func TestTheDatabaseHoldsNoSecret(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		key := secret.Of("an-idempotency-key-of-" + secret.Random(22))
		secrets := map[string]secret.Secret{"client secret": w.mine.secret, "other client secret": w.other.secret, "idempotency key": key}
		keep := func(name string, tokens Tokens) Tokens {
			secrets["access token of "+name] = tokens.Access
			if !tokens.Refresh.Empty() {
				secrets["refresh token of "+name] = tokens.Refresh
			}
			return tokens
		}
		handle := w.hold(t, w.mine)
		target, err := w.Decide(ctx, handle, w.yes())
		must(t, err)
		code := codeIn(t, target)
		secrets["authorization request"], secrets["undecided request"], secrets["code"], secrets["unused code"] = handle, w.hold(t, w.mine), code, w.code(t, w.open)
		first := keep("the code", granted(t)(w.Redeem(ctx, w.mine.App, right(code))))
		second := keep("the refresh", granted(t)(w.Refresh(ctx, w.mine.App, Renewal{Token: first.Refresh})))
		third := keep("the idempotent refresh", granted(t)(w.Refresh(ctx, w.mine.App, Renewal{Token: second.Refresh, IdempotencyKey: key})))
		keep("the repetition", granted(t)(w.Refresh(ctx, w.mine.App, Renewal{Token: second.Refresh, IdempotencyKey: key})))
		device := w.deviceStart(t, w.mine)
		must(t, w.DecideDevice(ctx, device.UserCode, w.yes()))
		secrets["device code"] = device.DeviceCode
		keep("the device", granted(t)(w.Poll(ctx, w.mine.App, device.DeviceCode)))
		embedded := w.sessionToken(t, w.mine)
		secrets["session token"] = embedded
		keep("the exchange", granted(t)(w.Exchange(ctx, w.mine.App, embedded, nil)))
		must(t, w.Revoke(ctx, nil, third.Refresh))
		made, err := w.Apps.Register(ctx, app.New{Name: "Stray", ClientType: app.Confidential, RedirectURIs: []string{callback}, Scopes: asked})
		must(t, err)
		secrets["secret of a registered client"] = made.ClientSecret
		stored := w.everything(t)
		if !bytes.Contains(stored, []byte(callback)) || !bytes.Contains(stored, []byte(w.mine.ClientID)) {
			t.Fatal("the search finds nothing at all")
		}
		for name, s := range secrets {
			for form, text := range forms(s.Reveal()) {
				if bytes.Contains(stored, []byte(text)) {
					t.Errorf("the database holds the %s (%s)", name, form)
				}
			}
		}
		t.Logf("%d secrets looked for in %d KiB", len(secrets), len(stored)>>10)
	})
}

// forms are how a secret may lie somewhere: itself, its random part, and usual encodings.
func forms(value string) map[string]string {
	bare := value
	if i := strings.IndexByte(value, '_'); i == 2 {
		bare = value[3:]
	}
	return map[string]string{
		"itself": value, "without its prefix": bare, "in hex": hex.EncodeToString([]byte(value)), "in base64": base64.RawStdEncoding.EncodeToString([]byte(value)),
		"from its middle": bare[len(bare)/4 : 3*len(bare)/4],
	}
}

// everything is all bytes of the store: the files of SQLite, or every row of PostgreSQL.
func (w *world) everything(t *testing.T) []byte {
	t.Helper()
	var all bytes.Buffer
	if w.db().Dialect() == db.Postgres {
		must(t, w.db().Snapshot(ctx, func(tx *db.Tx) error {
			tables, err := db.All(ctx, tx, db.Value[string], `SELECT tablename FROM pg_tables WHERE schemaname = 'public'`)
			if err != nil {
				return err
			}
			for _, table := range tables {
				rows, err := db.All(ctx, tx, db.Value[string], `SELECT row_to_json(x)::text FROM `+table+` x`)
				if err != nil {
					return err
				}
				all.WriteString(strings.Join(rows, "\n"))
			}
			return nil
		}))
		return all.Bytes()
	}
	files, err := filepath.Glob(w.Database + "*")
	must(t, err)
	if len(files) < 2 {
		t.Fatalf("no journal beside %s: %q", w.Database, files)
	}
	for _, f := range files {
		text, err := os.ReadFile(f)
		must(t, err)
		all.Write(text)
	}
	return all.Bytes()
}

// The sealed answer of an idempotent refresh opens with the old token and the key only.
func TestAKeptAnswerOpensForItsCallerOnly(t *testing.T) {
	old, key := secret.Mint(secret.RefreshToken), secret.Of(strings.Repeat("k", minIdempotencyKey))
	tokens := Tokens{Access: secret.Mint(secret.AccessToken), Refresh: secret.Mint(secret.RefreshToken), Scopes: asked}
	mine := Renewal{Token: old, IdempotencyKey: key}
	sealed := sealAnswer(mine, tokens)
	got, ok := openAnswer(mine, sealed)
	if !ok || !got.Access.Equal(tokens.Access) || !got.Refresh.Equal(tokens.Refresh) || !got.Scopes.Equal(asked) {
		t.Errorf("it opens as %+v, %v", got.Scopes, ok)
	}
	for name, r := range map[string]Renewal{
		"another token": {Token: secret.Mint(secret.RefreshToken), IdempotencyKey: key}, "another key": {Token: old, IdempotencyKey: secret.Of(strings.Repeat("k", 23))},
		"no key": {Token: old}, "both swapped": {Token: key, IdempotencyKey: old}, "the new token": {Token: tokens.Refresh, IdempotencyKey: key},
	} {
		if _, ok := openAnswer(r, sealed); ok {
			t.Errorf("%s opens it", name)
		}
	}
	for i := range sealed {
		broken := bytes.Clone(sealed)
		if broken[i] ^= 1; string(broken) != string(sealed) {
			if _, ok := openAnswer(mine, broken); ok {
				t.Fatalf("it opens with byte %d changed", i)
			}
		}
	}
	for _, short := range [][]byte{nil, {}, sealed[:1], sealed[:len(sealed)-1]} {
		if _, ok := openAnswer(mine, short); ok {
			t.Error("a part of it opens")
		}
	}
}

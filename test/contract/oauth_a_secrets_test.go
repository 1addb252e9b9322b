package contract_test

import (
	"bytes"
	"context"
	"encoding/hex"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"daybook/internal/base/db"
	"daybook/test/harness"
)

func TestTokensCannotBeGuessedOrFoundInTheStore(t *testing.T) {
	eachOAuth(t, func(t *testing.T, n *oauthNode) {
		bakery := n.business(t, "Bakery Brandt")
		var secrets []string
		t.Run("TOK-06 tokens are opaque, all different, and every place of them is random", func(t *testing.T) {
			const letters, length = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", 43 // 43 of 62 letters are 256 bits
			seen := map[string]bool{}
			places := make([]map[byte]bool, length)
			set := n.issue(t, syncApp, "olivia", bakery, "profile:read")
			for range 60 {
				for kind, token := range map[string]string{"at_": set.AccessToken, "rt_": set.RefreshToken} {
					random, ok := strings.CutPrefix(token, kind)
					random = random[min(len(random), 4):] // what it shares with its neighbours comes first
					if !ok || len(random) != length || strings.Trim(random, letters) != "" || seen[random] {
						t.Fatalf("token %s", token)
					}
					seen[random] = true
					for i := range places {
						if places[i] == nil {
							places[i] = map[byte]bool{}
						}
						places[i][random[i]] = true
					}
				}
				set = tokens(t, n.refresh(t, syncApp, set.RefreshToken, ""))
			}
			for i, at := range places {
				if len(at) < 35 { // of 120 draws from 62 about 53 differ
					t.Errorf("place %d takes only %d letters", i, len(at))
				}
			}
			secrets = append(secrets, set.AccessToken, set.RefreshToken)
		})
		t.Run("TOK-06 no token, code, request or client secret is in the store", func(t *testing.T) {
			c := signedIn(t, n.Node, "olivia")
			handle := n.held(t, c, ask(syncApp, "profile:read"))
			code := callback(t, n.decide(t, c, handle, bakery, "allow")).Get("code")
			set := tokens(t, n.redeem(t, syncApp, code, returnURI, ""))
			keyed := tokens(t, n.refresh(t, syncApp, set.RefreshToken, goodKey))
			device := n.post(t, "/oauth/device/authorize", n.as(t, syncApp, nil), url.Values{}).JSON(t)["device_code"].(string)
			secrets = append(secrets, handle, code, set.AccessToken, set.RefreshToken, keyed.AccessToken, keyed.RefreshToken, device, *n.app(t, syncApp).ClientSecret)
			text := n.everything(t)
			if !strings.Contains(text, syncApp) || !strings.Contains(text, "Ledger Sync") {
				t.Fatal("this is not the whole store")
			}
			for _, s := range secrets {
				if strings.Contains(text, s) || strings.Contains(text, hex.EncodeToString([]byte(s))) || strings.Contains(n.Log(), s) {
					t.Errorf("%s… can be read", s[:5])
				}
			}
		})
	})
}

// everything is all that the store holds: SQLite's files, or every row of every table.
func (n *oauthNode) everything(t *testing.T) string {
	t.Helper()
	var all bytes.Buffer
	if !strings.HasPrefix(n.database, "postgres") {
		files, err := filepath.Glob(n.database + "*")
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			all.Write(text)
		}
		return all.String()
	}
	ctx := context.Background()
	err := n.store(t).Read(ctx, func(tx *db.Tx) error {
		tables, err := db.All(ctx, tx, db.Value[string], `SELECT table_name::text FROM information_schema.tables WHERE table_schema = 'public'`)
		for _, table := range tables {
			rows, err := db.All(ctx, tx, db.Value[string], `SELECT x::text FROM `+table+` x`)
			if err != nil {
				return err
			}
			all.WriteString(strings.Join(rows, "\n"))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all.String()
}

func TestOneOfManyAtOnceWins(t *testing.T) {
	eachOAuth(t, func(t *testing.T, n *oauthNode) {
		bakery := n.business(t, "Bakery Brandt")
		c := n.in(t, "olivia", bakery)
		race := func(t *testing.T, others map[string]bool, do func() harness.Answer) {
			t.Helper()
			won := 0
			for _, a := range atOnce(8, do) {
				if a.Status == http.StatusOK {
					won++
					continue
				}
				description, _ := a.JSON(t)["error_description"].(string)
				if a.Status != http.StatusBadRequest || !others[description] {
					t.Errorf("a loser got %d %s", a.Status, a.Body)
				}
			}
			if won != 1 {
				t.Errorf("%d won", won)
			}
		}
		t.Run("TOK-09 CODE-02 a code", func(t *testing.T) {
			code := n.code(t, c, ask(syncApp, "profile:read"), bakery)
			race(t, map[string]bool{"code already used": true}, func() harness.Answer { return n.redeem(t, syncApp, code, returnURI, "") })
		})
		t.Run("TOK-09 REF-02 a refresh token", func(t *testing.T) {
			set := n.issue(t, syncApp, "olivia", bakery, "profile:read")
			race(t, map[string]bool{reuse: true}, func() harness.Answer { return n.refresh(t, syncApp, set.RefreshToken, "") })
		})
		t.Run("TOK-09 a device code", func(t *testing.T) {
			form := url.Values{}
			start := n.post(t, "/oauth/device/authorize", n.as(t, syncApp, form), form).JSON(t)
			a := harness.PostForm(t, c, n.AuthURL+"/device", url.Values{"user_code": {start["user_code"].(string)}, "business": {bakery}, "decision": {"allow"}})
			if a.Status != http.StatusSeeOther {
				t.Fatalf("approving: %d\n%s", a.Status, a.Body)
			}
			race(t, map[string]bool{"": true, "polled faster than the interval": true}, func() harness.Answer {
				return n.post(t, "/oauth/token", n.as(t, syncApp, nil), url.Values{"grant_type": {deviceGrant}, "device_code": {start["device_code"].(string)}})
			})
		})
		t.Run("TOK-09 a session token", func(t *testing.T) {
			a := harness.PostJSON(t, c, n.BaseURL+"/embedded/session-token", `{"clientId":"`+syncApp+`"}`)
			token, _ := a.JSON(t)["sessionToken"].(string)
			race(t, map[string]bool{"": true}, func() harness.Answer {
				return n.post(t, "/oauth/token", n.as(t, syncApp, nil), url.Values{"grant_type": {exchangeGrant}, "subject_token": {token}, "subject_token_type": {jwtType}})
			})
		})
		t.Run("TOK-09 AUTHZ-14 a decision on the consent page", func(t *testing.T) {
			handle := n.held(t, c, ask(syncApp, "profile:read"))
			won := 0
			for _, a := range atOnce(8, func() harness.Answer { return n.decide(t, c, handle, bakery, "allow") }) {
				if a.Status == http.StatusSeeOther {
					won++
				} else {
					refusedPage(t, a, notFound)
				}
			}
			if won != 1 {
				t.Errorf("%d won", won)
			}
		})
	})
}

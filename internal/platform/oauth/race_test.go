package oauth

import (
	"os"
	"strconv"
	"sync"
	"testing"
	"time"

	"daybook/internal/base/db"
	"daybook/internal/base/secret"
)

const racers = 8

// rounds is how often each artifact is raced for on each store; DAYBOOK_RACE_ROUNDS asks for more.
func rounds(t *testing.T, usual int) int {
	t.Helper()
	text := os.Getenv("DAYBOOK_RACE_ROUNDS")
	if text == "" {
		return usual
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("DAYBOOK_RACE_ROUNDS: %q must be a number from 1", text)
	}
	return n
}

// atOnce lets all racers go at the same moment and waits for them.
func atOnce(run func(racer int)) {
	gate := make(chan struct{})
	var ready, done sync.WaitGroup
	for i := range racers {
		ready.Add(1)
		done.Go(func() {
			ready.Done()
			<-gate
			run(i)
		})
	}
	ready.Wait()
	close(gate)
	done.Wait()
}

// raced is what became of one round of grants.
type raced struct {
	tokens  [racers]Tokens
	denials [racers]*Denial
	errs    [racers]error
}

func raceGrants(run func(racer int) (Tokens, *Denial, error)) (r raced) {
	atOnce(func(i int) { r.tokens[i], r.denials[i], r.errs[i] = run(i) })
	return r
}

// winner checks that exactly one racer got tokens and every other exactly that denial.
func (r raced) winner(t *testing.T, loser *Denial) Tokens {
	t.Helper()
	won := -1
	for i := range racers {
		switch {
		case r.errs[i] != nil:
			t.Fatalf("racer %d: %v", i, r.errs[i])
		case r.denials[i] == nil && won >= 0:
			t.Fatalf("racers %d and %d both won", won, i)
		case r.denials[i] == nil:
			won = i
		case say(r.denials[i]) != say(loser):
			t.Fatalf("racer %d was told %q, want %q", i, say(r.denials[i]), say(loser))
		}
	}
	if won < 0 {
		t.Fatal("nobody won")
	}
	return r.tokens[won]
}

// neighbour is the same service on connections of its own, as a second process has them.
func (w *world) neighbour(t *testing.T) *Service {
	t.Helper()
	d, err := db.Open(ctx, db.Options{Database: w.Database, Clock: w.Clock})
	must(t, err)
	t.Cleanup(d.Close)
	return &Service{DB: d, IDs: w.Store.IDs, Keys: w.Keys, Apps: w.Apps, Installs: w.Installs, Issuer: w.Issuer, Log: w.Log}
}

// eachRound races, mostly within one process; every sixteenth round half of the racers come from a second one.
func eachRound(t *testing.T, w *world, n int, round func(i int, at func(racer int) *Service)) {
	t.Helper()
	second, begun := w.neighbour(t), time.Now()
	for i := range n {
		round(i, func(racer int) *Service {
			if i%16 == 0 && racer%2 == 1 {
				return second
			}
			return w.Service
		})
	}
	t.Logf("%d rounds of %d racers in %v", n, racers, time.Since(begun).Round(time.Millisecond))
}

// manyCodes writes codes as the consent page would, all in one transaction.
func (w *world) manyCodes(t *testing.T, n int) []secret.Secret {
	t.Helper()
	approved := w.install(t, w.mine)
	codes := make([]secret.Secret, n)
	for i := range codes {
		codes[i] = secret.Mint(secret.AuthCode)
	}
	must(t, w.db().Write(ctx, func(tx *db.Tx) error {
		for _, c := range codes {
			if err := insertCode(ctx, tx, w.Keys.Hash(codeUse, c), code{
				appID: w.mine.ID, installationID: approved.Installation.ID, consentID: approved.Consent.ID, userID: w.owner,
				redirectURI: callback, scopes: asked, challenge: challenge, expiresAt: tx.Now().Add(codeLife),
			}); err != nil {
				return err
			}
		}
		return nil
	}))
	return codes
}

// manyFamilies writes families with their first tokens, all in one transaction.
func (w *world) manyFamilies(t *testing.T, n int) []Tokens {
	t.Helper()
	approved := w.install(t, w.mine)
	made := make([]minted, n)
	for i := range made {
		made[i] = w.mint(true)
	}
	must(t, w.db().Write(ctx, func(tx *db.Tx) error {
		for _, m := range made {
			if err := w.newFamily(ctx, tx, m, family{
				appID: w.mine.ID, businessID: w.shop, installationID: approved.Installation.ID, userID: w.owner, consentID: &approved.Consent.ID,
				scopes: asked, accessScopes: asked,
			}); err != nil {
				return err
			}
		}
		return nil
	}))
	all := make([]Tokens, n)
	for i, m := range made {
		all[i] = m.tokens(asked)
	}
	return all
}

// manyDevices writes approved device codes, all in one transaction.
func (w *world) manyDevices(t *testing.T, n int) []secret.Secret {
	t.Helper()
	approved := w.install(t, w.mine)
	codes := make([]secret.Secret, n)
	for i := range codes {
		codes[i] = secret.Mint(secret.DeviceCode)
	}
	must(t, w.db().Write(ctx, func(tx *db.Tx) error {
		for _, c := range codes {
			hash := w.Keys.Hash(deviceUse, c)
			if _, err := insertDevice(ctx, tx, device{hash: hash, userCode: newUserCode(), appID: w.mine.ID, scopes: asked}); err != nil {
				return err
			}
			if _, err := approveDevice(ctx, tx, hash, approved.Installation.ID, approved.Consent.ID, w.owner); err != nil {
				return err
			}
		}
		return nil
	}))
	return codes
}

// manyRequests holds requests, all in one transaction.
func (w *world) manyRequests(t *testing.T, n int) []secret.Secret {
	t.Helper()
	handles := make([]secret.Secret, n)
	for i := range handles {
		handles[i] = secret.Mint(secret.AuthRequest)
	}
	must(t, w.db().Write(ctx, func(tx *db.Tx) error {
		for _, h := range handles {
			ask := Ask{RedirectURI: callback, Scopes: asked, Challenge: challenge}
			if err := insertRequest(ctx, tx, w.Keys.Hash(requestUse, h), w.mine.ID, ask, w.session); err != nil {
				return err
			}
		}
		return nil
	}))
	return handles
}

// liveTokens counts, of the tokens given, those that introspection calls active.
func (w *world) liveTokens(t *testing.T, tokens ...Tokens) (access, refresh int) {
	t.Helper()
	count := func(token secret.Secret) int {
		if !token.Empty() && w.live(t, w.mine, token) {
			return 1
		}
		return 0
	}
	for _, k := range tokens {
		access, refresh = access+count(k.Access), refresh+count(k.Refresh)
	}
	return access, refresh
}

// signed makes a session token without asking the store.
func (w *world) signed(t *testing.T, change func(*sessionClaims)) secret.Secret {
	t.Helper()
	keys, now := w.keys(t), w.Clock.Now()
	claims := sessionClaims{
		Issuer: issuer, Audience: w.mine.ClientID, Subject: w.owner, BusinessID: w.shop, SessionID: w.session, ID: secret.Random(22),
		IssuedAt: now.Unix(), NotBefore: now.Unix(), Expiry: now.Add(SessionTokenLife).Unix(),
	}
	change(&claims)
	key, _ := signsAt(keys, now)
	token, err := w.sign(key, claims)
	must(t, err)
	return token
}

func (w *world) keys(t tb) (keys []signingKey) {
	t.Helper()
	must(t, w.db().Read(ctx, func(tx *db.Tx) (err error) {
		keys, err = listKeys(ctx, tx)
		return err
	}))
	return keys
}

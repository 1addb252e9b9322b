package oauth

import (
	"testing"

	"daybook/internal/base/secret"
)

// TOK-09 and F-06: one code, many at once. All of them are in the right, so whoever came second replays, and what the
// first one got is taken back.
func TestOneOfManyRedeemsACode(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		n := rounds(t, 1000)
		codes := w.manyCodes(t, n)
		eachRound(t, w, n, func(i int, at func(int) *Service) {
			won := raceGrants(func(racer int) (Tokens, *Denial, error) {
				return redeemAt(at(racer), w.mine, right(codes[i]))
			}).winner(t, denyCodeUsed)
			if access, refresh := w.liveTokens(t, won); access != 0 || refresh != 0 {
				t.Fatalf("a replayed code leaves %d access and %d refresh tokens alive", access, refresh)
			}
		})
		w.oneFamilyEach(t, n, 0)
		if used := w.count(t, `SELECT count(DISTINCT family_id) FROM authorization_codes WHERE used_at IS NOT NULL`); used != n {
			t.Errorf("%d codes name a family of their own, want %d", used, n)
		}
	})
}

// Replays with a wrong redirect URI or verifier burn nothing: whoever has only the code cannot harm the one in the right.
func TestTheRightOneRedeemsACodeAmongWrongOnes(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		n := rounds(t, 150)
		codes := w.manyCodes(t, n)
		eachRound(t, w, n, func(i int, at func(int) *Service) {
			got := raceGrants(func(racer int) (Tokens, *Denial, error) {
				r := right(codes[i])
				switch {
				case racer == 0:
				case racer%2 == 0:
					r.RedirectURI += "/"
				default:
					r.Verifier += "x"
				}
				return redeemAt(at(racer), w.mine, r)
			})
			for racer, d := range got.denials {
				early := denyPKCE
				if racer%2 == 0 {
					early = denyRedirectURI
				}
				if must(t, got.errs[racer]); racer == 0 && d != nil || racer > 0 && say(d) != say(early) && say(d) != say(denyCodeUsed) {
					t.Fatalf("racer %d was told %q", racer, say(d))
				}
			}
			if access, refresh := w.liveTokens(t, got.tokens[0]); access != 1 || refresh != 1 {
				t.Fatalf("%d access and %d refresh tokens are alive", access, refresh)
			}
		})
		w.oneFamilyEach(t, n, n)
	})
}

func TestOneOfManyRefreshes(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		n := rounds(t, 1000)
		families := w.manyFamilies(t, n)
		eachRound(t, w, n, func(i int, at func(int) *Service) {
			won := raceGrants(func(racer int) (Tokens, *Denial, error) {
				return refreshAt(at(racer), w.mine, Renewal{Token: families[i].Refresh})
			}).winner(t, denyReuse)
			if access, refresh := w.liveTokens(t, families[i], won); access != 0 || refresh != 0 {
				t.Fatalf("a burnt family has %d access and %d refresh tokens alive", access, refresh)
			}
		})
		w.oneFamilyEach(t, n, 0)
		if kept := w.count(t, `SELECT count(*) FROM refresh_tokens`); kept != 2*n {
			t.Errorf("%d refresh tokens were written, want %d", kept, 2*n)
		}
	})
}

func TestOneOfManyCollectsADeviceCode(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		n := rounds(t, 1000)
		codes := w.manyDevices(t, n)
		eachRound(t, w, n, func(i int, at func(int) *Service) {
			won := raceGrants(func(racer int) (Tokens, *Denial, error) {
				return at(racer).Poll(ctx, w.mine.App, codes[i])
			}).winner(t, denyGrant)
			if access, refresh := w.liveTokens(t, won); access != 1 || refresh != 1 {
				t.Fatalf("%d access and %d refresh tokens are alive", access, refresh)
			}
		})
		w.oneFamilyEach(t, n, n)
	})
}

func TestOneOfManyExchangesASessionToken(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		n := rounds(t, 1000)
		installation := w.install(t, w.mine).Installation.ID
		tokens := make([]secret.Secret, n)
		for i := range tokens {
			tokens[i] = w.signed(t, func(c *sessionClaims) { c.InstallationID = installation })
		}
		eachRound(t, w, n, func(i int, at func(int) *Service) {
			won := raceGrants(func(racer int) (Tokens, *Denial, error) {
				return at(racer).Exchange(ctx, w.mine.App, tokens[i], nil)
			}).winner(t, denyGrant)
			if access, refresh := w.liveTokens(t, won); access != 1 || refresh != 0 {
				t.Fatalf("%d access and %d refresh tokens are alive", access, refresh)
			}
		})
		w.oneFamilyEach(t, n, n)
	})
}

// A consent page sent twice makes one code, whichever button was pressed by whom.
func TestOneOfManyDecides(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		n := rounds(t, 1000)
		handles := w.manyRequests(t, n)
		allowed := 0
		eachRound(t, w, n, func(i int, at func(int) *Service) {
			var targets [racers]string
			var errs [racers]error
			atOnce(func(racer int) {
				d := w.yes()
				d.Allow = i%2 == 0 || racer%2 == 0
				targets[racer], errs[racer] = at(racer).Decide(ctx, handles[i], d)
			})
			decided := ""
			for racer, target := range targets {
				must(t, errs[racer])
				if target != "" && decided != "" {
					t.Fatalf("two decided: %q and %q", decided, target)
				}
				decided += target
			}
			if decided == "" {
				t.Fatal("nobody decided")
			}
			if i%2 == 0 || decided != Callback(callback, issuer, nil, map[string][]string{"error": {CodeAccessDenied}}) {
				allowed++
				codeIn(t, decided)
			}
		})
		if codes := w.count(t, `SELECT count(*) FROM authorization_codes`); codes != allowed {
			t.Errorf("%d codes for %d approvals", codes, allowed)
		}
		if installed := w.count(t, `SELECT count(*) FROM installations`); installed != 1 {
			t.Errorf("%d installations", installed)
		}
	})
}

// oneFamilyEach checks that n artifacts made n families, and how many of them stand.
func (w *world) oneFamilyEach(t *testing.T, n, standing int) {
	t.Helper()
	if made := w.count(t, `SELECT count(*) FROM token_families`); made != n {
		t.Errorf("%d families, want %d", made, n)
	}
	if stand := w.count(t, `SELECT count(*) FROM token_families WHERE revoked_at IS NULL`); stand != standing {
		t.Errorf("%d families stand, want %d", stand, standing)
	}
}

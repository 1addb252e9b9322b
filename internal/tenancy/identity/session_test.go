package identity_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"daybook/internal/base/db"
	"daybook/internal/base/secret"
	"daybook/internal/schema/dbtest"
	"daybook/internal/tenancy/identity"
)

const (
	idle     = 12 * time.Hour
	absolute = 7 * 24 * time.Hour
	touch    = 5 * time.Minute
	ms       = time.Millisecond
)

func TestAnUnusedSessionEndsAfterTwelveHours(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store, people *identity.Service) {
		person(t, s, "ada@example.com")
		token := signIn(t, people, "ada@example.com").Token
		s.Clock.Set(dbtest.Start.Add(idle)) // first the far side: a session that counts is touched, and lasts longer
		want(t, authenticate(people, token), identity.ErrNoSession)
		s.Clock.Set(dbtest.Start.Add(idle - ms))
		want(t, authenticate(people, token), nil)
		s.Clock.Set(dbtest.Start.Add(2*idle - ms)) // twelve hours after that use
		want(t, authenticate(people, token), identity.ErrNoSession)
		s.Clock.Set(dbtest.Start.Add(2*idle - 2*ms))
		want(t, authenticate(people, token), nil)
	})
}

func TestAUsedSessionEndsAfterSevenDays(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store, people *identity.Service) {
		person(t, s, "ada@example.com")
		token := signIn(t, people, "ada@example.com").Token
		for at := 11 * time.Hour; at < absolute; at += 11 * time.Hour {
			s.Clock.Set(dbtest.Start.Add(at))
			want(t, authenticate(people, token), nil)
		}
		s.Clock.Set(dbtest.Start.Add(absolute - ms))
		want(t, authenticate(people, token), nil)
		s.Clock.Set(dbtest.Start.Add(absolute))
		want(t, authenticate(people, token), identity.ErrNoSession)
	})
}

func TestTheLastUseIsWrittenOncePerFiveMinutes(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store, people *identity.Service) {
		person(t, s, "ada@example.com")
		token := signIn(t, people, "ada@example.com").Token
		for _, c := range []struct {
			name       string
			at         time.Duration
			statements int64
			seen       time.Duration // the last use that is known afterwards
		}{
			{"at once", 0, 1, 0},
			{"a millisecond before five minutes", touch - ms, 1, 0},
			{"at five minutes", touch, 2, touch},
			{"again in the same moment", touch, 1, touch},
			{"a millisecond before five minutes later", 2*touch - ms, 1, touch},
			{"five minutes later", 2 * touch, 2, 2 * touch},
			{"after the clock stepped back", touch, 1, 2 * touch},
		} {
			t.Run(c.name, func(t *testing.T) {
				s.Clock.Set(dbtest.Start.Add(c.at))
				cost := statements(func(ctx context.Context) {
					_, _, err := people.Authenticate(ctx, token)
					want(t, err, nil)
				})
				if cost != c.statements {
					t.Errorf("%d statements, want %d", cost, c.statements)
				}
				if seen := query[time.Time](t, s, `SELECT last_seen_at FROM sessions`); !seen[0].Equal(dbtest.Start.Add(c.seen)) {
					t.Errorf("last seen %v, want %v after the start", seen[0], c.seen)
				}
			})
		}
	})
}

func TestWhatIsNoTokenCostsNoStatement(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store, people *identity.Service) {
		person(t, s, "ada@example.com")
		real := signIn(t, people, "ada@example.com").Token.Reveal()
		random := strings.TrimPrefix(real, "ds_")
		for _, c := range []struct {
			name, token string
			cost        int64
		}{
			{"nothing", "", 0},
			{"the prefix alone", "ds_", 0},
			{"no prefix", random, 0},
			{"the prefix of another kind", "cs_" + random, 0},
			{"the prefix in capitals", "DS_" + random, 0},
			{"a character less", real[:len(real)-1], 0},
			{"a character more", real + "x", 0},
			{"a space behind", real + " ", 0},
			{"a hyphen inside", real[:len(real)-1] + "-", 0},
			{"a zero byte inside", real[:len(real)-1] + "\x00", 0},
			{"a megabyte", "ds_" + strings.Repeat("x", 1<<20), 0},
			{"a token that was never given out", secret.Mint(secret.SessionID).Reveal(), 1},
		} {
			t.Run(c.name, func(t *testing.T) {
				cost := statements(func(ctx context.Context) {
					_, _, err := people.Authenticate(ctx, secret.Of(c.token))
					want(t, err, identity.ErrNoSession)
				})
				if cost != c.cost {
					t.Errorf("%d statements, want %d", cost, c.cost)
				}
			})
		}
	})
}

func TestSessionsAreKeptApart(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store, people *identity.Service) {
		person(t, s, "ada@example.com")
		here, there := signIn(t, people, "ada@example.com"), signIn(t, people, "ada@example.com")
		choose := func(sessionID, businessID string) error {
			return s.Write(ctx, func(tx *db.Tx) error { return people.ChooseBusiness(ctx, tx, sessionID, businessID) })
		}
		must(t, choose(here.Session.ID, "biz_1"))
		session, _, err := people.Authenticate(ctx, here.Token)
		must(t, err)
		if session.BusinessID == nil || *session.BusinessID != "biz_1" {
			t.Errorf("works in %v", session.BusinessID)
		}
		if session, _, _ := people.Authenticate(ctx, there.Token); session.BusinessID != nil {
			t.Error("the other session moved too")
		}

		must(t, people.SignOut(ctx, secret.Of("no token")))
		must(t, people.SignOut(ctx, here.Token))
		want(t, authenticate(people, here.Token), identity.ErrNoSession)
		want(t, authenticate(people, there.Token), nil)
		must(t, people.SignOut(ctx, here.Token)) // again: nothing is left to end
		want(t, choose(here.Session.ID, "biz_2"), identity.ErrNoSession)
	})
}

package install_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"daybook/internal/base/db"
	"daybook/internal/platform/install"
	"daybook/internal/platform/scope"
	"daybook/internal/tenancy/business"
)

// reference is what installing means, as plainly as it can be said: the installations of one app in one business,
// the last one perhaps active, and the scopes each user has said yes to.
type reference struct {
	now       time.Time
	installed []*modelled
}

type modelled struct {
	active   bool
	granted  scope.Set
	redactAt time.Time            // zero: not to be erased
	yes      map[string]scope.Set // live consents by user
}

func (r *reference) current() *modelled {
	if n := len(r.installed); n > 0 && r.installed[n-1].active {
		return r.installed[n-1]
	}
	return nil
}

func (r *reference) approve(user string, scopes scope.Set) (o install.Outcome) {
	m := r.current()
	switch {
	case m == nil:
		for _, old := range r.installed {
			old.redactAt = time.Time{}
		}
		m = &modelled{active: true, yes: map[string]scope.Set{}}
		r.installed = append(r.installed, m)
		o = install.Installed
	case scopes.Within(m.granted):
		o = install.Unchanged
	default:
		o = install.ScopesUpdated
	}
	m.granted, m.yes[user] = m.granted.Union(scopes), m.yes[user].Union(scopes)
	return o
}

// end is everything that takes something away: users lose their consent, and the installation perhaps its life.
func (r *reference) end(uninstall bool, users ...string) (ok bool) {
	m := r.current()
	if m == nil {
		return false
	}
	for _, u := range users {
		delete(m.yes, u)
	}
	if uninstall {
		m.active, m.redactAt = false, r.now.Add(48*time.Hour)
	}
	return true
}

// String tells the whole state; story does the same for the store.
func (r *reference) String() string {
	var lines []string
	for _, m := range r.installed {
		redact := int64(0)
		if !m.redactAt.IsZero() {
			redact = m.redactAt.UnixMilli()
		}
		line := fmt.Sprintf("active %v, granted %s, redact at %d", m.active, m.granted, redact)
		for _, u := range slices.Sorted(maps.Keys(m.yes)) {
			line += fmt.Sprintf("; %s: %s", u, m.yes[u])
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// story reads every installation in the order of ids, and the live consents behind it.
func (w *world) story(t *rapid.T, ids []string) string {
	var lines []string
	err := w.Snapshot(ctx, func(tx *db.Tx) error {
		for _, id := range ids {
			line, err := db.One(ctx, tx, func(scan db.Scan) (string, error) {
				var status, granted string
				var redact int64
				err := scan(&status, &granted, &redact)
				return fmt.Sprintf("active %v, granted %s, redact at %d", status == "ACTIVE", granted, redact), err
			}, `SELECT status, granted_scopes, COALESCE(redact_at, 0) FROM installations WHERE id = $1`, id)
			if err != nil {
				return err
			}
			consents, err := db.All(ctx, tx, func(scan db.Scan) (string, error) {
				var user, scopes string
				err := scan(&user, &scopes)
				return "; " + user + ": " + scopes, err
			}, `SELECT user_id, scopes FROM consents WHERE installation_id = $1 AND revoked_at IS NULL ORDER BY user_id`, id)
			if err != nil {
				return err
			}
			lines = append(lines, line+strings.Join(consents, ""))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(lines, "\n")
}

func TestInstallingFollowsTheReference(t *testing.T) {
	verbs := []string{"approve", "approve", "approve", "uninstall", "revoke access", "revoke own", "wait"}
	each(t, func(t *testing.T, w *world) {
		rapid.Check(t, func(t *rapid.T) {
			b, err := w.businesses.Create(ctx, business.New{Name: "Shop", Country: "NL", Currency: "EUR"}, w.owner)
			if err == nil {
				err = w.businesses.AddMember(ctx, b.ID, w.owner, w.staff, business.Staff)
			}
			if err != nil {
				t.Fatal(err)
			}
			ref := &reference{now: w.Clock.Now()}
			var ids []string
			last := "ins_1" // there is none yet
			for _, verb := range rapid.SliceOfN(rapid.SampledFrom(verbs), 1, 20).Draw(t, "verbs") {
				user := rapid.SampledFrom([]string{w.owner, w.staff}).Draw(t, "user")
				ok := true
				switch verb {
				case "approve":
					scopes := scope.Of(rapid.SliceOfN(rapid.SampledFrom(registered), 1, 3).Draw(t, "scopes")...)
					done, err := w.installs.Approve(ctx, install.Approval{AppID: w.app.ID, BusinessID: b.ID, UserID: user, Scopes: scopes})
					if err != nil {
						t.Fatal(err)
					}
					if expected := ref.approve(user, scopes); done.Outcome != expected {
						t.Fatalf("told %s, want %s", done.Outcome, expected)
					}
					if done.Outcome == install.Installed {
						ids = append(ids, done.Installation.ID)
						last = done.Installation.ID
					}
				case "uninstall":
					_, err = w.installs.Uninstall(ctx, b.ID, w.owner, last)
					ok = ref.end(true, w.owner, w.staff)
				case "revoke access":
					err = w.installs.RevokeAccess(ctx, b.ID, w.owner, last)
					ok = ref.end(false, w.owner, w.staff)
				case "revoke own":
					err = w.installs.RevokeOwn(ctx, b.ID, user, last)
					ok = ref.end(false, user)
				case "wait":
					ref.now = w.Clock.Advance(time.Duration(rapid.IntRange(1, 24).Draw(t, "hours")) * time.Hour)
				}
				if ok && err != nil || !ok && !errors.Is(err, install.ErrNotFound) {
					t.Fatalf("%s: %v, ok is %v", verb, err, ok)
				}
				err = nil
				if got := w.story(t, ids); got != ref.String() {
					t.Fatalf("after %s the store tells\n%s\nand the reference\n%s", verb, got, ref)
				}
			}
		})
	})
}

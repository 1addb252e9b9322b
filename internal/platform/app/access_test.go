package app_test

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"daybook/internal/base/db"
	"daybook/internal/base/fault"
	"daybook/internal/platform/app"
	"daybook/internal/platform/scope"
	"daybook/internal/tenancy/organization"
)

func TestEveryVerbAsksForItsRole(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		made := w.create(t, least())
		former := w.person(t)
		must(t, w.organizations.AddMember(ctx, w.organization, w.owner, former, organization.Owner))
		must(t, w.organizations.RemoveMember(ctx, w.organization, w.owner, former))
		rival := w.person(t)
		w.newOrganization(t, rival)
		noApp, noOrganization := app.ErrNotFound, organization.ErrNotFound
		for _, verb := range []struct {
			name   string
			needs  organization.Ability
			absent *fault.Fault // what an outsider hears
			do     func(by string) error
		}{
			{"Get", organization.Look, noApp, func(by string) error { _, err := w.apps.Get(ctx, made.ID, by); return err }},
			{"List", organization.Look, noOrganization, func(by string) error { _, err := w.apps.List(ctx, w.organization, by); return err }},
			{"Secrets", organization.Look, noApp, func(by string) error { _, err := w.apps.Secrets(ctx, made.ID, by); return err }},
			{"Create", organization.Build, noOrganization, func(by string) error { _, err := w.apps.Create(ctx, w.organization, by, least()); return err }},
			{"SetDetails", organization.Build, noApp, func(by string) error {
				_, err := w.apps.SetDetails(ctx, made.ID, by, 0, app.Details{Name: "Ledger"})
				return err
			}},
			{"SetRedirectURIs", organization.Build, noApp, func(by string) error {
				_, err := w.apps.SetRedirectURIs(ctx, made.ID, by, 0, []string{"https://app.example/"})
				return err
			}},
			{"SetScopes", organization.Build, noApp, func(by string) error {
				_, err := w.apps.SetScopes(ctx, made.ID, by, 0, scope.Of(scope.TaxesRead))
				return err
			}},
			{"AddSecret", organization.Build, noApp, func(by string) error { return unless(app.ErrSecretLimit, second(w.apps.AddSecret(ctx, made.ID, by))) }},
			{"DeleteSecret", organization.Build, noApp, func(by string) error {
				return unless(app.ErrSecretNotFound, w.apps.DeleteSecret(ctx, made.ID, by, "sec_1"))
			}},
			{"Deactivate", organization.Govern, noApp, func(by string) error { _, err := w.apps.Deactivate(ctx, made.ID, by, 0); return err }},
			{"Reactivate", organization.Govern, noApp, func(by string) error { _, err := w.apps.Reactivate(ctx, made.ID, by, 0); return err }},
		} {
			for _, actor := range []struct {
				name, id string
				reach    organization.Ability
			}{
				{"a viewer", w.viewer, organization.Look}, {"a developer", w.developer, organization.Build}, {"an owner", w.owner, organization.Govern},
				{"a stranger", w.stranger, outside}, {"a former owner", former, outside}, {"an owner of another organization", rival, outside}, {"nobody", "", outside},
			} {
				t.Run("CONS-06 "+verb.name+" by "+actor.name, func(t *testing.T) {
					refusal := organization.ErrRoleTooLow
					switch {
					case actor.reach >= verb.needs:
						refusal = nil
					case actor.reach == outside:
						refusal = verb.absent
					}
					version := w.find(t, made.ID).Version
					want(t, verb.do(actor.id), refusal)
					if refusal != nil && w.find(t, made.ID).Version != version {
						t.Error("refused, and changed all the same")
					}
				})
			}
		}
	})
}

// outside is the reach of who is no member.
const outside = organization.Look - 1

func second[T any](_ T, err error) error { return err }

// unless takes a refusal that comes after the gate for having passed it.
func unless(expected *fault.Fault, err error) error {
	if errors.Is(err, expected) {
		return nil
	}
	return err
}

func TestAnAppOfNobodyIsSeenByNobody(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		stray := w.stray(t)
		for _, by := range []string{w.owner, w.stranger} {
			_, err := w.apps.Get(ctx, stray, by)
			want(t, err, app.ErrNotFound)
			_, err = w.apps.Deactivate(ctx, stray, by, 0)
			want(t, err, app.ErrNotFound)
			_, err = w.apps.AddSecret(ctx, stray, by)
			want(t, err, app.ErrNotFound)
		}
		if list, err := w.apps.List(ctx, w.organization, w.owner); err != nil || len(list) != 0 {
			t.Errorf("lists %v, %v", list, err)
		}
		_, err := w.apps.Suspend(ctx, stray, "Sends spam.") // but by the operator
		must(t, err)
	})
}

func TestOfManyWhoAdoptAnAppOneOrganizationGetsIt(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		const racers = 8
		organizations := make([]string, racers)
		for i := range organizations {
			organizations[i] = w.newOrganization(t, w.owner)
		}
		for range 4 {
			stray := w.stray(t)
			var winner atomic.Value
			var wins atomic.Int32
			var wait sync.WaitGroup
			for _, o := range organizations {
				wait.Go(func() {
					var free bool
					err := w.Write(ctx, func(tx *db.Tx) error {
						a, err := app.Find(ctx, tx, stray)
						if err != nil {
							return err
						}
						free = a.OrganizationID == nil
						return app.Adopt(ctx, tx, a, o)
					})
					switch {
					case err == nil && free:
						wins.Add(1)
						winner.Store(o)
					case err != nil && fault.From(err) == nil:
						t.Errorf("a malfunction: %v", err)
					}
				})
			}
			wait.Wait()
			if a := w.find(t, stray); wins.Load() != 1 || a.OrganizationID == nil || *a.OrganizationID != winner.Load() {
				t.Fatalf("%d adopted it, it belongs to %v", wins.Load(), a.OrganizationID)
			}
			if _, err := w.apps.Get(ctx, stray, w.owner); err != nil {
				t.Errorf("its organization does not see it: %v", err)
			}
		}
	})
}

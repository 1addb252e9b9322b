package app_test

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"daybook/internal/base/fault"
	"daybook/internal/base/id"
	"daybook/internal/base/secret"
	"daybook/internal/platform/app"
)

func (w *world) secrets(t *testing.T, appID string) []app.Secret {
	t.Helper()
	list, err := w.apps.Secrets(ctx, appID, w.viewer)
	must(t, err)
	return list
}

func TestSecretsAreChangedOverOneByOne(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		made, other := w.create(t, least()), w.create(t, least())
		first := w.secrets(t, made.ID)
		if len(first) != 1 || first[0].AppID != made.ID || first[0].LastUsedAt != nil || !id.Valid(id.AppSecret, first[0].ID) {
			t.Fatalf("starts with %+v", first)
		}
		w.Clock.Advance(time.Second)
		second, err := w.apps.AddSecret(ctx, made.ID, w.developer)
		must(t, err)
		if !secret.WellFormed(secret.ClientSecret, second.Value.Reveal()) || second.Value.Equal(made.ClientSecret) || !second.CreatedAt.Equal(w.Clock.Now()) {
			t.Errorf("got %+v", second)
		}
		if list := w.secrets(t, made.ID); len(list) != 2 || list[0] != first[0] || list[1] != second.Secret {
			t.Errorf("lists %+v", list)
		}
		_, err = w.apps.AddSecret(ctx, made.ID, w.developer)
		want(t, err, app.ErrSecretLimit)

		for _, nowhere := range []string{"", w.IDs.New(id.AppSecret), w.secrets(t, other.ID)[0].ID} {
			want(t, w.apps.DeleteSecret(ctx, made.ID, w.developer, nowhere), app.ErrSecretNotFound)
		}
		must(t, w.apps.DeleteSecret(ctx, made.ID, w.developer, first[0].ID))
		want(t, w.apps.DeleteSecret(ctx, made.ID, w.developer, first[0].ID), app.ErrSecretNotFound)
		want(t, w.apps.DeleteSecret(ctx, made.ID, w.developer, second.ID), app.ErrLastSecret)
		if list := w.secrets(t, made.ID); len(list) != 1 || list[0] != second.Secret {
			t.Errorf("lists %+v, want the second", list)
		}
		_, err = w.apps.AddSecret(ctx, made.ID, w.developer) // there is room again
		must(t, err)
		if len(w.secrets(t, made.ID)) != app.MaxSecrets || len(w.secrets(t, other.ID)) != 1 {
			t.Error("wrong number of secrets in the end")
		}
	})
}

func TestAPublicAppHasNoSecret(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		n := least()
		n.ClientType = app.Public
		made := w.create(t, n)
		if !made.ClientSecret.Empty() || len(w.secrets(t, made.ID)) != 0 {
			t.Error("was given a secret")
		}
		_, err := w.apps.AddSecret(ctx, made.ID, w.owner)
		want(t, err, app.ErrNoSecrets)
		want(t, w.apps.DeleteSecret(ctx, made.ID, w.owner, "sec_1"), app.ErrSecretNotFound)
		if len(w.secrets(t, made.ID)) != 0 {
			t.Error("has a secret now")
		}
	})
}

func TestManyWhoAddSecretsAtOnceLeaveTwo(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for range 4 {
			made := w.create(t, least())
			var added atomic.Int32
			var wait sync.WaitGroup
			for range 16 {
				wait.Go(func() {
					switch _, err := w.apps.AddSecret(ctx, made.ID, w.developer); {
					case err == nil:
						added.Add(1)
					case !errors.Is(err, app.ErrSecretLimit):
						t.Error(err)
					}
				})
			}
			wait.Wait()
			if n := len(w.secrets(t, made.ID)); added.Load() != 1 || n != 2 {
				t.Fatalf("%d were added, %d are there", added.Load(), n)
			}
		}
	})
}

func TestManyWhoDeleteSecretsAtOnceLeaveOne(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for _, c := range []struct {
			name string
			pick func(list []app.Secret, racer int) app.Secret
		}{
			{"two who delete different ones", func(list []app.Secret, racer int) app.Secret { return list[racer%2] }},
			{"two who delete the same one", func(list []app.Secret, _ int) app.Secret { return list[0] }},
		} {
			t.Run(c.name, func(t *testing.T) {
				for range 8 {
					made := w.create(t, least())
					_, err := w.apps.AddSecret(ctx, made.ID, w.developer)
					must(t, err)
					list := w.secrets(t, made.ID)
					var deleted atomic.Int32
					var wait sync.WaitGroup
					for racer := range 2 {
						wait.Go(func() {
							err := w.apps.DeleteSecret(ctx, made.ID, w.developer, c.pick(list, racer).ID)
							if err == nil {
								deleted.Add(1)
							} else if fault.From(err) == nil {
								t.Errorf("a malfunction: %v", err)
							}
						})
					}
					wait.Wait()
					if n := len(w.secrets(t, made.ID)); deleted.Load() != 1 || n != 1 {
						t.Fatalf("%d were deleted, %d are left", deleted.Load(), n)
					}
				}
			})
		}
	})
}

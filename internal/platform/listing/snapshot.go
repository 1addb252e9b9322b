package listing

import (
	"context"
	"reflect"
	"slices"

	"daybook/internal/base/db"
	"daybook/internal/platform/app"
	"daybook/internal/platform/event"
	"daybook/internal/platform/scope"
	"daybook/internal/platform/webhook"
)

// Snapshot is the app as reviewers see it: what it may ask for, where people and events go, and what it shows inside of ours.
type Snapshot struct {
	Scopes       scope.Set         `json:"scopes"`
	RedirectURIs []string          `json:"redirectUris"`
	Webhooks     []SnapshotWebhook `json:"webhooks"`
	Extensions   []Extension       `json:"extensions"`
}

// SnapshotWebhook is a webhook, without its secret.
type SnapshotWebhook struct {
	ID      string       `json:"id"`
	URL     string       `json:"url"`
	Events  []event.Type `json:"events"`
	Enabled bool         `json:"enabled"`
}

// Extension is something that the app shows inside of our pages.
type Extension struct {
	ID           string  `json:"id"`
	Kind         string  `json:"kind"`
	ResourceType *string `json:"resourceType"`
	Label        string  `json:"label"`
	Path         string  `json:"path"`
	Enabled      bool    `json:"enabled"`
}

// Extensions knows the extensions of apps. Their own feature fills it.
type Extensions interface {
	// OfApp lists the extensions of an app, in an order that does not change.
	OfApp(ctx context.Context, tx *db.Tx, appID string) ([]Extension, error)
}

// picture takes a snapshot of the app as it is in this transaction.
func (s *Service) picture(ctx context.Context, tx *db.Tx, a app.App) (Snapshot, error) {
	shot := Snapshot{Scopes: append(scope.Set{}, a.Scopes...), RedirectURIs: sorted(a.RedirectURIs), Webhooks: []SnapshotWebhook{}, Extensions: []Extension{}}
	hooks, err := webhook.OfApp(ctx, tx, a.ID)
	if err != nil {
		return shot, err
	}
	for _, h := range hooks {
		shot.Webhooks = append(shot.Webhooks, SnapshotWebhook{h.ID, h.URL, sorted(h.Events), h.Enabled})
	}
	if s.Extensions == nil {
		return shot, nil
	}
	extensions, err := s.Extensions.OfApp(ctx, tx, a.ID)
	shot.Extensions = append([]Extension{}, extensions...)
	return shot, err
}

// sorted is a list in order, [] for none: that they were named in another order is no change.
func sorted[T ~string](list []T) []T {
	out := append([]T{}, list...)
	slices.Sort(out)
	return out
}

// differences names the members in which two snapshots differ.
func (s Snapshot) differences(other Snapshot) []string {
	var names []string
	for _, m := range []struct {
		name string
		a, b any
	}{
		{"scopes", s.Scopes, other.Scopes}, {"redirect URIs", s.RedirectURIs, other.RedirectURIs}, {"webhooks", s.Webhooks, other.Webhooks},
		{"extensions", s.Extensions, other.Extensions},
	} {
		if !reflect.DeepEqual(m.a, m.b) {
			names = append(names, m.name)
		}
	}
	return names
}

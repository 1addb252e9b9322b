package boot

import (
	"context"
	"sync"
	"time"

	"daybook/internal/base/db"
	"daybook/internal/platform/asset"
	"daybook/internal/platform/extension"
	"daybook/internal/platform/install"
	"daybook/internal/platform/listing"
	"daybook/internal/platform/scope"
	"daybook/internal/surface/partnerapi"
)

// makeMarket adds the marketplace to a house.
func (h *House) makeMarket() {
	h.Assets = asset.New(h.DB, h.IDs)
	h.Listings = &listing.Service{DB: h.DB, IDs: h.IDs, Clock: h.Clock, Webhooks: h.Webhooks, Extensions: extensions{}, Activity: activities{h}, Trail: h.Audit}
	h.Assets.Users, h.Assets.Trail = h.Listings, h.Audit
}

// extensions tells listings what apps show inside of our pages.
type extensions struct{}

// OfApp implements listing.Extensions.
func (extensions) OfApp(ctx context.Context, tx *db.Tx, appID string) ([]listing.Extension, error) {
	found, err := extension.ForSnapshot(ctx, tx, appID)
	list := make([]listing.Extension, len(found))
	for i, e := range found {
		list[i] = listing.Extension{ID: e.ID, Kind: string(e.Kind), ResourceType: (*string)(e.ResourceType), Label: e.Label, Path: e.Path, Enabled: e.Enabled}
	}
	return list, err
}

// activities tells what apps did lately, from what was counted of their calls.
type activities struct{ h *House }

// Since implements listing.Activities.
func (a activities) Since(ctx context.Context, appID string, since time.Time) (listing.Activity, error) {
	uses, err := a.h.Usage.Uses(ctx, appID, since)
	if err != nil {
		return listing.Activity{}, err
	}
	var done listing.Activity
	for _, u := range uses {
		done.Scopes = done.Scopes.Union(scopesOfRoutes()[u.Route])
	}
	err = a.h.DB.Read(ctx, func(tx *db.Tx) (err error) {
		done.Sandbox, err = install.UsedInSandbox(ctx, tx, appID, since)
		return err
	})
	return done, err
}

// scopesOfRoutes are the scopes that calls take, by method and pattern. Where the record decides which of several it is, all count.
var scopesOfRoutes = sync.OnceValue(func() map[string]scope.Set {
	all := map[string]scope.Set{}
	for _, r := range (&partnerapi.API{}).Routes() {
		all[r.Method+" "+r.Path] = scope.Of(append(append([]scope.Scope{}, r.Scopes...), r.OneOf...)...)
	}
	return all
})

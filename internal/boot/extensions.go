package boot

import (
	"context"
	"strings"

	"daybook/internal/base/db"
	"daybook/internal/platform/appdata"
	"daybook/internal/platform/extension"
	"daybook/internal/platform/oauth"
	"daybook/internal/platform/scope"
	"daybook/internal/tenancy/business"
)

// home is where our own pages and calls live. Browsers send cookies to every port of a host, so in production no port of ours is framed,
// and nothing below a domain that shares the session; in development everything lives on loopback, and only our own origins count.
func (s settings) home() extension.Home {
	h := extension.NewHome(s.base, s.auth)
	if s.Development != nil {
		h.Hosts = nil
	}
	if s.CookieDomain != "" {
		h.Domains = []string{strings.ToLower(strings.Trim(s.CookieDomain, "."))}
	}
	return h
}

// frames decides for session tokens which pages of apps are shown where.
type frames struct{ extensions *extension.Service }

// Admit implements oauth.Frames.
func (f frames) Admit(ctx context.Context, tx *db.Tx, e oauth.Embedding, appID string, granted scope.Set, access business.Access) error {
	frame := extension.Frame{BusinessID: e.BusinessID, AppID: appID, ExtensionID: e.ExtensionID, Granted: granted}
	if e.Resource != nil {
		frame.Record = &extension.Record{Type: appdata.ResourceType(e.Resource.Type), ID: e.Resource.ID}
	}
	return f.extensions.Admit(ctx, tx, frame, access)
}

// Exists implements extension.Records. A person who was redacted is gone.
func (records) Exists(ctx context.Context, tx *db.Tx, businessID string, t appdata.ResourceType, resourceID string) (bool, error) {
	n, err := db.One(ctx, tx, db.Value[int], `SELECT count(*) `+living[t]+` AND r.id = $2`, businessID, resourceID)
	return n > 0, err
}

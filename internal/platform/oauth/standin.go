package oauth

import (
	"context"
	"errors"
	"time"

	"daybook/internal/base/db"
	"daybook/internal/platform/scope"
	"daybook/internal/tenancy/business"
)

// standInLife is how long what StandIn answers may be used.
const standInLife = time.Minute

// StandIn is the caller as whom a hosted function of an app acts in a business: it holds what the business granted and the app still
// registers, in the name of the person who agreed first and still may. There is no token that could be kept or stolen; whoever calls
// asks anew for every call. So what takes access from an app takes it from its functions with the next call: suspension, uninstalling,
// revoked access, a person who left. Then the answer is ErrToken.
func (s *Service) StandIn(ctx context.Context, appID, businessID string) (Caller, error) {
	var who Caller
	var now time.Time
	err := s.DB.Snapshot(ctx, func(tx *db.Tx) (err error) {
		now = tx.Now()
		if who, err = findStandIn(ctx, tx, appID, businessID); err != nil {
			return err
		}
		who.Access, err = business.AccessOf(ctx, tx, businessID, who.UserID)
		return err
	})
	if none(err) || errors.Is(err, business.ErrNotFound) {
		return Caller{AppID: appID, BusinessID: businessID}, ErrToken
	}
	if err != nil {
		return Caller{}, err
	}
	who.ExpiresAt = now.Add(standInLife)
	s.uses.note(who.InstallationID, now)
	return who, nil
}

// findStandIn reads who agreed to an app first, of those whose yes still stands.
func findStandIn(ctx context.Context, tx *db.Tx, appID, businessID string) (Caller, error) {
	return db.One(ctx, tx, func(scan db.Scan) (c Caller, err error) {
		var granted, registered string
		err = scan(&c.AppID, &c.ClientID, &c.PinnedAPIVersion, &c.BusinessID, &c.UserID, &c.InstallationID, &granted, &registered)
		c.Scopes = scope.Parse(granted)
		c.Scopes = c.Scopes.Minus(c.Scopes.Minus(scope.Parse(registered)))
		return c, err
	}, `SELECT a.id, a.client_id, a.pinned_api_version, i.business_id, c.user_id, i.id, i.granted_scopes, a.scopes
		FROM installations i JOIN apps a ON a.id = i.app_id JOIN consents c ON c.installation_id = i.id JOIN users u ON u.id = c.user_id
		JOIN business_members m ON m.business_id = i.business_id AND m.user_id = c.user_id
		WHERE i.business_id = $1 AND i.app_id = $2 AND i.status = 'ACTIVE' AND a.suspended_at IS NULL AND a.deactivated_at IS NULL
			AND c.revoked_at IS NULL AND u.suspended_at IS NULL AND u.restricted_at IS NULL
		ORDER BY c.granted_at, c.id LIMIT 1`, businessID, appID)
}

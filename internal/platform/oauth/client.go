package oauth

import (
	"context"

	"daybook/internal/base/db"
	"daybook/internal/base/fault"
	"daybook/internal/base/secret"
	"daybook/internal/platform/app"
)

// Proof is what a client shows of itself.
type Proof struct {
	ClientID string
	// Secret is nil when none was sent; an empty one counts as none (a PUBLIC client with Basic, D-7).
	Secret *secret.Secret
}

// Prove finds the client and checks its proof, in one statement. Failed is true for what counts toward a lockout: unknown,
// suspended or deactivated client, missing or wrong secret (LOCK-01).
func (s *Service) Prove(ctx context.Context, p Proof) (client app.App, failed bool, err error) {
	var c app.Credentials
	err = s.DB.Read(ctx, func(tx *db.Tx) (err error) {
		c, err = app.FindCredentials(ctx, tx, p.ClientID)
		return err
	})
	if fault.KindOf(err) == fault.NotFound {
		err = nil
		c = app.Credentials{} // an unknown client takes the same path against nothing
	}
	if err != nil {
		return app.App{}, false, err
	}
	sent := p.Secret != nil && !p.Secret.Empty()
	right := false
	if sent {
		right = c.Proves(app.HashSecret(s.Keys, *p.Secret))
	}
	switch {
	case c.App.ID == "" || !c.App.Running():
		return app.App{}, true, nil
	case sent:
		return c.App, !right, nil
	}
	return c.App, c.App.ClientType != app.Public, nil
}

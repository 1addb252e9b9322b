package app

import (
	"context"

	"daybook/internal/base/db"
	"daybook/internal/base/id"
	"daybook/internal/base/secret"
	"daybook/internal/tenancy/organization"
)

// NewSecret is a secret together with its value, which is known only now.
type NewSecret struct {
	Secret
	Value secret.Secret
}

// Secrets lists an app's secrets without their values.
func (s *Service) Secrets(ctx context.Context, appID, by string) ([]Secret, error) {
	var list []Secret
	err := s.DB.Snapshot(ctx, func(tx *db.Tx) (err error) {
		if _, err = authorize(ctx, tx, appID, by, organization.Look); err != nil {
			return err
		}
		list, err = listSecrets(ctx, tx, appID)
		return err
	})
	return list, err
}

// AddSecret mints a second secret, so that servers can change over one by one.
func (s *Service) AddSecret(ctx context.Context, appID, by string) (NewSecret, error) {
	n := NewSecret{Secret: Secret{ID: s.IDs.New(id.AppSecret), AppID: appID}, Value: secret.Mint(secret.ClientSecret)}
	err := s.DB.Write(ctx, func(tx *db.Tx) error {
		a, err := authorize(ctx, tx, appID, by, organization.Build)
		if err != nil {
			return err
		}
		if a.ClientType == Public {
			return ErrNoSecrets
		}
		n.CreatedAt = tx.Now()
		added, err := insertSecret(ctx, tx, n.Secret, s.Keys.Hash(secretUse, n.Value))
		if err == nil && !added {
			err = ErrSecretLimit
		}
		return err
	})
	return n, err
}

// DeleteSecret ends a secret at once. The last one stays: deactivate the app to stop it.
func (s *Service) DeleteSecret(ctx context.Context, appID, by, secretID string) error {
	return s.DB.Write(ctx, func(tx *db.Tx) error {
		a, err := authorize(ctx, tx, appID, by, organization.Build)
		if err != nil {
			return err
		}
		// Takes the app's row: of two that delete different secrets at once, the second sees what the first left.
		if written, err := update(ctx, tx, a); err != nil || !written {
			return orChanged(err)
		}
		deleted, err := deleteSecret(ctx, tx, appID, secretID)
		if err != nil {
			return err
		}
		if !deleted {
			return ErrSecretNotFound
		}
		left, err := listSecrets(ctx, tx, appID)
		if err == nil && len(left) == 0 {
			err = ErrLastSecret // which rolls the deletion back
		}
		return err
	})
}

func orChanged(err error) error {
	if err != nil {
		return err
	}
	return ErrVersionChanged
}

package app

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

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
		if err != nil {
			return err
		}
		return s.leave(ctx, tx, by, a, actSecretAdded, details{"secretId": n.ID})
	})
	return n, err
}

// DeleteSecret ends a secret at once. The last one stays: deactivate the app to stop it.
func (s *Service) DeleteSecret(ctx context.Context, appID, by, secretID string) error {
	return s.DB.Write(ctx, func(tx *db.Tx) error {
		// Takes the app's row: of two that delete different secrets at once, the second sees what the first left.
		if err := lock(ctx, tx, appID); err != nil {
			return err
		}
		a, err := authorize(ctx, tx, appID, by, organization.Build)
		if err != nil {
			return err
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
		if err != nil {
			return err
		}
		return s.leave(ctx, tx, by, a, actSecretDeleted, details{"secretId": secretID})
	})
}

// SecretUse names a client secret by what whoever proved it knows of it.
type SecretUse struct {
	AppID string
	Hash  [32]byte
}

// NoteSecretUse writes down when client secrets were last used.
func (s *Service) NoteSecretUse(ctx context.Context, used map[SecretUse]time.Time) error {
	uses := slices.SortedFunc(maps.Keys(used), func(a, b SecretUse) int { // in one order, so that nodes do not cross their locks
		return cmp.Or(strings.Compare(a.AppID, b.AppID), bytes.Compare(a.Hash[:], b.Hash[:]))
	})
	return s.DB.Write(ctx, func(tx *db.Tx) error {
		for _, use := range uses {
			if err := setSecretUsed(ctx, tx, use, used[use]); err != nil {
				return err
			}
		}
		return nil
	})
}

// Credentials is what an app must prove to an OAuth endpoint.
type Credentials struct {
	App    App
	hashes [][]byte
}

// FindCredentials reads an app by its client id together with what it must prove, in one statement. revision is that of
// access at the same moment: while it stays, so do the credentials.
func FindCredentials(ctx context.Context, tx *db.Tx, clientID string) (c Credentials, revision int64, err error) {
	found, err := findCredentials(ctx, tx, clientID)
	if errors.Is(err, db.ErrNoRows) {
		err = ErrNotFound
	}
	return Credentials{found.app, found.hashes}, found.revision, err
}

// NewCredentials puts an app and the hashes of its secrets together, for whoever read them along with something else.
func NewCredentials(a App, hashes [][]byte) Credentials { return Credentials{a, hashes} }

// HashSecret is how a client secret is stored and compared.
func HashSecret(k *secret.Keys, value secret.Secret) []byte { return k.Hash(secretUse, value) }

// Proves reports whether a secret with that hash is one of the app's.
func (c Credentials) Proves(hash []byte) bool { return Proves(c.hashes, hash) }

// Proves reports whether one of the hashes is that one. All are compared, whichever fits.
func Proves(hashes [][]byte, hash []byte) bool {
	ok := false
	for _, h := range hashes {
		ok = secret.HashEqual(h, hash) || ok
	}
	return ok
}

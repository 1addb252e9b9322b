package oauth

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/go-jose/go-jose/v4"

	"daybook/internal/base/db"
	"daybook/internal/base/id"
)

const (
	// keyLife is how long a key signs.
	keyLife = 90 * 24 * time.Hour
	// keyLead is how long a key is published before it signs, so that whoever caches the key set knows it in time.
	keyLead = 7 * 24 * time.Hour
	// keyAfter is how long a retired key stays published: longer than anything it signed can live.
	keyAfter = 24 * time.Hour

	signingUse = "signing key"
)

// signingKey is one ES256 key.
type signingKey struct {
	id        string
	sealed    []byte
	public    string
	signsFrom time.Time
}

// signsAt picks the key that signs at an instant: the youngest one whose time has come.
func signsAt(keys []signingKey, now time.Time) (signingKey, bool) {
	var best signingKey
	found := false
	for _, k := range keys {
		if !now.Before(k.signsFrom) && (!found || k.signsFrom.After(best.signsFrom)) {
			best, found = k, true
		}
	}
	return best, found
}

// nextFrom tells when another key must begin to sign, and whether it has to be made now.
func nextFrom(keys []signingKey, now time.Time) (time.Time, bool) {
	var youngest time.Time
	for _, k := range keys {
		if k.signsFrom.After(youngest) {
			youngest = k.signsFrom
		}
	}
	if youngest.IsZero() {
		return now, true // the very first: there is nobody yet who could have cached
	}
	from := youngest.Add(keyLife)
	if from.Before(now.Add(keyLead)) && from.Before(now) {
		from = now // long asleep: sign at once rather than with an overdue key
	}
	return from, !now.Before(from.Add(-keyLead))
}

// published reports whether a key belongs in the key set at an instant.
func (k signingKey) published(keys []signingKey, now time.Time) bool {
	for _, other := range keys {
		// Retired when a younger one has been signing for longer than anything signed before can live.
		if other.signsFrom.After(k.signsFrom) && !now.Before(other.signsFrom.Add(keyAfter)) {
			return false
		}
	}
	return true
}

// RotateKeys makes the first key, and later ones in time. It is safe on several nodes at once.
func (s *Service) RotateKeys(ctx context.Context) error {
	fresh, err := s.newSigningKey()
	if err != nil {
		return err
	}
	return s.DB.Write(ctx, func(tx *db.Tx) error {
		if err := lockKeys(ctx, tx); err != nil {
			return err
		}
		keys, err := listKeys(ctx, tx)
		if err != nil {
			return err
		}
		from, due := nextFrom(keys, tx.Now())
		if !due {
			return nil
		}
		fresh.signsFrom = from
		return insertSigningKey(ctx, tx, fresh)
	})
}

func (s *Service) newSigningKey() (signingKey, error) {
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return signingKey{}, err
	}
	der, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		return signingKey{}, err
	}
	k := signingKey{id: s.IDs.New(id.SigningKey)}
	public, err := json.Marshal(jose.JSONWebKey{Key: private.Public(), KeyID: k.id, Algorithm: string(jose.ES256), Use: "sig"})
	if err != nil {
		return signingKey{}, err
	}
	k.public, k.sealed = string(public), s.Keys.Seal(signingUse, k.id, der)
	return k, nil
}

// open gives the private key.
func (s *Service) open(k signingKey) (*ecdsa.PrivateKey, error) {
	der, err := s.Keys.Open(signingUse, k.id, k.sealed)
	if err != nil {
		return nil, fmt.Errorf("signing key %s: %w", k.id, err)
	}
	key, err := x509.ParsePKCS8PrivateKey(der)
	if err != nil {
		return nil, fmt.Errorf("signing key %s: %w", k.id, err)
	}
	private, ok := key.(*ecdsa.PrivateKey)
	if !ok {
		return nil, fmt.Errorf("signing key %s is a %T", k.id, key)
	}
	return private, nil
}

// KeySet is the public keys that verify session tokens: the present one, the next one, and those retired lately (META-06).
func (s *Service) KeySet(ctx context.Context) ([]json.RawMessage, error) {
	set := []json.RawMessage{}
	err := s.DB.Read(ctx, func(tx *db.Tx) error {
		keys, err := listKeys(ctx, tx)
		for _, k := range keys {
			if k.published(keys, tx.Now()) {
				set = append(set, json.RawMessage(k.public))
			}
		}
		return err
	})
	return set, err
}

// errNoKey cannot happen once the first rotation has run, which boot does before the doors open.
var errNoKey = errors.New("there is no signing key yet")

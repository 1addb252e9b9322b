package app

import (
	"context"
	"errors"
	"strings"

	"daybook/internal/base/db"
	"daybook/internal/base/id"
	"daybook/internal/base/secret"
	"daybook/internal/base/text"
)

// unnamed is what people see of an app that registered without a name.
const unnamed = "Unnamed app"

// Register makes an app that registered itself: it belongs to nobody, and to the organization in whose sandbox it is first
// approved afterwards.
func (s *Service) Register(ctx context.Context, n New) (Created, error) {
	n.Name = displayName(n.Name)
	n, err := n.check()
	if err != nil {
		return Created{}, err
	}
	c := Created{App: App{
		ID: s.IDs.New(id.App), Origin: Registration, Name: n.Name, ClientID: string(secret.ClientID) + secret.Random(clientIDLength),
		ClientType: n.ClientType, RedirectURIs: n.RedirectURIs, Scopes: n.Scopes, ReviewStatus: Unreviewed, Version: 1,
	}}
	if c.ClientType == Confidential {
		c.ClientSecret = secret.Mint(secret.ClientSecret)
	}
	secretID := s.IDs.New(id.AppSecret)
	err = s.DB.Write(ctx, func(tx *db.Tx) error {
		c.CreatedAt, c.UpdatedAt = tx.Now(), tx.Now()
		if _, err := insert(ctx, tx, c.App); err != nil || c.ClientType == Public {
			return err
		}
		_, err := insertSecret(ctx, tx, Secret{ID: secretID, AppID: c.ID, CreatedAt: tx.Now()}, s.Keys.Hash(secretUse, c.ClientSecret))
		return err
	})
	return c, err
}

// displayName cuts a name that nobody here has checked to what a page can show.
func displayName(name string) string {
	runes := []rune(text.Clean(name))
	if len(runes) > 50 {
		runes = runes[:50]
	}
	if name := strings.TrimSpace(string(runes)); name != "" {
		return name
	}
	return unnamed
}

// PutDocument writes the app that a client metadata document describes, new or as it has changed.
func (s *Service) PutDocument(ctx context.Context, tx *db.Tx, appID, clientID string, n New) (App, error) {
	n.Name, n.ClientType = displayName(n.Name), Public
	n, err := n.check()
	if err != nil {
		return App{}, err
	}
	present, err := findByClientID(ctx, tx, clientID)
	if errors.Is(err, db.ErrNoRows) {
		a := App{
			ID: appID, Origin: Document, Name: n.Name, ClientID: clientID, ClientType: Public, RedirectURIs: n.RedirectURIs, Scopes: n.Scopes,
			ReviewStatus: Unreviewed, Version: 1, CreatedAt: tx.Now(), UpdatedAt: tx.Now(),
		}
		free, err := insert(ctx, tx, a)
		if err == nil && !free { // another node was faster
			return findByClientID(ctx, tx, clientID)
		}
		return a, err
	}
	if err != nil {
		return App{}, err
	}
	present.Name, present.RedirectURIs, present.Scopes = n.Name, n.RedirectURIs, n.Scopes
	if _, err := update(ctx, tx, present); err != nil { // of two that bring the same document, either will do
		return App{}, err
	}
	return present, nil
}

// Delete removes apps with their secrets. The database refuses it for an app that is used somewhere.
func Delete(ctx context.Context, tx *db.Tx, appIDs []string) error {
	if len(appIDs) == 0 {
		return nil
	}
	return deleteApps(ctx, tx, appIDs)
}

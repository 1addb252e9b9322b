package oauth

import (
	"time"

	"daybook/internal/base/id"
	"daybook/internal/base/secret"
	"daybook/internal/platform/scope"
)

// Tokens is what a grant gives.
type Tokens struct {
	Access secret.Secret
	// Refresh is empty for token exchange.
	Refresh secret.Secret
	Scopes  scope.Set
}

// family is everything that came from one consent.
type family struct {
	id             string
	appID          string
	businessID     string
	installationID string
	userID         string
	consentID      *string
	sessionID      *string
	epoch          int // of the installation's access; asked only of what hangs on no consent
	scopes         scope.Set
	accessHash     []byte
	accessScopes   scope.Set
	accessExpires  time.Time
	accessFresh    bool
	refreshHash    []byte
	revokedAt      *time.Time
}

// The uses that set hashes of different secrets apart.
const (
	accessUse  = "access token"
	refreshUse = "refresh token"
	codeUse    = "authorization code"
	deviceUse  = "device code"
	requestUse = "authorization request"
)

// minted is a new pair of tokens with its hashes and ids, made before the transaction.
type minted struct {
	familyID    string
	access      secret.Secret
	refresh     secret.Secret
	accessHash  []byte
	refreshHash []byte
}

func (s *Service) mint(withRefresh bool) minted {
	m := minted{familyID: s.IDs.New(id.Family), access: secret.Mint(secret.AccessToken)}
	m.accessHash = s.Keys.Hash(accessUse, m.access)
	if withRefresh {
		m.refresh = secret.Mint(secret.RefreshToken)
		m.refreshHash = s.Keys.Hash(refreshUse, m.refresh)
	}
	return m
}

func (m minted) tokens(scopes scope.Set) Tokens {
	return Tokens{Access: m.access, Refresh: m.refresh, Scopes: scopes}
}

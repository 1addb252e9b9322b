package oauth

import (
	"context"
	"encoding/json"
	"time"

	"github.com/go-jose/go-jose/v4"

	"daybook/internal/base/db"
	"daybook/internal/base/secret"
	"daybook/internal/platform/app"
	"daybook/internal/platform/scope"
	"daybook/internal/tenancy/business"
)

const (
	// SessionTokenLife of a session token; sessionSkew is how far clocks may be apart.
	SessionTokenLife = time.Minute
	sessionSkew      = 5 * time.Second
	sessionType      = "session+jwt"
)

// sessionClaims of a session token. Instants are Unix seconds, as JWTs have them.
type sessionClaims struct {
	Issuer         string      `json:"iss"`
	Audience       string      `json:"aud"`
	Subject        string      `json:"sub"`
	BusinessID     string      `json:"business_id"`
	InstallationID string      `json:"installation_id"`
	SessionID      string      `json:"sid"`
	ID             string      `json:"jti"`
	IssuedAt       int64       `json:"iat"`
	NotBefore      int64       `json:"nbf"`
	Expiry         int64       `json:"exp"`
	Extension      string      `json:"ext,omitempty"`
	Resource       *SessionRes `json:"res,omitempty"`
	Locale         string      `json:"locale,omitempty"`
}

// SessionRes names the record an embedded page is shown beside.
type SessionRes struct {
	Type string `json:"type"`
	ID   string `json:"id"`
}

func (c sessionClaims) expires() time.Time { return time.Unix(c.Expiry, 0) }

// fits reports whether the claims are for this client, from this issuer, at this time.
func (c sessionClaims) fits(issuer, clientID string, now time.Time) bool {
	return c.Issuer == issuer && c.Audience == clientID && c.ID != "" && now.Before(c.expires().Add(sessionSkew)) &&
		!now.Add(sessionSkew).Before(time.Unix(c.NotBefore, 0))
}

// Embedding is what a session token is asked for.
type Embedding struct {
	ClientID    string
	BusinessID  string
	UserID      string
	SessionID   string
	Locale      string
	ExtensionID string
	Resource    *SessionRes
}

// Frames knows which pages of apps are shown where, and to whom.
type Frames interface {
	// Admit refuses what is not shown to a member, beside a record or by itself. granted is what the business granted the app.
	Admit(ctx context.Context, tx *db.Tx, e Embedding, appID string, granted scope.Set, access business.Access) error
}

// IssueSessionToken signs a token for an embedded app's page: for a signed-in member of a business that has the app. What it says about
// where the page is shown is true when it is signed.
func (s *Service) IssueSessionToken(ctx context.Context, e Embedding) (secret.Secret, error) {
	var installationID string
	var key signingKey
	var now time.Time
	err := s.DB.Snapshot(ctx, func(tx *db.Tx) error {
		now = tx.Now()
		access, err := business.AccessOf(ctx, tx, e.BusinessID, e.UserID)
		if err != nil {
			return err
		}
		found, err := findInstalled(ctx, tx, e.BusinessID, e.ClientID)
		if none(err) {
			return ErrNotInstalled
		}
		if err != nil {
			return err
		}
		installationID = found
		state, err := findEmbedded(ctx, tx, found, e.UserID, e.SessionID)
		if err != nil {
			return err
		}
		if !state.running() || !state.installed() {
			return ErrNotInstalled
		}
		if e.ExtensionID != "" || e.Resource != nil {
			if err := s.Frames.Admit(ctx, tx, e, state.appID, scope.Parse(state.scopes), access); err != nil {
				return err
			}
		}
		keys, err := listKeys(ctx, tx)
		if err != nil {
			return err
		}
		var ok bool
		if key, ok = signsAt(keys, now); !ok {
			return errNoKey
		}
		return nil
	})
	if err != nil {
		return secret.Secret{}, err
	}
	return s.sign(key, sessionClaims{
		Issuer: s.Issuer, Audience: e.ClientID, Subject: e.UserID, BusinessID: e.BusinessID, InstallationID: installationID, SessionID: e.SessionID,
		ID: secret.Random(22), IssuedAt: now.Unix(), NotBefore: now.Unix(), Expiry: now.Add(SessionTokenLife).Unix(),
		Extension: e.ExtensionID, Resource: e.Resource, Locale: e.Locale,
	})
}

func (s *Service) sign(k signingKey, claims sessionClaims) (secret.Secret, error) {
	private, err := s.open(k)
	if err != nil {
		return secret.Secret{}, err
	}
	options := (&jose.SignerOptions{}).WithType(sessionType).WithHeader("kid", k.id)
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.ES256, Key: private}, options)
	if err != nil {
		return secret.Secret{}, err
	}
	text, err := json.Marshal(claims)
	if err != nil {
		return secret.Secret{}, err
	}
	signed, err := signer.Sign(text)
	if err != nil {
		return secret.Secret{}, err
	}
	compact, err := signed.CompactSerialize()
	return secret.Of(compact), err
}

// maxSessionToken bytes are looked at.
const maxSessionToken = 8 << 10

// verify checks a session token's signature against the published keys. Any fault is "not ours".
func verify(token string, keys []signingKey, now time.Time) (sessionClaims, bool) {
	var c sessionClaims
	if len(token) > maxSessionToken {
		return c, false
	}
	signed, err := jose.ParseSignedCompact(token, []jose.SignatureAlgorithm{jose.ES256})
	if err != nil || len(signed.Signatures) != 1 {
		return c, false
	}
	header := signed.Signatures[0].Protected
	if kind, _ := header.ExtraHeaders[jose.HeaderType].(string); kind != sessionType {
		return c, false
	}
	for _, k := range keys {
		if k.id != header.KeyID || !k.published(keys, now) {
			continue
		}
		var public jose.JSONWebKey
		if json.Unmarshal([]byte(k.public), &public) != nil {
			return c, false
		}
		text, err := signed.Verify(public)
		return c, err == nil && json.Unmarshal(text, &c) == nil
	}
	return c, false
}

// Exchange turns a session token into an access token, once. The client is already proven and confidential. Every failure
// is the same denial (EXCH-04). No personal consent is asked: any permitted member of an installing business may use the
// embedded app at once.
func (s *Service) Exchange(ctx context.Context, client app.App, token secret.Secret, scopes scope.Set) (Tokens, *Denial, error) {
	m := s.mint(false)
	var tokens Tokens
	var denial *Denial
	err := s.DB.Write(ctx, func(tx *db.Tx) error {
		tokens, denial = Tokens{}, denyGrant
		keys, err := listKeys(ctx, tx)
		if err != nil {
			return err
		}
		claims, ok := verify(token.Reveal(), keys, tx.Now())
		if !ok || !claims.fits(s.Issuer, client.ClientID, tx.Now()) {
			return nil
		}
		e, err := findEmbedded(ctx, tx, claims.InstallationID, claims.Subject, claims.SessionID)
		if none(err) {
			return nil
		}
		if err != nil {
			return err
		}
		// What the business granted and the app still registers.
		granted := scope.Parse(e.scopes).Minus(scope.Parse(e.scopes).Minus(client.Scopes))
		wanted := scopes // stays as it was asked: the closure may run again
		if wanted == nil {
			wanted = granted
		}
		if e.appID != client.ID || e.businessID != claims.BusinessID || !e.running() || !e.installed() || e.sessionID == nil || len(wanted) == 0 || !wanted.Within(granted) {
			return nil
		}
		won, err := useSessionToken(ctx, tx, claims)
		if err != nil || !won {
			return err
		}
		denial, tokens = nil, m.tokens(wanted)
		return s.newFamily(ctx, tx, m, family{
			appID: client.ID, businessID: e.businessID, installationID: claims.InstallationID, userID: claims.Subject, sessionID: &claims.SessionID, epoch: e.epoch,
			scopes: wanted, accessScopes: wanted,
		})
	})
	return tokens, denial, err
}

package oauth

import (
	"context"
	"time"

	"daybook/internal/base/db"
	"daybook/internal/base/fault"
	"daybook/internal/base/id"
	"daybook/internal/base/secret"
	"daybook/internal/platform/app"
	"daybook/internal/platform/install"
	"daybook/internal/platform/scope"
)

// The statuses of a device code.
const (
	devicePending  = "PENDING"
	deviceApproved = "APPROVED"
	deviceDenied   = "DENIED"
	deviceConsumed = "CONSUMED"
)

// device is a device code with the grant behind it, once there is one.
type device struct {
	hash       []byte
	userCode   string
	appID      string
	scopes     scope.Set
	status     string
	place      string
	createdAt  time.Time
	expiresAt  time.Time
	polledAt   *time.Time
	consentID  *string
	userID     *string
	businessID *string
	installID  *string
	standing
}

// DeviceStart is what a device shows and polls with.
type DeviceStart struct {
	DeviceCode secret.Secret
	UserCode   string // as people see it
}

// StartDevice mints a device code. Scopes must be registered by the app; nil asks for all of them (DEVC-03).
func (s *Service) StartDevice(ctx context.Context, client app.App, scopes scope.Set, place string) (DeviceStart, *Denial, error) {
	if len(scopes) == 0 {
		scopes = client.Scopes
	}
	if extra := scopes.Minus(client.Scopes); len(extra) > 0 {
		return DeviceStart{}, &Denial{CodeInvalidScope, describeScope(extra[0])}, nil
	}
	start := DeviceStart{DeviceCode: secret.Mint(secret.DeviceCode)}
	hash := s.Keys.Hash(deviceUse, start.DeviceCode)
	err := s.DB.Write(ctx, func(tx *db.Tx) error {
		// A clash with one of the few codes alive is unlikely (20⁸); a second draw settles it.
		for {
			code := newUserCode()
			free, err := insertDevice(ctx, tx, device{hash: hash, userCode: code, appID: client.ID, scopes: scopes, place: place})
			if err != nil {
				return err
			}
			if free {
				start.UserCode = ShowUserCode(code)
				return nil
			}
		}
	})
	return start, nil, err
}

// describeScope names a scope in a description, if its characters may stand there (RFC 6749, 5.2).
func describeScope(s scope.Scope) string {
	for _, c := range []byte(s) {
		if c < 0x20 || c > 0x7e || c == '"' || c == '\\' {
			return "a scope is not registered by this app"
		}
	}
	return "the app has not registered the scope " + string(s)
}

// Poll asks for the tokens of a device code. The client is already proven.
func (s *Service) Poll(ctx context.Context, client app.App, deviceCode secret.Secret) (Tokens, *Denial, error) {
	if !secret.WellFormed(secret.DeviceCode, deviceCode.Reveal()) {
		return Tokens{}, denyGrant, nil
	}
	hash, m := s.Keys.Hash(deviceUse, deviceCode), s.mint(true)
	var tokens Tokens
	var denial *Denial
	err := s.DB.Write(ctx, func(tx *db.Tx) error {
		tokens, denial = Tokens{}, nil
		d, err := findDevice(ctx, tx, hash)
		if none(err) {
			denial = denyGrant
			return nil
		}
		if err != nil {
			return err
		}
		denial = d.judge(client.ID, tx.Now())
		if denial == denyPending {
			return touchDevice(ctx, tx, hash) // only an accepted poll moves the interval (DEVC-05)
		}
		if denial != nil {
			return nil
		}
		won, err := consumeDevice(ctx, tx, hash)
		if err != nil {
			return err
		}
		if !won {
			denial = denyGrant
			return nil
		}
		tokens = m.tokens(d.scopes)
		return s.newFamily(ctx, tx, m, family{
			appID: d.appID, businessID: *d.businessID, installationID: *d.installID, userID: *d.userID, consentID: d.consentID,
			scopes: d.scopes, accessScopes: d.scopes,
		})
	})
	return tokens, denial, err
}

// judge is the state table of a device code at a poll; nil means that tokens are due.
func (d device) judge(clientID string, now time.Time) *Denial {
	switch {
	case d.appID != clientID || d.status == deviceConsumed:
		return denyGrant
	case d.status == deviceDenied:
		return denyAccess
	case !now.Before(d.expiresAt):
		return denyDeviceExpiry
	case d.status == devicePending && d.polledAt != nil && now.Before(d.polledAt.Add(deviceInterval-pollTolerance)):
		return denySlowDown
	case d.status == devicePending:
		return denyPending
	case !d.good():
		return denyGrant
	}
	return nil
}

// Waiting is a device that waits for a person's decision.
type Waiting struct {
	App      app.App
	UserCode string // as people see it
	Scopes   scope.Set
	Place    string
	AskedAt  time.Time
}

// The limits of guessing: at 20⁸ codes these keep an account below 3 in 100,000 a day even with a thousand codes alive.
const (
	maxGuesses      = 5
	guessWindow     = 10 * time.Minute
	maxGuessesDaily = 20
)

// FindWaiting looks up the device behind a typed code. A wrong code is ErrNoDevice and counts as a guess; after too many
// it is ErrGuesses, whatever the code. Guesses are counted in SQL, exact on any number of nodes.
func (s *Service) FindWaiting(ctx context.Context, typed, userID string) (Waiting, error) {
	var w Waiting
	err := s.withWaiting(ctx, typed, userID, func(tx *db.Tx, d device) error {
		a, err := app.Find(ctx, tx, d.appID)
		w = Waiting{App: a, UserCode: ShowUserCode(d.userCode), Scopes: d.scopes, Place: d.place, AskedAt: d.createdAt}
		return err
	})
	return w, err
}

// DecideDevice carries a person's decision out. A device that no longer waits is ErrNoDevice.
func (s *Service) DecideDevice(ctx context.Context, typed string, d Decision) error {
	return s.withWaiting(ctx, typed, d.UserID, func(tx *db.Tx, found device) error {
		if !d.Allow {
			return denyDevice(ctx, tx, found.hash)
		}
		approved, err := s.Installs.Prepare(install.Approval{AppID: found.appID, BusinessID: d.BusinessID, UserID: d.UserID, Scopes: found.scopes})(ctx, tx)
		if err != nil {
			return err
		}
		won, err := approveDevice(ctx, tx, found.hash, approved.Installation.ID, approved.Consent.ID, d.UserID)
		if err == nil && !won {
			err = ErrNoDevice
		}
		return err
	})
}

// withWaiting finds the device that waits under a typed code and does something with it. A miss is written down before it
// is refused.
func (s *Service) withWaiting(ctx context.Context, typed, userID string, do func(*db.Tx, device) error) error {
	guessID := s.IDs.New(id.Request)
	var refusal *fault.Fault
	err := s.DB.Write(ctx, func(tx *db.Tx) error {
		refusal = nil
		if err := lockGuesser(ctx, tx, userID); err != nil {
			return err
		}
		recent, daily, err := countGuesses(ctx, tx, userID, tx.Now())
		if err != nil {
			return err
		}
		if recent >= maxGuesses || daily >= maxGuessesDaily {
			refusal = ErrGuesses.After(guessWindow)
			return nil
		}
		d, err := findPending(ctx, tx, typed)
		if none(err) || err == nil && (d.status != devicePending || !tx.Now().Before(d.expiresAt)) {
			refusal = ErrNoDevice
			return insertGuess(ctx, tx, userID, guessID)
		}
		if err != nil {
			return err
		}
		return do(tx, d)
	})
	if err == nil && refusal != nil {
		return refusal
	}
	return err
}

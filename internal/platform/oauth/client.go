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

// Client is a client that has proved itself.
type Client struct {
	app.App
	// From memory: the grant compares the revision, in the statement that it needs anyway, and asks for proof again when
	// it has changed.
	remembered bool
	revision   int64
	proof      Proof
	hash       []byte // of the secret that proved it; nil for none
}

// Prove finds the client and checks its proof, in one statement. Failed is true for what counts toward a lockout: unknown,
// suspended or deactivated client, missing or wrong secret (LOCK-01).
func (s *Service) Prove(ctx context.Context, p Proof) (client Client, failed bool, err error) {
	err = s.DB.Read(ctx, func(tx *db.Tx) (err error) {
		client, failed, err = s.proveIn(ctx, tx, p)
		return err
	})
	return client, failed, err
}

// ProveForGrant is Prove for a code or refresh token that comes with the proof: what is remembered of the client will do,
// because Redeem and Refresh make sure of it. Only success is taken from memory.
func (s *Service) ProveForGrant(ctx context.Context, p Proof) (client Client, failed bool, err error) {
	if c, revision, ok := s.memory.client(p.ClientID); ok {
		if hash, proven := s.proves(c, p); proven {
			return Client{App: c.App, remembered: true, revision: revision, proof: p, hash: hash}, false, nil
		}
	}
	return s.Prove(ctx, p)
}

// Vouch is for a caller that stands in for the client itself, as the development endpoints do.
func Vouch(a app.App) Client { return Client{App: a} }

// stillFails has a client that was taken from memory prove itself again, where nothing else is read.
func (s *Service) stillFails(ctx context.Context, c Client) (failed bool, err error) {
	if !c.remembered {
		return false, nil
	}
	_, failed, err = s.Prove(ctx, c.proof)
	return failed, err
}

func (s *Service) proveIn(ctx context.Context, tx *db.Tx, p Proof) (client Client, failed bool, err error) {
	c, revision, err := app.FindCredentials(ctx, tx, p.ClientID)
	if fault.KindOf(err) == fault.NotFound {
		err = nil
		c = app.Credentials{} // an unknown client takes the same path against nothing
	}
	if err != nil {
		return Client{}, false, err
	}
	hash, proven := s.proves(c, p)
	if !proven {
		return Client{}, true, nil
	}
	s.memory.keepClient(revision, p.ClientID, c)
	client = Client{App: c.App, revision: revision, proof: p, hash: hash}
	s.noteProof(client, tx.Now())
	return client, false, nil
}

// proves judges a proof and gives the hash of the secret that was sent; nil for none. All is compared, whatever fits.
func (s *Service) proves(c app.Credentials, p Proof) (hash []byte, proven bool) {
	right := false
	if p.Secret != nil && !p.Secret.Empty() {
		hash = app.HashSecret(s.Keys, *p.Secret)
		right = c.Proves(hash)
	}
	switch {
	case c.App.ID == "" || !c.App.Running():
		return nil, false
	case hash != nil:
		return hash, right
	}
	return nil, c.App.ClientType == app.Public
}

package identity

import (
	"context"
	"errors"

	"daybook/internal/base/db"
	"daybook/internal/base/fault"
	"daybook/internal/base/id"
	"daybook/internal/base/secret"
	"daybook/internal/base/trail"
)

// Service has the verbs of people and sessions.
type Service struct {
	DB        *db.DB
	IDs       *id.Source
	Keys      *secret.Keys
	Passwords *secret.Passwords
	// Trail, if not nil, keeps who did what.
	Trail trail.Keeper

	failures failures
}

// sessionUse sets session hashes apart from other hashes under the same pepper.
const sessionUse = "session"

// Create makes a user. Whether the password is a good one is for the caller to judge (CheckPassword).
func (s *Service) Create(ctx context.Context, n NewUser) (User, error) {
	make, err := s.Prepare(ctx, n)
	if err != nil {
		return User{}, err
	}
	var u User
	err = s.DB.Write(ctx, func(tx *db.Tx) (err error) {
		u, err = make(ctx, tx)
		return err
	})
	return u, err
}

// Prepare does the slow part of Create, hashing the password, outside of any transaction; what it returns does the
// rest inside one.
func (s *Service) Prepare(ctx context.Context, n NewUser) (func(context.Context, *db.Tx) (User, error), error) {
	n, err := n.check()
	if err != nil {
		return nil, err
	}
	hash, err := s.Passwords.Hash(ctx, n.Password)
	if err != nil {
		return nil, err
	}
	userID := s.IDs.New(id.User)
	return func(ctx context.Context, tx *db.Tx) (User, error) {
		u := User{ID: userID, Email: n.Email, DisplayName: n.DisplayName, Locale: n.Locale, Operator: n.Operator,
			Version: 1, CreatedAt: tx.Now(), UpdatedAt: tx.Now()}
		free, err := insertUser(ctx, tx, u, hash)
		if err == nil && !free {
			err = ErrEmailTaken.With(n.Email)
		}
		if err == nil && u.Operator {
			err = s.leave(ctx, tx, "", u.ID, actOperatorCreated, nil)
		}
		return u, err
	}, nil
}

// Get finds a user by id.
func (s *Service) Get(ctx context.Context, userID string) (User, error) {
	return s.find(ctx, func(ctx context.Context, tx *db.Tx) (User, error) { return findUser(ctx, tx, userID) })
}

// Find reads a user for a feature that has already settled who is asking.
func Find(ctx context.Context, tx *db.Tx, userID string) (User, error) {
	u, err := findUser(ctx, tx, userID)
	if errors.Is(err, db.ErrNoRows) {
		err = ErrUserNotFound
	}
	return u, err
}

// FindByEmail finds a user by address, whatever its case.
func (s *Service) FindByEmail(ctx context.Context, email string) (User, error) {
	return s.find(ctx, func(ctx context.Context, tx *db.Tx) (User, error) { return findUserByEmail(ctx, tx, email) })
}

func (s *Service) find(ctx context.Context, look func(context.Context, *db.Tx) (User, error)) (User, error) {
	var u User
	err := s.DB.Read(ctx, func(tx *db.Tx) (err error) {
		u, err = look(ctx, tx)
		return err
	})
	if errors.Is(err, db.ErrNoRows) {
		err = ErrUserNotFound
	}
	return u, err
}

// SignIn proves a password and opens a new session. The session that the browser had, if any, ends with it.
func (s *Service) SignIn(ctx context.Context, email string, password, previous secret.Secret) (SignedIn, error) {
	proven, err := s.Prove(ctx, email, password)
	if err != nil {
		return SignedIn{}, err
	}
	return s.Open(ctx, proven, previous)
}

// Proven is a user who has shown the right password.
type Proven struct{ known userWithHash }

// Prove checks a password and opens nothing yet: proving takes time, in which the caller may have been locked out.
func (s *Service) Prove(ctx context.Context, email string, password secret.Secret) (Proven, error) {
	var known userWithHash
	err := s.DB.Read(ctx, func(tx *db.Tx) (err error) {
		known, err = findCredentials(ctx, tx, email)
		return err
	})
	if err != nil && !errors.Is(err, db.ErrNoRows) {
		return Proven{}, err
	}
	// Without such a user the hash is empty and the check costs the same. An overlong password is not hashed at all.
	if len(password.Reveal()) > 4*maxPassword {
		return Proven{}, ErrWrongCredentials
	}
	right, err := s.Passwords.Check(ctx, known.passwordHash, password)
	if err != nil {
		return Proven{}, err
	}
	if !right {
		s.failures.note(known.ID, trail.From(ctx), 1)
		return Proven{}, ErrWrongCredentials
	}
	if known.Status() == Suspended { // said only to who knows the password
		return Proven{}, ErrSuspended
	}
	return Proven{known}, nil
}

// Open opens a session for a proven user, whose password and standing must still be what they were.
func (s *Service) Open(ctx context.Context, p Proven, previous secret.Secret) (SignedIn, error) {
	u := p.known
	in := SignedIn{Token: secret.Mint(secret.SessionID), User: u.User}
	sessionID, hash := s.IDs.New(id.Session), s.Keys.Hash(sessionUse, in.Token)
	err := s.DB.Write(ctx, func(tx *db.Tx) error {
		switch status, err := confirm(ctx, tx, u); {
		case err != nil:
			return err
		case status == Suspended:
			return ErrSuspended
		case status == "":
			return ErrWrongCredentials
		}
		if !previous.Empty() {
			if err := deleteSession(ctx, tx, s.Keys.Hash(sessionUse, previous)); err != nil {
				return err
			}
		}
		in.Session = Session{ID: sessionID, UserID: u.ID, CreatedAt: tx.Now(), LastSeenAt: tx.Now(), ExpiresAt: tx.Now().Add(absoluteLife)}
		if err := insertSession(ctx, tx, in.Session, hash); err != nil {
			return err
		}
		return s.leave(ctx, tx, u.ID, u.ID, actSignedIn, nil)
	})
	return in, err
}

// Authenticate turns a session token into the session and its user: one statement, and a write now and then to note
// the last use.
func (s *Service) Authenticate(ctx context.Context, token secret.Secret) (Session, User, error) {
	if !secret.WellFormed(secret.SessionID, token.Reveal()) {
		return Session{}, User{}, ErrNoSession
	}
	hash := s.Keys.Hash(sessionUse, token)
	var found SignedIn
	var live, stale bool
	err := s.DB.Read(ctx, func(tx *db.Tx) (err error) {
		found, err = findSession(ctx, tx, hash)
		live, stale = found.Session.live(tx.Now()), found.Session.stale(tx.Now())
		return err
	})
	switch {
	case errors.Is(err, db.ErrNoRows):
		return Session{}, User{}, ErrNoSession
	case err != nil:
		return Session{}, User{}, err
	case !live || found.User.Status() == Suspended:
		return Session{}, User{}, ErrNoSession
	case stale:
		err = s.DB.Write(ctx, func(tx *db.Tx) error { return touchSession(ctx, tx, found.Session.ID) })
	}
	return found.Session, found.User, err
}

// SignOut ends a session. A token that is not one ends nothing.
func (s *Service) SignOut(ctx context.Context, token secret.Secret) error {
	return s.DB.Write(ctx, func(tx *db.Tx) error { return deleteSession(ctx, tx, s.Keys.Hash(sessionUse, token)) })
}

// ChooseBusiness notes a session's current business. The caller has checked that the user belongs to it.
func (s *Service) ChooseBusiness(ctx context.Context, tx *db.Tx, sessionID, businessID string) error {
	n, err := setSessionBusiness(ctx, tx, sessionID, businessID)
	if err == nil && n == 0 {
		err = ErrNoSession
	}
	return err
}

// ChangePassword proves the old password, sets the new one and ends every other session of the user.
func (s *Service) ChangePassword(ctx context.Context, session Session, email string, old, fresh secret.Secret) error {
	var c fault.Check
	CheckPassword(&c, "newPassword", fresh)
	if err := c.Err(); err != nil {
		return err
	}
	var known userWithHash
	if err := s.DB.Read(ctx, func(tx *db.Tx) (err error) {
		known, err = findCredentials(ctx, tx, email)
		return err
	}); err != nil && !errors.Is(err, db.ErrNoRows) {
		return err
	}
	right, err := s.Passwords.Check(ctx, known.passwordHash, old)
	if err != nil {
		return err
	}
	if !right || known.ID != session.UserID {
		return ErrWrongCredentials
	}
	hash, err := s.Passwords.Hash(ctx, fresh)
	if err != nil {
		return err
	}
	return s.DB.Write(ctx, func(tx *db.Tx) error {
		if err := updatePassword(ctx, tx, session.UserID, hash); err != nil {
			return err
		}
		if err := deleteSessionsOf(ctx, tx, session.UserID, session.ID); err != nil {
			return err
		}
		return s.leave(ctx, tx, session.UserID, session.UserID, actPasswordChanged, nil)
	})
}

// cleanBatch bounds how long one clean-up transaction holds the writer.
const cleanBatch = 500

// CleanUp removes sessions that ended by themselves.
func (s *Service) CleanUp(ctx context.Context) error {
	for {
		var n int64
		err := s.DB.Write(ctx, func(tx *db.Tx) (err error) {
			n, err = deleteDeadSessions(ctx, tx, tx.Now(), cleanBatch)
			return err
		})
		if err != nil || n < cleanBatch {
			return err
		}
	}
}

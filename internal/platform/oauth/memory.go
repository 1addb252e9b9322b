package oauth

import (
	"sync"
	"sync/atomic"

	"daybook/internal/base/db"
	"daybook/internal/platform/app"
	"daybook/internal/platform/scope"
)

// memory keeps what was read about access tokens, grants and clients, so that the next use need not read it again.
//
// It cannot serve what was taken back. Everything in it was read at or after one revision of access, a number that the
// database itself raises whenever an app, installation, consent, person, membership or permission changes (see
// 0004_access.sql). Each use reads the present revision, in the same statement as the token's own row; whatever was
// remembered under another one does not count. What a token's own row says (expiry, burnt, replaced) is remembered only for as long
// as nothing at all is written to the store (db.Stamp); nothing that hangs on a session is.
type memory struct {
	mu       sync.RWMutex
	revision int64
	callers  map[tokenHash]*knownCaller
	tokens   map[tokenHash]*knownToken
	grants   map[grantKey]*remembered
	clients  map[string]app.Credentials
}

type tokenHash [32]byte

// grantKey names what decides about a grant besides its own row.
type grantKey struct{ appID, installationID, consentID, userID string }

// remembered is how a grant stands. It is never changed once it is in memory.
type remembered struct {
	standing
	businessID string
}

// knownCaller is who calls with an access token.
type knownCaller struct {
	Caller
	revision int64
	seen     atomic.Pointer[look]
}

// look is what a token's row said when the store had that stamp.
type look struct {
	stamp db.Stamp
	token
}

// knownToken is what the owner of an access token may know about it.
type knownToken struct {
	clientID string
	appID    string
	hashes   [][]byte // of the client's secrets
	scopes   scope.Set
	userID   string
	revision int64
	seen     atomic.Pointer[look]
}

// maxRemembered of each sort. When it is full, memory starts anew: simple, and rare.
const maxRemembered = 1 << 16

// caller finds who calls with an access token. It may be out of date: compare the revision.
func (m *memory) caller(hash []byte) *knownCaller {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return m.callers[tokenHash(hash)]
}

// token finds an access token. It may be out of date: compare the revision.
func (m *memory) token(hash []byte) *knownToken {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return m.tokens[tokenHash(hash)]
}

// grant finds a grant remembered at that revision.
func (m *memory) grant(revision int64, k grantKey) *remembered {
	m.mu.RLock()
	defer m.mu.RUnlock()
	if m.revision != revision {
		return nil
	}
	return m.grants[k]
}

// client finds a client's credentials. They may be out of date: compare the revision.
func (m *memory) client(clientID string) (c app.Credentials, revision int64, ok bool) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	c, ok = m.clients[clientID]
	return c, m.revision, ok
}

// keep runs put if revision is not older than what memory holds; if it is newer, all that was there is forgotten.
func (m *memory) keep(revision int64, put func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch {
	case revision < m.revision:
		return
	case revision > m.revision || m.tokens == nil || max(len(m.callers), len(m.tokens), len(m.grants), len(m.clients)) >= maxRemembered:
		m.revision = revision
		m.callers, m.tokens = map[tokenHash]*knownCaller{}, map[tokenHash]*knownToken{}
		m.grants, m.clients = map[grantKey]*remembered{}, map[string]app.Credentials{}
	}
	put()
}

func (m *memory) keepCaller(hash []byte, k *knownCaller) {
	m.keep(k.revision, func() { m.callers[tokenHash(hash)] = k })
}

func (m *memory) keepToken(hash []byte, k *knownToken) {
	m.keep(k.revision, func() { m.tokens[tokenHash(hash)] = k })
}

func (m *memory) keepGrant(revision int64, k grantKey, r *remembered) {
	m.keep(revision, func() { m.grants[k] = r })
}

func (m *memory) keepClient(revision int64, clientID string, c app.Credentials) {
	m.keep(revision, func() { m.clients[clientID] = c })
}

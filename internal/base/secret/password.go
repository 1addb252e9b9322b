package secret

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"

	"golang.org/x/crypto/argon2"
)

// cost of one argon2id hash. The default follows OWASP's second recommendation (19 MiB, 2 passes, 1 lane).
type cost struct {
	memory  uint32 // KiB
	passes  uint32
	threads uint8
}

var (
	defaultCost = cost{memory: 19 * 1024, passes: 2, threads: 1}
	lightCost   = cost{memory: 64, passes: 1, threads: 1}
)

const (
	saltLength = 16
	hashLength = 32
)

// Passwords hashes and checks people's passwords, a few at a time: each hash takes memory and a core on purpose,
// so a flood of sign-ins must queue instead of exhausting the machine.
type Passwords struct {
	slots chan struct{}
	cost  cost
	dummy string
}

// NewPasswords allows that many hashes at once.
func NewPasswords(atOnce int) *Passwords { return newPasswords(atOnce, defaultCost) }

// NewLightPasswords is for a world whose passwords are no secrets: next to no work for a hash. Each hash says what it cost,
// so either kind checks the other's.
func NewLightPasswords(atOnce int) *Passwords { return newPasswords(atOnce, lightCost) }

func newPasswords(atOnce int, c cost) *Passwords {
	return &Passwords{
		slots: make(chan struct{}, atOnce),
		cost:  c,
		// Checked against when there is no such user: the same work, never a match for an empty password's hash
		// because the key is random.
		dummy: encode(c, randomBytes(saltLength), randomBytes(hashLength)),
	}
}

func randomBytes(n int) []byte {
	b := make([]byte, n)
	rand.Read(b)
	return b
}

// Hash gives the string to store ($argon2id$v=19$m=…,t=…,p=…$salt$hash). It waits for a free slot or for ctx.
func (p *Passwords) Hash(ctx context.Context, password Secret) (string, error) {
	salt := randomBytes(saltLength)
	key, err := p.derive(ctx, p.cost, salt, password)
	if err != nil {
		return "", err
	}
	return encode(p.cost, salt, key), nil
}

// Check reports whether password is the one behind stored. An empty stored hash (no such user) costs the same
// time and is never right.
func (p *Passwords) Check(ctx context.Context, stored string, password Secret) (bool, error) {
	known := stored != ""
	if !known {
		stored = p.dummy
	}
	c, salt, want, err := decode(stored)
	if err != nil {
		return false, err
	}
	got, err := p.derive(ctx, c, salt, password)
	if err != nil {
		return false, err
	}
	return subtle.ConstantTimeCompare(got, want) == 1 && known, nil
}

func (p *Passwords) derive(ctx context.Context, c cost, salt []byte, password Secret) ([]byte, error) {
	select {
	case p.slots <- struct{}{}:
		defer func() { <-p.slots }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	return argon2.IDKey([]byte(password.value), salt, c.passes, c.memory, c.threads, hashLength), nil
}

func encode(c cost, salt, key []byte) string {
	b64 := base64.RawStdEncoding
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s",
		argon2.Version, c.memory, c.passes, c.threads, b64.EncodeToString(salt), b64.EncodeToString(key))
}

var errPasswordHash = errors.New("stored password hash is damaged")

func decode(stored string) (c cost, salt, key []byte, err error) {
	parts := strings.Split(stored, "$")
	if len(parts) != 6 || parts[1] != "argon2id" || parts[2] != fmt.Sprintf("v=%d", argon2.Version) {
		return c, nil, nil, errPasswordHash
	}
	if _, err := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &c.memory, &c.passes, &c.threads); err != nil {
		return c, nil, nil, errPasswordHash
	}
	if c.passes == 0 || c.threads == 0 { // argon2 panics on these
		return c, nil, nil, errPasswordHash
	}
	b64 := base64.RawStdEncoding
	if salt, err = b64.DecodeString(parts[4]); err != nil {
		return c, nil, nil, errPasswordHash
	}
	if key, err = b64.DecodeString(parts[5]); err != nil || len(key) != hashLength {
		return c, nil, nil, errPasswordHash
	}
	return c, salt, key, nil
}

package secret

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"sync"
)

// masterLength of the key in the key file, in bytes.
const masterLength = 32

// Keys are derived from one master key: one part seals, the other peppers hashes. Both are needed to use a
// database, neither is kept in it.
type Keys struct {
	id     string
	aead   cipher.AEAD
	pepper []byte
	macs   sync.Pool // of hash.Hash keyed with the pepper
}

// ErrSealed is what Open says of anything it cannot open; it never says why.
var ErrSealed = errors.New("cannot open: sealed with another key, for another row, or damaged")

// NewKeys derives the keys. master must have 32 bytes.
func NewKeys(master []byte) (*Keys, error) {
	if len(master) != masterLength {
		return nil, fmt.Errorf("a master key has %d bytes, this one %d", masterLength, len(master))
	}
	part := func(use string) []byte {
		// Fails only for lengths beyond 255 hashes.
		key, _ := hkdf.Key(sha256.New, master, nil, "daybook "+use, 32)
		return key
	}
	block, err := aes.NewCipher(part("seal"))
	if err != nil {
		return nil, err
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		return nil, err
	}
	return &Keys{id: hex.EncodeToString(part("id")[:4]), aead: aead, pepper: part("pepper")}, nil
}

// RandomKeys are new keys that nobody keeps; tests use them.
func RandomKeys() *Keys {
	k, _ := NewKeys(newMaster())
	return k
}

func newMaster() []byte {
	master := make([]byte, masterLength)
	rand.Read(master)
	return master
}

// ID names the master key without telling anything about it. Sealed values begin with it.
func (k *Keys) ID() string { return k.id }

// Hash is how a minted secret is stored and looked up: HMAC-SHA-256 under the pepper, apart per use, so that
// the same value hashes differently in two tables. The hash of a placed secret begins with its place.
func (k *Keys) Hash(use string, s Secret) []byte {
	mac, ok := k.macs.Get().(hash.Hash) // one that is reset has its key already worked in
	if !ok {
		mac = hmac.New(sha256.New, k.pepper)
	}
	defer k.macs.Put(mac)
	mac.Reset()
	text := make([]byte, 0, 128)
	text = append(text, use...)
	text = append(text, 0)
	mac.Write(append(text, s.value...))
	return mac.Sum(append(make([]byte, 0, placeLength+sha256.Size), placeOf(s.value)...))
}

// HashEqual compares two hashes in constant time.
func HashEqual(a, b []byte) bool { return hmac.Equal(a, b) }

// Seal encrypts plain for one place, named by use and row: the bytes copied to another row do not open.
// The result is the key's id, a dot, nonce and ciphertext.
func (k *Keys) Seal(use, row string, plain []byte) []byte {
	return k.aead.Seal([]byte(k.id+"."), nil, plain, place(use, row))
}

// Open decrypts what Seal made for the same place.
func (k *Keys) Open(use, row string, sealed []byte) ([]byte, error) {
	head := len(k.id) + 1
	if len(sealed) < head || string(sealed[:head]) != k.id+"." {
		return nil, ErrSealed
	}
	plain, err := k.aead.Open(nil, nil, sealed[head:], place(use, row))
	if err != nil {
		return nil, ErrSealed
	}
	return plain, nil
}

// place is the additional data of a seal. Neither part may hold a zero byte, which is true of our names and ids.
func place(use, row string) []byte { return []byte(use + "\x00" + row) }

package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"strings"
	"sync"
	"time"
)

// skew is how far our clock may be from Daybook's.
const skew = 5 * time.Second

// claims are those of a session token that this app looks at.
type claims struct {
	Issuer     string  `json:"iss"`
	Audience   string  `json:"aud"`
	Subject    string  `json:"sub"`
	BusinessID string  `json:"business_id"`
	NotBefore  int64   `json:"nbf"`
	Expiry     int64   `json:"exp"`
	Extension  string  `json:"ext"`
	Resource   *record `json:"res"`
}

// record is the one that a page stands beside.
type record struct {
	Type string `json:"type"`
	ID   string `json:"id"`
}

// keys are the published ones, by their ids. They are fetched when an unknown one turns up, and not more than once in a minute: Daybook
// changes them now and then, and publishes a new one before it signs with it.
type keys struct {
	sync.Mutex
	known   map[string]*ecdsa.PublicKey
	fetched time.Time
}

var errToken = errors.New("this is no session token for us")

// verify proves a session token: signed by Daybook, for this app, now.
func (d *daybook) verify(ctx context.Context, token string, now time.Time) (claims, error) {
	var c claims
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		return c, errToken
	}
	var header struct{ Alg, Typ, Kid string }
	if decode(parts[0], &header) != nil || header.Alg != "ES256" || header.Typ != "session+jwt" { // never what the token would like
		return c, errToken
	}
	key, err := d.key(ctx, header.Kid, now)
	if err != nil {
		return c, err
	}
	signature, err := base64.RawURLEncoding.DecodeString(parts[2])
	if err != nil || len(signature) != 64 { // two numbers of 32 bytes (RFC 7518, 3.4)
		return c, errToken
	}
	digest := sha256.Sum256([]byte(parts[0] + "." + parts[1]))
	r, s := new(big.Int).SetBytes(signature[:32]), new(big.Int).SetBytes(signature[32:])
	if !ecdsa.Verify(key, digest[:], r, s) || decode(parts[1], &c) != nil {
		return claims{}, errToken
	}
	begins, ends := time.Unix(c.NotBefore, 0).Add(-skew), time.Unix(c.Expiry, 0).Add(skew)
	if c.Issuer != d.base || c.Audience != d.clientID || now.Before(begins) || !now.Before(ends) {
		return claims{}, errToken
	}
	return c, nil
}

// key finds a published key.
func (d *daybook) key(ctx context.Context, id string, now time.Time) (*ecdsa.PublicKey, error) {
	d.keys.Lock()
	defer d.keys.Unlock()
	if key := d.keys.known[id]; key != nil {
		return key, nil
	}
	if now.Sub(d.keys.fetched) < time.Minute {
		return nil, errToken
	}
	var set struct {
		Keys []struct{ Kid, Kty, Crv, X, Y string }
	}
	if err := d.get(ctx, "/.well-known/jwks.json", "", &set); err != nil {
		return nil, fmt.Errorf("the published keys: %w", err)
	}
	known := map[string]*ecdsa.PublicKey{}
	for _, k := range set.Keys {
		x, errX := base64.RawURLEncoding.DecodeString(k.X)
		y, errY := base64.RawURLEncoding.DecodeString(k.Y)
		if k.Kty != "EC" || k.Crv != "P-256" || errX != nil || errY != nil || len(x) != 32 || len(y) != 32 {
			continue // of a sort that this app does not know
		}
		key, err := ecdsa.ParseUncompressedPublicKey(elliptic.P256(), append(append([]byte{4}, x...), y...))
		if err == nil {
			known[k.Kid] = key
		}
	}
	d.keys.known, d.keys.fetched = known, now
	if known[id] == nil {
		return nil, errToken
	}
	return known[id], nil
}

func decode(part string, into any) error {
	text, err := base64.RawURLEncoding.DecodeString(part)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, into)
}

package secret_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"daybook/internal/base/secret"
)

func TestASecretNeverPrints(t *testing.T) {
	const value = "canary-value"
	s := secret.Of(value)
	holder := struct {
		Name string
		Key  secret.Secret
		Ptr  *secret.Secret
	}{"n", s, &s}
	var log bytes.Buffer
	slog.New(slog.NewJSONHandler(&log, nil)).Info("m", "secret", s, "holder", holder)
	slog.New(slog.NewTextHandler(&log, nil)).Info("m", "secret", s, "holder", holder)
	asJSON, err := json.Marshal(holder)
	if err != nil {
		t.Fatal(err)
	}
	prints := []string{log.String(), string(asJSON), s.String(), s.GoString(), fmt.Errorf("e: %v", s).Error()}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d"} {
		prints = append(prints, fmt.Sprintf(verb, s), fmt.Sprintf(verb, holder), fmt.Sprintf(verb, &holder))
	}
	for _, p := range prints {
		if strings.Contains(p, value) || strings.Contains(p, fmt.Sprintf("%x", value)) {
			t.Errorf("printed: %s", p)
		}
	}
	if s.Reveal() != value {
		t.Error("Reveal must give the value")
	}
}

func TestMintedSecretsAreWellFormedAndDistinct(t *testing.T) {
	seen := map[string]bool{}
	counts := map[rune]int{}
	for range 2000 {
		s := secret.Mint(secret.ClientSecret).Reveal()
		if !secret.WellFormed(secret.ClientSecret, s) || seen[s] {
			t.Fatalf("bad or repeated: %q", s)
		}
		seen[s] = true
		for _, c := range s[3:] {
			counts[c]++
		}
	}
	// 86,000 characters over 62: 1,387 each; six standard deviations are about 222.
	if len(counts) != 62 {
		t.Fatalf("%d different characters, want 62", len(counts))
	}
	for c, n := range counts {
		if n < 1387-222 || n > 1387+222 {
			t.Errorf("%q was drawn %d times of about 1387", c, n)
		}
	}
	good := secret.Mint(secret.ClientSecret).Reveal()
	for name, s := range map[string]string{
		"another kind": "at_" + good[3:], "one short": good[:len(good)-1], "one long": good + "a",
		"foreign character": good[:len(good)-1] + "-", "empty": "",
	} {
		if secret.WellFormed(secret.ClientSecret, s) {
			t.Errorf("%s passed: %q", name, s)
		}
	}
}

func TestHashesDependOnKeyUseAndValue(t *testing.T) {
	a, b := secret.RandomKeys(), secret.RandomKeys()
	v := secret.Of("value")
	if !secret.HashEqual(a.Hash("session", v), a.Hash("session", v)) {
		t.Error("the same hash must be equal")
	}
	for name, other := range map[string][]byte{
		"another key":   b.Hash("session", v),
		"another use":   a.Hash("secret", v),
		"another value": a.Hash("session", secret.Of("valuf")),
		"moved border":  a.Hash("sessionv", secret.Of("alue")),
	} {
		if secret.HashEqual(a.Hash("session", v), other) {
			t.Errorf("%s gives the same hash", name)
		}
	}
}

func TestWhatIsSealedOpensOnlyInItsPlace(t *testing.T) {
	k, other := secret.RandomKeys(), secret.RandomKeys()
	sealed := k.Seal("webhook", "whk_1", []byte("whsec"))
	if plain, err := k.Open("webhook", "whk_1", sealed); err != nil || string(plain) != "whsec" {
		t.Fatalf("got %q, %v", plain, err)
	}
	if bytes.Contains(sealed, []byte("whsec")) {
		t.Error("sealed bytes hold the plain text")
	}
	if bytes.Equal(sealed, k.Seal("webhook", "whk_1", []byte("whsec"))) {
		t.Error("sealing twice must differ")
	}
	flipped := bytes.Clone(sealed)
	flipped[len(flipped)-1] ^= 1
	for name, open := range map[string]func() ([]byte, error){
		"another row": func() ([]byte, error) { return k.Open("webhook", "whk_2", sealed) },
		"another use": func() ([]byte, error) { return k.Open("key", "whk_1", sealed) },
		"another key": func() ([]byte, error) { return other.Open("webhook", "whk_1", sealed) },
		"one bit":     func() ([]byte, error) { return k.Open("webhook", "whk_1", flipped) },
		"nothing":     func() ([]byte, error) { return k.Open("webhook", "whk_1", nil) },
		"head only":   func() ([]byte, error) { return k.Open("webhook", "whk_1", []byte(k.ID()+".")) },
	} {
		if _, err := open(); !errors.Is(err, secret.ErrSealed) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestKeyFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "daybook.key")
	if _, err := secret.ReadKeyFile(path); !errors.Is(err, secret.ErrNoKeyFile) {
		t.Fatalf("missing file: %v", err)
	}
	var wait sync.WaitGroup
	ids := make([]string, 8)
	for i := range ids {
		wait.Go(func() {
			if k, err := secret.CreateKeyFile(path); err == nil {
				ids[i] = k.ID()
			}
		})
	}
	wait.Wait()
	read, err := secret.ReadKeyFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, got := range ids {
		if got != read.ID() {
			t.Errorf("creators disagree: %v, file has %s", ids, read.ID())
		}
	}
	if info, _ := os.Stat(path); info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v", info.Mode())
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), ".daybook-key-*")); len(left) != 0 {
		t.Errorf("drafts left behind: %v", left)
	}
	for name, text := range map[string]string{
		"empty": "", "another file": "hello world", "short key": "daybook-key-1 c2hvcnQ=", "no base64": "daybook-key-1 %%%",
	} {
		bad := filepath.Join(t.TempDir(), "bad.key")
		if err := os.WriteFile(bad, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := secret.ReadKeyFile(bad); err == nil || !strings.Contains(err.Error(), bad) {
			t.Errorf("%s: error must name the file: %v", name, err)
		}
	}
}

func TestPasswords(t *testing.T) {
	ctx := context.Background()
	p := secret.NewPasswords(2)
	stored, err := p.Hash(ctx, secret.Of("correct horse"))
	if err != nil || !strings.HasPrefix(stored, "$argon2id$v=19$m=19456,t=2,p=1$") {
		t.Fatalf("%q, %v", stored, err)
	}
	check := func(stored, password string) bool {
		ok, err := p.Check(ctx, stored, secret.Of(password))
		if err != nil {
			t.Fatal(err)
		}
		return ok
	}
	if !check(stored, "correct horse") || check(stored, "correct horsf") || check(stored, "") || check("", "") {
		t.Error("wrong verdict")
	}
	if again, _ := p.Hash(ctx, secret.Of("correct horse")); again == stored {
		t.Error("two hashes of one password must differ")
	}
	for _, damaged := range []string{"x", "$argon2id$v=19$m=19456,t=0,p=1$AAAA$AAAA", "$argon2i$v=19$m=1,t=1,p=1$AAAA$AAAA"} {
		if _, err := p.Check(ctx, damaged, secret.Of("x")); err == nil {
			t.Errorf("%q must be an error", damaged)
		}
	}
	light := secret.NewLightPasswords(2)
	quick, err := light.Hash(ctx, secret.Of("correct horse"))
	if err != nil || !strings.HasPrefix(quick, "$argon2id$v=19$m=64,t=1,p=1$") || !check(quick, "correct horse") || check(quick, "wrong") {
		t.Errorf("light: %q, %v", quick, err)
	}
	if ok, err := light.Check(ctx, stored, secret.Of("correct horse")); err != nil || !ok {
		t.Errorf("light, of a full hash: %v, %v", ok, err)
	}
	gone, cancel := context.WithCancel(ctx)
	cancel()
	full := secret.NewPasswords(0) // no slot is ever free
	if _, err := full.Hash(gone, secret.Of("x")); !errors.Is(err, context.Canceled) {
		t.Errorf("a caller that left must not wait: %v", err)
	}
}

// TestSecretsMadeTogetherLieTogether proves that the hashes of tokens share pages, and that what they share is no part of the secret.
func TestSecretsMadeTogetherLieTogether(t *testing.T) {
	keys := secret.RandomKeys()
	for _, k := range []secret.Kind{secret.AccessToken, secret.RefreshToken, secret.AuthCode, secret.AuthRequest} {
		places, secrets, hashes := map[string]int{}, map[string]bool{}, map[string]bool{}
		const made = 1000
		for range made {
			s := secret.Mint(k)
			place, rest := strings.TrimPrefix(s.Reveal(), string(k))[:4], strings.TrimPrefix(s.Reveal(), string(k))[4:]
			hash := string(keys.Hash("use", s))
			if !secret.WellFormed(k, s.Reveal()) || len(rest) != 43 || len(hash) != 36 || !strings.HasPrefix(hash, place) {
				t.Fatalf("%s: %d characters, hash of %d bytes", k, len(rest), len(hash))
			}
			places[place]++
			secrets[rest], hashes[hash] = true, true
		}
		if len(places) > made/64+2 || len(secrets) != made || len(hashes) != made {
			t.Errorf("%s: %d places, %d secrets, %d hashes", k, len(places), len(secrets), len(hashes))
		}
		if secret.WellFormed(k, string(k)+secret.Random(43)) {
			t.Errorf("%s without a place could not have been minted", k)
		}
	}
	if s := secret.Mint(secret.ClientSecret); len(s.Reveal()) != 46 || len(keys.Hash("use", s)) != 32 {
		t.Errorf("%d, %d", len(s.Reveal()), len(keys.Hash("use", s)))
	}
}

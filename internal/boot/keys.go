package boot

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"daybook/internal/base/db"
	"daybook/internal/base/secret"
)

// ErrWrongKey says that the key file is not the one this database was set up with.
var ErrWrongKey = errors.New("the key file does not fit the database")

// proofUse names the sealed proof; its plain text is the key's own id.
const proofUse = "sealing key"

// openKeys reads the key file and proves that it fits the database. A new installation gets a new key; a database that
// already has one never does, because everything sealed or hashed under the lost key would be lost silently.
func openKeys(ctx context.Context, d *db.DB, file string) (*secret.Keys, error) {
	keys, err := secret.ReadKeyFile(file)
	created := false
	if errors.Is(err, secret.ErrNoKeyFile) {
		var known []string
		if err := d.Read(ctx, func(tx *db.Tx) (err error) {
			known, err = listKeyIDs(ctx, tx)
			return err
		}); err != nil {
			return nil, err
		}
		if len(known) > 0 {
			// Perhaps somebody created both in this very moment.
			if keys, err := secret.ReadKeyFile(file); err == nil {
				return keys, proveKeys(ctx, d, keys)
			}
			return nil, fmt.Errorf("key file %s is missing, and this database was set up with key %s: restore that file", file, known[0])
		}
		if keys, err = secret.CreateKeyFile(file); err != nil {
			return nil, err
		}
		created = true
	} else if err != nil {
		return nil, err
	}
	if err := proveKeys(ctx, d, keys); err != nil {
		if created && errors.Is(err, ErrWrongKey) {
			_ = os.Remove(file) // another node was first: this one must be given its key
		}
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return keys, nil
}

// proveKeys writes the proof of the first key, and checks every later one against it.
func proveKeys(ctx context.Context, d *db.DB, keys *secret.Keys) error {
	return d.Write(ctx, func(tx *db.Tx) error {
		if err := insertFirstKey(ctx, tx, keys.ID(), keys.Seal(proofUse, keys.ID(), []byte(keys.ID()))); err != nil {
			return err
		}
		proof, err := findProof(ctx, tx, keys.ID())
		if errors.Is(err, db.ErrNoRows) {
			return ErrWrongKey
		}
		if err != nil {
			return err
		}
		if plain, err := keys.Open(proofUse, keys.ID(), proof); err != nil || string(plain) != keys.ID() {
			return ErrWrongKey
		}
		return nil
	})
}

// readableKey stops a start whose key file is there but unusable, or could not be created, before anything is written.
func readableKey(file string) error {
	_, err := secret.ReadKeyFile(file)
	if !errors.Is(err, secret.ErrNoKeyFile) {
		return err
	}
	folder := filepath.Dir(file)
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		return fmt.Errorf("cannot create key file %s: folder %s does not exist", file, folder)
	}
	draft, err := os.CreateTemp(folder, ".daybook-key-*")
	if err != nil {
		return fmt.Errorf("cannot create key file %s: %w", file, err)
	}
	_ = draft.Close()
	return os.Remove(draft.Name())
}

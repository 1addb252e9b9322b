package boot

import (
	"context"
	"encoding/base64"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"daybook/internal/base/db"
	"daybook/internal/base/secret"
	"daybook/internal/schema/dbtest"
)

var ctx = context.Background()

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// writeKey makes a key file of a key that the number stands for.
func writeKey(t *testing.T, path string, number byte) {
	t.Helper()
	master := make([]byte, 32)
	master[0] = number
	must(t, os.WriteFile(path, []byte("daybook-key-1 "+base64.StdEncoding.EncodeToString(master)+"\n"), 0o600))
}

func exec(t *testing.T, s *dbtest.Store, sql string, args ...any) {
	t.Helper()
	must(t, s.Write(ctx, func(tx *db.Tx) error {
		_, err := tx.Exec(ctx, sql, args...)
		return err
	}))
}

func TestTheFirstStartMakesTheKey(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *dbtest.Store) {
		file := filepath.Join(t.TempDir(), "daybook.key")
		first, err := openKeys(ctx, s.DB, file)
		must(t, err)
		info, err := os.Stat(file)
		must(t, err)
		if info.Mode().Perm() != 0o600 {
			t.Errorf("the key file is %v", info.Mode())
		}
		if known, err := knownKeys(ctx, s.DB); err != nil || len(known) != 1 || known[0] != first.ID() {
			t.Errorf("the database knows %v, %v", known, err)
		}
		sealed := first.Seal("use", "row", []byte("text"))
		second, err := openKeys(ctx, s.DB, file)
		must(t, err)
		if plain, err := second.Open("use", "row", sealed); err != nil || string(plain) != "text" {
			t.Errorf("the second start cannot open what the first sealed: %v", err)
		}
		if known, err := knownKeys(ctx, s.DB); err != nil || len(known) != 1 {
			t.Errorf("after the second start the database knows %v, %v", known, err)
		}
	})
}

func TestAKeyThatDoesNotFit(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *dbtest.Store) {
		dir := t.TempDir()
		file := filepath.Join(dir, "daybook.key")
		writeKey(t, file, 1)
		right, err := openKeys(ctx, s.DB, file)
		must(t, err)

		other := filepath.Join(dir, "other.key")
		writeKey(t, other, 2)
		before, _ := os.ReadFile(other)
		if _, err := openKeys(ctx, s.DB, other); !errors.Is(err, ErrWrongKey) || !strings.Contains(err.Error(), other) {
			t.Errorf("another key: %v", err)
		}
		if after, _ := os.ReadFile(other); string(before) != string(after) {
			t.Error("a key file that was given has changed")
		}

		missing := filepath.Join(dir, "missing.key")
		if _, err := openKeys(ctx, s.DB, missing); err == nil || !strings.Contains(err.Error(), right.ID()) || !strings.Contains(err.Error(), missing) {
			t.Errorf("no key: %v", err)
		}
		if _, err := os.Stat(missing); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("a lost key was silently replaced: %v", err)
		}

		exec(t, s, `UPDATE sealing_keys SET proof = $1`, []byte(right.ID()+".damaged"))
		if _, err := openKeys(ctx, s.DB, file); !errors.Is(err, ErrWrongKey) {
			t.Errorf("a damaged proof: %v", err)
		}
		// The proof of one key does not do for another that claims its id.
		exec(t, s, `UPDATE sealing_keys SET proof = $1`, right.Seal("something else", right.ID(), []byte(right.ID())))
		if _, err := openKeys(ctx, s.DB, file); !errors.Is(err, ErrWrongKey) {
			t.Errorf("a proof made for something else: %v", err)
		}
		if known, err := knownKeys(ctx, s.DB); err != nil || len(known) != 1 {
			t.Errorf("the database knows %v, %v", known, err)
		}
	})
}

// starters open the keys at the same moment, each with its own file or all with one.
func starters(s *dbtest.Store, files []string) (keys []*secret.Keys, errs []error) {
	keys, errs = make([]*secret.Keys, len(files)), make([]error, len(files))
	var ready, wait sync.WaitGroup
	ready.Add(len(files))
	for i, file := range files {
		wait.Go(func() {
			ready.Done()
			ready.Wait()
			keys[i], errs[i] = openKeys(ctx, s.DB, file)
		})
	}
	wait.Wait()
	return keys, errs
}

func TestStartersOnOneFileAgree(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *dbtest.Store) {
		for range 25 {
			exec(t, s, `DELETE FROM sealing_keys`)
			dir := t.TempDir()
			file := filepath.Join(dir, "daybook.key")
			keys, errs := starters(s, []string{file, file, file, file, file, file, file, file})
			for i := range keys {
				if errs[i] != nil {
					t.Fatalf("starter %d: %v", i, errs[i])
				}
				if keys[i].ID() != keys[0].ID() {
					t.Fatalf("starter %d has key %s, the first one %s", i, keys[i].ID(), keys[0].ID())
				}
			}
			if left, _ := os.ReadDir(dir); len(left) != 1 {
				t.Fatalf("left behind: %v", left)
			}
		}
	})
}

func TestOfStartersWithFilesOfTheirOwnOneWins(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *dbtest.Store) {
		for range 10 {
			exec(t, s, `DELETE FROM sealing_keys`)
			dir := t.TempDir()
			var files []string
			for i := range 8 {
				files = append(files, filepath.Join(dir, strconv.Itoa(i)+".key"))
			}
			_, errs := starters(s, files)
			winners := 0
			for i, err := range errs {
				_, missing := os.Stat(files[i])
				if err == nil {
					winners++
				}
				if (err == nil) != (missing == nil) {
					t.Errorf("starter %d: %v, and its file: %v", i, err, missing)
				}
			}
			if winners != 1 {
				t.Fatalf("%d starters won: %v", winners, errs)
			}
		}
	})
}

func TestAnUnusableKeyFileIsFoundBeforeAnythingIsWritten(t *testing.T) {
	dir := t.TempDir()
	must(t, os.Mkdir(filepath.Join(dir, "folder"), 0o700))
	must(t, os.WriteFile(filepath.Join(dir, "text"), []byte("x"), 0o600))
	writeKey(t, filepath.Join(dir, "good"), 1)
	for name, ok := range map[string]bool{"good": true, "new": true, "folder": false, "text": false, "none/new": false, "text/new": false} {
		if err := readableKey(filepath.Join(dir, name)); (err == nil) != ok {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// knownKeys lists the keys that a database was set up with.
func knownKeys(ctx context.Context, d *db.DB) (ids []string, err error) {
	err = d.Read(ctx, func(tx *db.Tx) (err error) {
		ids, err = listKeyIDs(ctx, tx)
		return err
	})
	return ids, err
}

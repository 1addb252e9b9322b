package secret

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// keyFileHead is the first word of a key file; the second is the master key in base64.
const keyFileHead = "daybook-key-1"

// ErrNoKeyFile says that there is no file at that path.
var ErrNoKeyFile = errors.New("no key file")

// ReadKeyFile reads the keys at path. Its errors name the path and never quote the contents.
func ReadKeyFile(path string) (*Keys, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: %s", ErrNoKeyFile, path)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot read key file: %w", err)
	}
	words := strings.Fields(string(text))
	if len(words) != 2 || words[0] != keyFileHead {
		return nil, fmt.Errorf("%s is not a Daybook key file: it must hold %q and a key", path, keyFileHead)
	}
	master, err := base64.StdEncoding.DecodeString(words[1])
	if err != nil || len(master) != masterLength {
		return nil, fmt.Errorf("key file %s is damaged: its key must be %d bytes in base64", path, masterLength)
	}
	return NewKeys(master)
}

// CreateKeyFile makes a new key, readable by its owner only, and never replaces a file that is there: of two
// processes that start at once, one creates it and both use it. The file is whole and on disk before it gets
// its name, so a crash leaves no half-written key.
func CreateKeyFile(path string) (*Keys, error) {
	draft, err := os.CreateTemp(filepath.Dir(path), ".daybook-key-*") // made with mode 0600
	if err != nil {
		return nil, fmt.Errorf("cannot create key file: %w", err)
	}
	defer os.Remove(draft.Name())
	defer draft.Close()
	var text bytes.Buffer
	fmt.Fprintf(&text, "%s %s\n", keyFileHead, base64.StdEncoding.EncodeToString(newMaster()))
	if _, err := draft.Write(text.Bytes()); err != nil {
		return nil, fmt.Errorf("cannot write key file: %w", err)
	}
	if err := draft.Sync(); err != nil {
		return nil, fmt.Errorf("cannot write key file: %w", err)
	}
	if err := os.Link(draft.Name(), path); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("cannot create key file: %w", err)
	}
	if err := syncDir(filepath.Dir(path)); err != nil {
		return nil, fmt.Errorf("cannot create key file: %w", err)
	}
	return ReadKeyFile(path)
}

func syncDir(path string) error {
	dir, err := os.Open(path)
	if err != nil {
		return err
	}
	defer dir.Close()
	return dir.Sync()
}

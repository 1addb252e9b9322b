package db

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// presenceFile is locked for as long as its process lives; the kernel unlocks it when the process ends.
func (s *sqliteStore) presenceFile(key int64) string { return fmt.Sprintf("%s-node-%x", s.path, key) }

func (s *sqliteStore) present(_ context.Context, key int64) (*Presence, error) {
	path := s.presenceFile(key)
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		_ = file.Close()
		return nil, errors.Join(errPresenceTaken, err)
	}
	p := &Presence{lost: make(chan struct{})}
	p.close = func() {
		_ = os.Remove(path)
		_ = file.Close()
		p.lose()
	}
	return p, nil
}

func (s *sqliteStore) gone(_ context.Context, keys []int64) ([]int64, error) {
	var gone []int64
	for _, key := range keys {
		path := s.presenceFile(key)
		file, err := os.OpenFile(path, os.O_RDWR, 0)
		if errors.Is(err, fs.ErrNotExist) {
			gone = append(gone, key)
			continue
		}
		if err != nil {
			return nil, err
		}
		switch err := syscall.Flock(int(file.Fd()), syscall.LOCK_SH|syscall.LOCK_NB); {
		case err == nil:
			_ = os.Remove(path)
			gone = append(gone, key)
		case !errors.Is(err, syscall.EWOULDBLOCK):
			_ = file.Close()
			return nil, err
		}
		_ = file.Close()
	}
	return gone, nil
}

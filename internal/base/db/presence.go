package db

import (
	"context"
	"sync"
)

// Presence is a sign of life that other processes on the same store can see. The store itself takes it down when this
// process ends, however it ends: nobody has to wait for a lease to run out.
type Presence struct {
	lost  chan struct{}
	once  sync.Once
	close func()
}

// Lost is closed when the sign is gone although the process lives on: the connection to the database broke. Others then
// believe that this process has ended.
func (p *Presence) Lost() <-chan struct{} { return p.lost }

// Close takes the sign down.
func (p *Presence) Close() { p.close() }

func (p *Presence) lose() { p.once.Do(func() { close(p.lost) }) }

// Present puts up a sign of life under a key that no other process uses.
func (d *DB) Present(ctx context.Context, key int64) (*Presence, error) {
	return d.store.present(ctx, key)
}

// Gone tells which of the keys have no sign of life.
func (d *DB) Gone(ctx context.Context, keys []int64) ([]int64, error) {
	if len(keys) == 0 {
		return nil, nil
	}
	return d.store.gone(ctx, keys)
}

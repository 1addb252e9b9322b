package db

import (
	"context"
	"errors"
	"slices"

	"github.com/jackc/pgx/v5"
)

var errPresenceTaken = errors.New("another process shows the same sign of life")

// present holds an advisory lock on a connection of its own: PostgreSQL lets go of it when the connection ends.
func (s *postgresStore) present(ctx context.Context, key int64) (*Presence, error) {
	conn, err := pgx.ConnectConfig(ctx, s.pool.Config().ConnConfig)
	if err != nil {
		return nil, err
	}
	var free bool
	err = conn.QueryRow(ctx, `SELECT pg_try_advisory_lock($1)`, key).Scan(&free)
	if err == nil && !free {
		err = errPresenceTaken
	}
	if err != nil {
		_ = conn.Close(context.WithoutCancel(ctx))
		return nil, err
	}
	watch, stop := context.WithCancel(context.WithoutCancel(ctx))
	ended := make(chan struct{})
	p := &Presence{lost: make(chan struct{}), close: func() {
		stop()
		<-ended
	}}
	go func() {
		defer close(ended)
		defer p.lose()
		defer conn.Close(context.WithoutCancel(ctx))
		for {
			// Nobody notifies: it returns when the connection breaks, or when the sign is taken down.
			if _, err := conn.WaitForNotification(watch); err != nil {
				return
			}
		}
	}()
	return p, nil
}

// gone asks which locks are held. A key is split in two halves there.
func (s *postgresStore) gone(ctx context.Context, keys []int64) ([]int64, error) {
	var held []int64
	err := s.read(ctx, func(tx *Tx) (err error) {
		held, err = All(ctx, tx, Value[int64], `
			SELECT CAST(classid AS BIGINT) << 32 | CAST(objid AS BIGINT) FROM pg_locks
			WHERE locktype = 'advisory' AND objsubid = 1 AND granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`)
		return err
	})
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(slices.Clone(keys), func(key int64) bool { return slices.Contains(held, key) }), nil
}

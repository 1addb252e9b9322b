package db

import "context"

// Step is a verb that was prepared outside and does its work inside a transaction, its own or that of a larger whole.
// It may run again after a conflict.
type Step[T any] func(ctx context.Context, tx *Tx) (T, error)

// Run gives a step a transaction of its own.
func Run[T any](ctx context.Context, d *DB, step Step[T]) (T, error) {
	var done T
	err := d.Write(ctx, func(tx *Tx) (err error) {
		done, err = step(ctx, tx)
		return err
	})
	return done, err
}

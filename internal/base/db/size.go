package db

import "context"

// Size is how many bytes the store takes on disk, as it sees it itself.
func (d *DB) Size(ctx context.Context) (int64, error) {
	sql := `SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()`
	if d.Dialect() == Postgres {
		sql = `SELECT pg_database_size(current_database())`
	}
	var n int64
	err := d.Read(ctx, func(tx *Tx) (err error) {
		n, err = One(ctx, tx, Value[int64], sql)
		return err
	})
	return n, err
}

package db

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"net/url"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/pgxpool"
)

// postgresStore is a pool of connections. Isolation is READ COMMITTED: decisions are compare-and-set updates,
// whose row locks give the same single winner that SQLite's one writer does.
type postgresStore struct {
	db   *DB
	pool *pgxpool.Pool
}

const (
	// maxConns per node unless the URL says otherwise (?pool_max_conns=…): PostgreSQL's default is 100 in all.
	maxConns = 20
	// maxTries of a closure that keeps losing to others.
	maxTries = 8
)

func openPostgres(ctx context.Context, d *DB, o Options) (*postgresStore, error) {
	config, err := pgxpool.ParseConfig(o.Database)
	if err != nil {
		return nil, fmt.Errorf("database URL: %w", err) // pgx leaves the password out
	}
	if u, err := url.Parse(o.Database); err == nil && !u.Query().Has("pool_max_conns") {
		config.MaxConns = maxConns
	}
	if config.ConnConfig.ConnectTimeout == 0 {
		config.ConnConfig.ConnectTimeout = 5 * time.Second
	}
	config.ConnConfig.RuntimeParams["application_name"] = "daybook"
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("database: %w", err)
	}
	s := &postgresStore{db: d, pool: pool}
	if err := s.ping(ctx); err != nil {
		pool.Close()
		at := config.ConnConfig
		return nil, fmt.Errorf("cannot reach PostgreSQL at %s:%d, database %s: %w", at.Host, at.Port, at.Database, firstCause(err))
	}
	return s, nil
}

// firstCause shortens pgx's chain, which repeats itself for every address tried, to the reason itself.
func firstCause(err error) error {
	var pg *pgconn.PgError
	if errors.As(err, &pg) {
		return errors.New(pg.Message)
	}
	for {
		inner := errors.Unwrap(err)
		if many, ok := err.(interface{ Unwrap() []error }); ok && len(many.Unwrap()) > 0 {
			inner = many.Unwrap()[0]
		}
		if inner == nil {
			return err
		}
		err = inner
	}
}

func (s *postgresStore) write(ctx context.Context, fn func(*Tx) error) error {
	for try := 1; ; try++ {
		err := s.try(ctx, fn)
		if !isConflict(err) || try == maxTries {
			return err
		}
		s.db.stats.retries.Add(1)
		// The wait is random, so that the same two do not meet again.
		wait := time.NewTimer(rand.N(time.Duration(try) * 4 * time.Millisecond))
		select {
		case <-wait.C:
		case <-ctx.Done():
			wait.Stop()
			return err
		}
	}
}

func (s *postgresStore) try(ctx context.Context, fn func(*Tx) error) error {
	ptx, err := s.pool.Begin(ctx)
	if err != nil {
		return err
	}
	// Without effect after Commit; also undoes a closure that panics or whose context has ended.
	defer ptx.Rollback(context.WithoutCancel(ctx))
	tx := s.db.begin(postgresConn{ptx}, true)
	if err := tx.outcome(fn(tx)); err != nil {
		return err
	}
	// A caller that leaves now must not make a decided transaction uncertain.
	if err := ptx.Commit(context.WithoutCancel(ctx)); err != nil {
		return err
	}
	s.db.stats.commits.Add(1)
	tx.committed()
	return nil
}

func (s *postgresStore) read(ctx context.Context, fn func(*Tx) error) error {
	conn, err := s.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	tx := s.db.begin(postgresConn{conn}, false)
	return tx.outcome(fn(tx))
}

func (s *postgresStore) snapshot(ctx context.Context, fn func(*Tx) error) error {
	return pgx.BeginTxFunc(ctx, s.pool, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, func(ptx pgx.Tx) error {
		tx := s.db.begin(postgresConn{ptx}, false)
		return tx.outcome(fn(tx))
	})
}

func (s *postgresStore) ping(ctx context.Context) error { return s.pool.Ping(ctx) }

func (s *postgresStore) dialect() Dialect { return Postgres }

func (s *postgresStore) stamp() (Stamp, bool) { return Stamp{}, false }

func (s *postgresStore) close() { s.pool.Close() }

type postgresConn struct {
	q interface {
		Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
		Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
	}
}

func (c postgresConn) exec(ctx context.Context, sql string, args []any) (int64, error) {
	tag, err := c.q.Exec(ctx, sql, args...)
	return tag.RowsAffected(), err
}

func (c postgresConn) query(ctx context.Context, sql string, args []any) (cursor, error) {
	rows, err := c.q.Query(ctx, sql, args...)
	if err != nil {
		return nil, err
	}
	return postgresCursor{rows}, nil
}

type postgresCursor struct{ rows pgx.Rows }

func (c postgresCursor) next() bool { return c.rows.Next() }

func (c postgresCursor) scan(dest []any) error {
	raw, fields := c.rows.RawValues(), c.rows.FieldDescriptions()
	if len(dest) != len(raw) {
		return fmt.Errorf("%d columns, %d destinations", len(raw), len(dest))
	}
	for i, d := range dest {
		value, err := decode(fields[i], raw[i])
		if err == nil {
			err = assign(d, value)
		}
		if err != nil {
			return fmt.Errorf("column %s: %w", fields[i].Name, err)
		}
	}
	return nil
}

func (c postgresCursor) close() error {
	c.rows.Close()
	return c.rows.Err()
}

// decode reads the types of the portable dialect, and only those: a SUM, which PostgreSQL makes NUMERIC, needs a
// CAST(… AS BIGINT) to mean the same on both stores.
func decode(f pgconn.FieldDescription, raw []byte) (any, error) {
	if raw == nil {
		return nil, nil
	}
	switch f.DataTypeOID {
	case pgtype.TextOID, pgtype.VarcharOID, pgtype.NameOID, pgtype.UnknownOID:
		return string(raw), nil
	}
	if f.Format != pgtype.BinaryFormatCode {
		return nil, fmt.Errorf("type %d arrived as text", f.DataTypeOID)
	}
	switch f.DataTypeOID {
	case pgtype.Int8OID:
		return int64(binary.BigEndian.Uint64(raw)), nil
	case pgtype.Int4OID:
		return int64(int32(binary.BigEndian.Uint32(raw))), nil
	case pgtype.BoolOID:
		return int64(raw[0]), nil
	case pgtype.Float8OID:
		return math.Float64frombits(binary.BigEndian.Uint64(raw)), nil
	case pgtype.ByteaOID:
		return append([]byte{}, raw...), nil // the driver reuses its buffer
	}
	return nil, fmt.Errorf("type %d is not portable: CAST it to BIGINT or TEXT", f.DataTypeOID)
}

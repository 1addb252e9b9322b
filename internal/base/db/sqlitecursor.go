package db

import (
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
)

type sqliteCursor struct {
	rows   driver.Rows
	values []driver.Value
	ended  bool // stepping again would run the statement again
	err    error
}

func (c *sqliteCursor) next() bool {
	err := c.rows.Next(c.values)
	c.ended = err != nil
	if err != nil && !errors.Is(err, io.EOF) {
		c.err = err
	}
	return err == nil
}

func (c *sqliteCursor) scan(dest []any) error {
	if len(dest) != len(c.values) {
		return fmt.Errorf("%d columns, %d destinations", len(c.values), len(dest))
	}
	for i, d := range dest {
		if err := assign(d, c.values[i]); err != nil {
			return fmt.Errorf("column %s: %w", c.rows.Columns()[i], err)
		}
	}
	return nil
}

func (c *sqliteCursor) close() error {
	// A statement that writes must run to its end even if nobody reads all of its RETURNING rows; the driver has
	// stepped only as far as rows were asked for.
	for !c.ended && c.next() {
	}
	return errors.Join(c.err, c.rows.Close())
}

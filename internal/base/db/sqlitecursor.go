package db

import (
	"database/sql"
	"fmt"
	"reflect"
	"time"

	sqlite3 "modernc.org/sqlite/lib"

	"daybook/internal/base/clock"
)

// sqliteCursor walks over the rows of a statement.
type sqliteCursor struct {
	statement *sqliteStatement
	ended     bool // stepping again would run the statement again
	err       error
}

func (c *sqliteCursor) next() bool {
	more, err := c.statement.step()
	c.ended, c.err = !more, err
	return more
}

func (c *sqliteCursor) scan(dest []any) error {
	if len(dest) != c.statement.columns {
		return fmt.Errorf("%d columns, %d destinations", c.statement.columns, len(dest))
	}
	for i, d := range dest {
		if err := c.column(i, d); err != nil {
			return fmt.Errorf("column %d: %w", i+1, err)
		}
	}
	return nil
}

// column copies one value. The frequent sorts go straight from SQLite's memory, all others by way of assign.
func (c *sqliteCursor) column(i int, dest any) error {
	s := c.statement
	switch d := dest.(type) {
	case *string:
		if s.kind(i) == sqlite3.SQLITE_TEXT {
			if text := s.view(i); string(text) != *d { // what many rows share is copied once
				*d = string(text)
			}
			return nil
		}
	case *int64:
		if s.kind(i) == sqlite3.SQLITE_INTEGER {
			*d = s.integer(i)
			return nil
		}
	case *int:
		if s.kind(i) == sqlite3.SQLITE_INTEGER {
			*d = int(s.integer(i))
			return nil
		}
	case *time.Time:
		if s.kind(i) == sqlite3.SQLITE_INTEGER {
			*d = clock.FromMillis(s.integer(i))
			return nil
		}
	case **string:
		switch s.kind(i) {
		case sqlite3.SQLITE_NULL:
			*d = nil
			return nil
		case sqlite3.SQLITE_TEXT:
			text := s.text(i)
			*d = &text
			return nil
		}
	case **time.Time:
		switch s.kind(i) {
		case sqlite3.SQLITE_NULL:
			*d = nil
			return nil
		case sqlite3.SQLITE_INTEGER:
			at := clock.FromMillis(s.integer(i))
			*d = &at
			return nil
		}
	}
	if _, reads := dest.(sql.Scanner); !reads && s.kind(i) == sqlite3.SQLITE_TEXT {
		if d := reflect.ValueOf(dest); d.Kind() == reflect.Pointer && d.Elem().Kind() == reflect.String { // a named type
			d.Elem().SetString(s.text(i))
			return nil
		}
	}
	return assign(dest, s.value(i))
}

func (c *sqliteCursor) close() error {
	// A statement that writes must run to its end even if nobody reads all of its RETURNING rows.
	for !c.ended && !c.statement.reads && c.next() {
	}
	c.statement.reset()
	return c.err
}

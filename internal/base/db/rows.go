package db

import (
	"context"
	"strconv"
	"strings"
)

// Scan copies one row into the given destinations.
type Scan func(dest ...any) error

// One runs a query for at most one row and reads it with scan. Without a row the error is ErrNoRows.
func One[T any](ctx context.Context, tx *Tx, scan func(Scan) (T, error), sql string, args ...any) (T, error) {
	var none T
	rows, err := tx.Query(ctx, sql, args...)
	if err != nil {
		return none, err
	}
	defer rows.Close()
	if !rows.Next() {
		if rows.Err() != nil {
			return none, rows.Err()
		}
		return none, ErrNoRows
	}
	value, err := scan(rows.Scan)
	if err != nil {
		return none, err
	}
	// An INSERT … RETURNING may fail after its first row: the end of the rows is part of the result.
	if rows.Close(); rows.Err() != nil {
		return none, rows.Err()
	}
	return value, nil
}

// All runs a query and reads every row with scan. Without rows the slice is empty, not nil.
func All[T any](ctx context.Context, tx *Tx, scan func(Scan) (T, error), sql string, args ...any) ([]T, error) {
	rows, err := tx.Query(ctx, sql, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	list, read := []T{}, Scan(rows.Scan)
	for rows.Next() {
		value, err := scan(read)
		if err != nil {
			return nil, err
		}
		list = append(list, value)
	}
	if rows.Err() != nil {
		return nil, rows.Err()
	}
	return list, nil
}

// Value is the scan function for a single column.
func Value[T any](scan Scan) (T, error) {
	var v T
	err := scan(&v)
	return v, err
}

// In is a list of n placeholders from $first on, for `IN (…)`.
func In(first, n int) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteByte('$')
		b.WriteString(strconv.Itoa(first + i))
	}
	return b.String()
}

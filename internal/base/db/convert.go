package db

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"daybook/internal/base/clock"
)

// plain turns arguments into the few types both drivers take: int64, float64, string, []byte and nil. They are good until the
// next statement.
func (tx *Tx) plain(args []any) []any {
	tx.args = slices.Grow(tx.args[:0], len(args))
	for _, arg := range args {
		tx.args = append(tx.args, plainOne(arg))
	}
	return tx.args
}

// plainOne hands on what is plain already as it came: putting it into an interface again would be an allocation.
func plainOne(arg any) any {
	switch v := arg.(type) {
	case nil, int64, float64:
		return arg
	case string:
		if isStorable(v) {
			return arg
		}
		return storable(v)
	case []byte:
		if v == nil {
			return nil
		}
		return arg
	case int:
		return int64(v)
	case bool:
		if v {
			return int64(1)
		}
		return int64(0)
	case time.Time:
		return clock.Millis(v)
	case *string: // the frequent ones without reflection
		if v == nil {
			return nil
		}
		return storable(*v)
	case *time.Time:
		if v == nil {
			return nil
		}
		return clock.Millis(*v)
	case jsonValue:
		return v.encode()
	}
	v := reflect.ValueOf(arg)
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return nil
		}
		return plainOne(v.Elem().Interface())
	case reflect.String:
		return storable(v.String())
	case reflect.Bool:
		return plainOne(v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return v.Int()
	}
	// A programming error, found by the first test that runs the statement.
	panic(fmt.Sprintf("db: argument of type %T", arg))
}

// storable replaces what PostgreSQL refuses to keep in TEXT (zero bytes, invalid UTF-8) by the replacement character, on
// both stores alike: a look-up by such an id from outside finds nothing instead of failing.
func storable(s string) string {
	if isStorable(s) {
		return s
	}
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "\uFFFD")
}

func isStorable(s string) bool { return utf8.ValidString(s) && strings.IndexByte(s, 0) < 0 }

// JSON stores v as JSON text, and reads such text into it when v is a pointer.
func JSON(v any) jsonValue { return jsonValue{v} }

type jsonValue struct{ v any }

// writesJSON is what knows how to write itself as json.Marshal would, in a fraction of the time. While rows are written, everybody
// else who wants to write waits.
type writesJSON interface{ AppendJSON([]byte) []byte }

func (j jsonValue) encode() any {
	if w, ok := j.v.(writesJSON); ok {
		return string(w.AppendJSON(make([]byte, 0, 512)))
	}
	text, err := json.Marshal(j.v)
	if err != nil {
		panic(fmt.Sprintf("db: %T as JSON: %v", j.v, err))
	}
	return string(text)
}

// Scan implements sql.Scanner.
func (j jsonValue) Scan(src any) error {
	text, ok := src.(string)
	if !ok {
		return fmt.Errorf("JSON column holds %T", src)
	}
	return json.Unmarshal([]byte(text), j.v)
}

var errNull = errors.New("NULL where a value is expected")

// assign copies a column's value (int64, float64, string, []byte or nil) into dest.
func assign(dest, src any) error {
	switch d := dest.(type) {
	case *string:
		if s, ok := src.(string); ok {
			*d = s
			return nil
		}
	case *int64:
		if n, ok := src.(int64); ok {
			*d = n
			return nil
		}
	case *int:
		if n, ok := src.(int64); ok {
			*d = int(n)
			return nil
		}
	case *bool:
		if n, ok := src.(int64); ok {
			*d = n != 0
			return nil
		}
	case *time.Time:
		if n, ok := src.(int64); ok {
			*d = clock.FromMillis(n)
			return nil
		}
	case *[]byte:
		switch b := src.(type) {
		case nil:
			*d = nil
			return nil
		case []byte:
			*d = b
			return nil
		}
	case **string: // the frequent ones without reflection
		return assignOptional(d, src)
	case **time.Time:
		return assignOptional(d, src)
	case **int64:
		return assignOptional(d, src)
	case **bool:
		return assignOptional(d, src)
	case sql.Scanner:
		return d.Scan(src)
	default:
		return assignAny(dest, src)
	}
	return mismatch(dest, src)
}

func assignOptional[T any](dest **T, src any) error {
	if src == nil {
		*dest = nil
		return nil
	}
	*dest = new(T)
	return assign(*dest, src)
}

func mismatch(dest, src any) error {
	if src == nil {
		return fmt.Errorf("%w: into %T", errNull, dest)
	}
	return fmt.Errorf("cannot put %T into %T", src, dest)
}

// assignAny handles pointers to pointers (NULL is nil) and named types.
func assignAny(dest, src any) error {
	d := reflect.ValueOf(dest)
	if d.Kind() != reflect.Pointer || d.IsNil() {
		return fmt.Errorf("destination %T is no pointer", dest)
	}
	d = d.Elem()
	switch d.Kind() {
	case reflect.Pointer:
		if src == nil {
			d.SetZero()
			return nil
		}
		d.Set(reflect.New(d.Type().Elem()))
		return assign(d.Interface(), src)
	case reflect.String:
		if s, ok := src.(string); ok {
			d.SetString(s)
			return nil
		}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		if n, ok := src.(int64); ok {
			d.SetInt(n)
			return nil
		}
	case reflect.Float64:
		if f, ok := src.(float64); ok {
			d.SetFloat(f)
			return nil
		}
	}
	return mismatch(dest, src)
}

package db

import (
	"slices"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// knowledge is what closures have read in SQLite's writer and others will need: it saves them reading it again, in the same group and in
// those that follow. It holds as long as no statement changes a table that it was read from, nothing is taken back, and nobody else
// writes to the file.
type knowledge struct {
	kept     map[any]keptValue
	tables   []string // that something was read from
	expected uint32   // which change of the file is the latest, if nobody else made one
}

type keptValue struct {
	value  any
	tables []string
}

// mostKept is how many values are kept from one transaction to the next; beyond it all are forgotten, which is simple and rare.
const mostKept = 4096

// Kept is what was kept under a key by this closure or one before. There may be nothing at any time, and always is on PostgreSQL.
func (tx *Tx) Kept(key any) (value any, ok bool) {
	if tx.known == nil {
		return nil, false
	}
	v, ok := tx.known.kept[key]
	return v.value, ok
}

// Keep keeps what was read from tables, or was just written to them. It must be what a statement would read now, rows that were put off
// included, and must not be changed by whoever gets it.
func (tx *Tx) Keep(key, value any, tables ...string) {
	k := tx.known
	if k == nil {
		return
	}
	if k.kept == nil {
		k.kept = map[any]keptValue{}
	}
	k.kept[key] = keptValue{value, tables}
	for _, name := range tables {
		if !slices.Contains(k.tables, name) {
			k.tables = append(k.tables, name)
		}
	}
}

// renew is called when a transaction begins, with what counts the commits; no count: nobody knows whether somebody else wrote.
func (k *knowledge) renew(change uint32, counted bool) {
	if !counted || change != k.expected || len(k.kept) > mostKept {
		k.clear()
	}
}

func (k *knowledge) clear() {
	clear(k.kept)
	k.tables = k.tables[:0]
}

// concerns reports whether a statement that changes such tables makes something wrong that is kept.
func (k *knowledge) concerns(changes []string) bool {
	for _, name := range changes {
		if slices.Contains(k.tables, name) {
			return true
		}
	}
	return false
}

// forget forgets what was read from tables that are being changed.
func (k *knowledge) forget(changes []string) {
	changed := func(name string) bool { return slices.Contains(changes, name) }
	for key, v := range k.kept {
		if slices.ContainsFunc(v.tables, changed) {
			delete(k.kept, key)
		}
	}
	k.tables = slices.DeleteFunc(k.tables, changed)
}

// noteChanges has every statement that is prepared from now on know which tables it changes, by its triggers and foreign keys, too.
// SQLite asks for permission for each of them.
func (h *sqliteHandle) noteChanges() {
	h.authorizer = func(_ *libc.TLS, _ uintptr, action int32, first, _, _, _ uintptr) int32 {
		switch action {
		case sqlite3.SQLITE_INSERT, sqlite3.SQLITE_UPDATE, sqlite3.SQLITE_DELETE:
			if name := libc.GoString(first); !slices.Contains(h.changing, name) {
				h.changing = append(h.changing, name)
			}
		}
		return sqlite3.SQLITE_OK
	}
	sqlite3.Xsqlite3_set_authorizer(h.tls, h.db, callable(&h.authorizer), 0)
}

package db

import (
	"fmt"
	"regexp"
	"unsafe"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// sqliteHandle is a connection, spoken to in SQLite's own C interface. The driver that comes with the library asks for the
// names and declared types of all columns and the names of all parameters at every run and allocates for each of them;
// that costs a point read as much as the reading itself. We need none of it: a statement is bound by position and
// scanned into what the caller has.
//
// It is used by one goroutine at a time, so it needs no mutex of its own.
type sqliteHandle struct {
	tls *libc.TLS
	db  uintptr
	// buffer is C memory for the arguments of the statement at hand; one runs at a time.
	buffer     uintptr
	bufferSize int
	log        *walWrites // of the one that writes

	// Of the one that writes, see noteChanges. C holds the function by a pointer that does not keep it alive.
	authorizer func(tls *libc.TLS, arg uintptr, action int32, first, second, name, trigger uintptr) int32
	changing   []string // by the statement that is being prepared
}

// sqliteError is a result code with SQLite's words for it.
type sqliteError struct {
	code int // extended
	text string
}

func (e *sqliteError) Error() string { return fmt.Sprintf("SQLite: %s (%d)", e.text, e.code) }

func openHandle(path string, pragmas []string) (*sqliteHandle, error) {
	h := &sqliteHandle{tls: libc.NewTLS()}
	name, err := libc.CString(path)
	if err != nil {
		return nil, err
	}
	defer libc.Xfree(h.tls, name)
	slot := h.tls.Alloc(8)
	defer h.tls.Free(8)
	// Without SQLITE_OPEN_URI the name is taken literally.
	code := sqlite3.Xsqlite3_open_v2(h.tls, name, slot, sqlite3.SQLITE_OPEN_READWRITE|sqlite3.SQLITE_OPEN_CREATE|sqlite3.SQLITE_OPEN_NOMUTEX, 0)
	h.db = libc.AtomicLoadPUintptr(slot)
	if code != sqlite3.SQLITE_OK {
		err := h.failure(code)
		h.close()
		return nil, err
	}
	sqlite3.Xsqlite3_extended_result_codes(h.tls, h.db, 1)
	if code := h.stablePlans(); code != sqlite3.SQLITE_OK {
		err := h.failure(code)
		h.close()
		return nil, err
	}
	for _, p := range pragmas {
		if err := h.script("PRAGMA " + p); err != nil {
			h.close()
			return nil, err
		}
	}
	return h, nil
}

// stablePlans switches the query planner's stability guarantee on: one text, one plan. Without it SQLite may plan a
// statement anew whenever its arguments change, which makes every run of a join cost a compilation.
func (h *sqliteHandle) stablePlans() int32 { return h.switchOn(sqlite3.SQLITE_DBCONFIG_ENABLE_QPSG) }

// keepLog leaves the log as it is when the connection is closed.
func (h *sqliteHandle) keepLog() { h.switchOn(sqlite3.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE) }

func (h *sqliteHandle) switchOn(what int32) int32 {
	const slots = 16 // two arguments of eight bytes: on, and nowhere to write the former state
	arguments := h.tls.Alloc(slots)
	defer h.tls.Free(slots)
	return sqlite3.Xsqlite3_db_config(h.tls, h.db, what, libc.VaList(arguments, int32(1), uintptr(0)))
}

func (h *sqliteHandle) close() {
	if h.buffer != 0 {
		libc.Xfree(h.tls, h.buffer)
		h.buffer = 0
	}
	sqlite3.Xsqlite3_close_v2(h.tls, h.db)
	if h.log != nil {
		h.log.free(h.tls)
	}
	h.tls.Close()
}

func (h *sqliteHandle) failure(code int32) error {
	text := "out of memory"
	if h.db != 0 {
		text = libc.GoString(sqlite3.Xsqlite3_errmsg(h.tls, h.db))
	}
	return &sqliteError{int(code), text}
}

// changes is how many rows the last INSERT, UPDATE or DELETE touched.
func (h *sqliteHandle) changes() int64 { return sqlite3.Xsqlite3_changes64(h.tls, h.db) }

// autocommits tells that no transaction is open.
func (h *sqliteHandle) autocommits() bool { return sqlite3.Xsqlite3_get_autocommit(h.tls, h.db) != 0 }

// script runs statements without arguments.
func (h *sqliteHandle) script(sql string) error {
	text, err := libc.CString(sql)
	if err != nil {
		return err
	}
	defer libc.Xfree(h.tls, text)
	if code := sqlite3.Xsqlite3_exec(h.tls, h.db, text, 0, 0, 0); code != sqlite3.SQLITE_OK {
		return h.failure(code)
	}
	return nil
}

// sqliteStatement is compiled once and run often.
type sqliteStatement struct {
	h       *sqliteHandle
	pointer uintptr
	columns int
	reads   bool     // changes nothing
	changes []string // which tables; known to the connection that writes
	sql     string
	names   map[*Insert]bool // see later.concerns
}

// placeholder is how PostgreSQL writes a parameter. To SQLite $1 would be a name, numbered by its first appearance; ?1 is
// the first argument wherever it stands. No text of ours has one inside of quotes.
var placeholder = regexp.MustCompile(`\$([0-9]+)`)

func (h *sqliteHandle) prepare(sql string) (*sqliteStatement, error) {
	sql = placeholder.ReplaceAllString(sql, "?$1")
	text, err := libc.CString(sql)
	if err != nil {
		return nil, err
	}
	defer libc.Xfree(h.tls, text)
	slot := h.tls.Alloc(8)
	defer h.tls.Free(8)
	h.changing = nil
	if code := sqlite3.Xsqlite3_prepare_v3(h.tls, h.db, text, int32(len(sql)), sqlite3.SQLITE_PREPARE_PERSISTENT, slot, 0); code != sqlite3.SQLITE_OK {
		return nil, h.failure(code)
	}
	s := &sqliteStatement{h: h, sql: sql, pointer: libc.AtomicLoadPUintptr(slot), changes: h.changing}
	if s.pointer == 0 {
		return nil, fmt.Errorf("no statement in %q", sql)
	}
	s.columns = int(sqlite3.Xsqlite3_column_count(h.tls, s.pointer))
	s.reads = sqlite3.Xsqlite3_stmt_readonly(h.tls, s.pointer) != 0
	return s, nil
}

func (s *sqliteStatement) finalize() { sqlite3.Xsqlite3_finalize(s.h.tls, s.pointer) }

// bind sets the arguments. Texts and blobs are copied into the connection's buffer, which must not move while SQLite
// holds pointers into it: so all room is made first.
func (s *sqliteStatement) bind(args []any) error {
	h := s.h
	size := 0
	for _, arg := range args {
		switch v := arg.(type) {
		case string:
			size += len(v)
		case []byte:
			size += len(v)
		}
	}
	if size+1 > h.bufferSize {
		if h.buffer != 0 {
			libc.Xfree(h.tls, h.buffer)
		}
		h.bufferSize = max(4096, 2*size)
		if h.buffer = libc.Xmalloc(h.tls, libc.Tsize_t(h.bufferSize)); h.buffer == 0 {
			h.bufferSize = 0
			return &sqliteError{sqlite3.SQLITE_NOMEM, "out of memory"}
		}
	}
	at := h.buffer
	for i, arg := range args {
		index := int32(i + 1)
		var code int32
		switch v := arg.(type) {
		case nil:
			code = sqlite3.Xsqlite3_bind_null(h.tls, s.pointer, index)
		case int64:
			code = sqlite3.Xsqlite3_bind_int64(h.tls, s.pointer, index, v)
		case float64:
			code = sqlite3.Xsqlite3_bind_double(h.tls, s.pointer, index, v)
		case string:
			copy(memory(at, len(v)), v)
			code = sqlite3.Xsqlite3_bind_text(h.tls, s.pointer, index, at, int32(len(v)), 0)
			at += uintptr(len(v))
		case []byte:
			copy(memory(at, len(v)), v)
			code = sqlite3.Xsqlite3_bind_blob(h.tls, s.pointer, index, at, int32(len(v)), 0)
			at += uintptr(len(v))
		default:
			return fmt.Errorf("argument %d is a %T", i+1, arg) // plain rules it out
		}
		if code != sqlite3.SQLITE_OK {
			return h.failure(code)
		}
	}
	return nil
}

// memory is a view of C memory, which the garbage collector neither moves nor knows.
func memory(at uintptr, n int) []byte {
	return unsafe.Slice((*byte)(*(*unsafe.Pointer)(unsafe.Pointer(&at))), n)
}

// step goes to the next row; false at the end.
func (s *sqliteStatement) step() (bool, error) {
	switch code := sqlite3.Xsqlite3_step(s.h.tls, s.pointer); code {
	case sqlite3.SQLITE_ROW:
		return true, nil
	case sqlite3.SQLITE_DONE:
		return false, nil
	default:
		return false, s.h.failure(code)
	}
}

// reset makes the statement ready for another run. What it returns repeats the failure of the last step.
func (s *sqliteStatement) reset() { sqlite3.Xsqlite3_reset(s.h.tls, s.pointer) }

func (s *sqliteStatement) kind(column int) int32 {
	return sqlite3.Xsqlite3_column_type(s.h.tls, s.pointer, int32(column))
}

func (s *sqliteStatement) integer(column int) int64 {
	return sqlite3.Xsqlite3_column_int64(s.h.tls, s.pointer, int32(column))
}

func (s *sqliteStatement) text(column int) string { return string(s.view(column)) }

// view is a text in SQLite's memory, which is gone with the next step.
func (s *sqliteStatement) view(column int) []byte {
	return s.bytes(sqlite3.Xsqlite3_column_text(s.h.tls, s.pointer, int32(column)), column)
}

// blob is never nil, also when it is empty.
func (s *sqliteStatement) blob(column int) []byte {
	return append([]byte{}, s.bytes(sqlite3.Xsqlite3_column_blob(s.h.tls, s.pointer, int32(column)), column)...)
}

func (s *sqliteStatement) bytes(at uintptr, column int) []byte {
	n := int(sqlite3.Xsqlite3_column_bytes(s.h.tls, s.pointer, int32(column)))
	if at == 0 || n == 0 {
		return nil
	}
	return memory(at, n)
}

// value is a column as one of the plain types.
func (s *sqliteStatement) value(column int) any {
	switch s.kind(column) {
	case sqlite3.SQLITE_INTEGER:
		return s.integer(column)
	case sqlite3.SQLITE_FLOAT:
		return float64(sqlite3.Xsqlite3_column_double(s.h.tls, s.pointer, int32(column)))
	case sqlite3.SQLITE_TEXT:
		return s.text(column)
	case sqlite3.SQLITE_BLOB:
		return s.blob(column)
	}
	return nil
}

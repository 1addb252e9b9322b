package db

import (
	"context"
	"path/filepath"
	"testing"
	"unsafe"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"

	"daybook/internal/base/clock"
)

// states collects, for each new connection, whether the planner's stability guarantee is on. SQLite calls automatic
// extensions in the order of their registration, so this one sees what stablePlans did.
var states = make(chan int32, 16)

func readState(tls *libc.TLS, db, _, _ uintptr) int32 {
	const slots = 24
	arguments := tls.Alloc(slots)
	defer tls.Free(slots)
	state := arguments + 16
	// A negative first argument asks without changing.
	code := sqlite3.Xsqlite3_db_config(tls, db, sqlite3.SQLITE_DBCONFIG_ENABLE_QPSG, libc.VaList(arguments, int32(-1), state))
	select {
	case states <- libc.AtomicLoadPInt32(state):
	default:
	}
	return code
}

func TestJoinsAreNotPlannedAnew(t *testing.T) {
	tls := libc.NewTLS()
	defer tls.Close()
	entry := readState
	pointer := *(*uintptr)(unsafe.Pointer(&entry))
	if code := sqlite3.Xsqlite3_auto_extension(tls, pointer); code != sqlite3.SQLITE_OK {
		t.Fatal(code)
	}
	defer sqlite3.Xsqlite3_cancel_auto_extension(tls, pointer)
	d, err := Open(context.Background(), Options{Database: filepath.Join(t.TempDir(), "a.db"), Clock: clock.System{}})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	for range 2 { // the writer and a reader
		if state := <-states; state != 1 {
			t.Errorf("the guarantee is %d, want 1: joins are compiled at every run", state)
		}
	}
}

package db

import (
	"path/filepath"
	"testing"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

func TestJoinsAreNotPlannedAnew(t *testing.T) {
	h, err := openHandle(filepath.Join(t.TempDir(), "a.db"), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer h.close()
	const slots = 24
	arguments := h.tls.Alloc(slots)
	defer h.tls.Free(slots)
	state := arguments + 16
	// A negative first argument asks without changing.
	sqlite3.Xsqlite3_db_config(h.tls, h.db, sqlite3.SQLITE_DBCONFIG_ENABLE_QPSG, libc.VaList(arguments, int32(-1), state))
	if on := libc.AtomicLoadPInt32(state); on != 1 {
		t.Errorf("the guarantee is %d, want 1: joins are compiled at every run", on)
	}
}

package db

import (
	"unsafe"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// SQLite as it is built into the driver may plan a statement anew whenever its arguments change, which makes every run
// of a join cost a compilation. The query planner stability guarantee switches that off: one text, one plan, as our
// prepared statements expect. The driver has no setting for it, so it is switched on the way SQLite offers to change
// every new connection: an automatic extension. (TestJoinsAreNotPlannedAnew holds it.)
func init() {
	tls := libc.NewTLS()
	defer tls.Close()
	entry := stablePlans // SQLite calls it through a C function pointer
	if code := sqlite3.Xsqlite3_auto_extension(tls, *(*uintptr)(unsafe.Pointer(&entry))); code != sqlite3.SQLITE_OK {
		panic("db: sqlite3_auto_extension failed")
	}
}

// stablePlans has the signature of an extension's entry point: connection, error message, routines.
func stablePlans(tls *libc.TLS, db, _, _ uintptr) int32 {
	const slots = 16 // two arguments of eight bytes: on, and nowhere to write the former state
	arguments := tls.Alloc(slots)
	defer tls.Free(slots)
	return sqlite3.Xsqlite3_db_config(tls, db, sqlite3.SQLITE_DBCONFIG_ENABLE_QPSG, libc.VaList(arguments, int32(1), uintptr(0)))
}

package db

import (
	"errors"
	"fmt"

	"golang.org/x/sys/unix"
	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// syncData has the log's content on disk, and of what is known about the file only what its content needs. SQLite, as it is translated,
// has the time of the last change written as well, by a transaction of the file system for each of ours. Its own method is called for
// the first time, when the name of a new file has to be on disk, too.
//
// later gives what does the same at another time and from another goroutine, as long as the file is open; nil before that first time.
func syncData(file uintptr, sync func(*libc.TLS, uintptr, int32) int32) (now func(*libc.TLS, uintptr, int32) int32, later func() func() error) {
	named := false
	toDisk := func() error {
		for {
			if err := unix.Fdatasync(int(pointer[sqlite3.TunixFile](file).Fh)); !errors.Is(err, unix.EINTR) {
				return err
			}
		}
	}
	now = func(tls *libc.TLS, file uintptr, flags int32) int32 {
		if !named {
			code := sync(tls, file, flags)
			named = code == sqlite3.SQLITE_OK
			return code
		}
		if toDisk() != nil {
			return sqlite3.SQLITE_IOERR_FSYNC
		}
		return sqlite3.SQLITE_OK
	}
	later = func() func() error {
		if !named {
			return nil
		}
		return func() error {
			if err := toDisk(); err != nil {
				return &sqliteError{sqlite3.SQLITE_IOERR_FSYNC, fmt.Sprintf("the log was not synced: %v", err)}
			}
			return nil
		}
	}
	return now, later
}

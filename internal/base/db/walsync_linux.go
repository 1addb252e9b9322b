package db

import (
	"errors"

	"golang.org/x/sys/unix"
	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// syncData has the log's content on disk, and of what is known about the file only what its content needs. SQLite, as it is translated,
// has the time of the last change written as well, by a transaction of the file system for each of ours. Its own method is called for
// the first time, when the name of a new file has to be on disk, too.
func syncData(sync func(*libc.TLS, uintptr, int32) int32) func(*libc.TLS, uintptr, int32) int32 {
	named := false
	return func(tls *libc.TLS, file uintptr, flags int32) int32 {
		if !named {
			code := sync(tls, file, flags)
			named = code == sqlite3.SQLITE_OK
			return code
		}
		for {
			switch err := unix.Fdatasync(int(pointer[sqlite3.TunixFile](file).Fh)); {
			case err == nil:
				return sqlite3.SQLITE_OK
			case !errors.Is(err, unix.EINTR):
				return sqlite3.SQLITE_IOERR_FSYNC
			}
		}
	}
}

package db

import (
	"unsafe"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// walWrites stands between SQLite and its write-ahead log. SQLite writes every page of a commit by two calls of the system, one for the
// 24 bytes before it; all follow one another in the file. Here they are gathered, and written by few calls before the log is synced,
// measured or, there, read. Nobody else looks at them earlier: a commit is announced in the index of the log after SQLite asked for
// its sync, and then all is in the file.
type walWrites struct {
	file                      uintptr // the log's sqlite3_file
	methods                   uintptr // C memory: those below, and the file's own for the rest
	own                       sqlite3.Tsqlite3_io_methods
	buffer                    uintptr // C memory
	from                      int64   // where in the file the buffer begins
	filled                    int32
	toDisk                    func(tls *libc.TLS, file uintptr, flags int32) int32
	later                     func() func() error // see syncData
	puttingOff, begun, synced bool                // see commit
	owed                      func() error

	// The methods, as C holds them: a pointer in there does not keep a function alive.
	read     func(tls *libc.TLS, file, into uintptr, amount int32, at int64) int32
	write    func(tls *libc.TLS, file, data uintptr, amount int32, at int64) int32
	truncate func(tls *libc.TLS, file uintptr, size int64) int32
	sync     func(tls *libc.TLS, file uintptr, flags int32) int32
	size     func(tls *libc.TLS, file, into uintptr) int32
}

const (
	// walBuffer is how many bytes are gathered; most commits have less.
	walBuffer = 1 << 20
	// walPiece is how many are written by one call. SQLite's own method takes no more than 17 bits.
	walPiece = 124 << 10
)

// gatherLog has what this connection writes to the log gathered. It must be the only one of the process that writes, and must have
// read something before. Nil where that cannot be, which costs only speed.
func (h *sqliteHandle) gatherLog() *walWrites {
	slot := h.tls.Alloc(8)
	defer h.tls.Free(8)
	libc.AtomicStorePUintptr(slot, 0)
	if sqlite3.Xsqlite3_file_control(h.tls, h.db, 0, sqlite3.SQLITE_FCNTL_JOURNAL_POINTER, slot) != sqlite3.SQLITE_OK {
		return nil
	}
	file := libc.AtomicLoadPUintptr(slot)
	if file == 0 {
		return nil
	}
	at := pointer[sqlite3.Tsqlite3_file](file).FpMethods
	if at == 0 {
		return nil
	}
	w := &walWrites{file: file, own: *pointer[sqlite3.Tsqlite3_io_methods](at)}
	// Where a write may harm what is beside it, SQLite goes on writing after the sync.
	traits := *called[func(tls *libc.TLS, file uintptr) int32](&w.own.FxDeviceCharacteristics)
	if traits(h.tls, file)&sqlite3.SQLITE_IOCAP_POWERSAFE_OVERWRITE == 0 {
		return nil
	}
	w.buffer = libc.Xmalloc(h.tls, walBuffer)
	w.methods = libc.Xmalloc(h.tls, libc.Tsize_t(unsafe.Sizeof(w.own)))
	if w.buffer == 0 || w.methods == 0 {
		w.free(h.tls)
		return nil
	}
	w.toDisk, w.later = syncData(file, *called[func(tls *libc.TLS, file uintptr, flags int32) int32](&w.own.FxSync))
	w.make()
	methods := pointer[sqlite3.Tsqlite3_io_methods](w.methods)
	*methods = w.own
	methods.FxRead, methods.FxWrite, methods.FxTruncate = callable(&w.read), callable(&w.write), callable(&w.truncate)
	methods.FxSync, methods.FxFileSize = callable(&w.sync), callable(&w.size)
	pointer[sqlite3.Tsqlite3_file](file).FpMethods = w.methods
	return w
}

// called is a function of the translated library, which is called by what it takes and gives; callable is one of ours for it.
func called[F any](at *uintptr) *F { return (*F)(unsafe.Pointer(at)) }

func callable[F any](f *F) uintptr { return *(*uintptr)(unsafe.Pointer(f)) }

// make makes the methods.
func (w *walWrites) make() {
	read := *called[func(tls *libc.TLS, file, into uintptr, amount int32, at int64) int32](&w.own.FxRead)
	truncate := *called[func(tls *libc.TLS, file uintptr, size int64) int32](&w.own.FxTruncate)
	size := *called[func(tls *libc.TLS, file, into uintptr) int32](&w.own.FxFileSize)
	w.write = w.gather
	w.read = func(tls *libc.TLS, file, into uintptr, amount int32, at int64) int32 {
		if at < w.from+int64(w.filled) && w.from < at+int64(amount) { // pages that did not fit into memory are looked at again
			if code := w.flush(tls); code != sqlite3.SQLITE_OK {
				return code
			}
		}
		return read(tls, file, into, amount, at)
	}
	w.truncate = func(tls *libc.TLS, file uintptr, to int64) int32 {
		if code := w.flush(tls); code != sqlite3.SQLITE_OK {
			return code
		}
		return truncate(tls, file, to)
	}
	w.sync = func(tls *libc.TLS, file uintptr, flags int32) int32 {
		if code := w.flush(tls); code != sqlite3.SQLITE_OK {
			return code
		}
		w.synced = true
		if w.puttingOff && !w.begun {
			if w.owed = w.later(); w.owed != nil {
				return sqlite3.SQLITE_OK
			}
		}
		return w.toDisk(tls, file, flags)
	}
	w.size = func(tls *libc.TLS, file, into uintptr) int32 {
		if code := w.flush(tls); code != sqlite3.SQLITE_OK {
			return code
		}
		return size(tls, file, into)
	}
}

// gather takes what follows on what is there.
func (w *walWrites) gather(tls *libc.TLS, _, data uintptr, amount int32, at int64) int32 {
	if w.filled > 0 && (at != w.from+int64(w.filled) || w.filled+amount > walBuffer) {
		if code := w.flush(tls); code != sqlite3.SQLITE_OK {
			return code
		}
	}
	if amount > walBuffer {
		return w.through(tls, data, amount, at)
	}
	w.begun = w.begun || at == 0
	if w.filled == 0 {
		w.from = at
	}
	copy(memory(w.buffer+uintptr(w.filled), int(amount)), memory(data, int(amount)))
	w.filled += amount
	return sqlite3.SQLITE_OK
}

// flush writes what was gathered. What cannot be written is forgotten: its transaction fails, and the next one writes to the same place.
func (w *walWrites) flush(tls *libc.TLS) int32 {
	if w.filled == 0 {
		return sqlite3.SQLITE_OK
	}
	amount := w.filled
	w.filled = 0
	return w.through(tls, w.buffer, amount, w.from)
}

// through writes to the file.
func (w *walWrites) through(tls *libc.TLS, data uintptr, amount int32, at int64) int32 {
	write := *called[func(tls *libc.TLS, file, data uintptr, amount int32, at int64) int32](&w.own.FxWrite)
	for amount > 0 {
		n := min(amount, walPiece)
		if code := write(tls, w.file, data, n, at); code != sqlite3.SQLITE_OK {
			return code
		}
		data, amount, at = data+uintptr(n), amount-n, at+int64(n)
	}
	return sqlite3.SQLITE_OK
}

// commit runs a COMMIT whose sync may be put off. owed has to be called before anybody may hear of it then; it is nil, where nothing was
// put off: so it is where the log begins anew, since what it says first has to be on disk before the rest. published tells whether
// there was anything to write: a statement that found no row leaves nothing to commit.
func (w *walWrites) commit(putOff bool, commit func() error) (owed func() error, published bool, err error) {
	if w == nil {
		return nil, true, commit()
	}
	w.puttingOff, w.owed, w.synced = putOff, nil, false
	err = commit()
	w.puttingOff, w.begun = false, false
	return w.owed, w.synced, err
}

// forget drops what a transaction wrote that was rolled back: from then on the place belongs to whoever writes next, maybe in another
// process.
func (w *walWrites) forget() {
	if w != nil {
		w.filled = 0
	}
}

// free gives the memory back, after the connection was closed.
func (w *walWrites) free(tls *libc.TLS) {
	libc.Xfree(tls, w.buffer)
	libc.Xfree(tls, w.methods)
}

package db

import (
	"sync/atomic"
	"unsafe"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// walIndex is the head of SQLite's index of its write-ahead log, in the memory that all connections to the file share, those of
// other processes included (https://www.sqlite.org/walformat.html, section 2.1). It changes with every commit, so that a look at
// it tells for some nanoseconds whether anything was written; asking SQLite takes two locks of the file.
type walIndex struct{ words *[walWords]uint32 }

const (
	walWords   = 12      // of one copy of the head; there are two, and writers change this one last
	walVersion = 3007000 // the only one there is
	walRegion  = 32 << 10
	walChange  = 2 // which word counts commits
	walFrames  = 4 // and which says how many frames the log has
)

// stamp is what the head said at one moment. A commit that is just being published makes it like neither the one before nor the one after.
type stamp [walWords]uint32

// walIndex finds it; nil where there is none, which costs only speed. The connection must have read something before, and the
// memory is good until it is closed.
func (h *sqliteHandle) walIndex() *walIndex {
	slot := h.tls.Alloc(8)
	defer h.tls.Free(8)
	if sqlite3.Xsqlite3_file_control(h.tls, h.db, 0, sqlite3.SQLITE_FCNTL_FILE_POINTER, slot) != sqlite3.SQLITE_OK {
		return nil
	}
	file := libc.AtomicLoadPUintptr(slot)
	if file == 0 {
		return nil
	}
	methods := pointer[sqlite3.Tsqlite3_io_methods](pointer[sqlite3.Tsqlite3_file](file).FpMethods)
	if methods == nil || methods.FiVersion < 2 || methods.FxShmMap == 0 {
		return nil
	}
	libc.AtomicStorePUintptr(slot, 0)
	// A function of the translated library is called by what it takes and gives.
	shmMap := *(*func(tls *libc.TLS, file uintptr, region, size, extend int32, into uintptr) int32)(unsafe.Pointer(&struct{ uintptr }{methods.FxShmMap}))
	if code := shmMap(h.tls, file, 0, walRegion, 0, slot); code != sqlite3.SQLITE_OK {
		return nil
	}
	at := libc.AtomicLoadPUintptr(slot)
	if at == 0 {
		return nil
	}
	w := &walIndex{pointer[[walWords]uint32](at)}
	if w.stamp()[0] != walVersion {
		return nil
	}
	return w
}

// pointer is a view of C memory.
func pointer[T any](at uintptr) *T { return (*T)(*(*unsafe.Pointer)(unsafe.Pointer(&at))) }

func (w *walIndex) stamp() (s stamp) {
	for i := range s {
		s[i] = atomic.LoadUint32(&w.words[i])
	}
	return s
}

// change counts the commits: each adds one, whoever makes it.
func (w *walIndex) change() uint32 { return atomic.LoadUint32(&w.words[walChange]) }

// sound reports whether a stamp is of one moment: the last two words are the checksum of the others.
func (s stamp) sound() bool {
	var a, b uint32
	for i := 0; i < walWords-2; i += 2 {
		a += s[i] + b
		b += s[i+1] + a
	}
	return s[0] == walVersion && s[walWords-2] == a && s[walWords-1] == b
}

// frames is how long the log is, in pages.
func (w *walIndex) frames() uint32 { return atomic.LoadUint32(&w.words[walFrames]) }

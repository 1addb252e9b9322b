//go:build !linux

package db

import "modernc.org/libc"

// syncData is SQLite's own way here.
func syncData(sync func(*libc.TLS, uintptr, int32) int32) func(*libc.TLS, uintptr, int32) int32 {
	return sync
}

//go:build !linux

package db

import "modernc.org/libc"

// syncData is SQLite's own way here, and nothing is put off.
func syncData(_ uintptr, sync func(*libc.TLS, uintptr, int32) int32) (now func(*libc.TLS, uintptr, int32) int32, later func() func() error) {
	return sync, func() func() error { return nil }
}

// Package boot puts the house together: it is the only package that knows all others. It reads settings, opens the
// store with its keys, makes the services, stands them behind two listeners, runs what must run in the background, and
// takes everything down again in order.
//
// Table: sealing_keys (keys.go).
package boot

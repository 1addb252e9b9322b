package boot

import (
	"os"
	"runtime/debug"
)

// collectAt is how much the heap grows, in percent of what is in use, before garbage is collected. A node keeps little and makes
// much garbage: with Go's 100 a fifth of what a delivery or a call costs is spent on collecting it.
const collectAt = 400

// TuneMemory has garbage collected less often, unless the operator has decided (GOGC). GOMEMLIMIT holds as ever. It is for when
// everything has started: what stays for good then lies close together, which saves 2 to 3 MB at rest.
func TuneMemory() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(collectAt)
	}
}

// GiveBack returns what only starting took: an idle laptop should not notice that this runs.
func GiveBack() {
	debug.FreeOSMemory() // of hashing the passwords of a world, most of all
	forgetCode()
}

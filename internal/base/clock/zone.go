package clock

import (
	"sync"
	"time"
)

var zones sync.Map // name → *time.Location

// Zone is time.LoadLocation for a name that was checked when it was stored: each is read from the disk once.
func Zone(name string) (*time.Location, error) {
	if z, ok := zones.Load(name); ok {
		return z.(*time.Location), nil
	}
	z, err := time.LoadLocation(name)
	if err == nil {
		zones.Store(name, z)
	}
	return z, err
}

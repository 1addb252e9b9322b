package boot

import (
	"errors"
	"fmt"
	"net"
	"syscall"
)

// Listeners are the open doors of a node. They are opened before anything else, so that a taken port stops a start that
// has not written anything yet.
type Listeners struct{ API, App, Metrics net.Listener }

// Listen opens the doors.
func Listen(c Config) (*Listeners, error) {
	l := &Listeners{}
	var err error
	if l.API, err = listen("api", c.APIListen); err != nil {
		return nil, err
	}
	if l.App, err = listen("app", c.AppListen); err != nil {
		l.Close()
		return nil, err
	}
	if c.MetricsListen != "" {
		if l.Metrics, err = listen("metrics", c.MetricsListen); err != nil {
			l.Close()
			return nil, err
		}
	}
	return l, nil
}

func listen(name, address string) (net.Listener, error) {
	l, err := net.Listen("tcp", address)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fmt.Errorf("cannot listen on %s for the %s host: the port is in use; stop the other program or choose another address", address, name)
	case errors.Is(err, syscall.EACCES):
		return nil, fmt.Errorf("cannot listen on %s for the %s host: not allowed; choose a port above 1023", address, name)
	case err != nil:
		return nil, fmt.Errorf("cannot listen on %s for the %s host: %w", address, name, errors.Unwrap(err))
	}
	return l, nil
}

// Close closes what is open.
func (l *Listeners) Close() {
	for _, one := range []net.Listener{l.API, l.App, l.Metrics} {
		if one != nil {
			_ = one.Close()
		}
	}
}

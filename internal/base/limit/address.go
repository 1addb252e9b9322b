package limit

import (
	"crypto/tls"
	"errors"
	"net"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/redis/rueidis"
)

// None of these says what was wrong with which characters: any of them may be part of the password.
var (
	errAddress = errors.New("the Redis address cannot be read: it must look like " +
		"redis://user:password@host:6379/0, special characters of the password percent-encoded")
	errScheme   = errors.New("the Redis address must begin with redis:// or rediss://")
	errDatabase = errors.New("the Redis address must end with the host, or with / and the number of the database")
	errExtra    = errors.New("the Redis address takes no ? or # part")
)

const (
	// connectTime bounds dialling and, once more, the greeting. Callers do not wait for it.
	connectTime = time.Second
	// silence is how long a connection may owe an answer before it is given up for dead. It is checked every
	// silence, so a hung server costs its connection within two of them.
	silence = time.Second
)

// parseAddress reads redis://[user][:password]@host[:port][/database], or rediss:// for TLS.
func parseAddress(address string) (rueidis.ClientOption, error) {
	var opt rueidis.ClientOption
	u, err := url.Parse(address)
	switch {
	case err != nil:
		return opt, errAddress
	case u.Scheme != "redis" && u.Scheme != "rediss":
		return opt, errScheme
	case u.Opaque != "" || u.Hostname() == "":
		return opt, errAddress
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		return opt, errExtra
	}
	if path := strings.Trim(u.Path, "/"); path != "" {
		if opt.SelectDB, err = strconv.Atoi(path); err != nil || opt.SelectDB < 0 {
			return opt, errDatabase
		}
	}
	port := u.Port()
	if port == "" {
		port = "6379"
	}
	opt.InitAddress = []string{net.JoinHostPort(u.Hostname(), port)}
	opt.Username = u.User.Username()
	opt.Password, _ = u.User.Password()
	if u.Scheme == "rediss" {
		opt.TLSConfig = &tls.Config{ServerName: u.Hostname(), MinVersion: tls.VersionTLS12}
	}
	return opt, nil
}

// tune sets what does not depend on the address.
func tune(opt rueidis.ClientOption) rueidis.ClientOption {
	opt.ForceSingleClient = true // one server, not a cluster; and a client even while the server is away
	opt.DisableCache = true      // every answer is new
	opt.DisableRetry = true      // a count sent twice counts twice; and nobody waits for a second try
	opt.PipelineMultiplex = -1   // one connection, shared by all callers
	opt.RingScaleEachConn = ringScale
	opt.ReadBufferEachConn = 1 << 16
	opt.WriteBufferEachConn = 1 << 16
	opt.Dialer.Timeout = connectTime
	opt.Dialer.KeepAlive = silence
	opt.ConnWriteTimeout = silence
	opt.ClientName = "daybook-limit"
	opt.DialCtxFn = dialGuarded
	return opt
}

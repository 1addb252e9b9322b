package oauth

import (
	"net/url"
	"strings"
)

// maxResource characters of a resource indicator.
const maxResource = 512

// The refusals of a resource; the longer forms say which rule was broken (AUTHZ-12).
var (
	denyTarget       = &Denial{CodeInvalidTarget, "resource must be one absolute URI on the API origin"}
	denyTargetTwice  = &Denial{CodeInvalidTarget, "resource must be sent at most once"}
	denyTargetLength = &Denial{CodeInvalidTarget, "resource must have at most 512 characters"}
)

// CheckResource judges the resource parameters of a request (RFC 8707): none, or one absolute URI on the API origin, any
// path, without user info or fragment.
func CheckResource(values []string, apiOrigin string) (string, *Denial) {
	switch {
	case len(values) == 0 || len(values) == 1 && values[0] == "":
		return "", nil // an empty value counts as absent (RFC 6749, 3.1)
	case len(values) > 1:
		return "", denyTargetTwice
	case len(values[0]) > maxResource:
		return "", denyTargetLength
	}
	raw := values[0]
	if strings.ContainsFunc(raw, func(r rune) bool { return r <= ' ' || r > '~' || r == '\\' }) || strings.Contains(raw, "#") {
		return "", denyTarget
	}
	u, err := url.Parse(raw)
	if err != nil || u.User != nil || u.Opaque != "" || u.Scheme+"://"+strings.ToLower(u.Host) != apiOrigin {
		return "", denyTarget
	}
	return raw, nil
}

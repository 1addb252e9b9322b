package authapi

import (
	"encoding/base64"
	"net/url"
	"strings"
)

// parseBasic reads an HTTP Basic header. RFC 6749, 2.3.1 wants both halves form-encoded; some clients percent-encode more
// than they must, others send them raw. Each half is decoded, and taken as it is where it does not decode. present tells
// whether the header was Basic at all.
func parseBasic(header string) (id, password string, present, ok bool) {
	scheme, rest, _ := strings.Cut(header, " ")
	if !strings.EqualFold(scheme, "Basic") {
		return "", "", false, false
	}
	text, err := base64.StdEncoding.DecodeString(strings.TrimSpace(rest))
	if err != nil {
		return "", "", true, false
	}
	// At the first colon: a client id that is an address holds colons only in encoded form.
	id, password, found := strings.Cut(string(text), ":")
	if !found {
		return "", "", true, false
	}
	return decodeHalf(id), decodeHalf(password), true, true
}

func decodeHalf(s string) string {
	if decoded, err := url.QueryUnescape(s); err == nil {
		return decoded
	}
	return s
}

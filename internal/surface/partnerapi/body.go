package partnerapi

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"strings"
	"unicode/utf8"

	"daybook/internal/platform/apiversion"
	"daybook/internal/platform/idem"
	"daybook/internal/surface/wire"
)

// read takes in the body of a write and the name that the caller gives the request.
func (c *call) read(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	keys := r.Header["Idempotency-Key"]
	if len(keys) > 0 {
		if err := idem.CheckKey(strings.Join(keys, "\n")); err != nil {
			return nil, err
		}
	}
	body, err := wire.ReadBody(w, r, c.route.maxBody())
	if err != nil {
		return nil, err
	}
	if len(body) > 0 {
		if err := wire.CheckMediaType(r); err != nil {
			return nil, err
		}
	}
	if !utf8.Valid(body) {
		return nil, wire.ErrUnreadable.With("it is not UTF-8")
	}
	if len(keys) > 0 {
		c.claim = &idem.Claim{BusinessID: c.by.BusinessID, Caller: c.caller(), Key: keys[0], Fingerprint: c.fingerprint(r, body)}
	}
	return body, nil
}

// fingerprint is what two requests of one name must share: method, address, version, the record's version they are about,
// and the body, however its members are ordered and spaced.
func (c *call) fingerprint(r *http.Request, body []byte) []byte {
	h := sha256.New()
	for _, part := range []string{r.Method, r.URL.EscapedPath(), r.URL.RawQuery, c.version, strings.Join(r.Header["If-Match"], ", ")} {
		_, _ = io.WriteString(h, part+"\n")
	}
	h.Write(canonical(body))
	return h.Sum(nil)
}

// canonical writes a body with sorted members and no spaces. What is no JSON stays as it is, to be refused.
func canonical(body []byte) []byte {
	var v any
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	if decoder.Decode(&v) != nil || decoder.More() {
		return body
	}
	text, err := json.Marshal(v)
	if err != nil {
		return body
	}
	return text
}

// up brings the body of an older version up. What that version does not allow is noted.
func (c *call) up(body []byte) []byte {
	if apiversion.Newest(c.version) || !apiversion.Changed(c.version, c.route.Request) {
		return body
	}
	d, err := apiversion.Decode(body)
	if err != nil {
		return body // to be refused for what it is
	}
	d, err = apiversion.Up(c.version, c.route.Request, d)
	c.check(err)
	text, err := json.Marshal(d)
	if err != nil {
		return body
	}
	return text
}

// readIfMatch reads which version of the record the caller has seen.
func (c *call) readIfMatch() {
	values := c.request.Header["If-Match"]
	if len(values) == 0 || len(values) == 1 && values[0] == "*" {
		return
	}
	text := strings.Join(values, ", ")
	if inner, ok := strings.CutPrefix(text, `"`); ok {
		if inner, ok = strings.CutSuffix(inner, `"`); ok {
			if n, err := strconv.Atoi(inner); err == nil && n > 0 && strconv.Itoa(n) == inner {
				c.seen = &n
				return
			}
		}
	}
	c.wrong.Add("If-Match", `must be the ETag of the record, such as "3", or *`)
}

package outbound

import (
	"io"
	"net/http"
	"strings"
	"unicode"
	"unicode/utf8"
)

// readBody reads up to limit bytes and reports whether that is not all, and whether its end was reached. The rest is read up to MaxDrainBytes,
// so that the connection can be used again; beyond it, closing the unread body closes the connection (HTTP/2:
// resets the stream).
func readBody(res *http.Response, limit int64) (body []byte, truncated, ended bool) {
	defer res.Body.Close()
	if res.StatusCode == http.StatusSwitchingProtocols {
		return nil, false, false // not a body but the bare connection
	}
	body, err := io.ReadAll(io.LimitReader(res.Body, limit+1))
	if int64(len(body)) <= limit {
		return body, err != nil, err == nil
	}
	if rest := MaxDrainBytes - int64(len(body)); rest > 0 && res.ContentLength <= MaxDrainBytes {
		// One byte more than may be drained: the end of a body is only seen by reading past it.
		_, err = io.CopyN(io.Discard, res.Body, rest+1)
		ended = err == io.EOF
	}
	return body[:limit], true, ended
}

// LogText makes what a stranger sent fit to keep and show: valid UTF-8, one line, at most n bytes. Control
// characters, characters that reorder or hide text, and invalid bytes are written as escapes (\n, \x1b,
// \u202e, \xff); an escape or character that does not fit whole is left out.
func LogText(b []byte, n int) string {
	var text strings.Builder
	for len(b) > 0 {
		r, size := utf8.DecodeRune(b)
		piece := string(b[:size])
		switch {
		case r == utf8.RuneError && size == 1:
			piece = hexEscape(`\x`, 2, rune(b[0]))
		case r == '\n':
			piece = `\n`
		case r == '\r':
			piece = `\r`
		case r == '\t':
			piece = `\t`
		case r < 0x20 || r == 0x7f:
			piece = hexEscape(`\x`, 2, r)
		case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp):
			piece = hexEscape(`\u`, 4, r)
		}
		if text.Len()+len(piece) > n {
			break
		}
		text.WriteString(piece)
		b = b[size:]
	}
	return text.String()
}

// hexEscape writes r with at least digits digits; the few format characters above U+FFFF become longer.
func hexEscape(prefix string, digits int, r rune) string {
	const hex = "0123456789abcdef"
	var out []byte
	for ; r > 0 || len(out) < digits; r >>= 4 {
		out = append([]byte{hex[r&0xf]}, out...)
	}
	return prefix + string(out)
}

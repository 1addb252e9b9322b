package webhook

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// The bounds of a header, far above what Daybook sends, so that a stranger's costs next to nothing.
const (
	maxHeader = 1024
	maxValues = 8
	maxStamp  = 12 // digits: seconds until the year 33658
)

// signature is a header taken apart: "t=1794700000,v1=…", with a second v1 after a rotation.
type signature struct {
	stamp  string // as it stands in the header, because that is what was signed
	at     time.Time
	values []string
}

func parseSignature(header string) (signature, error) {
	switch {
	case header == "":
		return signature{}, malformed("there is none")
	case len(header) > maxHeader:
		return signature{}, malformed("longer than %d bytes", maxHeader)
	}
	var s signature
	for pair := range strings.SplitSeq(header, ",") {
		if err := s.add(pair); err != nil {
			return signature{}, err
		}
	}
	if s.stamp == "" || len(s.values) == 0 {
		return signature{}, malformed("it needs t and v1")
	}
	return s, nil
}

// add takes one pair in. Schemes that it does not know may come with a later Daybook, and are passed over.
func (s *signature) add(pair string) error {
	key, value, ok := strings.Cut(pair, "=")
	switch {
	case !ok:
		return malformed("a part without =")
	case key == "t" && s.stamp != "":
		return malformed("t twice") // which one was signed?
	case key == "t":
		return s.setStamp(value)
	case key == "v1" && len(s.values) == maxValues:
		return malformed("more than %d values of v1", maxValues)
	case key == "v1":
		s.values = append(s.values, value)
	}
	return nil
}

func (s *signature) setStamp(text string) error {
	seconds, err := strconv.ParseUint(text, 10, 63) // no sign
	if err != nil || len(text) > maxStamp {
		return malformed("t is not in Unix seconds")
	}
	s.stamp, s.at = text, time.Unix(int64(seconds), 0)
	return nil
}

func malformed(format string, args ...any) error {
	return fmt.Errorf("%w: "+format, append([]any{ErrMalformed}, args...)...)
}

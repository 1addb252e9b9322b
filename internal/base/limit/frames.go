package limit

import (
	"bytes"
	"errors"
	"strconv"
)

// What a sane stream stays below. The largest message we meet is a server's greeting with its modules.
const (
	maxLine     = 1 << 14
	maxBulk     = 1 << 20
	maxElements = 1 << 14
	maxDepth    = 8
)

var errFrame = errors.New("not the Redis protocol")

// frames follows a stream of the Redis protocol (RESP2 and 3), in whatever pieces it comes, and counts whole
// messages.
type frames struct {
	line []byte // of the header being read
	body int    // bytes of a string still to come, its line end included
	open []int  // elements still to come of each list that has begun, outermost first
}

// feed takes the next bytes and says how many messages they end.
func (f *frames) feed(p []byte) (whole int, err error) {
	for len(p) > 0 {
		if f.body > 0 {
			n, err := f.skip(p)
			if err != nil {
				return whole, err
			}
			p = p[n:]
			if f.body == 0 && f.end() {
				whole++
			}
			continue
		}
		head, rest, found := bytes.Cut(p, []byte{'\n'})
		if len(f.line)+len(head) > maxLine {
			return whole, errFrame
		}
		f.line = append(f.line, head...)
		if !found {
			return whole, nil
		}
		p = rest
		single, err := f.header(f.line)
		if err != nil {
			return whole, err
		}
		f.line = f.line[:0]
		if single && f.end() {
			whole++
		}
	}
	return whole, nil
}

// skip passes over the bytes of a string and checks the line end behind it.
func (f *frames) skip(p []byte) (int, error) {
	n := min(len(p), f.body)
	if f.body -= n; f.body < 2 && p[n-1] != "\n\r"[f.body] {
		return n, errFrame
	}
	if f.body == 0 && n > 1 && p[n-2] != '\r' {
		return n, errFrame
	}
	return n, nil
}

// header reads a header, without its \n, and reports whether the element is complete with it.
func (f *frames) header(line []byte) (single bool, err error) {
	last := len(line) - 1
	if last < 1 || line[last] != '\r' {
		return false, errFrame
	}
	switch kind, text := line[0], string(line[1:last]); kind {
	case '+', '-', ',', '(':
		return true, nil
	case '_':
		return true, want(text == "")
	case '#':
		return true, want(text == "t" || text == "f")
	case ':':
		_, err := strconv.ParseInt(text, 10, 64)
		return true, want(err == nil)
	case '$', '=', '!':
		return f.bulk(text)
	case '*', '~':
		return f.list(text, 1)
	case '%':
		return f.list(text, 2)
	}
	return false, errFrame // also pushes and attributes, which nobody asked for
}

func want(ok bool) error {
	if !ok {
		return errFrame
	}
	return nil
}

func (f *frames) bulk(text string) (single bool, err error) {
	n, err := strconv.Atoi(text)
	switch {
	case err != nil || n < -1 || n > maxBulk:
		return false, errFrame
	case n == -1:
		return true, nil
	}
	f.body = n + 2
	return false, nil
}

func (f *frames) list(text string, each int) (single bool, err error) {
	n, err := strconv.Atoi(text)
	switch {
	case err != nil || n < -1 || n > maxElements || (n == -1 && each != 1):
		return false, errFrame
	case n <= 0:
		return true, nil
	case len(f.open) == maxDepth:
		return false, errFrame
	}
	f.open = append(f.open, n*each)
	return false, nil
}

// end closes the element that is complete, and the lists that end with it; it reports the end of a message.
func (f *frames) end() bool {
	for i := len(f.open) - 1; i >= 0; i-- {
		if f.open[i]--; f.open[i] > 0 {
			return false
		}
		f.open = f.open[:i]
	}
	return true
}

package limit

import (
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestTheBreakerOpensAtTheFifthFailureWithinASecond(t *testing.T) {
	const at = 1_000_000
	for _, c := range []struct {
		name     string
		failures []int64 // ms
		open     bool
	}{
		{"four at once", []int64{0, 0, 0, 0}, false},
		{"five at once", []int64{0, 0, 0, 0, 0}, true},
		{"the fifth 999 ms after the first", []int64{0, 1, 2, 3, 999}, true},
		{"the fifth a second after the first", []int64{0, 1, 2, 3, 1000}, false},
		{"the last five of many close enough", []int64{0, 1, 2, 3, 1000, 1000}, true},
		{"one every 250 ms", []int64{0, 250, 500, 750, 1000, 1250, 1500, 1750, 2000}, false},
		{"the clock stepped back in between", []int64{5000, 5000, 5000, 5000, 0}, false},
	} {
		var b breaker
		opened := 0
		for _, ms := range c.failures {
			if b.failure(at + ms) {
				opened++
			}
		}
		if b.open.Load() != c.open || (opened == 1) != c.open {
			t.Errorf("%s: open %v, told %d times", c.name, b.open.Load(), opened)
		}
		b.reset()
		if b.failure(at+2000) || b.open.Load() {
			t.Errorf("%s: failures from before the reset count", c.name)
		}
	}
}

func TestFramesCountMessagesInWhateverPieces(t *testing.T) {
	messages := rapid.SampledFrom([]string{
		"+OK\r\n", "-ERR x\r\n", ":12\r\n", ":-1\r\n", "$-1\r\n", "$0\r\n\r\n", "$5\r\na\r\nbc\r\n", "_\r\n", "#f\r\n", ",1.5\r\n",
		"*-1\r\n", "*0\r\n", "*2\r\n:1\r\n$1\r\na\r\n", "%1\r\n+a\r\n*2\r\n*0\r\n*1\r\n:3\r\n", "~1\r\n=5\r\ntxt:a\r\n",
		"*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n+deep\r\n",
	})
	rapid.Check(t, func(t *rapid.T) {
		list := rapid.SliceOf(messages).Draw(t, "messages")
		stream := []byte(strings.Join(list, ""))
		var f frames
		total := 0
		for len(stream) > 0 {
			n := rapid.IntRange(1, len(stream)).Draw(t, "piece")
			whole, err := f.feed(stream[:n])
			if err != nil {
				t.Fatal(err)
			}
			total += whole
			stream = stream[n:]
		}
		if total != len(list) {
			t.Fatalf("counted %d of %d messages", total, len(list))
		}
	})
}

func TestFramesRefuseWhatIsNotTheProtocol(t *testing.T) {
	for _, stream := range []string{
		"x\r\n", "\r\n", "\n", "+OK\n", ":1x\r\n", ":\r\n", "$-2\r\n", "$1048577\r\n", "$1\r\nabc", "$1\r\na\rb", "$1\r\na\nb",
		"*-2\r\n", "*16385\r\n", "%-1\r\n", ">1\r\n", "|1\r\n", "$?\r\n", "_x\r\n", "#x\r\n", "#true\r\n",
		strings.Repeat("*1\r\n", maxDepth+1), "+" + strings.Repeat("a", maxLine),
	} {
		whole := frames{}
		_, err := whole.feed([]byte(stream))
		bytewise, errBytewise := frames{}, error(nil)
		for i := 0; i < len(stream) && errBytewise == nil; i++ {
			_, errBytewise = bytewise.feed([]byte{stream[i]})
		}
		if !errors.Is(err, errFrame) || !errors.Is(errBytewise, errFrame) {
			t.Errorf("%.20q: %v at once, %v byte by byte", stream, err, errBytewise)
		}
	}
}

func TestAKeyThatLooksLikeADigestIsNoneOfOthers(t *testing.T) {
	long := strings.Repeat("x", longest+1)
	if short(short(long)) == short(long) {
		t.Error("the counter of a long key can be named")
	}
	if fits := strings.Repeat("x", longest); short(fits) != fits || len(short(long)) > longest {
		t.Error("the edge of what is kept as it is is wrong")
	}
}

package event

import (
	"encoding/json"
	"math/rand/v2"
	"testing"
	"time"

	"daybook/internal/base/money"
	"daybook/internal/base/secret"
)

// ownWord and ownCount stand for the types that features have of their own.
type (
	ownWord  string
	ownCount int64
)

// TestPayloadsAreWrittenAsTheLibraryWrites compares with json.Marshal: samples of every event, and whatever a payload may hold.
func TestPayloadsAreWrittenAsTheLibraryWrites(t *testing.T) {
	same := func(data Data) {
		t.Helper()
		want, err := json.Marshal(data)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := write(data); err != nil || string(got) != string(want) {
			t.Fatalf("%v\ngot  %s\nwant %s", err, got, want)
		}
	}
	for _, e := range Catalog {
		same(Sample(e.Type))
	}
	texts := []string{"", "plain", `a "quote"`, `back\slash`, "<b>&amp;</b>", "tab\t", "\x00", "\x7f", "Zoë", "\u2028", "\xff broken", "日本"}
	text := func() string { return texts[rand.IntN(len(texts))] }
	var value func(depth int) any
	value = func(depth int) any {
		s := text()
		switch rand.IntN(17) {
		case 0:
			return nil
		case 1:
			return s
		case 2:
			return &s
		case 3:
			return (*string)(nil)
		case 4:
			return rand.Int() - rand.Int()
		case 5:
			return rand.IntN(2) == 0
		case 6:
			return ownWord(s)
		case 7:
			return ownCount(-rand.Int64())
		case 8:
			return money.Amount(rand.Int64N(1e12))
		case 9:
			return 1e21 * rand.Float64()
		case 10:
			return json.Number("12.50")
		case 11:
			return []string{s, text()}
		case 12:
			return time.UnixMilli(rand.Int64N(1e13)).UTC()
		case 13:
			return secret.Of(s)
		case 14:
			return map[string]any(nil)
		}
		m := map[string]any{}
		for range rand.IntN(40) * (1 - min(depth, 1)) {
			m[text()+string(rune('a'+rand.IntN(26)))] = value(depth + 1)
		}
		if rand.IntN(2) == 0 {
			return Data(m)
		}
		return m
	}
	for range 2000 {
		data := Data{}
		for range rand.IntN(40) {
			data[text()+string(rune('a'+rand.IntN(26)))] = value(0)
		}
		same(data)
	}
	if _, err := write(Data{"f": func() {}}); err == nil {
		t.Error("a function was written")
	}
}

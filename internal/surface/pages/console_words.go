package pages

import (
	"strconv"
	"strings"
	"time"

	"daybook/internal/base/outbound"
)

// moment is an instant as people read it: how long ago it was, or how long it is until then. The page gives it exactly beside
// that; the script keeps the words true while time passes.
type moment struct {
	At  time.Time
	Ago string
}

func when(t, now time.Time) moment { return moment{t.UTC(), ago(t, now)} }

func whenever(t *time.Time, now time.Time) *moment {
	if t == nil {
		return nil
	}
	m := when(*t, now)
	return &m
}

// ago says how far away an instant is, in words that grow coarser with the distance. static/console.js has the same words.
func ago(t, now time.Time) string {
	d := now.Sub(t)
	ahead := d < 0
	if ahead {
		d = -d
	}
	var words string
	switch {
	case d < time.Minute && !ahead:
		return "just now"
	case d < time.Minute:
		return "in a moment"
	case d < time.Hour:
		words = count(int(d/time.Minute), "min")
	case d < 24*time.Hour:
		words = count(int(d/time.Hour), "h")
	case d < 7*24*time.Hour:
		words = counted(int(d/(24*time.Hour)), "day", "days")
	default:
		return t.UTC().Format("2 Jan 2006")
	}
	if ahead {
		return "in " + words
	}
	return words + " ago"
}

func count(n int, unit string) string { return strconv.Itoa(n) + " " + unit }

// counted is a number with its noun.
func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

// took is how long something lasted.
func took(d time.Duration) string {
	switch {
	case d < time.Second:
		return count(int(d.Milliseconds()), "ms")
	case d < time.Minute:
		return strconv.FormatFloat(d.Seconds(), 'f', 1, 64) + " s"
	case d < time.Hour:
		return strconv.Itoa(int(d.Minutes())) + " min"
	case d < 24*time.Hour:
		return strconv.Itoa(int(d.Hours())) + " h " + strconv.Itoa(int(d.Minutes())%60) + " min"
	}
	return counted(int(d.Hours())/24, "day", "days")
}

// state is a status as people read it: a word, and the tone that helps to see it.
type state struct{ Word, Tone string }

// visible makes what strangers wrote fit to read: whatever a browser would not show, or would show as something else, is spelled
// out.
func visible(s string) string {
	const everything = 1 << 20
	return outbound.LogText([]byte(s), everything)
}

// text is an optional text; empty when there is none.
func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// shownWord is a name of the wire as people write it: Journal entry, not JOURNAL_ENTRY.
func shownWord[T ~string](word T) string {
	s := strings.ReplaceAll(strings.ToLower(string(word)), "_", " ")
	if s == "" {
		return ""
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

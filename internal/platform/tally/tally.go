package tally

import "time"

// Stats tell what became of an app's deliveries. They go back as far as deliveries are kept: 30 days.
type Stats struct {
	Delivered, Failed, Retrying int64
	// MedianMs is how long receivers took to accept one, of the newest of each webhook; nil when none was.
	MedianMs *int64
}

// settled is how long an hour must be over before it is counted: a delivery bears the time at which its change was under way, and is
// seen once that is committed, on whatever node. One that came later still would be sent and listed, but not counted.
const settled = time.Hour

// counting is how far hours are counted.
type counting struct {
	until    time.Time
	removals int64 // how often single deliveries were removed
}

// made is how many deliveries a webhook had of a business in an hour.
type made struct {
	webhookID, businessID string
	number                int64
}

// busyHour is an hour in which a webhook had deliveries of a business, and how many it had in all.
type busyHour struct {
	begins    time.Time
	made, all int64
}

// parts of a time: whole hours that are counted, and what lies before and after them. Either may be empty.
type parts struct{ from, begin, end, to time.Time }

// partsOf divides a time, of which hours before an instant are counted.
func partsOf(from, to, until time.Time) parts {
	begin, end := from.Truncate(time.Hour), to.Truncate(time.Hour)
	if begin.Before(from) {
		begin = begin.Add(time.Hour)
	}
	if until.Before(end) {
		end = until
	}
	if !begin.Before(end) {
		begin, end = from, from
	}
	return parts{from, begin, end, to}
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// middle is half-way through a list in order, which is not empty.
func middle(list []int64) int64 {
	half := len(list) / 2
	if len(list)%2 == 0 {
		return (list[half-1] + list[half] + 1) / 2
	}
	return list[half]
}

package record

import (
	"time"

	"daybook/internal/base/fault"
)

// CheckDate says whether a text is a day of the calendar that books may have.
func CheckDate(c *fault.Check, path, date string) bool {
	_, err := time.Parse(time.DateOnly, date)
	ok := err == nil && date >= "1900-01-01" && date <= "2199-12-31"
	c.Require(ok, path, "must be a date such as 2026-05-04")
	return ok
}

// AddDays is the date so many days later.
func AddDays(date string, days int) string {
	t, err := time.Parse(time.DateOnly, date)
	if err != nil {
		return date
	}
	return t.AddDate(0, 0, days).Format(time.DateOnly)
}

// DaysBetween counts the days from one date to another.
func DaysBetween(from, to string) int {
	a, errA := time.Parse(time.DateOnly, from)
	b, errB := time.Parse(time.DateOnly, to)
	if errA != nil || errB != nil {
		return 0
	}
	return int(b.Sub(a).Hours() / 24)
}

package demobooks

import "time"

// day counts the days since 1970.
type day int

func dayOf(date string) (day, error) {
	t, err := time.Parse(time.DateOnly, date)
	return day(t.Unix() / 86400), err
}

func (d day) time() time.Time { return time.Unix(int64(d)*86400, 0).UTC() }

// String is the date as the books write it.
func (d day) String() string { return d.time().Format(time.DateOnly) }

// month is the day's month, from 0.
func (d day) month() int { return int(d.time().Month()) - 1 }

// first is the first day of the month that lies so many months after the day's own.
func (d day) first(months int) day {
	t := d.time()
	return day(time.Date(t.Year(), t.Month()+time.Month(months), 1, 0, 0, 0, 0, time.UTC).Unix() / 86400)
}

// working is the day itself, or the next on which offices are open.
func (d day) working() day {
	for t := d.time(); ; d, t = d+1, t.AddDate(0, 0, 1) {
		weekend := t.Weekday() == time.Saturday || t.Weekday() == time.Sunday
		if date := t.Format("0102"); !weekend && date != "0101" && date != "1225" && date != "1226" {
			return d
		}
	}
}

package demobooks

import (
	"context"
	"slices"
	"strconv"

	"daybook/internal/base/money"
)

// script is the year as it is going to be, before anything is written.
type script struct {
	seed      string
	trade     *trade
	place     place
	base      money.Currency
	country   string
	today     day
	start     day // the first of the month, a year before today's
	customers []*customer
	orders    []*order
	acts      []act
	// share is how much of the usual there is, in percent: a small plan has room for a small business only.
	share int
}

// act is something done on a day.
type act struct {
	on   day
	play func(ctx context.Context, p *player) error
}

// at adds an act; what would be in the future does not happen.
func (s *script) at(on day, play func(ctx context.Context, p *player) error) {
	if on <= s.today {
		s.acts = append(s.acts, act{on, play})
	}
}

func (s *script) dice(of string, n int) *dice { return diceOf(s.seed, of, strconv.Itoa(n)) }

// room is what a business's plan allows in a year.
type room struct {
	invoices int
	turnover money.Amount // 0: as much as it likes
}

// write makes the script. Acts of one day keep the order in which they are written down.
func (s *script) write(r room) {
	s.cast()
	for i := range s.customers {
		s.sales(i)
	}
	s.drafts()
	s.level()
	s.fit(r)
	s.open()
	s.costs()
	s.wages()
	s.calendar()
	s.exceptions()
	slices.SortStableFunc(s.acts, func(a, b act) int { return int(a.on - b.on) })
}

// invoiced is what the orders are to come to, before tax.
func (s *script) invoiced() cents { return s.trade.invoiced * cents(s.today-s.start+1) / 365 }

// level makes the orders come to what the trade lives on, however the dice fell: all of them grow, little by little, until
// they do.
func (s *script) level() {
	const least, most = 40, 400 // percent
	for percent := least; percent <= most; percent++ {
		var sum cents
		for _, o := range s.orders {
			o.resize(percent)
			sum += o.turnover()
		}
		if sum >= s.invoiced() {
			return
		}
	}
}

// fit leaves orders out, evenly, until four fifths of the plan suffice: whoever tries the demo wants to add some.
func (s *script) fit(r room) {
	percent, most := min(100, r.invoices*80/len(s.orders)), r.turnover*80/100
	if r.turnover > 0 {
		percent = min(percent, int(r.turnover*80/worth(s.base, s.invoiced())))
	}
	slices.SortStableFunc(s.orders, func(a, b *order) int { return int(a.on - b.on) })
	var all, kept cents
	for i, o := range s.orders {
		all += o.turnover()
		o.dropped = i*percent/100 == (i+1)*percent/100 || r.turnover > 0 && percent < 100 && worth(s.base, kept+o.turnover()) > most
		if !o.dropped {
			kept += o.turnover()
		}
	}
	s.share = int(kept * 100 / all)
}

package demobooks

import (
	"context"
	"fmt"
	"time"

	"daybook/internal/base/money"
)

// open is the entry that the books begin with.
func (s *script) open() {
	t := s.trade
	s.at(s.start, func(ctx context.Context, p *player) error {
		own := t.bank + t.kit - t.loan
		return p.entry(ctx, s.start, "Opening balances",
			p.debit(bank, t.bank), p.debit("1500", t.kit), p.credit("2500", t.loan), p.credit("3000", own/2), p.credit("3100", own-own/2))
	})
}

// months are the first days of the months of the script.
func (s *script) months() []day {
	var list []day
	for m := s.start; m <= s.today; m = m.first(1) {
		list = append(list, m)
	}
	return list
}

// costs writes down the bills that come again and again, and their payment.
func (s *script) costs() {
	for i, c := range s.trade.costs {
		d := s.dice("costs", i)
		for n, month := range s.months() {
			if n%c.every != 0 {
				continue
			}
			amount := d.about(c.amount, c.wavering)
			if c.seasonal {
				amount = amount * cents(s.trade.busy[month.month()]) / 100
			}
			s.purchase(c, month+day(c.day-1), amount)
		}
	}
	if t := s.trade.till; t != nil {
		s.takings(*t)
	}
}

// purchase is a bill, and its payment if that is not in the future.
func (s *script) purchase(c cost, on day, amount cents) {
	var owed money.Amount
	s.at(on, func(ctx context.Context, p *player) (err error) {
		_, owed, err = p.purchase(ctx, on, c, amount)
		return err
	})
	paid := (on + day(c.pays)).working()
	s.at(paid, func(ctx context.Context, p *player) error { return p.disburse(ctx, paid, c.from, owed, c.debited) })
}

// takings are booked on Saturdays, and at the end of each month.
func (s *script) takings(t till) {
	d := s.dice("takings", 0)
	from := s.start
	for on := s.start; on <= s.today; on++ {
		if on.time().Weekday() != time.Saturday && on+1 != on.first(1) {
			continue
		}
		gross := d.about(t.day*cents(on-from+1)*cents(s.trade.busy[on.month()])/100, 6)
		memo := fmt.Sprintf("%s, %s to %s", t.memo, from, on)
		if from == on {
			memo = fmt.Sprintf("%s, %s", t.memo, on)
		}
		s.at(on, func(ctx context.Context, p *player) error { return p.takings(ctx, on, memo, t, gross) })
		from = on + 1
	}
}

// wages are paid on the 25th, and the taxes on them in the middle of the next month.
func (s *script) wages() {
	t := s.trade
	for _, month := range s.months() {
		on, paid := (month + 24).working(), (month.first(1) + 14).working()
		held := t.wages * 27 / 100
		social := t.wages * cents(t.social) / 100
		s.at(on, func(ctx context.Context, p *player) error {
			return p.entry(ctx, on, "Wages of "+month.time().Format("January 2006"), p.debit("6200", t.wages), p.debit("6210", social),
				p.credit("2200", held+social), p.credit(bank, t.wages-held))
		})
		s.at(paid, func(ctx context.Context, p *player) error {
			return p.entry(ctx, paid, "Payroll taxes of "+month.time().Format("January 2006"), p.debit("2200", held+social), p.credit(bank, held+social))
		})
	}
}

// calendar is what the end of a month or quarter brings.
func (s *script) calendar() {
	m, memo := s.trade.monthly, "Bank charges"
	if s.trade.loan > 0 {
		memo = "Bank charges and loan"
	}
	for n, month := range s.months() {
		end := month.first(1) - 1
		s.at(end, func(ctx context.Context, p *player) error {
			return p.entry(ctx, end, memo, p.debit("6850", m.charges), p.debit("6860", m.interest), p.debit("2500", m.repayment),
				p.credit(bank, m.charges+m.interest+m.repayment))
		})
		if month.month()%3 == 2 {
			s.at(end, func(ctx context.Context, p *player) error {
				return p.entry(ctx, end, "Depreciation of the quarter", p.debit("6700", 3*m.depreciation), p.credit("1590", 3*m.depreciation))
			})
		}
		if month.month()%3 == 0 && n > 0 {
			on := (month + 21).working()
			s.at(on, func(ctx context.Context, p *player) error { return p.taxReturn(ctx, on, month-1) })
		}
		if n%3 == 2 {
			on := (month + 27).working()
			s.at(on, func(ctx context.Context, p *player) error {
				return p.entry(ctx, on, "Paid out to the owner", p.debit("3200", s.trade.drawings), p.credit(bank, s.trade.drawings))
			})
		}
	}
}

// exceptions happen once: a machine, bought with a deposit; a bill that was booked twice; an entry that is not finished.
func (s *script) exceptions() {
	m := s.trade.machine
	ordered, delivered, paid := (s.start + 96).working(), (s.start + 125).working(), (s.start + 146).working()
	s.at(ordered, func(ctx context.Context, p *player) error {
		return p.entry(ctx, ordered, "Deposit: "+m.name, p.debit(prepaid, m.deposit).of(workshop), p.credit(bank, m.deposit))
	})
	var owed money.Amount
	s.at(delivered, func(ctx context.Context, p *player) (err error) {
		owed, err = p.machine(ctx, delivered, m)
		return err
	})
	s.at(paid, func(ctx context.Context, p *player) error { return p.disburse(ctx, paid, workshop, owed, false) })

	for _, c := range s.trade.costs {
		if again := s.start.first(5) + day(c.day+2); c.from == telecom {
			s.at(again, func(ctx context.Context, p *player) error { return p.mistake(ctx, again, again+6, c) })
		}
	}
	s.at(s.today, func(ctx context.Context, p *player) error { return p.unfinished(ctx, s.today) })
}

package demobooks

import (
	"context"
	"slices"
)

// sales writes down what a customer orders and pays in the year.
func (s *script) sales(index int) {
	c := s.customers[index]
	d := s.dice("orders", index)
	if c.story == fails {
		s.failure(c, d)
		return
	}
	on := s.start + day(d.between(3, 3+c.every*2/3))
	var past []*order
	for number := 0; on.working() <= s.today; number++ {
		o := s.order(c, on.working(), d, number)
		if mistaken[[2]int{index, number}] {
			o = s.replace(o)
		}
		s.settle(o)
		past = append(past, o)
		on += day(c.every + d.between(-2, 2))
	}
	if c.story == together {
		s.statements(past)
	}
	if c.story == deposit {
		s.at(s.today-9, func(ctx context.Context, p *player) error {
			return p.prepay(ctx, c, s.today-9, price(c.currency, 15_000), "Deposit")
		})
	}
}

// mistaken are orders that are invoiced wrongly, by customer and number.
var mistaken = map[[2]int]bool{{6, 1}: true, {4, 2}: true, {1, 8}: true}

// replace voids an invoice two days later, and issues it anew.
func (s *script) replace(o *order) *order {
	on := (o.on + 2).working()
	s.at(on, func(ctx context.Context, p *player) error { return p.void(ctx, o, on) })
	again := *o
	again.on, again.lines = on, slices.Clone(o.lines)
	o.wrong = true
	return s.enter(&again)
}

// tooMuch is what the generous customer pays beside what is due.
const tooMuch cents = 2_500

// settle writes down how an order is paid.
func (s *script) settle(o *order) {
	c := o.customer
	pay := func(days, part int, extra cents) {
		on := (o.on + day(days)).working()
		s.at(on, func(ctx context.Context, p *player) error {
			return p.receive(ctx, on, part, extra, o)
		})
	}
	switch {
	case c.story == together:
	case c.half > 0:
		pay(c.half, 50, 0)
		pay(c.pays, 100, 0)
	case c.story == twice && o.number == 1:
		pay(c.pays, 100, 0)
		on := (o.on + day(c.pays+3)).working()
		s.at(on, func(ctx context.Context, p *player) error { return p.prepay(ctx, c, on, o.total, "Paid a second time") })
	case c.story == twice && o.number == 2:
		s.at(o.on+1, func(ctx context.Context, p *player) error { return p.useCredit(ctx, o, o.on+1) })
		pay(c.pays, 100, 0)
	case c.story == generous && o.number == 1:
		pay(c.pays, 100, tooMuch)
		on := (o.on + day(c.pays+9)).working()
		s.at(on, func(ctx context.Context, p *player) error { return p.refund(ctx, c, on) })
	default:
		pay(c.pays, 100, 0)
	}
}

// statements pays all invoices of a month with one payment, in the middle of the next.
func (s *script) statements(orders []*order) {
	for len(orders) > 0 {
		next := orders[0].on.first(1)
		n := 0
		for n < len(orders) && orders[n].on < next {
			n++
		}
		month, on := orders[:n], (next + 12).working()
		s.at(on, func(ctx context.Context, p *player) error { return p.receive(ctx, on, 100, 0, month...) })
		orders = orders[n:]
	}
}

// failure is a customer who orders three times and then is heard of no more.
func (s *script) failure(c *customer, d *dice) {
	var list []*order
	for number := range 3 {
		list = append(list, s.order(c, (s.start+day(40+number*c.every)).working(), d, number))
	}
	for number, part := range []int{100, 40} {
		o := list[number]
		on := (o.on + day(c.pays)).working()
		s.at(on, func(ctx context.Context, p *player) error { return p.receive(ctx, on, part, 0, o) })
	}
	end := (s.start + 235).working()
	s.at(end, func(ctx context.Context, p *player) error { return p.giveUp(ctx, c, end, list[1:]...) })
}

// drafts are invoices that wait to be finished.
func (s *script) drafts() {
	for i, index := range []int{14, 2, 11, 0} {
		d := s.dice("drafts", index)
		o := s.order(s.customers[index], s.today-day(3-i), d, 0)
		o.draft = true
		if o.customer.story == deposit { // there is going to be a feast
			for n := range o.lines {
				o.lines[n].wish *= 4
			}
		}
	}
}

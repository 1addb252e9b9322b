package demobooks

import (
	"context"

	"daybook/internal/base/money"
)

// customer of the business.
type customer struct {
	contact
	habit
	kind     audience
	currency money.Currency
	likes    []product // what they order
	besides  []product // and what along with it
	id       string    // once played
	credit   string    // the payment that holds what they have to spare
}

// order becomes an invoice.
type order struct {
	customer *customer
	on       day
	lines    []ordered
	off      cents // off the first line
	draft    bool
	wrong    bool // it is taken back and issued anew
	number   int  // among the customer's
	dropped  bool
	// once played; without an id it never came to be
	id    string
	total money.Amount
	due   money.Amount
}

// ordered is a line of an order.
type ordered struct {
	product
	wish   int // quantity, in hundredths
	halves int // as it is sold
}

// resize makes quantities of wishes, larger or smaller by some percent.
func (o *order) resize(percent int) {
	for i := range o.lines {
		l := &o.lines[i]
		l.halves = max(l.wish*percent/5_000, 2)
		switch {
		case l.most == 1:
			l.halves = 2
		case !l.byHalves:
			l.halves = l.halves / 2 * 2
		}
	}
}

// turnover is what the order earns, before tax.
func (o *order) turnover() (sum cents) {
	if o.draft || o.wrong {
		return 0
	}
	for _, l := range o.lines {
		sum += l.price * cents(l.halves) / 2 * cents(100-o.customer.discount) / 100
	}
	return sum
}

// cast brings the customers in.
func (s *script) cast() {
	add := func(c contact, h habit, kind audience) {
		one := &customer{contact: c, habit: h, kind: kind, currency: s.base}
		if c.currency != "" {
			one.currency = money.MustCurrency(c.currency)
		}
		one.likes, one.besides = s.likes(kind, len(s.customers))
		s.customers = append(s.customers, one)
	}
	for i, c := range s.place.companies {
		add(c, companyHabits[i], companies)
	}
	for i, c := range s.place.people {
		add(c, peopleHabits[i], people)
	}
	for i, c := range foreignersOf(s.base.Code()) {
		add(c, foreignHabits[i], abroad)
	}
}

// likes are the products that a customer orders again and again.
func (s *script) likes(kind audience, n int) (likes, besides []product) {
	for _, p := range s.trade.products {
		switch {
		case p.to&kind == 0:
		case p.beside:
			besides = append(besides, p)
		default:
			likes = append(likes, p)
		}
	}
	d := s.dice("likes", n)
	for _, list := range [][]product{likes, besides} { // shuffled
		for i := range list {
			j := d.between(i, len(list)-1)
			list[i], list[j] = list[j], list[i]
		}
	}
	return likes, besides
}

// order writes an order down.
func (s *script) order(c *customer, on day, d *dice, number int) *order {
	o := &order{customer: c, on: on, number: number}
	first := 0
	if c.kind == people { // who marry once
		first = number
	}
	add := func(p product) {
		o.lines = append(o.lines, ordered{product: p, wish: d.between(p.least*100, p.most*100) * c.volume * s.trade.busy[on.month()] / 10_000})
	}
	for i := range d.between((c.lines+1)/2, c.lines) {
		add(c.likes[(first+i)%len(c.likes)])
	}
	if len(c.besides) > 0 && (c.kind == abroad || d.between(1, 2) == 1) {
		add(c.besides[0])
	}
	if c.story == favoured && number%2 == 0 {
		o.off = 1_000
	}
	return s.enter(o)
}

// enter makes an invoice of an order.
func (s *script) enter(o *order) *order {
	s.orders = append(s.orders, o)
	s.at(o.on, func(ctx context.Context, p *player) error { return p.invoice(ctx, o) })
	return o
}

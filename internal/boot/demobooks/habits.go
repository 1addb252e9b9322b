package demobooks

// habit is how a customer orders and pays. Days are counted from the issue of an invoice.
type habit struct {
	every    int // days between invoices
	terms    int // days until they are due
	half     int // days until half of it is paid; 0: all is paid at once
	pays     int // days until they are paid
	lines    int // at most
	volume   int // of what is usual, in percent
	discount int // percent off
	// rounding and method are the books' own where they are empty.
	rounding string
	method   string
	story    story
}

// story is what is special about a customer.
type story int

const (
	ordinary story = iota
	together       // pays the invoices of a month with one payment, in the next
	byApp          // orders through an app, if the business has one
	favoured       // gets a little off, once as an amount
	twice          // once pays an invoice twice, and the next one is settled with it
	generous       // once pays too much and gets the difference back
	fails          // orders three times, pays half and then nothing
	deposit        // has just paid in advance
)

// companyHabits, in the order of place.companies. Whatever today is, among them are invoices that are not due yet, some
// that are overdue for a few days, weeks and months, and some that are paid in part.
var companyHabits = [10]habit{
	{every: 15, terms: 30, lines: 3, volume: 100, discount: 5, story: together},
	{every: 30, terms: 14, pays: 13, lines: 3, volume: 110, story: byApp},
	{every: 42, terms: 30, pays: 33, lines: 2, volume: 90, rounding: "DOCUMENT"},
	{every: 30, terms: 30, half: 10, pays: 50, lines: 2, volume: 120},
	{every: 28, terms: 14, pays: 50, lines: 3, volume: 95},
	{every: 60, terms: 30, half: 55, pays: 128, lines: 2, volume: 80},
	{every: 56, terms: 30, pays: 27, lines: 3, volume: 85, rounding: "DOCUMENT", story: favoured},
	{every: 75, terms: 30, pays: 24, lines: 3, volume: 100, story: twice},
	{every: 90, terms: 21, pays: 18, lines: 2, volume: 100, story: generous},
	{every: 36, terms: 14, pays: 20, lines: 2, volume: 70, story: fails},
}

// peopleHabits, in the order of place.people.
var peopleHabits = [5]habit{
	{every: 140, terms: 7, pays: 2, lines: 2, volume: 45, method: "CARD"},
	{every: 150, terms: 7, pays: 5, lines: 1, volume: 45},
	{every: 135, terms: 7, pays: 1, lines: 2, volume: 40, method: "CASH"},
	{every: 170, terms: 7, pays: 12, lines: 1, volume: 50},
	{every: 200, terms: 14, pays: 6, lines: 2, volume: 50, method: "CARD", story: deposit},
}

// foreignHabits, in the order of foreignersOf.
var foreignHabits = [2]habit{
	{every: 62, terms: 30, pays: 29, lines: 2, volume: 100},
	{every: 70, terms: 45, pays: 41, lines: 2, volume: 90},
}

package demobooks

import (
	"strings"

	"daybook/internal/books/ledger"
)

// trade is what a business lives on. Amounts are those of a business in the euro zone.
type trade struct {
	words    []string // by which the name of a business gives it away
	accounts []account
	products []product
	invoiced cents // in a year, before tax
	// busy is how the months of the year compare, in percent.
	busy     [12]int
	goods    [2]supplier // who delivers what is sold on
	costs    []cost
	till     *till // nil: it sells by invoice only
	wages    cents // a month, before tax
	social   int   // what the employer pays on top, in percent of wages
	drawings cents // a quarter, to the owner
	bank     cents // at the start
	kit      cents // equipment at the start
	loan     cents // at the start
	monthly  monthly
	machine  machine
}

// account that a trade adds to the chart.
type account struct {
	code, name string
	kind       ledger.AccountType
	subtype    ledger.Subtype
	tax        taxClass // what is sold on it, for revenue
}

// taxClass is how something is taxed; which rate that is depends on the country.
type taxClass int

const (
	untaxed  taxClass = iota
	zero              // exports
	food              // reduced in most countries
	standard          // everything else
)

// audience is who buys something.
type audience int

const (
	companies audience = 1 << iota
	people
	abroad
	everybody = companies | people | abroad
)

// product is something sold.
type product struct {
	code, name  string
	price       cents
	least, most int // sold at once
	byHalves    bool
	tax         taxClass
	account     string
	to          audience
	beside      bool // sold along with something else only
}

// cost is a bill that comes again and again.
type cost struct {
	from     role
	what     string
	account  string
	amount   cents // each time
	every    int   // months
	day      int   // of the month
	pays     int   // days later
	debited  bool  // the supplier takes the money
	wavering int   // percent up and down
	tax      taxClass
	seasonal bool // follows the trade's months
}

// till is what is sold over the counter: booked every week.
type till struct {
	account string
	day     cents // with tax
	tax     taxClass
	memo    string
}

// monthly is what the bank and the calendar take.
type monthly struct{ charges, interest, repayment, depreciation cents }

// machine is bought in the course of the year, with a deposit.
type machine struct {
	name           string
	price, deposit cents
}

var trades = []*trade{&bakery, &catering, &services}

// tradeOf finds the trade of a business by the words of its name. Any business can be a provider of services.
func tradeOf(name string) *trade {
	name = strings.ToLower(name)
	for _, t := range trades {
		for _, w := range t.words {
			if strings.Contains(name, w) {
				return t
			}
		}
	}
	return &services
}

// common are the accounts that every trade adds.
var common = []account{
	{"1500", "Equipment", ledger.Asset, "FIXED", untaxed},
	{"1590", "Accumulated depreciation", ledger.Asset, "FIXED", untaxed},
	{"2200", "Payroll taxes", ledger.Liability, "CURRENT", untaxed},
	{"3200", "Paid out to the owner", ledger.Equity, "CAPITAL", untaxed},
	{"6100", "Rent", ledger.Expense, "OPERATING", untaxed},
	{"6200", "Wages", ledger.Expense, "OPERATING", untaxed},
	{"6210", "Social security", ledger.Expense, "OPERATING", untaxed},
	{"6300", "Energy and water", ledger.Expense, "OPERATING", untaxed},
	{"6400", "Insurance", ledger.Expense, "OPERATING", untaxed},
	{"6500", "Vehicle and repairs", ledger.Expense, "OPERATING", untaxed},
	{"6600", "Telephone and internet", ledger.Expense, "OPERATING", untaxed},
	{"6650", "Accountant", ledger.Expense, "OPERATING", untaxed},
	{"6700", "Depreciation", ledger.Expense, "OPERATING", untaxed},
	{"6850", "Bank charges", ledger.Expense, "FINANCE", untaxed},
}

package demobooks

import "daybook/internal/books/ledger"

// catering cooks in a kitchen it shares, and lives on invoices.
var catering = trade{
	words: []string{"cater", "kitchen", "traiteur", "banquet", "party service"},
	accounts: []account{
		{"4100", "Catering", ledger.Revenue, "SALES", standard},
		{"4200", "Staff and hire of equipment", ledger.Revenue, "SALES", standard},
	},
	products: []product{
		{"LU-01", "Working lunch, per person", 1450, 10, 22, false, standard, "4100", companies | abroad, false},
		{"LU-02", "Cold sandwich platter, serves 10", 5200, 1, 5, false, food, "4100", companies | people, false},
		{"LU-03", "Salad bowl, serves 10", 3800, 1, 4, false, food, "4100", companies | people, false},
		{"BF-01", "Breakfast meeting, per person", 925, 10, 24, false, standard, "4100", companies, false},
		{"EV-01", "Finger buffet, per person", 1980, 14, 31, false, standard, "4100", people | abroad, false},
		{"EV-02", "Three-course dinner, per person", 3950, 10, 19, false, standard, "4100", people | abroad, false},
		{"EV-03", "Coffee and home-made cakes, per person", 690, 12, 29, false, standard, "4100", companies | people, false},
		{"ST-01", "Serving staff, per hour", 2150, 4, 8, true, standard, "4200", everybody, true},
		{"HI-01", "Crockery and glasses, per setting", 260, 14, 36, false, standard, "4200", companies | people | abroad, true},
		{"HI-02", "Hot cupboard, per day", 4200, 1, 1, false, standard, "4200", people, true},
	},
	invoiced: 3_650_000,
	busy:     [12]int{78, 88, 96, 100, 112, 124, 104, 72, 102, 106, 104, 126},
	goods: [2]supplier{
		{names: map[string]string{"GB": "Copperfield Market Produce Ltd", "": "Greenacre Produce Wholesale"}, note: "Fruit, vegetables and dry goods"},
		{names: map[string]string{"GB": "H. Lockyer & Daughters, Butchers", "": "Meadow & Sons Provisions"}, note: "Meat, fish and dairy"},
	},
	costs: []cost{
		{goodsA, "Produce and dry goods", "5000", 64_500, 1, 6, 21, false, 14, food, true},
		{goodsB, "Meat, fish and dairy", "5000", 34_500, 1, 13, 14, false, 15, food, true},
		{landlord, "Shared kitchen", "6100", 43_000, 1, 1, 5, true, 0, untaxed, false},
		{energy, "Gas and electricity", "6300", 8_400, 1, 10, 14, true, 18, standard, false},
		{telecom, "Mobile phones", "6600", 3_250, 1, 12, 10, true, 0, standard, false},
		{insurer, "Public liability insurance, three months", "6400", 16_400, 3, 5, 20, false, 0, untaxed, false},
		{accountant, "Accounts, three months", "6650", 18_000, 3, 24, 28, false, 0, standard, false},
		{workshop, "Van: servicing and fuel card", "6500", 19_200, 1, 17, 18, false, 22, standard, false},
	},
	wages: 56_000, social: 8, drawings: 82_000,
	bank: 860_000, kit: 620_000,
	monthly: monthly{charges: 1_250, depreciation: 7_500},
	machine: machine{"Combination oven", 145_000, 45_000},
}

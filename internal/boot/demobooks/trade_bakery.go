package demobooks

import "daybook/internal/books/ledger"

// bakery sells over the counter, and by invoice to cafés, hotels and whoever gives a party.
var bakery = trade{
	words: []string{"bakery", "bakker", "bakeri", "baker", "bäcker", "boulanger", "panader", "pasticc", "patisser", "konditor", "bread"},
	accounts: []account{
		{"2500", "Bank loan", ledger.Liability, "LONG_TERM", untaxed},
		{"4100", "Bread and pastry, wholesale", ledger.Revenue, "SALES", food},
		{"4200", "Cakes to order and workshops", ledger.Revenue, "SALES", standard},
		{"4300", "Shop takings", ledger.Revenue, "SALES", food},
		{"6860", "Interest", ledger.Expense, "FINANCE", untaxed},
	},
	products: []product{
		{"BR-01", "Sourdough loaf, 800 g", 345, 22, 62, false, food, "4100", companies, false},
		{"BR-02", "Wholemeal tin loaf", 270, 20, 56, false, food, "4100", companies, false},
		{"BR-03", "White rolls, tray of 24", 780, 4, 14, false, food, "4100", companies | people, false},
		{"BR-04", "Rye bread, sliced", 295, 11, 34, false, food, "4100", companies, false},
		{"PA-01", "Butter croissants, box of 12", 1380, 4, 15, false, food, "4100", companies | people, false},
		{"PA-02", "Almond pastries, box of 10", 1550, 3, 11, false, food, "4100", companies | people, false},
		{"PA-03", "Apple tart, 10 portions", 1895, 1, 7, false, food, "4100", companies | people, false},
		{"CA-01", "Layer cake to order, 16 portions", 4450, 1, 4, false, food, "4200", people, false},
		{"CA-02", "Wedding cake, three tiers", 24500, 1, 1, false, food, "4200", people, false},
		{"WS-01", "Bread workshop, per person", 4900, 6, 13, false, standard, "4200", people, false},
		{"SV-01", "Delivery before six in the morning", 1250, 1, 6, false, standard, "4100", companies, true},
		{"EX-01", "Spiced biscuits, tin of 400 g", 640, 42, 105, false, food, "4100", abroad, false},
		{"EX-02", "Caramel waffles, box of 8", 425, 50, 126, false, food, "4100", abroad, false},
		{"EX-03", "Freight, insured", 5800, 1, 1, false, standard, "4100", abroad, true},
	},
	invoiced: 3_600_000,
	busy:     [12]int{92, 94, 100, 108, 104, 98, 84, 82, 98, 102, 106, 134},
	goods: [2]supplier{
		{names: map[string]string{"NL": "Meelfabriek De Korenaar", "": "Millstone Flour Company"}, note: "Flour, grain and seeds"},
		{names: map[string]string{"NL": "Zuivelhandel Van der Velde", "": "Clover Dairy Wholesale"}, note: "Butter, milk, eggs and fruit"},
	},
	costs: []cost{
		{goodsA, "Flour and seeds", "5000", 260_000, 1, 6, 21, false, 9, food, true},
		{goodsB, "Dairy, eggs and fruit", "5000", 211_000, 1, 11, 14, true, 12, food, true},
		{landlord, "Rent of shop and bakehouse", "6100", 165_000, 1, 1, 4, true, 0, standard, false},
		{energy, "Gas, electricity and water", "6300", 94_000, 1, 9, 14, true, 16, standard, false},
		{telecom, "Telephone and internet", "6600", 6_850, 1, 14, 10, true, 0, standard, false},
		{insurer, "Insurance, three months", "6400", 54_000, 3, 3, 20, false, 0, untaxed, false},
		{accountant, "Accounts and payroll, three months", "6650", 46_500, 3, 22, 28, false, 0, standard, false},
		{workshop, "Delivery van and repairs", "6500", 38_500, 1, 16, 18, false, 25, standard, false},
	},
	till:  &till{"4300", 57_400, food, "Shop takings"},
	wages: 740_000, social: 19, drawings: 90_000,
	bank: 2_140_000, kit: 3_850_000, loan: 1_800_000,
	monthly: monthly{charges: 2_640, interest: 7_900, repayment: 50_000, depreciation: 43_000},
	machine: machine{"Dough divider", 680_000, 200_000},
}

package demobooks

import "daybook/internal/books/ledger"

// services is work by the hour and what it takes: a trade for any name.
var services = trade{
	accounts: []account{
		{"4100", "Services", ledger.Revenue, "SALES", standard},
		{"4200", "Goods and materials", ledger.Revenue, "SALES", standard},
	},
	products: []product{
		{"SE-01", "Consultation, per hour", 7200, 1, 3, true, standard, "4100", everybody, false},
		{"SE-02", "Project work, per hour", 5800, 2, 5, true, standard, "4100", companies | abroad, false},
		{"SE-03", "Maintenance visit", 9500, 1, 2, false, standard, "4100", companies | people, false},
		{"SE-04", "Monthly support", 12500, 1, 1, false, standard, "4100", companies, false},
		{"SE-05", "Training, per person", 4200, 2, 6, false, standard, "4100", companies | abroad, false},
		{"SE-06", "Installation", 14500, 1, 1, false, standard, "4100", people, false},
		{"GO-01", "Materials, as listed", 2650, 1, 4, false, standard, "4200", companies | people, true},
		{"GO-02", "Handbook, printed", 1450, 2, 8, false, food, "4200", everybody, true},
		{"GO-03", "Spare parts, set", 3900, 1, 2, false, standard, "4200", companies | people, true},
		{"TR-01", "Travel", 1800, 1, 2, false, standard, "4100", companies | people | abroad, true},
	},
	invoiced: 3_500_000,
	busy:     [12]int{94, 98, 104, 102, 100, 104, 88, 80, 106, 110, 112, 96},
	goods: [2]supplier{
		{names: map[string]string{"": "Fairweather Trade Supplies"}, note: "Materials and parts"},
		{names: map[string]string{"": "Second Pair of Hands"}, note: "Helps out when there is more work than hands"},
	},
	costs: []cost{
		{goodsA, "Materials", "5000", 40_500, 1, 8, 21, false, 15, standard, true},
		{goodsB, "Subcontracted work", "5000", 38_000, 1, 19, 14, false, 15, standard, true},
		{landlord, "Workroom", "6100", 39_000, 1, 1, 5, true, 0, standard, false},
		{energy, "Electricity and heating", "6300", 6_100, 1, 10, 14, true, 18, standard, false},
		{telecom, "Telephone, internet and software", "6600", 5_450, 1, 12, 10, true, 0, standard, false},
		{insurer, "Insurance, three months", "6400", 12_200, 3, 5, 20, false, 0, untaxed, false},
		{accountant, "Accounts, three months", "6650", 24_000, 3, 24, 28, false, 0, standard, false},
		{workshop, "Vehicle: servicing and fuel", "6500", 13_800, 1, 17, 18, false, 20, standard, false},
	},
	wages: 62_000, social: 15, drawings: 105_000,
	bank: 820_000, kit: 540_000,
	monthly: monthly{charges: 1_150, depreciation: 6_000},
	machine: machine{"Workstation", 190_000, 60_000},
}

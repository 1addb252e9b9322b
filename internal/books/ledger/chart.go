package ledger

// starter is an account that every new business begins with.
type starter struct {
	code, name string
	kind       AccountType
	subtype    Subtype
	role       Role // empty: an ordinary account
}

// defaultChart is what every new business begins with.
var defaultChart = []starter{
	{"1000", "Bank", Asset, Bank, DefaultBank},
	{"1100", "Accounts receivable", Asset, "RECEIVABLE", Receivable},
	{"1150", "Supplier prepayments", Asset, "CURRENT", SupplierPrepayment},
	{"1180", "Input tax", Asset, "INPUT_TAX", InputTax},
	{"2000", "Accounts payable", Liability, "PAYABLE", Payable},
	{"2100", "Sales tax", Liability, "OUTPUT_TAX", OutputTax},
	{"2150", "Customer credit", Liability, "CUSTOMER_CREDIT", CustomerCredit},
	{"3000", "Capital", Equity, "CAPITAL", ""},
	{"3100", "Retained earnings", Equity, "RETAINED", RetainedEarnings},
	{"3900", "Opening balances", Equity, "CAPITAL", OpeningBalance},
	{"4000", "Sales", Revenue, "SALES", DefaultSales},
	{"4900", "Other income", Revenue, "OTHER", ""},
	{"5000", "Cost of sales", Expense, "DIRECT", ""},
	{"6000", "Operating expenses", Expense, "OPERATING", ""},
	{"6800", "Bad debts", Expense, "OPERATING", BadDebt},
	{"6900", "Exchange differences", Expense, "FINANCE", ExchangeDifference},
	{"6950", "Rounding", Expense, "OTHER", Rounding},
}

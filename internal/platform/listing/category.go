package listing

// Category is where a listing stands in the marketplace.
type Category string

// CategoryEntry is one row of the list of categories.
type CategoryEntry struct {
	Category Category
	Name     string
}

// Categories are all there are, in the order in which people read them.
var Categories = []CategoryEntry{
	{"ACCOUNTING", "Accounting and bookkeeping"},
	{"BANKING", "Banking and cash flow"},
	{"PAYMENTS", "Payments"},
	{"INVOICING", "Invoicing and collection"},
	{"EXPENSES", "Expenses and receipts"},
	{"PAYROLL", "Payroll and people"},
	{"TAX", "Tax and compliance"},
	{"REPORTING", "Reports and forecasts"},
	{"ECOMMERCE", "Shops and e-commerce"},
	{"POINT_OF_SALE", "Point of sale"},
	{"INVENTORY", "Stock and orders"},
	{"CRM", "Customers and sales"},
	{"PROJECTS", "Projects and time"},
	{"DOCUMENTS", "Documents and signatures"},
	{"DEVELOPER_TOOLS", "Tools for developers"},
	{"OTHER", "Everything else"},
}

// FindCategory looks a category up.
func FindCategory(c Category) (CategoryEntry, bool) {
	for _, e := range Categories {
		if e.Category == c {
			return e, true
		}
	}
	return CategoryEntry{}, false
}

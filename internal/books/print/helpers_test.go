package print_test

import (
	"bytes"
	"fmt"
	"testing"

	"daybook/internal/base/money"
	"daybook/internal/books/print"
)

// ordinary is an invoice as many are.
func ordinary() print.Document {
	return print.Document{
		Business: print.Business{Name: "Łódź & Straße Workshop", LegalName: "Łódź & Straße Workshop B.V.", TaxNumber: "NL001234567B01", Country: "Netherlands"},
		BillTo: print.Party{
			Name: "Kovács Őrség Kft.", TaxNumber: "HU12345678", Address: []string{"Váci út 12", "1132 Budapest", "Hungary"},
		},
		Number: "INV-000123", IssueDate: "2026-11-14", DueDate: "2026-12-14", Reference: "PO 4711", Currency: money.MustCurrency("EUR"),
		Lines: []print.Line{
			{Description: "Consulting, November 2026", Quantity: "12.5", UnitPrice: "95", TaxRate: "21", Amount: 118750},
			{Description: "Hosting of the shop, with daily backups and monitoring, for the period from the first of November to the end of January", Code: "HOST-3M", Quantity: "3", UnitPrice: "49.9", Discount: print.Discount{Percent: "10"}, TaxRate: "21", Amount: 13473},
			{Description: "Book: Double entry for everyone", Quantity: "2", UnitPrice: "24.95", TaxRate: "9", Amount: 4990},
			{Description: "Credit for returned goods", Quantity: "-1", UnitPrice: "15", TaxRate: "21", Amount: -1500},
		},
		Subtotal: 135713,
		Taxes:    []print.Tax{{Name: "VAT", Rate: "21", Taxable: 130723, Amount: 27452}, {Name: "VAT", Rate: "9.0000", Taxable: 4990, Amount: 449}},
		Total:    163614, Paid: 50000, Due: 113614,
		Notes: "Please pay within 30 days to NL91 ABNA 0417 1643 00 and mention the number of the invoice. Thank you for your custom!",
	}
}

// long is an invoice over several pages.
func long(n int) print.Document {
	d := ordinary()
	d.Lines = nil
	for i := range n {
		d.Lines = append(d.Lines, print.Line{Description: fmt.Sprintf("Position %d of many", i+1), Quantity: "1", UnitPrice: "10.00", Amount: 1000})
	}
	return d
}

// printed is the PDF of a document.
func printed(t testing.TB, d print.Document) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := print.Invoice(&out, d); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

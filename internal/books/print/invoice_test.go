package print_test

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"daybook/internal/base/money"
	"daybook/internal/books/print"
)

func TestAnInvoiceSaysWhatACustomerNeeds(t *testing.T) {
	pages := read(t, printed(t, ordinary()))
	tidy(t, pages)
	if len(pages) != 1 {
		t.Fatalf("%d pages", len(pages))
	}
	for _, text := range []string{
		"Invoice", "Łódź & Straße Workshop", "Łódź & Straße Workshop B.V.", "Tax number NL001234567B01", "Netherlands",
		"BILL TO", "Kovács Őrség Kft.", "Váci út 12", "1132 Budapest", "Hungary", "Tax number HU12345678",
		"INV-000123", "14 November 2026", "14 December 2026", "PO 4711",
		"DESCRIPTION", "QUANTITY", "UNIT PRICE", "DISCOUNT", "TAX", "AMOUNT EUR",
		"Consulting, November 2026", "12.5", "95.00", "21%", "1,187.50", "HOST-3M", "10%", "49.90", "-15.00",
		"Subtotal", "1,357.13", "VAT 21% on 1,307.23", "274.52", "VAT 9% on 49.90", "4.49", "Total", "EUR 1,636.14", "Paid", "-500.00",
		"Amount due", "EUR 1,136.14", "NOTES", "1 / 1",
	} {
		pages[0].find(t, text)
	}
}

func TestWhatIsEmptyIsLeftOut(t *testing.T) {
	d := ordinary()
	d.Business.LegalName, d.Business.TaxNumber, d.Business.Country = d.Business.Name, "", ""
	d.Reference, d.Number, d.Notes, d.Paid, d.Taxes = "", "", "", 0, nil
	for i := range d.Lines {
		d.Lines[i].Discount, d.Lines[i].TaxRate, d.Lines[i].Code = print.Discount{Percent: "0.00"}, "", ""
	}
	page := read(t, printed(t, d))[0].texts()
	for _, text := range []string{"DISCOUNT", "TAX", "Paid", "Written off", "NOTES", "Reference", "HOST-3M", "Prices include tax.", "PAID", "DRAFT", "VOID"} {
		if slices.Contains(page, text) {
			t.Errorf("%q is printed", text)
		}
	}
	if !slices.Contains(page, "–") {
		t.Error("the missing number is not shown as such")
	}
}

func TestWhatIsRareIsShown(t *testing.T) {
	d := ordinary()
	d.TaxIncluded, d.WrittenOff = true, 113614
	d.Taxes = []print.Tax{{Name: "IVA 21% general", Rate: "21.00", Taxable: 100, Amount: 21}, {Name: "Reverse charge"}}
	d.Lines[0].Discount = print.Discount{Amount: 1250}
	page := read(t, printed(t, d))[0]
	for _, text := range []string{"Prices include tax.", "Written off", "-1,136.14", "IVA 21% general on 1.00", "Reverse charge on 0.00", "12.50"} {
		page.find(t, text)
	}
}

func TestAmountsStandUnderEachOther(t *testing.T) {
	page := read(t, printed(t, ordinary()))[0]
	edge := page.find(t, "AMOUNT EUR")
	for _, text := range []string{"1,187.50", "134.73", "-15.00", "1,357.13", "274.52", "EUR 1,636.14", "EUR 1,136.14"} {
		if r := page.find(t, text); math.Abs(r.x+r.width-edge.x-edge.width) > 0.02 {
			t.Errorf("%q ends at %.2f, not at %.2f", text, r.x+r.width, edge.x+edge.width)
		}
	}
}

func TestManyLinesGoOnOverPages(t *testing.T) {
	pages := read(t, printed(t, long(70)))
	tidy(t, pages)
	if len(pages) != 3 {
		t.Fatalf("%d pages", len(pages))
	}
	next := 1
	for i, page := range pages {
		page.find(t, []string{"1 / 3", "2 / 3", "3 / 3"}[i])
		page.find(t, "DESCRIPTION")
		if i > 0 {
			page.find(t, "Invoice INV-000123")
		}
		head := page.find(t, "DESCRIPTION").y
		for _, r := range page {
			if strings.HasPrefix(r.text, "Position ") {
				if want := "Position " + itoa(next) + " of many"; r.text != want || r.y >= head {
					t.Errorf("page %d: %q at %.0f, want %q below %.0f", i+1, r.text, r.y, want, head)
				}
				next++
			}
		}
	}
	if next != 71 {
		t.Errorf("%d lines", next-1)
	}
	pages[2].find(t, "Amount due")
}

func itoa(n int) string {
	return strings.TrimPrefix(string(rune('0'+n/10)), "0") + string(rune('0'+n%10))
}

// A row never leaves its figures behind on another page unless it is longer than one.
func TestARowStaysTogether(t *testing.T) {
	d := long(40)
	for i := range d.Lines {
		d.Lines[i].Description = "begin " + strings.Repeat("word ", 30+i) + "end"
		d.Lines[i].Amount = money.Amount(i + 1)
	}
	for i, page := range read(t, printed(t, d)) {
		begun, ended := strings.Count(page.String(), "begin"), strings.Count(page.String(), "end")
		if begun != ended || begun == 0 && i < 3 {
			t.Errorf("page %d: %d rows begin and %d end", i+1, begun, ended)
		}
	}
}

func TestARowLongerThanAPageIsTorn(t *testing.T) {
	d := ordinary()
	d.Lines[0].Description = strings.Repeat("line\n", 500) + "last"
	pages := read(t, printed(t, d))
	all := 0
	for _, page := range pages {
		all += strings.Count(page.String(), "\nline")
	}
	tidy(t, pages)
	if len(pages) < 8 || all != 500 || !strings.Contains(pages[len(pages)-1].String(), "Amount due") {
		t.Errorf("%d pages with %d lines", len(pages), all)
	}
}

func TestLongTextsAreWrapped(t *testing.T) {
	d := ordinary()
	for _, text := range []string{strings.Repeat("wort ", 200), strings.Repeat("x", 1000)} {
		d.Lines[0].Description, d.BillTo.Name, d.Business.Name, d.Notes, d.Reference, d.Taxes[0].Name = text, text, text, text, text, text
		tidy(t, read(t, printed(t, d)))
	}
}

// Wherever the lines end on a page, what they add up to stays in one place.
func TestTotalsStayTogether(t *testing.T) {
	for n := range 40 {
		pages := read(t, printed(t, long(n)))
		tidy(t, pages)
		for _, p := range pages {
			if strings.Contains(p.String(), "Subtotal") != strings.Contains(p.String(), "Amount due") {
				t.Errorf("%d lines: the totals are torn", n)
			}
		}
	}
}

func TestNotesAndTaxesMayTakePages(t *testing.T) {
	d := ordinary()
	d.Notes = strings.Repeat("note\n", 150)
	for range 150 {
		d.Taxes = append(d.Taxes, print.Tax{Name: "Levy", Rate: "1", Amount: 1})
	}
	pages := read(t, printed(t, d))
	tidy(t, pages)
	notes, levies := 0, 0
	for _, p := range pages {
		notes += strings.Count(p.String(), "\nnote")
		levies += strings.Count(p.String(), "Levy")
	}
	if notes != 150 || levies != 150 || len(pages) < 6 {
		t.Errorf("%d notes and %d taxes on %d pages", notes, levies, len(pages))
	}
}

func TestFiguresOfAnyLengthLeaveRoomForWords(t *testing.T) {
	d := ordinary()
	d.Currency = money.MustCurrency("KWD")
	d.Lines[0] = print.Line{
		Description: "Everything there is", Quantity: "-123456789012.123456", UnitPrice: "123456789012.1234567891", TaxRate: "99.9999",
		Discount: print.Discount{Amount: money.Max}, Amount: money.Min,
	}
	pages := read(t, printed(t, d))
	tidy(t, pages)
	page := pages[0]
	words := page.find(t, "Everything there is")
	for _, text := range []string{"-123,456,789,012.123456", "123,456,789,012.1234567891", "99.9999%", "9,007,199,254,740.991", "-9,007,199,254,740.991"} {
		if r := page.find(t, text); r.x < words.x+words.width || r.size < 4.5 {
			t.Errorf("%q at %.0f in size %.1f", text, r.x, r.size)
		}
	}
}

func TestCurrenciesHaveTheirOwnDecimals(t *testing.T) {
	d := ordinary()
	d.Currency = money.MustCurrency("JPY")
	page := read(t, printed(t, d))[0]
	for _, text := range []string{"AMOUNT JPY", "118,750", "JPY 163,614", "95", "49.9"} {
		page.find(t, text)
	}
}

func TestStampsCannotBeOverlooked(t *testing.T) {
	for stamp, across := range map[print.Stamp]bool{print.Draft: true, print.Void: true, print.Paid: false} {
		d := long(70)
		d.Stamp = stamp
		for i, page := range read(t, printed(t, d)) {
			large := 0
			for _, r := range page {
				if r.text == string(stamp) && r.size > 100 {
					large++
				}
			}
			if (large == 1) != across {
				t.Errorf("%s: %d times across page %d", stamp, large, i+1)
			}
			if i == 0 && page.find(t, string(stamp)).size == 0 {
				t.Errorf("%s is not on the first page", stamp)
			}
		}
	}
}

func TestTheSameInvoiceGivesTheSameBytes(t *testing.T) {
	want := printed(t, long(70))
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			if !bytes.Equal(printed(t, long(70)), want) {
				t.Error("another time, other bytes")
			}
		})
	}
	wait.Wait()
	if !bytes.Contains(want, []byte("/CreationDate(D:20261114000000")) {
		t.Error("the PDF was not made on the day of issue")
	}
	d := ordinary()
	d.IssueDate = "some day"
	if pdf := printed(t, d); bytes.Contains(pdf, []byte("CreationDate")) {
		t.Error("a day was invented")
	}
}

func TestTheLargestInvoiceIsPrintedWithoutDelay(t *testing.T) {
	d := long(200)
	for i := range d.Lines {
		d.Lines[i].Description = strings.Repeat("lorem ipsum ", 84)[:1000]
	}
	begun := time.Now()
	pdf := printed(t, d)
	// It takes about 0.1 s on a quiet machine. The bound only finds what grows with the square of the text.
	if took := time.Since(begun); took > 5*time.Second {
		t.Errorf("it took %v", took)
	}
	if pages := read(t, pdf); len(pages) < 50 {
		t.Errorf("%d pages", len(pages))
	}
}

type full struct{}

var errFull = errors.New("disk full")

func (full) Write([]byte) (int, error) { return 0, errFull }

func TestAWriterThatFailsIsReported(t *testing.T) {
	if err := print.Invoice(full{}, ordinary()); !errors.Is(err, errFull) {
		t.Errorf("got %v", err)
	}
}

package print_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"daybook/internal/base/money"
	"daybook/internal/books/print"
)

// asPrinted is what a customer's name looks like on paper.
func asPrinted(t testing.TB, name string) string {
	t.Helper()
	d := ordinary()
	d.BillTo = print.Party{Name: name}
	page := read(t, printed(t, d))[0]
	i := 0
	for page[i].text != "BILL TO" {
		i++
	}
	return page[i+1].text
}

func TestLettersOfEuropeArePrintedAsTheyAre(t *testing.T) {
	for _, name := range []string{
		"€ £ ¥ $ ¢ § © ® ™ № % ‰ °", "äöüß ÄÖÜ", "ąćęłńóśźż ĄĆĘŁŃÓŚŹŻ", "áéíóöőúüű ÁÉÍÓÖŐÚÜŰ", "čďěňřšťůž", "șțăâî", "ğışİ çëø å æ œ þ ð",
		"Ελληνικά Άλφα ωϊΐ", "Русский текст Ёё Щщ Ъъ", "Українська їєґ", "Српски ђћљњџ", "„Anführung“ «guillemets» ‚x‘ – — …",
	} {
		if got := asPrinted(t, name); got != name {
			t.Errorf("got %q, want %q", got, name)
		}
	}
}

func TestLettersThatAreMissingAreReplacedByTheNearestOrABox(t *testing.T) {
	for name, want := range map[string]string{
		"Nguyễn Thị Ệ":            "Nguyen Thi E",
		"Caf\u0065\u0301":         "Café", // a mark on its own joins its letter
		"１２３ ＡＢＣ":                 "123 ABC",
		"STRAẞE":                  "STRASSE",
		"株式会社 A":                  "□□□□ A",
		"שלום":                    "□□□□",
		"😀👩‍👩‍👧!":                 "□□□□!",
		"a\u00a0b\u2009c\td":      "a b c d",
		"a\u200bb\u202ec\x07\x00": "abc",
		"bad \xff\xfe":            "bad ��",
		"x\u0323\u030c":           "x",
		"₹ 5":                     "□ 5",
	} {
		if got := asPrinted(t, name); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
}

func FuzzInvoice(f *testing.F) {
	for _, s := range []string{"", "a", "\n\n", "\x00\xff", "株式会社", strings.Repeat("x", 500), strings.Repeat("a\n", 70), "-", "--1.2.3", "9007199254740992", "(\\)<>%"} {
		f.Add(s, s, s, int64(0), uint8(4))
		f.Add("name", s, "1", int64(-1<<63), uint8(5))
	}
	f.Fuzz(func(t *testing.T, name, text, figure string, amount int64, n uint8) {
		if len(name)+len(text)+len(figure) > 3000 {
			t.Skip("longer ones only take longer")
		}
		d := print.Document{
			Business: print.Business{Name: name, LegalName: text, TaxNumber: figure, Country: name},
			BillTo:   print.Party{Name: text, TaxNumber: name, Address: []string{figure, text}},
			Number:   name, IssueDate: figure, DueDate: text, Reference: text, Notes: text,
			Subtotal: money.Amount(amount), Total: money.Amount(amount), Paid: money.Amount(amount), WrittenOff: money.Amount(amount), Due: money.Amount(amount),
			Taxes: []print.Tax{{Name: text, Rate: figure, Taxable: money.Amount(amount)}},
			Stamp: []print.Stamp{print.NoStamp, print.Draft, print.Void, print.Paid, print.Stamp(name)}[n%5], TaxIncluded: n%2 == 0,
		}
		if n%3 == 0 {
			d.Currency = money.MustCurrency("EUR")
		}
		for range n % 4 {
			d.Lines = append(d.Lines, print.Line{
				Description: text, Code: name, Quantity: figure, UnitPrice: figure, TaxRate: figure, Amount: money.Amount(amount),
				Discount: print.Discount{Percent: figure, Amount: money.Amount(amount)},
			})
		}
		pages := read(t, printed(t, d))
		tidy(t, pages)
		for _, page := range pages {
			if !utf8.ValidString(page.String()) {
				t.Fatal(page)
			}
		}
	})
}

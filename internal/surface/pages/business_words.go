package pages

import (
	"strings"
	"time"

	"daybook/internal/base/money"
	"daybook/internal/books/invoice"
	"daybook/internal/books/ledger"
	"daybook/internal/books/party"
	"daybook/internal/books/payment"
)

// stamp is an instant as people of a business read it: how long ago it was while it is fresh, else on their clock; and exactly.
type stamp struct {
	Machine string // for programs
	Shown   string
	Exact   string
}

func (d *atDesk) stamp(t time.Time) stamp {
	there := t.In(d.facts.Zone)
	s := stamp{Machine: t.UTC().Format(time.RFC3339), Shown: there.Format("2 Jan 2006, 15:04"), Exact: there.Format("Monday 2 January 2006, 15:04:05 MST")}
	if since := d.now.Sub(t); since >= 0 && since < 24*time.Hour {
		s.Shown = ago(t, d.now)
	}
	return s
}

// day is a date as people write it.
func day(date string) string {
	t, err := time.Parse(time.DateOnly, date)
	if err != nil {
		return date
	}
	return t.Format("2 Jan 2006")
}

// sum is an amount with its currency.
type sum struct{ Code, Figure string }

func (s sum) String() string { return s.Code + " " + s.Figure }

// sumOf is an amount in a currency by its code.
func sumOf(a money.Amount, code string) sum {
	c, err := money.ParseCurrency(code)
	if err != nil {
		c = money.Currency{} // cannot be: it was checked when it was stored
	}
	return sum{code, figure(a, c)}
}

// base is an amount in the currency of the books.
func (d *atDesk) base(a money.Amount) sum { return sum{d.facts.Currency.Code(), d.figure(a)} }

// figure is an amount in the currency of the books, without its name.
func (d *atDesk) figure(a money.Amount) string { return figure(a, d.facts.Currency) }

// figure has a true minus, as wide as a digit.
func figure(a money.Amount, c money.Currency) string {
	return strings.Replace(money.Format(a, c), "-", "−", 1)
}

// number is a count, with commas between thousands.
func number(n int64) string { return money.Format(money.Amount(n), money.MustCurrency("JPY")) } // which has no decimals

// price is a price per unit, with all decimals of its currency at least.
func price(f money.Factor, code string) string {
	text := f.String()
	c, err := money.ParseCurrency(code)
	if err != nil {
		return text
	}
	missing := c.Exponent() - f.Decimals()
	if missing <= 0 {
		return text
	}
	if f.Decimals() == 0 {
		text += "."
	}
	return text + strings.Repeat("0", missing)
}

// orBlank is a figure, nothing for zero: the usual way in two columns of which one is empty.
func (d *atDesk) orBlank(a money.Amount) string {
	if a == 0 {
		return ""
	}
	return d.figure(a)
}

// invoiceWords are the statuses of invoices.
var invoiceWords = map[invoice.Status]state{
	invoice.Draft: {"Draft", "off"}, invoice.Open: {"Open", "wait"}, invoice.PartiallyPaid: {"Partly paid", "wait"},
	invoice.Paid: {"Paid", "good"}, invoice.Void: {"Void", "off"}, invoice.Uncollectible: {"Written off", "bad"},
}

// invoiceState is the status of an invoice; being overdue says more than being open.
func invoiceState(i invoice.Invoice) state {
	if i.Overdue && i.Status == invoice.PartiallyPaid {
		return state{"Partly paid, overdue", "bad"}
	}
	if i.Overdue {
		return state{"Overdue", "bad"}
	}
	return invoiceWords[i.Status]
}

// invoiceTitle is what people call an invoice.
func invoiceTitle(number string) string {
	if number == "" {
		return "Draft invoice"
	}
	return "Invoice " + number
}

var partyWords = map[party.Status]state{
	party.Active: {"Active", "good"}, party.Archived: {"Archived", "off"}, party.Redacted: {"Redacted", "off"},
}

var paymentKinds = map[payment.Kind]string{payment.Receipt: "Received", payment.Disbursement: "Paid out", payment.Refund: "Refunded"}

var paymentMethods = map[payment.Method]string{
	payment.BankTransfer: "Bank transfer", payment.Card: "Card", payment.Cash: "Cash", payment.Check: "Check", payment.DirectDebit: "Direct debit",
	payment.Other: "Other",
}

var entryWords = map[ledger.EntryStatus]state{
	ledger.Draft: {"Draft", "off"}, ledger.Posted: {"Posted", "good"}, ledger.Reversed: {"Reversed", "warn"},
}

// entryTitle is what people call a journal entry.
func entryTitle(number string) string {
	if number == "" {
		return "Draft entry"
	}
	return "Entry " + number
}

// addressLines is an address as it stands on a letter.
func addressLines(a *party.Address) []string {
	if a == nil {
		return nil
	}
	var lines []string
	for _, line := range []string{text(a.Line1), text(a.Line2), strings.TrimSpace(text(a.PostalCode) + " " + text(a.City)), text(a.Region), text(a.Country)} {
		if line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

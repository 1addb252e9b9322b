package invoice

import (
	"cmp"
	"context"
	"slices"

	"daybook/internal/base/fault"
	"daybook/internal/base/money"
	"daybook/internal/books/ledger"
	"daybook/internal/books/party"
	"daybook/internal/books/record"
	"daybook/internal/books/tax"
)

// job is an invoice being worked out, with what it is worked out from.
type job struct {
	Invoice
	customer party.Party
	chart    ledger.Chart
	rates    map[string]tax.Rate
	booking  booking // once it is ready to be issued
}

// work makes a draft of what a caller wants: it finds what the wish refers to, fills in defaults and calculates. was is the
// draft as it is now, nil for a new one; what it already refers to is judged anew only when it is to be issued. Nothing is
// written.
func (s *Service) work(ctx context.Context, b *ledger.Book, w wish, was *Invoice) (*job, error) {
	j := &job{Invoice: Invoice{BusinessID: b.BusinessID, Status: Draft}}
	if was != nil {
		j.Invoice = *was
	}
	var err error
	if j.customer, err = s.Parties.FindIn(ctx, b, record.Customer, w.customerID, "customerId"); err != nil {
		return nil, err
	}
	if was == nil || w.issue || was.CustomerID != w.customerID {
		if err := j.customer.Usable(); err != nil {
			return nil, err
		}
	}
	if err := j.fill(b, w); err != nil {
		return nil, err
	}
	if err := s.lines(ctx, b, j, w); err != nil {
		return nil, err
	}
	if err := j.calculate(j.rates); err != nil {
		return nil, err
	}
	if w.expected != nil && *w.expected != j.Total {
		return nil, ErrTotal.With(*w.expected, j.Total)
	}
	if w.number != "" && (was == nil || was.Number != w.number) {
		used, err := usedNumbers(ctx, b, w.number)
		if err != nil {
			return nil, err
		}
		if len(used) > 0 {
			return nil, ErrNumber.With(w.number)
		}
	}
	return j, nil
}

// fill sets the members that need no further look-up.
func (j *job) fill(b *ledger.Book, w wish) error {
	j.CustomerID, j.Number = w.customerID, w.number
	j.Reference, j.Notes, j.ExternalID = w.reference, w.notes, w.externalID
	if b.Actor.AppID == "" { // only apps have names for records
		j.ExternalID = nil
	}
	j.TaxMode = cmp.Or(w.mode, b.Defaults.TaxMode)
	j.TaxRounding = cmp.Or(w.rounding, Rounding(b.Defaults.TaxRounding))
	j.IssueDate = cmp.Or(w.issueDate, b.Today())
	j.DueDate = cmp.Or(w.dueDate, dueDate(j.IssueDate, j.customer, b))
	if j.DueDate < j.IssueDate {
		return fault.InvalidFields("dueDate must not be before issueDate, " + j.IssueDate)
	}
	before := j.Currency
	j.Currency = cmp.Or(w.currency, j.customer.Currency.Code())
	j.ExchangeRate = w.rate
	if w.rateKept && j.Currency != before { // it is another currency's
		j.ExchangeRate = nil
	}
	return j.judgeExchangeRate(b.Currency)
}

// judgeExchangeRate: in the base currency there is none, and no other may be asked for than 1.
func (j *job) judgeExchangeRate(base money.Currency) error {
	foreign := j.Currency != base.Code()
	switch {
	case foreign && j.ExchangeRate == nil:
		return ErrRate.With(j.Currency, base.Code())
	case foreign:
		return nil
	case j.ExchangeRate != nil && *j.ExchangeRate != one:
		return fault.InvalidFields("exchangeRate must be absent or \"1\" for an invoice in " + j.Currency + ", the currency of the business")
	}
	j.ExchangeRate = nil
	return nil
}

// lastDay that books may have.
const lastDay = "2199-12-31"

// dueDate by the customer's terms, else the business's.
func dueDate(issueDate string, customer party.Party, b *ledger.Book) string {
	days := b.Defaults.PaymentTermsDays
	if customer.PaymentTermsDays != nil {
		days = *customer.PaymentTermsDays
	}
	return min(record.AddDays(issueDate, days), lastDay)
}

// lines finds and judges the accounts and rates that the lines name or get by default.
func (s *Service) lines(ctx context.Context, b *ledger.Book, j *job, w wish) (err error) {
	fresh := func(l wishedLine) bool { return !l.kept || w.issue }
	if slices.ContainsFunc(w.lines, fresh) {
		roles := []ledger.Role{ledger.DefaultSales}
		if w.issue {
			roles = append(roles, ledger.Receivable, ledger.OutputTax)
		}
		if j.chart, err = b.Accounts(ctx, roles, accountIDs(w.lines)...); err != nil {
			return err
		}
	}
	for n := range w.lines {
		if fresh(w.lines[n]) {
			if err := j.account(&w.lines[n], linePaths[n]); err != nil {
				return err
			}
		}
	}
	if j.rates, err = s.Taxes.RatesIn(ctx, b, rateIDs(w.lines)); err != nil {
		return err
	}
	j.Lines = make([]Line, len(w.lines))
	for n, l := range w.lines {
		if err := judgeRate(j.rates, l, fresh(l), linePaths[n]); err != nil {
			return err
		}
		j.Lines[n] = l.Line
	}
	return nil
}

// account judges the account of a line, or gives it the business's, and then a rate of tax if the caller chose none.
func (j *job) account(l *wishedLine, path string) error {
	named := l.AccountID != ""
	if !named {
		l.AccountID = j.chart.Role(ledger.DefaultSales).ID
	}
	a, err := j.chart.Usable(path+"accountId", l.AccountID)
	if err != nil {
		return err
	}
	if a.Type != ledger.Revenue {
		return ledger.ErrType.With(path+"accountId", ledger.Revenue)
	}
	if !l.taxed && j.TaxMode != money.Untaxed {
		l.TaxRateID = j.customer.DefaultTaxRateID
		if named && a.DefaultTaxRateID != nil {
			l.TaxRateID = a.DefaultTaxRateID
		}
	}
	return nil
}

func judgeRate(rates map[string]tax.Rate, l wishedLine, fresh bool, path string) error {
	if l.TaxRateID == nil {
		return nil
	}
	rate, ok := rates[*l.TaxRateID]
	switch {
	case !ok:
		return record.ErrReference.With(path + "taxRateId")
	case !fresh:
		return nil
	case rate.Kind == tax.Purchase:
		return fault.InvalidFields(path + "taxRateId must be a tax rate for sales")
	}
	return rate.Usable()
}

func accountIDs(lines []wishedLine) []string {
	return distinct(lines, func(l wishedLine) string { return l.AccountID })
}

func rateIDs(lines []wishedLine) []string {
	return distinct(lines, func(l wishedLine) string {
		if l.TaxRateID == nil {
			return ""
		}
		return *l.TaxRateID
	})
}

// distinct lists what the lines have, each once and nothing empty.
func distinct(lines []wishedLine, of func(wishedLine) string) []string {
	var list []string
	for _, l := range lines {
		if v := of(l); v != "" && !slices.Contains(list, v) {
			list = append(list, v)
		}
	}
	return list
}

package pages

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strings"

	"daybook/internal/base/money"
	"daybook/internal/books/record"
	"daybook/internal/books/report"
	"daybook/internal/surface/wire"
)

type reportsView struct{ Reports []reportLink }

type reportLink struct{ Path, Title, About string }

var reportsPage = newPage[reportsView]("business-reports.html")

var reportLinks = []reportLink{
	{"/reports/profit-and-loss", "Profit and loss", "What was earned and spent in a period, and what is left."},
	{"/reports/balance-sheet", "Balance sheet", "What the business has and owes at the end of a day."},
	{"/reports/aged-receivables", "Aged receivables", "What customers owe, by how long it has been due."},
	{"/reports/trial-balance", "Trial balance", "The balance of every account at the end of a day."},
}

func (s *Site) businessReports(w http.ResponseWriter, r *http.Request, d *atDesk) error {
	reportsPage.write(w, r, s, http.StatusOK, d.frame("Reports", "Reports"), reportsView{reportLinks})
	return nil
}

// reportView is a report: tables of figures with their totals.
type reportView struct {
	Title, Path, Period, Currency string
	From, To, AsOf                string // of the form
	HasPeriod                     bool
	Sections                      []reportSection
	Result                        *reportTotal // of all sections
}

type reportSection struct {
	Title   string
	First   string // what the rows are
	Columns []string
	Rows    []reportRow
	Total   *reportTotal
}

type reportRow struct {
	Code, Name, Path string
	Figures          []figureIn
	Brief            []fact // the figures that a phone has no room for
}

// figureIn is a figure in its column; those that stand aside move under the name of the row on a phone.
type figureIn struct {
	Text  string
	Aside bool
}

type reportTotal struct {
	Name    string
	Figures []figureIn
	Span    int
}

var reportPage = newPage[reportView]("business-report.html")

func (s *Site) businessReport(w http.ResponseWriter, r *http.Request, d *atDesk) error {
	makers := map[string]func(context.Context, *atDesk, *reportView) error{
		"profit-and-loss": s.profitAndLoss, "balance-sheet": s.balanceSheet, "aged-receivables": s.agedReceivables, "trial-balance": s.trialBalance,
	}
	name := r.PathValue("name")
	make, known := makers[name]
	if !known {
		return wire.ErrNotFound
	}
	q := newQuery(r, "from", "to", "asOf")
	v := reportView{Path: "/reports/" + name, Currency: d.facts.Currency.Code(), From: q.get("from"), To: q.get("to"), AsOf: q.get("asOf")}
	at := slices.IndexFunc(reportLinks, func(l reportLink) bool { return l.Path == v.Path })
	v.Title = reportLinks[at].Title
	if err := make(r.Context(), d, &v); err != nil {
		return err
	}
	reportPage.write(w, r, s, http.StatusOK, d.frame("Reports", v.Title, crumb{"Reports", "/reports"}, crumb{v.Title, ""}), v)
	return nil
}

// given is a day that was asked for; nil leaves it to the report.
func given(date string) *string {
	if date == "" {
		return nil
	}
	return &date
}

// plain are figures that always stand in their columns.
func plain(texts ...string) []figureIn {
	var list []figureIn
	for _, t := range texts {
		list = append(list, figureIn{Text: t})
	}
	return list
}

// section of accounts with one figure each.
func (d *atDesk) section(title, total string, in report.Section) reportSection {
	out := reportSection{Title: title, First: "Account", Columns: []string{"Amount"}}
	for _, r := range in.Rows {
		row := reportRow{Code: r.Code, Name: r.Name, Figures: plain(d.figure(r.Amount))}
		if r.AccountID != "" {
			row.Path = "/accounts/" + r.AccountID
		}
		out.Rows = append(out.Rows, row)
	}
	out.Total = &reportTotal{total, plain(d.figure(in.Total)), 1}
	return out
}

func (s *Site) profitAndLoss(ctx context.Context, d *atDesk, v *reportView) error {
	got, err := s.Reports.ProfitAndLoss(ctx, d.by, report.Period{From: given(v.From), To: given(v.To)})
	if err != nil {
		return err
	}
	v.HasPeriod, v.From, v.To = true, got.From, got.To
	v.Period = day(got.From) + " to " + day(got.To)
	v.Sections = []reportSection{d.section("Revenue", "Total revenue", got.Revenue), d.section("Expenses", "Total expenses", got.Expenses)}
	name := "Net profit"
	if got.NetProfit < 0 {
		name = "Net loss"
	}
	v.Result = &reportTotal{name, plain(d.figure(got.NetProfit)), 1}
	return nil
}

func (s *Site) balanceSheet(ctx context.Context, d *atDesk, v *reportView) error {
	got, err := s.Reports.BalanceSheet(ctx, d.by, given(v.AsOf))
	if err != nil {
		return err
	}
	v.AsOf, v.Period = got.AsOf, "At the end of "+day(got.AsOf)
	v.Sections = []reportSection{
		d.section("Assets", "Total assets", got.Assets), d.section("Liabilities", "Total liabilities", got.Liabilities), d.section("Equity", "Total equity", got.Equity),
	}
	v.Result = &reportTotal{"Liabilities and equity", plain(d.figure(got.Liabilities.Total + got.Equity.Total)), 1}
	return nil
}

func (s *Site) trialBalance(ctx context.Context, d *atDesk, v *reportView) error {
	got, err := s.Reports.TrialBalance(ctx, d.by, given(v.AsOf))
	if err != nil {
		return err
	}
	v.AsOf, v.Period = got.AsOf, "At the end of "+day(got.AsOf)
	out := reportSection{First: "Account", Columns: []string{"Debit", "Credit"}}
	for _, r := range got.Rows {
		out.Rows = append(out.Rows, reportRow{Code: r.Code, Name: r.Name, Path: "/accounts/" + r.AccountID, Figures: plain(d.orBlank(r.Debit), d.orBlank(r.Credit))})
	}
	out.Total = &reportTotal{"Total", plain(d.figure(got.DebitTotal), d.figure(got.CreditTotal)), 2}
	v.Sections = []reportSection{out}
	return nil
}

// agedColumns are how long something has been due; the last is all of it.
var agedColumns = []string{"Not yet due", "1–30 days", "31–60 days", "61–90 days", "Over 90", "Total"}

func (s *Site) agedReceivables(ctx context.Context, d *atDesk, v *reportView) error {
	got, err := s.Reports.AgedReceivables(ctx, d.by, given(v.AsOf))
	if err != nil {
		return err
	}
	v.AsOf, v.Period = got.AsOf, "At the end of "+day(got.AsOf)
	var ids []string
	for _, r := range got.Rows {
		ids = append(ids, r.CustomerID)
	}
	known, err := d.partyNames(ctx, record.Customer, ids)
	if err != nil {
		return err
	}
	out := reportSection{First: "Customer", Columns: agedColumns}
	for _, r := range got.Rows {
		row := reportRow{Name: cmp.Or(known[r.CustomerID], r.CustomerID)}
		if known[r.CustomerID] != "" {
			row.Path = "/customers/" + r.CustomerID
		}
		row.Figures, row.Brief = d.aged(r.Ages)
		out.Rows = append(out.Rows, row)
	}
	slices.SortFunc(out.Rows, func(a, b reportRow) int {
		return cmp.Or(cmp.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)), cmp.Compare(a.Path, b.Path))
	})
	figures, _ := d.aged(got.Totals)
	out.Total = &reportTotal{"Total", figures, len(figures)}
	v.Sections = []reportSection{out}
	return nil
}

// aged are the figures of one customer; on a phone only the last has a column.
func (d *atDesk) aged(a report.Ages) (figures []figureIn, brief []fact) {
	for i, amount := range []money.Amount{a.Current, a.Days1to30, a.Days31to60, a.Days61to90, a.Over90} {
		figures = append(figures, figureIn{d.orBlank(amount), true})
		if amount != 0 {
			brief = append(brief, fact{agedColumns[i], d.figure(amount)})
		}
	}
	return append(figures, figureIn{Text: d.figure(a.Total)}), brief
}

package partnerapi

import (
	"context"
	"net/url"

	"daybook/internal/books/report"
	"daybook/internal/platform/scope"
	"daybook/internal/tenancy/business"
)

type trialBalanceDoc struct {
	AsOf        string        `json:"asOf"`
	Currency    string        `json:"currency"`
	Rows        []trialRowDoc `json:"rows" nullable:"false"`
	DebitTotal  amount        `json:"debitTotal"`
	CreditTotal amount        `json:"creditTotal"`
}

type trialRowDoc struct {
	AccountID string `json:"accountId"`
	Code      string `json:"code"`
	Name      string `json:"name"`
	Type      string `json:"type" enum:"ASSET,LIABILITY,EQUITY,REVENUE,EXPENSE"`
	Debit     amount `json:"debit"`
	Credit    amount `json:"credit"`
}

type reportRowDoc struct {
	AccountID *string `json:"accountId" doc:"Null for a result that no entry has moved to an account yet"`
	Code      *string `json:"code"`
	Name      string  `json:"name"`
	Amount    amount  `json:"amount"`
}

type sectionDoc struct {
	Rows  []reportRowDoc `json:"rows" nullable:"false"`
	Total amount         `json:"total"`
}

type profitAndLossDoc struct {
	From         string         `json:"from"`
	To           string         `json:"to"`
	Currency     string         `json:"currency"`
	Revenue      []reportRowDoc `json:"revenue" nullable:"false"`
	RevenueTotal amount         `json:"revenueTotal"`
	Expenses     []reportRowDoc `json:"expenses" nullable:"false"`
	ExpenseTotal amount         `json:"expenseTotal"`
	NetProfit    amount         `json:"netProfit"`
}

type balanceSheetDoc struct {
	AsOf        string     `json:"asOf"`
	Currency    string     `json:"currency"`
	Assets      sectionDoc `json:"assets"`
	Liabilities sectionDoc `json:"liabilities"`
	Equity      sectionDoc `json:"equity"`
}

type agesDoc struct {
	Current    amount `json:"current"`
	Days1to30  amount `json:"days1to30"`
	Days31to60 amount `json:"days31to60"`
	Days61to90 amount `json:"days61to90"`
	Over90     amount `json:"over90"`
	Total      amount `json:"total"`
}

type agedRowDoc struct {
	CustomerID string `json:"customerId"`
	Current    amount `json:"current"`
	Days1to30  amount `json:"days1to30"`
	Days31to60 amount `json:"days31to60"`
	Days61to90 amount `json:"days61to90"`
	Over90     amount `json:"over90"`
	Total      amount `json:"total"`
}

type agedReceivablesDoc struct {
	AsOf     string       `json:"asOf"`
	Currency string       `json:"currency"`
	Rows     []agedRowDoc `json:"rows" nullable:"false"`
	Totals   agesDoc      `json:"totals"`
}

func newTrialBalanceDoc(t report.TrialBalance) trialBalanceDoc {
	return trialBalanceDoc{
		AsOf: t.AsOf, Currency: t.Currency.Code(), DebitTotal: t.DebitTotal, CreditTotal: t.CreditTotal,
		Rows: each(t.Rows, func(r report.TrialRow) trialRowDoc {
			return trialRowDoc{r.AccountID, r.Code, r.Name, string(r.Type), r.Debit, r.Credit}
		}),
	}
}

func newReportRowDoc(r report.Row) reportRowDoc {
	d := reportRowDoc{Name: r.Name, Amount: r.Amount}
	if r.AccountID != "" {
		d.AccountID, d.Code = &r.AccountID, &r.Code
	}
	return d
}

func newSectionDoc(s report.Section) sectionDoc {
	return sectionDoc{each(s.Rows, newReportRowDoc), s.Total}
}

func newProfitAndLossDoc(p report.ProfitAndLoss) profitAndLossDoc {
	return profitAndLossDoc{
		From: p.From, To: p.To, Currency: p.Currency.Code(), Revenue: each(p.Revenue.Rows, newReportRowDoc), RevenueTotal: p.Revenue.Total,
		Expenses: each(p.Expenses.Rows, newReportRowDoc), ExpenseTotal: p.Expenses.Total, NetProfit: p.NetProfit,
	}
}

func newBalanceSheetDoc(b report.BalanceSheet) balanceSheetDoc {
	return balanceSheetDoc{b.AsOf, b.Currency.Code(), newSectionDoc(b.Assets), newSectionDoc(b.Liabilities), newSectionDoc(b.Equity)}
}

func newAgedReceivablesDoc(a report.AgedReceivables) agedReceivablesDoc {
	return agedReceivablesDoc{
		AsOf: a.AsOf, Currency: a.Currency.Code(), Totals: agesDoc(a.Totals),
		Rows: each(a.Rows, func(r report.AgedRow) agedRowDoc {
			return agedRowDoc{r.CustomerID, r.Current, r.Days1to30, r.Days31to60, r.Days61to90, r.Over90, r.Total}
		}),
	}
}

// given is a parameter that may be absent.
func given(q url.Values, name string) *string {
	if !q.Has(name) {
		return nil
	}
	value := q.Get(name)
	return &value
}

func (a *API) reportRoutes() []Route {
	row := func(name, summary string, v verb, params ...Param) Route {
		return Route{Method: "GET", Path: "/reports/" + name, Scopes: []scope.Scope{scope.ReportsRead}, Permission: business.ReportsView, Partner: true,
			Summary: summary, Params: params, verb: v}
	}
	asOf := Param{"asOf", "The day at whose end it is drawn up; by default today."}
	return []Route{
		row("trial-balance", "Balance of every account", show(func(ctx context.Context, c *call) (trialBalanceDoc, error) {
			t, err := a.Reports.TrialBalance(ctx, c.by, given(c.request.URL.Query(), "asOf"))
			return newTrialBalanceDoc(t), err
		}), asOf),
		row("profit-and-loss", "Revenue and expenses of a period", show(func(ctx context.Context, c *call) (profitAndLossDoc, error) {
			q := c.request.URL.Query()
			p, err := a.Reports.ProfitAndLoss(ctx, c.by, report.Period{From: given(q, "from"), To: given(q, "to")})
			return newProfitAndLossDoc(p), err
		}), Param{"from", "The first day; by default the first of the year."}, Param{"to", "The last day; by default today."}),
		row("balance-sheet", "What the business has and owes", show(func(ctx context.Context, c *call) (balanceSheetDoc, error) {
			b, err := a.Reports.BalanceSheet(ctx, c.by, given(c.request.URL.Query(), "asOf"))
			return newBalanceSheetDoc(b), err
		}), asOf),
		row("aged-receivables", "What customers owe, by how long it is overdue", show(func(ctx context.Context, c *call) (agedReceivablesDoc, error) {
			r, err := a.Reports.AgedReceivables(ctx, c.by, given(c.request.URL.Query(), "asOf"))
			return newAgedReceivablesDoc(r), err
		}), asOf),
	}
}

package pages

import (
	"net/http"

	"daybook/internal/books/ledger"
	"daybook/internal/platform/appdata"
	"daybook/internal/tenancy/business"
)

type accountsView struct {
	Currency string
	Groups   []accountGroup
	Text     string
	Pager    pager
	Filtered bool
}

type accountGroup struct {
	Title string
	Rows  []accountRow
}

type accountRow struct {
	Path, Code, Name, Sort string
	Archived               bool
	Balance                string
}

var accountsPage = newPage[accountsView]("business-accounts.html")

// accountGroups are the parts of a chart, in the order of their usual codes.
var accountGroups = []struct {
	kind  ledger.AccountType
	title string
}{
	{ledger.Asset, "Assets"}, {ledger.Liability, "Liabilities"}, {ledger.Equity, "Equity"}, {ledger.Revenue, "Revenue"}, {ledger.Expense, "Expenses"},
}

// businessAccounts shows the chart. The balances are what the books say at the end of today, for those who may see the journal.
func (s *Site) businessAccounts(w http.ResponseWriter, r *http.Request, d *atDesk) error {
	q := newQuery(r, "text")
	v := accountsView{Currency: d.facts.Currency.Code(), Text: q.get("text"), Filtered: q.get("text") != ""}
	q.set("sort", "code")
	q.set("limit", "50")
	if len([]rune(v.Text)) >= 2 {
		q.set("q", v.Text)
	}
	page, err := s.Ledger.ListAccounts(r.Context(), d.by, q.params)
	if err != nil {
		return err
	}
	var ids []string
	for _, a := range page.Data {
		ids = append(ids, a.ID)
	}
	balances, err := s.Ledger.Balances(r.Context(), d.by, ids, "")
	if err != nil {
		return err
	}
	for _, group := range accountGroups {
		g := accountGroup{Title: group.title}
		for _, a := range page.Data {
			if a.Type != group.kind {
				continue
			}
			row := accountRow{Path: "/accounts/" + a.ID, Code: a.Code, Name: a.Name, Archived: a.Status == ledger.Archived, Balance: d.figure(balances[a.ID])}
			if a.Subtype != nil {
				row.Sort = shownWord(*a.Subtype)
			}
			g.Rows = append(g.Rows, row)
		}
		if len(g.Rows) > 0 {
			v.Groups = append(v.Groups, g)
		}
	}
	v.Pager = q.pager(page.Next)
	accountsPage.write(w, r, s, http.StatusOK, d.frame("Accounts", "Accounts"), v)
	return nil
}

type ledgerAccountView struct {
	Code, Name, ID string
	Status         state
	Balance        sum
	Facts          []fact
	Description    string
	From, To       string // of the statement
	MayJournal     bool
	Lines          []statementRow
	Pager          pager
	Made           madeView
	Apps           []appFields
	Guests         guests
}

type statementRow struct {
	Path, Date, Number, Text string
	Debit, Credit, Balance   string
}

var ledgerAccountPage = newPage[ledgerAccountView]("business-account.html")

func (s *Site) businessAccount(w http.ResponseWriter, r *http.Request, d *atDesk) error {
	return s.showAccount(w, r, http.StatusOK, d, nil)
}

func (s *Site) showAccount(w http.ResponseWriter, r *http.Request, status int, d *atDesk, attempt *fieldAttempt) error {
	ctx := r.Context()
	a, err := s.Ledger.Account(ctx, d.by, r.PathValue("id"))
	if err != nil {
		return err
	}
	balances, err := s.Ledger.Balances(ctx, d.by, []string{a.ID}, "")
	if err != nil {
		return err
	}
	v := ledgerAccountView{
		Code: a.Code, Name: a.Name, ID: a.ID, Status: state{"Active", "good"}, Balance: d.base(balances[a.ID]), Description: text(a.Description),
		MayJournal: d.access.May(business.JournalView),
	}
	if a.Status == ledger.Archived {
		v.Status = state{"Archived", "off"}
	}
	grows := "Credit"
	if a.DebitNormal() {
		grows = "Debit"
	}
	sort, role := "", ""
	if a.Subtype != nil {
		sort = shownWord(*a.Subtype)
	}
	if a.Role != nil {
		role = "The books use it as: " + shownWord(*a.Role)
	}
	v.Facts = facts("Type", shownWord(a.Type), "Sort", sort, "Grows by", grows, "Currency", text(a.Currency), "Use", role)
	if v.MayJournal {
		q := newQuery(r, "from", "to")
		q.path = "/accounts/" + a.ID // also after a form that was refused
		v.From, v.To = q.get("from"), q.get("to")
		q.set("dateFrom", v.From)
		q.set("dateTo", v.To)
		page, err := s.Ledger.Statement(ctx, d.by, a.ID, q.params)
		if err != nil {
			return err
		}
		for _, l := range page.Data {
			row := statementRow{
				Path: "/journal/" + l.EntryID, Date: day(l.Date), Number: ledger.EntryNumber(l.EntryNumber), Text: text(l.Description),
				Debit: d.orBlank(l.Debit), Credit: d.orBlank(l.Credit), Balance: d.figure(l.Balance),
			}
			if row.Text == "" {
				row.Text = text(l.Memo)
			}
			v.Lines = append(v.Lines, row)
		}
		v.Pager = q.pager(page.Next)
	}
	if v.Made, err = d.made(ctx, a.MadeBy, a.ChangedBy, a.CreatedAt, a.UpdatedAt, a.Version); err != nil {
		return err
	}
	if v.Apps, err = d.fields(r, appdata.Account, "accounts", a.ID, attempt); err != nil {
		return err
	}
	if v.Guests, err = d.guests(r, appdata.Account, "accounts", a.ID); err != nil {
		return err
	}
	title := a.Code + " " + a.Name
	ledgerAccountPage.write(w, r, s, status, d.frame("Accounts", title, crumb{"Accounts", "/accounts"}, crumb{title, ""}), v)
	return nil
}

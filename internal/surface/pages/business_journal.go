package pages

import (
	"context"
	"net/http"

	"daybook/internal/books/ledger"
	"daybook/internal/books/record"
	"daybook/internal/platform/appdata"
	"daybook/internal/tenancy/business"
)

type journalView struct {
	From, To string
	Sources  []option
	Source   string // the document that the entries follow from; empty for any
	Currency string
	Entries  []entryView
	Pager    pager
	Filtered bool
}

// entryView is a journal entry, in the list and on its own page.
type entryView struct {
	ID, Path, Title, Date, Memo string
	Status                      state
	Plain                       bool // posted, as nearly all are
	SourceText, SourcePath      string
	ReversalOf, ReversedBy      string // paths
	Lines                       []entryLine
	Debit, Credit               string
	Currency                    string
	Made                        madeView
	Apps                        []appFields
	Guests                      guests
}

type entryLine struct {
	Code, Name, AccountPath, Text, Party, PartyPath string
	Foreign                                         string
	Debit, Credit                                   string
}

var (
	journalPage = newPage[journalView]("business-journal.html")
	entryPage   = newPage[entryView]("business-entry.html")
)

// journalSize is less than that of other lists: an entry has lines of its own.
const journalSize = "15"

func (s *Site) businessJournal(w http.ResponseWriter, r *http.Request, d *atDesk) error {
	q := newQuery(r, "from", "to", "by", "source")
	v := journalView{From: q.get("from"), To: q.get("to"), Source: q.get("source"), Currency: d.facts.Currency.Code()}
	v.Sources = options(q.get("by"), "", "Anything", "MANUAL", "Posted by hand", "INVOICE", "Invoices", "PAYMENT", "Payments", "SYSTEM", "The system")
	v.Filtered = v.From != "" || v.To != "" || q.get("by") != "" || v.Source != ""
	q.set("limit", journalSize)
	q.set("sort", "-date")
	q.set("dateFrom", v.From)
	q.set("dateTo", v.To)
	q.set("sourceType", among(q.get("by"), v.Sources))
	q.set("sourceId", v.Source)
	page, err := s.Ledger.ListEntries(r.Context(), d.by, q.params)
	if err != nil {
		return err
	}
	if v.Entries, err = d.entries(r.Context(), page.Data); err != nil {
		return err
	}
	v.Pager = q.pager(page.Next)
	journalPage.write(w, r, s, http.StatusOK, d.frame("Journal", "Journal"), v)
	return nil
}

func (s *Site) businessEntry(w http.ResponseWriter, r *http.Request, d *atDesk) error {
	return s.showEntry(w, r, http.StatusOK, d, nil)
}

func (s *Site) showEntry(w http.ResponseWriter, r *http.Request, status int, d *atDesk, attempt *fieldAttempt) error {
	ctx := r.Context()
	e, err := s.Ledger.Entry(ctx, d.by, r.PathValue("id"))
	if err != nil {
		return err
	}
	list, err := d.entries(ctx, []ledger.Entry{e})
	if err != nil {
		return err
	}
	v := list[0]
	if v.Apps, err = d.fields(r, appdata.JournalEntry, "journal", e.ID, attempt); err != nil {
		return err
	}
	if v.Guests, err = d.guests(r, appdata.JournalEntry, "journal", e.ID); err != nil {
		return err
	}
	entryPage.write(w, r, s, status, d.frame("Journal", v.Title, crumb{"Journal", "/journal"}, crumb{v.Title, ""}), v)
	return nil
}

// entries are journal entries with the names of their accounts and parties.
func (d *atDesk) entries(ctx context.Context, list []ledger.Entry) ([]entryView, error) {
	var accountIDs, customerIDs, supplierIDs []string
	for _, e := range list {
		for _, l := range e.Lines {
			accountIDs = append(accountIDs, l.AccountID)
			customerIDs, supplierIDs = append(customerIDs, text(l.CustomerID)), append(supplierIDs, text(l.SupplierID))
		}
	}
	accounts, err := d.accounts(ctx, accountIDs)
	if err != nil {
		return nil, err
	}
	who, err := d.partyNames(ctx, record.Customer, customerIDs)
	if err != nil {
		return nil, err
	}
	others, err := d.partyNames(ctx, record.Supplier, supplierIDs)
	if err != nil {
		return nil, err
	}
	var views []entryView
	for _, e := range list {
		v := entryView{
			ID: e.ID, Path: "/journal/" + e.ID, Title: entryTitle(e.NumberText()), Date: day(e.Date), Memo: text(e.Memo), Status: entryWords[e.Status],
			Plain: e.Status == ledger.Posted, Debit: d.figure(e.DebitTotal), Credit: d.figure(e.CreditTotal), Currency: d.facts.Currency.Code(),
		}
		v.SourceText, v.SourcePath = d.source(e.Source)
		if e.ReversalOf != nil {
			v.ReversalOf = "/journal/" + *e.ReversalOf
		}
		if e.ReversedBy != nil {
			v.ReversedBy = "/journal/" + *e.ReversedBy
		}
		for _, l := range e.Lines {
			line := entryLine{Name: l.AccountID, Text: text(l.Description), Debit: d.orBlank(l.Debit), Credit: d.orBlank(l.Credit)}
			if a, ok := accounts[l.AccountID]; ok {
				line.Code, line.Name, line.AccountPath = a.Code, a.Name, "/accounts/"+a.ID
			}
			if name := who[text(l.CustomerID)]; name != "" {
				line.Party, line.PartyPath = name, "/customers/"+*l.CustomerID
			}
			if name := others[text(l.SupplierID)]; name != "" {
				line.Party, line.PartyPath = name, "/suppliers/"+*l.SupplierID
			}
			if l.ForeignAmount != nil && l.Currency != nil {
				line.Foreign = sumOf(*l.ForeignAmount, *l.Currency).String()
			}
			v.Lines = append(v.Lines, line)
		}
		if v.Made, err = d.made(ctx, e.MadeBy, e.MadeBy, e.CreatedAt, e.UpdatedAt, 1); err != nil { // a posted entry never changes
			return nil, err
		}
		views = append(views, v)
	}
	return views, nil
}

// source says what an entry follows from, and where that is.
func (d *atDesk) source(s ledger.Source) (words, path string) {
	switch s.Type {
	case ledger.FromInvoice:
		if d.access.May(business.InvoicesView) {
			path = "/invoices/" + s.ID
		}
		return "Invoice", path
	case ledger.FromPayment:
		if d.access.May(business.PaymentsView) {
			path = "/payments/" + s.ID
		}
		return "Payment", path
	case ledger.FromManual:
		return "Posted by hand", ""
	}
	return "The system", ""
}

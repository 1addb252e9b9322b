package pages

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"strings"

	"daybook/internal/base/money"
	"daybook/internal/books/invoice"
	"daybook/internal/books/party"
	"daybook/internal/books/payment"
	"daybook/internal/books/record"
	"daybook/internal/books/report"
	"daybook/internal/platform/appdata"
	"daybook/internal/platform/event"
	"daybook/internal/platform/scope"
	"daybook/internal/tenancy/business"
)

type homeView struct {
	Business    string
	Sandbox     bool
	Tiles       []headline
	News        []happening
	Overdue     []invoiceRow
	MayInvoices bool
	Apps        []homeApp
	Plan        planView
}

// headline is one figure that matters.
type headline struct {
	Name, Path, Note string
	Figure           sum
	Tone             string
}

type homeApp struct {
	Name     string
	LastUsed *stamp
}

var homePage = newPage[homeView]("business-home.html")

func (s *Site) businessHome(w http.ResponseWriter, r *http.Request, d *atDesk) error {
	ctx := r.Context()
	v := homeView{Business: d.business.Name, Sandbox: d.business.Sandbox(), MayInvoices: d.access.May(business.InvoicesView)}
	var err error
	if v.Tiles, err = s.headlines(ctx, d); err != nil {
		return err
	}
	if v.News, err = d.news(ctx); err != nil {
		return err
	}
	if v.MayInvoices {
		page, err := s.Invoices.List(ctx, d.by, map[string][]string{"overdue": {"true"}, "sort": {"dueDate"}, "limit": {"5"}})
		if err != nil {
			return err
		}
		if v.Overdue, err = d.invoiceRows(ctx, page.Data); err != nil {
			return err
		}
	}
	installed, err := s.Installations.List(ctx, d.business.ID, d.who.user.ID)
	if err != nil {
		return err
	}
	for _, one := range installed {
		name, err := d.names.app(ctx, one.AppID)
		if err != nil {
			return err
		}
		row := homeApp{Name: name}
		if one.LastUsedAt != nil {
			row.LastUsed = new(d.stamp(*one.LastUsedAt))
		}
		v.Apps = append(v.Apps, row)
	}
	usage, err := s.Invoices.Usage(ctx, d.by)
	if err != nil {
		return err
	}
	v.Plan = d.plan(usage)
	homePage.write(w, r, s, http.StatusOK, d.frame("Home", "Home"), v)
	return nil
}

// headlines are what customers owe and what the month has brought, for those who may see reports.
func (s *Site) headlines(ctx context.Context, d *atDesk) ([]headline, error) {
	if !d.access.May(business.ReportsView) {
		return nil, nil
	}
	aged, err := s.Reports.AgedReceivables(ctx, d.by, nil)
	if err != nil {
		return nil, err
	}
	today := d.today()
	month, err := s.Reports.ProfitAndLoss(ctx, d.by, report.Period{From: new(today[:len("2006-01")] + "-01"), To: &today})
	if err != nil {
		return nil, err
	}
	late := aged.Totals.Total - aged.Totals.Current
	tone := ""
	if late > 0 {
		tone = "bad"
	}
	return []headline{
		{"Customers owe you", "/reports/aged-receivables", counted(len(aged.Rows), "customer", "customers"), d.base(aged.Totals.Total), ""},
		{"Of it overdue", "/reports/aged-receivables", share(late, aged.Totals.Total), d.base(late), tone},
		{"Turnover this month", "/reports/profit-and-loss?from=" + month.From + "&to=" + month.To, "since " + day(month.From), d.base(month.Revenue.Total), ""},
	}, nil
}

// share is a part of a whole in words.
func share(part, whole money.Amount) string {
	if part <= 0 || whole <= 0 {
		return "nothing is late"
	}
	return number(int64(percent(int64(part), int64(whole)))) + " % of what is open"
}

// How many of the newest events are looked at, and how many of them are told.
const (
	newsRead = 200
	newsTold = 12
)

// scopePermissions say what a member must hold to hear of events that an app needs the scope for.
var scopePermissions = map[scope.Scope]business.Permission{
	"invoices:read": business.InvoicesView, "payments:read": business.PaymentsView, "customers:read": business.CustomersView, "suppliers:read": business.SuppliersView,
	"accounts:read": business.AccountsView, "journal:read": business.JournalView, "taxes:read": business.TaxesView,
}

// eventFacts is as much of an event's payload as its sentence needs.
type eventFacts struct {
	InvoiceID      string
	Number         *string
	CustomerID     *string
	SupplierID     *string
	Currency       string
	Total          money.Amount
	Amount         money.Amount
	PaymentID      string
	AccountID      string
	Code           string
	JournalEntryID string
	SourceType     string
	Rate           string
	LockDate       *string
	Changes        []string
	Limit          string
	ResourceType   appdata.ResourceType
	ResourceID     string
	Origin         appdata.Origin
	Version        int
	Actor          struct {
		Type  event.ActorType
		AppID *string
	}

	kind          event.Type
	appID, userID string
}

// news are the latest events in plain words, as far as the member may hear of them.
func (d *atDesk) news(ctx context.Context) ([]happening, error) {
	events, err := d.names.site.Events.Recent(ctx, d.business.ID, newsRead)
	if err != nil {
		return nil, err
	}
	var list []eventFacts
	var stamps []stamp
	for _, e := range events {
		f := eventFacts{kind: e.Type, appID: text(e.AppID), userID: text(e.UserID)}
		if err := json.Unmarshal(e.Data, &f); err != nil {
			return nil, err
		}
		if !d.hears(f) {
			continue
		}
		list, stamps = append(list, f), append(stamps, d.stamp(e.CreatedAt))
		if len(list) == 3*newsTold {
			break
		}
	}
	known, err := d.recordsOf(ctx, list)
	if err != nil {
		return nil, err
	}
	var out []happening
	for i, f := range list {
		h, err := d.tell(ctx, f, known)
		if err != nil {
			return nil, err
		}
		if n := len(out); n > 0 && out[n-1].What == h.What && out[n-1].Path == h.Path && out[n-1].Who == h.Who && out[n-1].Amount == h.Amount {
			out[n-1].Times = max(1, out[n-1].Times) + 1
			continue
		}
		h.When = stamps[i]
		if out = append(out, h); len(out) == newsTold {
			break
		}
	}
	return out, nil
}

// hears reports whether a member is told of an event. What the books do by themselves when a document changes is no news.
func (d *atDesk) hears(f eventFacts) bool {
	entry, ok := event.Find(f.kind)
	if !ok || f.kind == event.EntryPosted && f.SourceType != "MANUAL" || f.kind == event.EntryReversed && f.SourceType != "MANUAL" {
		return false
	}
	if f.kind == event.AppDataUpdated {
		return f.ResourceType.Known() && d.access.May(f.ResourceType.Permission())
	}
	p, gated := scopePermissions[entry.Scope]
	return !gated || d.access.May(p)
}

// newsRecords are the records that events speak of, as they are now.
type newsRecords struct {
	invoices map[string]invoice.Invoice
	payments map[string]payment.Payment
	parties  map[string]party.Party
}

func (d *atDesk) recordsOf(ctx context.Context, list []eventFacts) (newsRecords, error) {
	known := newsRecords{map[string]invoice.Invoice{}, map[string]payment.Payment{}, map[string]party.Party{}}
	var invoices, payments, customerIDs, supplierIDs []string
	for _, f := range list {
		invoices, payments = append(invoices, f.InvoiceID), append(payments, f.PaymentID)
		customerIDs, supplierIDs = append(customerIDs, text(f.CustomerID)), append(supplierIDs, text(f.SupplierID))
	}
	s := d.names.site
	if d.access.May(business.InvoicesView) {
		for some := range chunks(invoices) {
			found, err := s.Invoices.GetMany(ctx, d.by, some)
			if err != nil {
				return known, err
			}
			for _, i := range found {
				known.invoices[i.ID] = i
			}
		}
	}
	if d.access.May(business.PaymentsView) {
		for some := range chunks(payments) {
			page, err := s.Payments.List(ctx, d.by, map[string][]string{"ids": {strings.Join(some, ",")}})
			if err != nil {
				return known, err
			}
			for _, p := range page.Data {
				known.payments[p.ID] = p
			}
		}
	}
	for kind, ids := range map[record.Kind][]string{record.Customer: customerIDs, record.Supplier: supplierIDs} {
		permission := map[record.Kind]business.Permission{record.Customer: business.CustomersView, record.Supplier: business.SuppliersView}[kind]
		if !d.access.May(permission) {
			continue
		}
		for some := range chunks(ids) {
			page, err := s.Parties.List(ctx, d.by, kind, map[string][]string{"ids": {strings.Join(some, ",")}})
			if err != nil {
				return known, err
			}
			for _, p := range page.Data {
				known.parties[p.ID] = p
			}
		}
	}
	return known, nil
}

// did are the words for what happened, behind what it happened to.
var did = map[event.Type]string{
	event.InvoiceCreated: "was created", event.InvoiceUpdated: "was changed", event.InvoiceIssued: "was issued", event.InvoiceSent: "was sent",
	event.InvoicePartiallyPaid: "was partly paid", event.InvoicePaid: "was paid", event.InvoiceOverdue: "is overdue", event.InvoiceReopened: "was reopened",
	event.InvoiceVoided: "was voided", event.InvoiceWrittenOff: "was written off", event.InvoiceDeleted: "was deleted",
	event.PaymentReceived: "came in", event.PaymentMade: "went out", event.PaymentRefunded: "was given back", event.PaymentUpdated: "was changed",
	event.PaymentAllocated: "was applied to an invoice", event.PaymentUnallocated: "was taken off an invoice", event.PaymentDeleted: "was deleted",
	event.CustomerCreated: "was added", event.CustomerUpdated: "was changed", event.CustomerArchived: "was archived", event.CustomerDeleted: "was deleted",
	event.SupplierCreated: "was added", event.SupplierUpdated: "was changed", event.SupplierArchived: "was archived", event.SupplierDeleted: "was deleted",
	event.AccountCreated: "was added", event.AccountUpdated: "was changed", event.AccountArchived: "was archived", event.AccountDeleted: "was deleted",
	event.EntryPosted: "was posted", event.EntryReversed: "was reversed", event.TaxRateCreated: "was added", event.TaxRateUpdated: "was changed",
	event.BooksLocked: "were locked", event.BooksUnlocked: "were opened again", event.BusinessUpdated: "were changed",
	event.PlanLimitReached: "was reached: no further invoice can be created", event.AppInstalled: "was connected", event.AppUninstalled: "was uninstalled",
	event.AppScopesUpdated: "was given more access", event.BusinessRedact: "was told to erase what it keeps of this business",
	event.CustomerRedact: "was erased", event.SupplierRedact: "was erased",
}

// newsTones help to see what is good and what is not.
var newsTones = map[event.Type]string{
	event.InvoicePaid: "good", event.PaymentReceived: "good", event.InvoiceOverdue: "bad", event.InvoiceVoided: "bad", event.InvoiceWrittenOff: "bad",
	event.PlanLimitReached: "bad", event.InvoiceIssued: "wait", event.InvoicePartiallyPaid: "wait",
}

// tell puts an event into a sentence: what it happened to, what happened, and who did it.
func (d *atDesk) tell(ctx context.Context, f eventFacts, known newsRecords) (happening, error) {
	h := happening{Tone: newsTones[f.kind]}
	subject, path, err := d.subject(ctx, f, known)
	if err != nil {
		return h, err
	}
	h.What, h.Path = subject+" "+did[f.kind], path
	if f.kind == event.BooksLocked && f.LockDate != nil {
		h.What += " up to " + day(*f.LockDate)
	}
	switch {
	case f.kind == event.AppDataUpdated && f.Origin == appdata.ByUser:
		h.What, h.Path = "Data of "+subject+" was changed on "+aRecord(f.ResourceType), recordPath(f)
	case f.kind == event.AppDataUpdated:
		h.What, h.Path = subject+" changed its data on "+aRecord(f.ResourceType), recordPath(f)
	case f.InvoiceID != "" && f.PaymentID == "" && f.Total != 0:
		h.Amount = sumOf(f.Total, f.Currency).String()
	}
	h.Who, err = d.doer(ctx, f)
	return h, err
}

// aRecord is a record of a sort, in words.
func aRecord(t appdata.ResourceType) string {
	word := strings.ToLower(shownWord(t))
	if strings.ContainsRune("aeiou", rune(word[0])) {
		return "an " + word
	}
	return "a " + word
}

// recordPath is the page of the record that app data is kept on.
func recordPath(f eventFacts) string {
	for _, sort := range recordSorts {
		if sort.resource == f.ResourceType {
			return "/" + sort.path + "/" + f.ResourceID
		}
	}
	return ""
}

// subject is what an event happened to, and its page if there is one.
func (d *atDesk) subject(ctx context.Context, f eventFacts, known newsRecords) (words, path string, err error) {
	sort, _, _ := strings.Cut(string(f.kind), ".")
	switch sort {
	case "invoice":
		words = invoiceTitle(text(f.Number))
		if i, ok := known.invoices[f.InvoiceID]; ok {
			words, path = invoiceTitle(cmp.Or(text(f.Number), i.Number)), "/invoices/"+i.ID
		}
		if p, ok := known.parties[text(f.CustomerID)]; ok {
			words += " for " + p.DisplayName
		}
		return words, path, nil
	case "payment":
		words = sumOf(f.Amount, f.Currency).String()
		if p, ok := known.parties[text(f.CustomerID)]; ok {
			words += " of " + p.DisplayName
		} else if p, ok := known.parties[text(f.SupplierID)]; ok {
			words += " for " + p.DisplayName
		}
		if p, ok := known.payments[f.PaymentID]; ok {
			path = "/payments/" + p.ID
		}
		return words, path, nil
	case "customer", "supplier":
		id := cmp.Or(text(f.CustomerID), text(f.SupplierID))
		if p, ok := known.parties[id]; ok {
			return shownWord(sort) + " " + p.DisplayName, "/" + sort + "s/" + id, nil
		}
		return "A " + sort, "", nil
	case "account":
		if f.kind != event.AccountDeleted {
			path = "/accounts/" + f.AccountID
		}
		return "Account " + f.Code, path, nil
	case "journal_entry":
		return entryTitle(text(f.Number)), "/journal/" + f.JournalEntryID, nil
	case "tax_rate":
		return "A tax rate of " + f.Rate + " %", "", nil
	case "books":
		return "The books", "/settings", nil
	}
	switch f.kind {
	case event.BusinessUpdated:
		return "The settings", "/settings", nil
	case event.PlanLimitReached:
		return "The plan's ceiling of " + map[string]string{"INVOICE_COUNT": "invoices", "TURNOVER": "turnover"}[f.Limit], "/settings", nil
	}
	words, err = d.names.app(ctx, f.appID)
	return words, "/apps", err
}

// doer is who did it. What an event carries names apps only; the row knows the person.
func (d *atDesk) doer(ctx context.Context, f eventFacts) (string, error) {
	a := event.Actor{Type: f.Actor.Type, AppID: text(f.Actor.AppID), UserID: f.userID}
	if f.kind == event.AppDataUpdated && f.Origin == appdata.ByUser {
		a.Type = event.User // the event is the app's own, and names nobody
	}
	if a.Type == event.User {
		return d.member(ctx, a.UserID)
	}
	return d.author(ctx, a)
}

// member is a person of the business who did something; of long ago it was not written down who.
func (d *atDesk) member(ctx context.Context, userID string) (string, error) {
	if userID == "" {
		return "a member", nil
	}
	return d.names.person(ctx, userID)
}

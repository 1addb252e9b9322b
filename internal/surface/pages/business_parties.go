package pages

import (
	"net/http"

	"daybook/internal/books/party"
	"daybook/internal/books/record"
	"daybook/internal/platform/appdata"
	"daybook/internal/tenancy/business"
)

// partySort is customers or suppliers: what the pages of the two call them.
type partySort struct {
	kind        record.Kind
	resource    appdata.ResourceType
	path        string
	title, noun string
	balance     string // what the balance says
	key         string // of the parameter that names one in lists of documents
}

var (
	customers = partySort{record.Customer, appdata.Customer, "customers", "Customers", "customer", "Owes you", "customerId"}
	suppliers = partySort{record.Supplier, appdata.Supplier, "suppliers", "Suppliers", "supplier", "You owe", "supplierId"}
)

type partiesView struct {
	Title, Path, Noun, Balance string
	Text                       string
	Statuses                   []option
	Rows                       []partyRow
	Pager                      pager
	Filtered                   bool
}

type partyRow struct {
	Path, Name, Email, City string
	Status                  state
	Active                  bool
	Balance                 sum
}

var partiesPage = newPage[partiesView]("business-parties.html")

func (s *Site) businessParties(sort partySort) deskHandler {
	return func(w http.ResponseWriter, r *http.Request, d *atDesk) error {
		q := newQuery(r, "status", "text")
		v := partiesView{Title: sort.title, Path: "/" + sort.path, Noun: sort.noun, Balance: sort.balance, Text: q.get("text")}
		v.Statuses = options(q.get("status"), "", "Any status", "ACTIVE", "Active", "ARCHIVED", "Archived", "REDACTED", "Redacted")
		q.set("status", among(q.get("status"), v.Statuses))
		q.set("sort", "displayName")
		v.Filtered = v.Text != "" || q.get("status") != ""
		if len([]rune(v.Text)) >= 2 {
			q.set("q", v.Text)
		}
		page, err := s.Parties.List(r.Context(), d.by, sort.kind, q.params)
		if err != nil {
			return err
		}
		for _, p := range page.Data {
			row := partyRow{
				Path: "/" + sort.path + "/" + p.ID, Name: p.DisplayName, Email: text(p.Email), Status: partyWords[p.Status], Active: p.Status == party.Active,
				Balance: d.base(p.Balance),
			}
			if p.Address != nil {
				row.City = text(p.Address.City)
			}
			v.Rows = append(v.Rows, row)
		}
		v.Pager = q.pager(page.Next)
		partiesPage.write(w, r, s, http.StatusOK, d.frame(sort.title, sort.title), v)
		return nil
	}
}

type partyView struct {
	Name, Noun, Balance, ID    string
	Status                     state
	Due                        sum
	Type                       string
	Facts                      []fact
	Address, Shipping          []string
	Notes                      string
	Invoices                   []invoiceRow
	InvoicesPath, PaymentsPath string
	Made                       madeView
	Apps                       []appFields
	Guests                     guests
}

// fact is something that a page tells of a record.
type fact struct{ Name, Value string }

// facts are those that there are.
func facts(pairs ...string) []fact {
	var list []fact
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			list = append(list, fact{pairs[i], pairs[i+1]})
		}
	}
	return list
}

var partyPage = newPage[partyView]("business-party.html")

func (s *Site) businessParty(sort partySort) deskHandler {
	return func(w http.ResponseWriter, r *http.Request, d *atDesk) error {
		return s.showParty(w, r, http.StatusOK, d, sort, nil)
	}
}

func (s *Site) showParty(w http.ResponseWriter, r *http.Request, status int, d *atDesk, sort partySort, attempt *fieldAttempt) error {
	ctx := r.Context()
	p, err := s.Parties.Get(ctx, d.by, sort.kind, r.PathValue("id"))
	if err != nil {
		return err
	}
	v := partyView{
		Name: p.DisplayName, Noun: sort.noun, Balance: sort.balance, ID: p.ID, Status: partyWords[p.Status], Due: d.base(p.Balance),
		Address: addressLines(p.Address), Shipping: addressLines(p.ShippingAddress), Notes: text(p.Notes),
	}
	terms := ""
	if p.PaymentTermsDays != nil {
		terms = counted(*p.PaymentTermsDays, "day", "days")
	}
	v.Facts = facts("Sort", shownWord(p.Type), "Legal name", text(p.LegalName), "First name", text(p.FirstName), "Last name", text(p.LastName), "Email", text(p.Email),
		"Phone", text(p.Phone), "Tax number", text(p.TaxNumber), "Currency", p.Currency.Code(), "Payment terms", terms)
	if sort.kind == record.Customer && d.access.May(business.InvoicesView) {
		v.InvoicesPath = "/invoices?customer=" + p.ID
		page, err := s.Invoices.List(ctx, d.by, map[string][]string{"customerId": {p.ID}, "limit": {"5"}})
		if err != nil {
			return err
		}
		if v.Invoices, err = d.invoiceRows(ctx, page.Data); err != nil {
			return err
		}
	}
	if d.access.May(business.PaymentsView) {
		v.PaymentsPath = "/payments?" + sort.noun + "=" + p.ID
	}
	if v.Made, err = d.made(ctx, p.MadeBy, p.ChangedBy, p.CreatedAt, p.UpdatedAt, p.Version); err != nil {
		return err
	}
	if v.Apps, err = d.fields(r, sort.resource, sort.path, p.ID, attempt); err != nil {
		return err
	}
	if p.Status != party.Redacted { // nobody may learn anything about them any more
		if v.Guests, err = d.guests(r, sort.resource, sort.path, p.ID); err != nil {
			return err
		}
	}
	partyPage.write(w, r, s, status, d.frame(sort.title, p.DisplayName, crumb{sort.title, "/" + sort.path}, crumb{p.DisplayName, ""}), v)
	return nil
}

package pages

import (
	"net/http"

	"daybook/internal/base/fault"
	"daybook/internal/books/invoice"
	"daybook/internal/surface/wire"
	"daybook/internal/tenancy/business"
)

type settingsView struct {
	Business             string
	Facts                []fact
	LockDate, LockedTill string // for the field, for people; empty when the books are open
	MayLock              bool
	Plan                 planView
	Done, Wrong          string
}

// planView is how much of its plan a business has used.
type planView struct {
	Name, Period     string
	Invoices, Most   string // Most is empty without a ceiling
	InvoicesPercent  int
	Turnover         sum
	MostTurnover     string
	TurnoverPercent  int
	Basis            string
	InvoicesReached  bool
	TurnoverReached  bool
	HasTurnoverLimit bool
}

var settingsPage = newPage[settingsView]("business-settings.html")

var settingsDone = map[string]string{"locked": "The lock date is changed."}

func (s *Site) businessSettings(w http.ResponseWriter, r *http.Request, d *atDesk) error {
	return s.writeSettings(w, r, http.StatusOK, d, settingsView{Done: settingsDone[r.URL.Query().Get("done")]})
}

func (s *Site) writeSettings(w http.ResponseWriter, r *http.Request, status int, d *atDesk, v settingsView) error {
	b, f := d.business, d.facts
	sandbox := ""
	if b.Sandbox() {
		sandbox = "Yes: for trying things out"
	}
	rounding := map[string]string{"LINE": "On each line", "DOCUMENT": "Once per rate and document"}
	mode := map[string]string{"EXCLUSIVE": "Prices before tax", "INCLUSIVE": "Prices with tax", "NONE": "No tax"}
	v.Business, v.MayLock = b.Name, d.access.May(business.BooksLock)
	v.Facts = facts("Name", b.Name, "Legal name", text(b.LegalName), "Country", b.Country, "Currency", b.Currency, "Time zone", b.TimeZone, "Tax number", text(b.TaxNumber),
		"New documents", mode[string(f.Defaults.TaxMode)], "Tax is rounded", rounding[f.Defaults.TaxRounding],
		"Payment terms", counted(f.Defaults.PaymentTermsDays, "day", "days"), "Sandbox", sandbox)
	if f.LockDate != nil {
		v.LockedTill = day(*f.LockDate)
		if v.Wrong == "" {
			v.LockDate = *f.LockDate
		}
	}
	usage, err := s.Invoices.Usage(r.Context(), d.by)
	if err != nil {
		return err
	}
	v.Plan = d.plan(usage)
	settingsPage.write(w, r, s, status, d.frame("Settings", "Settings"), v)
	return nil
}

// plan shows usage beside its ceilings.
func (d *atDesk) plan(u invoice.Usage) planView {
	v := planView{
		Name: shownWord(u.Plan), Period: day(u.Period.First) + " to " + day(u.Period.Last), Invoices: number(u.Invoices), Turnover: d.base(u.Turnover),
		Basis: map[string]string{"NET": "before tax", "GROSS": "with tax"}[u.TurnoverBasis],
	}
	if u.InvoiceLimit != nil {
		v.Most, v.InvoicesPercent, v.InvoicesReached = number(*u.InvoiceLimit), percent(u.Invoices, *u.InvoiceLimit), u.Invoices >= *u.InvoiceLimit
	}
	if u.TurnoverLimit != nil {
		v.HasTurnoverLimit, v.MostTurnover = true, d.figure(*u.TurnoverLimit)
		v.TurnoverPercent, v.TurnoverReached = percent(int64(u.Turnover), int64(*u.TurnoverLimit)), u.Turnover >= *u.TurnoverLimit
	}
	return v
}

// percent of a ceiling, from 0 to 100. Only what is reached is all of it.
func percent(used, most int64) int {
	switch {
	case used <= 0 || most <= 0:
		return 0
	case used >= most:
		return 100
	}
	return int(float64(used) / float64(most) * 100)
}

func (s *Site) lockBooks(w http.ResponseWriter, r *http.Request, d *atDesk) error {
	form, err := readForm(r)
	if err != nil {
		return err
	}
	date := form.Get("lockDate")
	err = s.Ledger.Lock(r.Context(), d.by, given(date))
	if fault.KindOf(err) == fault.Invalid {
		return s.writeSettings(w, r, wire.Status(err), d, settingsView{LockDate: date, Wrong: "This is no date the books could be locked up to. Write it like 2026-05-04."})
	}
	if err != nil {
		return err
	}
	seeOther(w, r, "/settings?done=locked")
	return nil
}

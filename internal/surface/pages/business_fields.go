package pages

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"daybook/internal/base/fault"
	"daybook/internal/base/money"
	"daybook/internal/platform/appdata"
	"daybook/internal/surface/wire"
)

// recordSort is a sort of record on whose pages apps show fields.
type recordSort struct {
	path     string
	resource appdata.ResourceType
	show     func(s *Site, w http.ResponseWriter, r *http.Request, status int, d *atDesk, attempt *fieldAttempt) error
}

var recordSorts = []recordSort{
	{"invoices", appdata.Invoice, (*Site).showInvoice},
	{"customers", appdata.Customer, showPartyOf(customers)},
	{"suppliers", appdata.Supplier, showPartyOf(suppliers)},
	{"payments", appdata.Payment, (*Site).showPayment},
	{"accounts", appdata.Account, (*Site).showAccount},
	{"journal", appdata.JournalEntry, (*Site).showEntry},
}

func showPartyOf(sort partySort) func(*Site, http.ResponseWriter, *http.Request, int, *atDesk, *fieldAttempt) error {
	return func(s *Site, w http.ResponseWriter, r *http.Request, status int, d *atDesk, attempt *fieldAttempt) error {
		return s.showParty(w, r, status, d, sort, attempt)
	}
}

// appFields is what one app shows on a record.
type appFields struct {
	App, AppID, Action string
	Editable           bool
	Fields             []appField
	Wrong              string
	Done               bool
}

type appField struct {
	ID, Key, Label, Hint string
	Kind                 string // of the control: text, area, date, datetime, choice, money; empty: only to be read
	Shown, Link          string
	Value, Currency      string // in the control
	Choices              []option
	Most                 int // characters
	Wrong                string
	Broken               bool // by rules that the app changed since
	By                   string
	When                 *stamp
}

// fieldAttempt is a form that was refused.
type fieldAttempt struct {
	appID string
	form  url.Values
	wrong map[string]string // by key
	text  string
}

// fieldRules is as much of a field's rules as a page needs.
type fieldRules struct {
	Choices    []string
	Multiline  *bool
	MaxLength  *int
	Currencies []string
}

// amountOf is a MONEY value.
type amountOf struct {
	Amount   money.Amount `json:"amount"`
	Currency string       `json:"currency"`
}

// inputs of a form: a value under its key, and the currency of money.
func valueName(key string) string    { return "value." + key }
func currencyName(key string) string { return "currency." + key }

func (d *atDesk) person() appdata.Person {
	return appdata.Person{BusinessID: d.business.ID, UserID: d.who.user.ID}
}

// fields are what apps show on a record, app by app.
func (d *atDesk) fields(r *http.Request, t appdata.ResourceType, path, id string, attempt *fieldAttempt) ([]appFields, error) {
	ctx := r.Context()
	list, err := d.names.site.AppData.Shown(ctx, d.person(), t, id)
	if err != nil {
		return nil, err
	}
	var groups []appFields
	for _, one := range list {
		if n := len(groups); n == 0 || groups[n-1].AppID != one.Field.AppID {
			name, err := d.names.app(ctx, one.Field.AppID)
			if err != nil {
				return nil, err
			}
			g := appFields{App: name, AppID: one.Field.AppID, Action: "/" + path + "/" + id + "/app-data"}
			if attempt != nil && attempt.appID == g.AppID {
				g.Wrong = attempt.text
			}
			g.Done = attempt == nil && r.URL.Query().Get("done") == g.AppID
			groups = append(groups, g)
		}
		g := &groups[len(groups)-1]
		v, err := d.field(ctx, one, g.App)
		if err != nil {
			return nil, err
		}
		if attempt != nil && attempt.appID == g.AppID && attempt.form.Has(valueName(v.Key)) {
			v.Value, v.Currency, v.Wrong = attempt.form.Get(valueName(v.Key)), attempt.form.Get(currencyName(v.Key)), attempt.wrong[v.Key]
			for i := range v.Choices {
				v.Choices[i].Chosen = v.Choices[i].Value == v.Value
			}
		}
		g.Editable = g.Editable || v.Kind != ""
		g.Fields = append(g.Fields, v)
	}
	return groups, nil
}

// field is a field with its value, as a page shows it.
func (d *atDesk) field(ctx context.Context, one appdata.Shown, app string) (appField, error) {
	f := one.Field
	v := appField{ID: f.ID, Key: f.Key, Label: f.Label, Hint: text(f.Description)}
	raw, err := json.Marshal(f.Rules)
	if err != nil {
		return v, err
	}
	var rules fieldRules
	if err := json.Unmarshal(raw, &rules); err != nil {
		return v, err
	}
	if one.Value != nil {
		d.showValue(&v, f.Type, one.Value.Value)
		v.Broken = !one.Value.Valid
		v.When, v.By = new(d.stamp(one.Value.UpdatedAt)), app
		if one.Value.Origin == appdata.ByUser {
			if v.By, err = d.member(ctx, text(one.Value.UserID)); err != nil {
				return v, err
			}
		}
	}
	if f.Visibility == appdata.Edit {
		v.control(f.Type, rules, d.facts.Currency.Code())
	}
	return v, nil
}

// showValue puts a stored value into words, and into what its control holds.
func (d *atDesk) showValue(v *appField, t appdata.Type, value json.RawMessage) {
	var s string
	_ = json.Unmarshal(value, &s) // what is no text is shown otherwise below
	v.Shown, v.Value = s, s
	switch t {
	case appdata.Boolean:
		v.Value = string(value)
		v.Shown = map[string]string{"true": "Yes", "false": "No"}[v.Value]
	case appdata.Date:
		v.Shown = day(s)
	case appdata.DateTime:
		if at, err := time.Parse(time.RFC3339, s); err == nil {
			there := at.In(d.facts.Zone)
			v.Shown, v.Value = there.Format("2 Jan 2006, 15:04"), there.Format(localTime)
		}
	case appdata.URL:
		if strings.HasPrefix(s, "https://") {
			v.Link = s
		}
	case appdata.Money:
		var m amountOf
		if json.Unmarshal(value, &m) == nil {
			v.Shown, v.Currency, v.Value = sumOf(m.Amount, m.Currency).String(), m.Currency, ""
			if c, err := money.ParseCurrency(m.Currency); err == nil {
				v.Value = money.Plain(m.Amount, c)
			}
		}
	}
	v.Value = string(legible([]byte(v.Value))) // as the page will show it, so that what nobody touched comes back as it was
}

// localTime is how browsers write an instant without a zone.
const localTime = "2006-01-02T15:04"

// control chooses how a field is edited.
func (v *appField) control(t appdata.Type, rules fieldRules, base string) {
	v.Kind = "text"
	if rules.MaxLength != nil {
		v.Most = *rules.MaxLength
	}
	switch t {
	case appdata.Text:
		if rules.Multiline != nil && *rules.Multiline {
			v.Kind = "area"
		}
	case appdata.Date:
		v.Kind = "date"
	case appdata.DateTime:
		v.Kind = "datetime"
	case appdata.Boolean:
		v.Kind, v.Choices = "choice", options(v.Value, "", "Not said", "true", "Yes", "false", "No")
	case appdata.Choice:
		v.Kind, v.Choices = "choice", []option{{"", "None", v.Value == ""}}
		for _, c := range rules.Choices {
			v.Choices = append(v.Choices, option{c, c, c == v.Value})
		}
	case appdata.Money:
		v.Kind = "money"
		if v.Currency == "" {
			v.Currency = base
			if len(rules.Currencies) > 0 {
				v.Currency = rules.Currencies[0]
			}
		}
	}
}

// editFields takes what a person entered in the fields of one app on a record.
func (s *Site) editFields(sort recordSort) deskHandler {
	return func(w http.ResponseWriter, r *http.Request, d *atDesk) error {
		form, err := readForm(r)
		if err != nil {
			return err
		}
		id, appID := r.PathValue("id"), form.Get("app")
		list, err := s.AppData.Shown(r.Context(), d.person(), sort.resource, id)
		if err != nil {
			return err
		}
		entered := map[string]json.RawMessage{}
		for _, one := range list {
			if one.Field.AppID != appID || !form.Has(valueName(one.Field.Key)) {
				continue
			}
			v, err := d.field(r.Context(), one, "")
			if err != nil {
				return err
			}
			value, changed := d.entered(one.Field, v, form)
			if changed {
				entered[one.Field.Key] = value
			}
		}
		err = s.AppData.Edit(r.Context(), d.person(), appID, sort.resource, id, entered)
		attempt := &fieldAttempt{appID: appID, form: form, wrong: map[string]string{}}
		switch f := fault.From(err); {
		case err == nil:
			seeOther(w, r, "/"+sort.path+"/"+id+"?done="+appID+"#apps")
			return nil
		case errors.Is(err, appdata.ErrValue):
			attempt.text = "Nothing was saved: see what is wrong below."
			offences, _ := f.Details.([]appdata.Offence)
			for _, o := range offences {
				attempt.wrong[o.Key] = offenceWords[o.Reason]
			}
		case errors.Is(err, appdata.ErrNotEditable):
			attempt.text = "Nothing was saved: the app has closed one of these fields."
		default:
			return err
		}
		return sort.show(s, w, r, wire.Status(err), d, attempt)
	}
}

// offenceWords are what is wrong with a value, for the person who entered it.
var offenceWords = map[appdata.Reason]string{
	appdata.WrongType: "This is not in the form that the field takes.", appdata.TooShort: "This is too short.", appdata.TooLong: "This is too long.",
	appdata.BelowMin: "This is less than the field takes.", appdata.AboveMax: "This is more than the field takes.",
	appdata.TooManyDecimals: "This has too many decimals.", appdata.NotAChoice: "Choose one of the list.",
	appdata.CurrencyNotAllowed: "This currency is not taken here.", appdata.Required: "Something is needed here.",
}

// entered is a value as the form has it, nil for none, and whether it differs from what is there.
func (d *atDesk) entered(f appdata.Field, now appField, form url.Values) (value json.RawMessage, changed bool) {
	said := strings.ReplaceAll(form.Get(valueName(f.Key)), "\r\n", "\n")
	currency := strings.ToUpper(strings.TrimSpace(form.Get(currencyName(f.Key))))
	if said == now.Value && (f.Type != appdata.Money || said == "" || currency == now.Currency) {
		return nil, false
	}
	if strings.TrimSpace(said) == "" {
		return nil, true
	}
	switch f.Type {
	case appdata.Boolean:
		if said == "true" || said == "false" {
			return json.RawMessage(said), true
		}
	case appdata.DateTime:
		for _, form := range []string{localTime, localTime + ":05"} {
			if at, err := time.ParseInLocation(form, said, d.facts.Zone); err == nil {
				return encoded(at.UTC().Format(time.RFC3339)), true
			}
		}
	case appdata.Money:
		c, err := money.ParseCurrency(currency)
		if err != nil {
			return encoded(said), true
		}
		if amount, err := money.ParsePlain(strings.TrimSpace(said), c); err == nil {
			return encoded(amountOf{amount, currency}), true
		}
	}
	return encoded(said), true
}

func encoded(v any) json.RawMessage {
	raw, err := json.Marshal(v)
	if err != nil {
		panic("pages: " + err.Error()) // of our own types
	}
	return raw
}

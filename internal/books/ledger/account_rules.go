package ledger

import (
	"regexp"
	"slices"
	"strings"

	"daybook/internal/base/fault"
	"daybook/internal/base/money"
	"daybook/internal/base/text"
	"daybook/internal/books/record"
	"daybook/internal/platform/event"
)

// NewAccount is what it takes to create an account.
type NewAccount struct {
	Code             string
	Name             string
	Type             AccountType
	Subtype          *Subtype
	Currency         *string
	Description      *string
	DefaultTaxRateID *string
	ExternalID       *string
}

// AccountPatch is a change to an account.
type AccountPatch struct {
	Code             record.Patch[string]
	Name             record.Patch[string]
	Type             record.Patch[AccountType]
	Subtype          record.Patch[Subtype]
	Currency         record.Patch[string]
	Description      record.Patch[string]
	DefaultTaxRateID record.Patch[string]
	ExternalID       record.Patch[string]
}

var codeForm = regexp.MustCompile(`^[A-Za-z0-9.-]{1,20}$`)

// types in the order in which a refusal names them.
var types = []AccountType{Asset, Liability, Equity, Revenue, Expense}

// check cleans the members and says what is wrong with each by itself.
func (n NewAccount) check(c *fault.Check) NewAccount {
	n.Code = checkCode(c, n.Code)
	n.Name = text.Line(c, "name", n.Name, 1, 150)
	checkType(c, n.Type)
	n.Currency = checkCurrency(c, n.Currency)
	n.Description = text.Optional(c, "description", n.Description, 500)
	n.ExternalID = record.CheckExternalID(c, n.ExternalID)
	return n
}

func (p AccountPatch) check(c *fault.Check) AccountPatch {
	for _, m := range []struct {
		path string
		null bool
	}{{"code", p.Code.Null}, {"name", p.Name.Null}, {"type", p.Type.Null}} {
		c.Require(!m.null, m.path, "must not be null")
	}
	if p.Code.Set && !p.Code.Null {
		p.Code.Value = checkCode(c, p.Code.Value)
	}
	if p.Name.Set && !p.Name.Null {
		p.Name.Value = text.Line(c, "name", p.Name.Value, 1, 150)
	}
	if p.Type.Set && !p.Type.Null {
		checkType(c, p.Type.Value)
	}
	checkCurrency(c, p.Currency.Optional(nil))
	p.Description = cleaned(p.Description, text.Optional(c, "description", p.Description.Optional(nil), 500))
	p.ExternalID = cleaned(p.ExternalID, record.CheckExternalID(c, p.ExternalID.Optional(nil)))
	return p
}

// cleaned is a patch of a nullable member with its value cleaned, an empty one being none.
func cleaned(p record.Patch[string], value *string) record.Patch[string] {
	switch {
	case !p.Set:
		return p
	case value == nil:
		return record.Clearing[string]()
	}
	return record.Setting(*value)
}

func checkCode(c *fault.Check, code string) string {
	code = text.Clean(code)
	c.Require(codeForm.MatchString(code), "code", "must be 1 to 20 letters, digits, points or hyphens")
	return code
}

func checkType(c *fault.Check, t AccountType) {
	c.Require(slices.Contains(types, t), "type", "must be one of %s", join(types))
}

func checkCurrency(c *fault.Check, code *string) *string {
	if code != nil {
		_, err := money.ParseCurrency(*code)
		c.Require(err == nil, "currency", "must be an ISO 4217 code such as EUR")
	}
	return code
}

// fits cleans an account as a whole and says which of its members do not go together.
func (a Account) fits(c *fault.Check, base money.Currency) Account {
	if a.Subtype != nil && slices.Contains(types, a.Type) {
		c.Require(slices.Contains(subtypes[a.Type], *a.Subtype), "subtype", "must be one of %s for an account of type %s", join(subtypes[a.Type]), a.Type)
	}
	if a.Currency != nil && *a.Currency == base.Code() {
		a.Currency = nil // the business's own needs no saying
	}
	c.Require(a.Currency == nil || a.HoldsMoney(), "currency", "must be %s or null, because only accounts of subtype BANK or CASH have one of their own", base)
	return a
}

// apply gives the account as the patch wants it.
func (p AccountPatch) apply(a Account) Account {
	a.Code, a.Name, a.Type = p.Code.Or(a.Code), p.Name.Or(a.Name), p.Type.Or(a.Type)
	a.Subtype, a.Currency = p.Subtype.Optional(a.Subtype), p.Currency.Optional(a.Currency)
	a.Description, a.DefaultTaxRateID = p.Description.Optional(a.Description), p.DefaultTaxRateID.Optional(a.DefaultTaxRateID)
	return a
}

// changes are the wire names of the members that differ, sorted.
func changes(was, is Account) []string {
	list := []string{}
	note := func(name string, same bool) {
		if !same {
			list = append(list, name)
		}
	}
	note("code", was.Code == is.Code)
	note("currency", equal(was.Currency, is.Currency))
	note("defaultTaxRateId", equal(was.DefaultTaxRateID, is.DefaultTaxRateID))
	note("description", equal(was.Description, is.Description))
	note("name", was.Name == is.Name)
	note("status", was.Status == is.Status)
	note("subtype", equal(was.Subtype, is.Subtype))
	note("type", was.Type == is.Type)
	return list
}

func equal[T comparable](a, b *T) bool {
	return a == b || a != nil && b != nil && *a == *b
}

func join[T ~string](list []T) string { return strings.Join(words(list), ", ") }

// accountData is what events tell of an account.
func accountData(a Account) event.Data {
	return event.Data{"accountId": a.ID, "code": a.Code, "type": a.Type, "subtype": a.Subtype, "status": a.Status, "version": a.Version}
}

package tax

import (
	"time"

	"daybook/internal/base/fault"
	"daybook/internal/base/money"
	"daybook/internal/base/text"
	"daybook/internal/books/ledger"
	"daybook/internal/books/record"
	"daybook/internal/platform/event"
)

// Kind says what a rate is for.
type Kind string

// The kinds.
const (
	Sales    Kind = "SALES"
	Purchase Kind = "PURCHASE"
	Both     Kind = "BOTH"
)

// Category says why the rate is what it is, as tax authorities ask.
type Category string

// The categories.
const (
	Standard      Category = "STANDARD"
	Reduced       Category = "REDUCED"
	Zero          Category = "ZERO"
	Exempt        Category = "EXEMPT"
	ReverseCharge Category = "REVERSE_CHARGE"
	OutOfScope    Category = "OUT_OF_SCOPE"
)

// Status of a rate.
type Status string

// The statuses.
const (
	Active   Status = "ACTIVE"
	Archived Status = "ARCHIVED"
)

// Rate is one rate of tax.
type Rate struct {
	ID         string
	BusinessID string
	Name       string
	Rate       money.Factor // percent
	Kind       Kind
	Category   Category
	AccountID  string // where the tax is booked
	Status     Status
	Version    int
	CreatedAt  time.Time
	UpdatedAt  time.Time
}

// Usable refuses a rate that new documents may no longer be made with.
func (r Rate) Usable() error {
	if r.Status == Archived {
		return record.ErrArchived.With(record.TaxRate)
	}
	return nil
}

// data is what events tell of a rate.
func (r Rate) data() event.Data {
	return event.Data{"taxRateId": r.ID, "rate": r.Rate, "kind": r.Kind, "status": r.Status, "version": r.Version}
}

func (r Rate) changed(members ...string) event.Data {
	d := r.data()
	d["changes"] = members
	return d
}

// New is what it takes to create a rate.
type New struct {
	Name      string
	Rate      money.Factor
	Kind      Kind
	Category  Category
	AccountID *string // by default the business's account for such tax
}

const (
	maxName     = 100
	maxDecimals = 4
)

var hundred = money.MustFactor("100")

func (n New) check() (New, error) {
	var c fault.Check
	n.Name = text.Line(&c, "name", n.Name, 1, maxName)
	c.Require(n.Rate.Sign() >= 0 && n.Rate.Cmp(hundred) <= 0 && n.Rate.Decimals() <= maxDecimals, "rate",
		"must be a percentage from 0 to 100 with at most %d decimals", maxDecimals)
	switch n.Kind {
	case Sales, Purchase, Both:
	default:
		c.Add("kind", "must be one of SALES, PURCHASE, BOTH")
	}
	switch n.Category {
	case Standard, Reduced, ReverseCharge:
	case Zero, Exempt, OutOfScope:
		c.Require(n.Rate.IsZero(), "rate", "must be 0 in the category %s", n.Category)
	default:
		c.Add("category", "must be one of STANDARD, REDUCED, ZERO, EXEMPT, REVERSE_CHARGE, OUT_OF_SCOPE")
	}
	return n, c.Err()
}

// home is where tax of a kind is booked: the account's subtype, and the role of the account that it is by default.
func (k Kind) home() (ledger.Subtype, ledger.Role) {
	if k == Purchase {
		return "INPUT_TAX", ledger.InputTax
	}
	return "OUTPUT_TAX", ledger.OutputTax
}

// Patch changes a rate in place.
type Patch struct {
	Name record.Patch[string]
}

func (p Patch) check() (Patch, error) {
	var c fault.Check
	if p.Name.Set {
		c.Require(!p.Name.Null, "name", "must not be null")
		if !p.Name.Null {
			p.Name.Value = text.Line(&c, "name", p.Name.Value, 1, maxName)
		}
	}
	return p, c.Err()
}

// Successor is how a rate differs from the one it supersedes.
type Successor struct {
	Name     record.Patch[string]
	Rate     record.Patch[money.Factor]
	Kind     record.Patch[Kind]
	Category record.Patch[Category]
	// AccountID null is the business's account for such tax, and so is one that is not given along with another kind.
	AccountID record.Patch[string]
}

// of is the new rate as a whole.
func (s Successor) of(old Rate) New {
	n := New{Name: s.Name.Or(old.Name), Rate: s.Rate.Or(old.Rate), Kind: s.Kind.Or(old.Kind), Category: s.Category.Or(old.Category)}
	n.AccountID = s.AccountID.Optional(&old.AccountID)
	if n.Kind != old.Kind && !s.AccountID.Set {
		n.AccountID = nil
	}
	return n
}

// same reports whether the new rate would be what the old one is.
func (n New) same(r Rate) bool {
	return n.Name == r.Name && n.Rate == r.Rate && n.Kind == r.Kind && n.Category == r.Category && n.AccountID != nil && *n.AccountID == r.AccountID
}

func (s Successor) check() error {
	var c fault.Check
	for _, m := range []struct {
		path string
		null bool
	}{{"name", s.Name.Null}, {"rate", s.Rate.Null}, {"kind", s.Kind.Null}, {"category", s.Category.Null}} {
		c.Require(!m.null, m.path, "must not be null")
	}
	return c.Err()
}

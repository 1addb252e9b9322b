package ledger

import (
	"time"

	"daybook/internal/platform/event"
)

// AccountType is what an account counts.
type AccountType string

// The types.
const (
	Asset     AccountType = "ASSET"
	Liability AccountType = "LIABILITY"
	Equity    AccountType = "EQUITY"
	Revenue   AccountType = "REVENUE"
	Expense   AccountType = "EXPENSE"
)

// Subtype narrows a type.
type Subtype string

// The subtypes that rules ask about; subtypes lists them all.
const (
	Bank Subtype = "BANK"
	Cash Subtype = "CASH"
)

// subtypes of each type.
var subtypes = map[AccountType][]Subtype{
	Asset:     {Bank, Cash, "RECEIVABLE", "CURRENT", "FIXED", "INPUT_TAX"},
	Liability: {"PAYABLE", "OUTPUT_TAX", "CUSTOMER_CREDIT", "CURRENT", "LONG_TERM"},
	Equity:    {"CAPITAL", "RETAINED"},
	Revenue:   {"SALES", "OTHER"},
	Expense:   {"DIRECT", "OPERATING", "FINANCE", "OTHER"},
}

// Role is what the system itself uses an account for.
type Role string

// The roles. Every business has one account of each.
const (
	DefaultBank        Role = "DEFAULT_BANK"
	Receivable         Role = "RECEIVABLE"
	SupplierPrepayment Role = "SUPPLIER_PREPAYMENT"
	InputTax           Role = "INPUT_TAX"
	Payable            Role = "PAYABLE"
	OutputTax          Role = "OUTPUT_TAX"
	CustomerCredit     Role = "CUSTOMER_CREDIT"
	RetainedEarnings   Role = "RETAINED_EARNINGS"
	OpeningBalance     Role = "OPENING_BALANCE"
	DefaultSales       Role = "DEFAULT_SALES"
	BadDebt            Role = "BAD_DEBT"
	ExchangeDifference Role = "FX_GAIN_LOSS"
	Rounding           Role = "ROUNDING"
)

// Account is one account of the chart.
type Account struct {
	ID               string
	BusinessID       string
	Code             string
	Name             string
	Type             AccountType
	Subtype          *Subtype
	Currency         *string // nil: the business's
	Description      *string
	DefaultTaxRateID *string
	Role             *Role
	Status           Status
	ExternalID       *string
	MadeBy           event.Actor // none for the chart that a business begins with
	ChangedBy        event.Actor
	Version          int
	CreatedAt        time.Time
	UpdatedAt        time.Time
}

// Status of an account.
type Status string

// The statuses.
const (
	Active   Status = "ACTIVE"
	Archived Status = "ARCHIVED"
)

// DebitNormal reports whether the account grows by debits.
func (a Account) DebitNormal() bool { return a.Type == Asset || a.Type == Expense }

// Is reports whether the system uses the account for that.
func (a Account) Is(r Role) bool { return a.Role != nil && *a.Role == r }

// HoldsMoney reports whether payments can be made from and to the account.
func (a Account) HoldsMoney() bool {
	return a.Subtype != nil && (*a.Subtype == Bank || *a.Subtype == Cash)
}

func words[T ~string](list []T) []string {
	out := make([]string, len(list))
	for i, w := range list {
		out[i] = string(w)
	}
	return out
}

// allSubtypes lists every subtype once, in the order of the types.
func allSubtypes() []string {
	var list []string
	for _, t := range types {
		list = append(list, words(subtypes[t])...)
	}
	return distinct(list)
}

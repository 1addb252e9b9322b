package business

import (
	"regexp"
	"time"

	"daybook/internal/base/fault"
	"daybook/internal/base/money"
	"daybook/internal/base/text"
)

// Business is one set of books.
type Business struct {
	ID        string
	Name      string
	LegalName *string
	Country   string // ISO 3166-1 alpha-2
	Currency  string // ISO 4217, the base currency of the books
	TimeZone  string // IANA name; decides what "today" is
	TaxNumber *string
	Plan      string
	// SandboxOf is the organization whose test business this is; nil for a real one.
	SandboxOf *string
	Version   int
	CreatedAt time.Time
	UpdatedAt time.Time
}

// Sandbox reports whether this is a test business.
func (b Business) Sandbox() bool { return b.SandboxOf != nil }

// The plans that a business has at first.
const (
	FreePlan    = "FREE"
	SandboxPlan = "SANDBOX"
)

// New is what it takes to create a business.
type New struct {
	Name      string
	LegalName *string
	Country   string
	Currency  string
	TimeZone  string // by default the country's, UTC where it has several
	TaxNumber *string
	Plan      string // FREE by default, SANDBOX for a sandbox
	SandboxOf *string
	Seed      Seed // of a sandbox: EMPTY by default
}

// zoneName keeps to the names of the database: files beside them (localtime, right/…) begin with a small letter.
var zoneName = regexp.MustCompile(`^[A-Z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+)*$`)

var countryCode = regexp.MustCompile(`^[A-Z]{2}$`)

// Check says what is wrong with the members, the plan aside, which is for the operator's offer to say.
func (n New) Check() error {
	n.Plan = ""
	_, err := n.check(DefaultPlans)
	return err
}

func (n New) check(plans *Plans) (New, error) {
	var c fault.Check
	n.Name = text.Line(&c, "name", n.Name, 1, 150)
	n.LegalName = text.Optional(&c, "legalName", n.LegalName, 200)
	n.TaxNumber = text.Optional(&c, "taxNumber", n.TaxNumber, 40)
	c.Require(countryCode.MatchString(n.Country), "country", "must be a two-letter country code such as NL")
	if _, err := money.ParseCurrency(n.Currency); err != nil {
		c.Add("currency", "must be an ISO 4217 code such as EUR")
	}
	if n.TimeZone == "" {
		n.TimeZone = zoneOf(n.Country)
	}
	// "Local" and "" would mean the machine's own zone.
	if _, err := time.LoadLocation(n.TimeZone); err != nil || n.TimeZone == "Local" || !zoneName.MatchString(n.TimeZone) {
		c.Add("timeZone", "must be an IANA name such as Europe/Amsterdam")
	}
	if n.Plan == "" {
		n.Plan = FreePlan
		if n.SandboxOf != nil {
			n.Plan = SandboxPlan
		}
	}
	n.Seed = n.checkSeed(&c)
	_, offered := plans.Find(n.Plan)
	c.Require(offered, "plan", "must be one of the plans on offer: %s", plans.Keys())
	return n, c.Err()
}

// zones of the countries that have one zone only and are likely here; the rest start with UTC and may choose.
var zones = map[string]string{
	"AT": "Europe/Vienna", "BE": "Europe/Brussels", "BG": "Europe/Sofia", "CH": "Europe/Zurich", "CZ": "Europe/Prague",
	"DE": "Europe/Berlin", "DK": "Europe/Copenhagen", "EE": "Europe/Tallinn", "FI": "Europe/Helsinki", "FR": "Europe/Paris",
	"GB": "Europe/London", "GR": "Europe/Athens", "HR": "Europe/Zagreb", "HU": "Europe/Budapest", "IE": "Europe/Dublin",
	"IN": "Asia/Kolkata", "IT": "Europe/Rome", "JP": "Asia/Tokyo", "KR": "Asia/Seoul", "LT": "Europe/Vilnius",
	"LU": "Europe/Luxembourg", "LV": "Europe/Riga", "NL": "Europe/Amsterdam", "NO": "Europe/Oslo", "PL": "Europe/Warsaw",
	"RO": "Europe/Bucharest", "SE": "Europe/Stockholm", "SG": "Asia/Singapore", "SI": "Europe/Ljubljana", "SK": "Europe/Bratislava",
}

func zoneOf(country string) string {
	if zone, ok := zones[country]; ok {
		return zone
	}
	return "UTC"
}

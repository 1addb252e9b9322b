package business

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"

	"daybook/internal/base/money"
	"daybook/internal/base/yamlfile"
)

// Plan is what a business pays for: how many invoices it may create in a year, and for some plans how much turnover.
type Plan struct {
	Key             string `yaml:"key"`
	InvoicesPerYear int    `yaml:"invoicesPerYear"`
	// TurnoverPerYear is a ceiling by base currency, in minor units; a currency that is not listed has none.
	TurnoverPerYear map[string]int64 `yaml:"turnoverPerYear"`
}

// Plans is the operator's offer.
type Plans struct {
	List []Plan `yaml:"plans"`
	// Year is when the counts start anew: CALENDAR (1 January in the business's zone) or ANNIVERSARY (of the plan's start).
	Year string `yaml:"planYear"`
	// Basis of turnover: NET or GROSS of tax.
	Basis string `yaml:"turnoverBasis"`
}

// DefaultPlans apply where the operator configures none.
var DefaultPlans = &Plans{
	List: []Plan{
		{Key: FreePlan, InvoicesPerYear: 500, TurnoverPerYear: map[string]int64{"EUR": 5_000_000, "USD": 5_500_000, "GBP": 4_500_000, "JPY": 8_000_000}},
		{Key: "STARTER", InvoicesPerYear: 5_000},
		{Key: "GROWTH", InvoicesPerYear: 25_000},
		{Key: "SCALE", InvoicesPerYear: 100_000},
		{Key: SandboxPlan, InvoicesPerYear: 10_000},
	},
	Year: "CALENDAR", Basis: "NET",
}

// Find looks a plan up.
func (p *Plans) Find(key string) (Plan, bool) {
	for _, plan := range p.List {
		if plan.Key == key {
			return plan, true
		}
	}
	return Plan{}, false
}

// Keys lists the plans for people.
func (p *Plans) Keys() string {
	var keys []string
	for _, plan := range p.List {
		keys = append(keys, plan.Key)
	}
	return strings.Join(keys, ", ")
}

var planKey = regexp.MustCompile(`^[A-Z][A-Z0-9_]{0,29}$`)

// ReadPlans reads a plans file. Its error is one line that names the file and everything wrong in it.
func ReadPlans(file string) (*Plans, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("cannot read plans file: %w", err)
	}
	plans := Plans{Year: DefaultPlans.Year, Basis: DefaultPlans.Basis}
	if err := yamlfile.Parse(text, &plans); err != nil {
		return nil, fmt.Errorf("plans file %s: %w", file, err)
	}
	if err := plans.check(); err != nil {
		return nil, fmt.Errorf("plans file %s: %w", file, err)
	}
	return &plans, nil
}

func (p *Plans) check() error {
	var wrong []string
	seen := map[string]bool{}
	for i, plan := range p.List {
		if !planKey.MatchString(plan.Key) || seen[plan.Key] {
			wrong = append(wrong, fmt.Sprintf("plans.%d.key must be an upper-case word, once", i))
		}
		seen[plan.Key] = true
		if plan.InvoicesPerYear < 1 {
			wrong = append(wrong, fmt.Sprintf("plans.%d.invoicesPerYear must be 1 or more", i))
		}
		for currency, most := range plan.TurnoverPerYear {
			if _, err := money.ParseCurrency(currency); err != nil || most < 1 {
				wrong = append(wrong, fmt.Sprintf("plans.%d.turnoverPerYear.%s must be a currency with 1 or more minor units", i, currency))
			}
		}
	}
	for _, key := range []string{FreePlan, SandboxPlan} {
		if !seen[key] {
			wrong = append(wrong, "a plan "+key+" is needed: new businesses start with it")
		}
	}
	if p.Year != "CALENDAR" && p.Year != "ANNIVERSARY" {
		wrong = append(wrong, "planYear must be CALENDAR or ANNIVERSARY")
	}
	if p.Basis != "NET" && p.Basis != "GROSS" {
		wrong = append(wrong, "turnoverBasis must be NET or GROSS")
	}
	if wrong == nil {
		return nil
	}
	return errors.New(strings.Join(wrong, "; "))
}

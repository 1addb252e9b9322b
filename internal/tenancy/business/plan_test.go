package business_test

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"daybook/internal/base/clock"
	"daybook/internal/base/id"
	"daybook/internal/tenancy/business"
)

// least is a plans file with the two plans that must be there.
const least = "plans:\n- {key: FREE, invoicesPerYear: 1}\n- {key: SANDBOX, invoicesPerYear: 1}\n"

func readPlans(t *testing.T, text string) (*business.Plans, error) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "plans.yaml")
	must(t, os.WriteFile(file, []byte(text), 0o600))
	return business.ReadPlans(file)
}

func TestAPlansFile(t *testing.T) {
	for _, c := range []struct {
		name, text string
		complaints []string // what the error must name; none when it is accepted
	}{
		{"the least", least, nil},
		{"a year that starts with the plan, counted with tax", least + "planYear: ANNIVERSARY\nturnoverBasis: GROSS\n", nil},
		{"a plan of one letter", least + "- {key: A, invoicesPerYear: 1}\n", nil},
		{"a plan of 30 characters", least + "- {key: A" + strings.Repeat("_", 29) + ", invoicesPerYear: 1}\n", nil},
		{"a plan of 31 characters", least + "- {key: A" + strings.Repeat("_", 30) + ", invoicesPerYear: 1}\n", []string{"plans.2.key"}},
		{"a plan in small letters", least + "- {key: gold, invoicesPerYear: 1}\n", []string{"plans.2.key"}},
		{"a plan given twice", least + "- {key: FREE, invoicesPerYear: 2}\n", []string{"plans.2.key"}},
		{"no invoices", least + "- {key: GOLD, invoicesPerYear: 0}\n", []string{"plans.2.invoicesPerYear"}},
		{"a ceiling of one minor unit", least + "- {key: GOLD, invoicesPerYear: 1, turnoverPerYear: {EUR: 1}}\n", nil},
		{"a ceiling of nothing", least + "- {key: GOLD, invoicesPerYear: 1, turnoverPerYear: {EUR: 0}}\n", []string{"plans.2.turnoverPerYear.EUR"}},
		{"a ceiling in no currency", least + "- {key: GOLD, invoicesPerYear: 1, turnoverPerYear: {XYZ: 5}}\n", []string{"plans.2.turnoverPerYear.XYZ"}},
		{"an empty file", "", []string{"FREE", "SANDBOX"}},
		{"another year", least + "planYear: FISCAL\n", []string{"planYear"}},
		{"another basis", least + "turnoverBasis: MIXED\n", []string{"turnoverBasis"}},
		{"a member that does not exist", least + "planYears: CALENDAR\n", []string{"planYears"}},
		{"everything wrong at once", "plans:\n- {key: gold, invoicesPerYear: -1}\nplanYear: x\nturnoverBasis: y\n",
			[]string{"plans.0.key", "plans.0.invoicesPerYear", "FREE", "SANDBOX", "planYear", "turnoverBasis"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := readPlans(t, c.text)
			if (err == nil) != (c.complaints == nil) {
				t.Fatalf("got %v", err)
			}
			for _, word := range c.complaints {
				if !strings.Contains(err.Error(), word) || !strings.Contains(err.Error(), "plans.yaml") || strings.Contains(err.Error(), "\n") {
					t.Errorf("want one line about plans.yaml that names %s: %v", word, err)
				}
			}
		})
	}
	if _, err := business.ReadPlans(filepath.Join(t.TempDir(), "absent.yaml")); err == nil || !strings.Contains(err.Error(), "absent.yaml") {
		t.Errorf("a file that is not there: %v", err)
	}
}

func TestThePlansFileOfTheDocumentationIsTheDefault(t *testing.T) {
	plans, err := readPlans(t, `
plans:
  - key: FREE
    invoicesPerYear: 500
    turnoverPerYear: { EUR: 5000000, USD: 5500000, GBP: 4500000, JPY: 8000000 }
  - key: STARTER
    invoicesPerYear: 5000
  - key: GROWTH
    invoicesPerYear: 25000
  - key: SCALE
    invoicesPerYear: 100000
  - key: SANDBOX
    invoicesPerYear: 10000
planYear: CALENDAR
turnoverBasis: NET
`)
	must(t, err)
	if !reflect.DeepEqual(plans, business.DefaultPlans) {
		t.Errorf("read %+v, default %+v", plans, business.DefaultPlans)
	}
}

func TestOnlyPlansOnOfferAreGiven(t *testing.T) {
	plans, err := readPlans(t, least+"- {key: GOLD, invoicesPerYear: 1}\n")
	must(t, err)
	service := &business.Service{IDs: id.NewSource(clock.System{}), Plans: plans}
	for plan, ok := range map[string]bool{"": true, "FREE": true, "GOLD": true, "STARTER": false} {
		n := shop
		n.Plan = plan
		if _, err := service.Prepare(n, "usr_1"); (err == nil) != ok {
			t.Errorf("plan %q: %v", plan, err)
		}
	}
	if p, ok := plans.Find("GOLD"); !ok || p.InvoicesPerYear != 1 || plans.Keys() != "FREE, SANDBOX, GOLD" {
		t.Errorf("found %+v among %s", p, plans.Keys())
	}
}

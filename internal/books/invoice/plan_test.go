package invoice

import (
	"testing"
	"time"

	"daybook/internal/books/ledger"
	"daybook/internal/tenancy/business"
)

func TestTheYearOfAPlan(t *testing.T) {
	zone, err := time.LoadLocation("Pacific/Auckland")
	if err != nil {
		t.Fatal(err)
	}
	calendar := &Service{}
	anniversary := &Service{Plans: &business.Plans{Year: "ANNIVERSARY"}}
	at := func(text string) ledger.Facts {
		start, err := time.Parse(time.RFC3339, text)
		if err != nil {
			t.Fatal(err)
		}
		return ledger.Facts{Zone: zone, PlanStart: start}
	}
	for _, c := range []struct {
		service     *Service
		start, date string
		want        Period
	}{
		{calendar, "2026-05-04T00:00:00Z", "2026-11-14", Period{"2026-01-01", "2026-12-31"}},
		{calendar, "2026-05-04T00:00:00Z", "2027-01-01", Period{"2027-01-01", "2027-12-31"}},
		{anniversary, "2026-05-04T00:00:00Z", "2026-05-04", Period{"2026-05-04", "2027-05-03"}},
		{anniversary, "2026-05-04T00:00:00Z", "2027-05-03", Period{"2026-05-04", "2027-05-03"}},
		{anniversary, "2026-05-04T00:00:00Z", "2027-05-04", Period{"2027-05-04", "2028-05-03"}},
		{anniversary, "2026-05-04T00:00:00Z", "2031-12-31", Period{"2031-05-04", "2032-05-03"}},
		{anniversary, "2026-05-04T23:00:00Z", "2026-11-14", Period{"2026-05-05", "2027-05-04"}}, // already the 5th there
		{anniversary, "2028-02-28T20:00:00Z", "2028-11-14", Period{"2028-02-29", "2029-02-28"}},
		{anniversary, "2028-02-28T20:00:00Z", "2029-02-28", Period{"2028-02-29", "2029-02-28"}},
		{anniversary, "2028-02-28T20:00:00Z", "2029-03-01", Period{"2029-03-01", "2030-02-28"}},
		{anniversary, "2028-02-28T20:00:00Z", "2032-02-29", Period{"2032-02-29", "2033-02-28"}},
		{anniversary, "2026-05-04T00:00:00Z", "2026-05-03", Period{"2025-05-04", "2026-05-03"}},
	} {
		if got := c.service.year(at(c.start), c.date); got != c.want {
			t.Errorf("%s from %s: %v, want %v", c.date, c.start, got, c.want)
		}
	}
}

func TestTheNumberAfterANumber(t *testing.T) {
	for number, want := range map[string]string{"INV-000001": "INV-000002", "INV-000999": "INV-001000", "INV-999999": "INV-1000000", "INV-1000000": "INV-1000001"} {
		if got := successor(number); got != want {
			t.Errorf("after %s comes %s", number, got)
		}
	}
}

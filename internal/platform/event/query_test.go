package event_test

import (
	"errors"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"daybook/internal/base/fault"
	"daybook/internal/platform/event"
)

func parse(t testing.TB, query string) (event.Query, error) {
	t.Helper()
	params, err := url.ParseQuery(query)
	must(t, err)
	return event.ParseQuery(params)
}

// EVTS-01, EVTS-03: the bounds of every parameter, on both sides.
func TestWhatCanBeAskedFor(t *testing.T) {
	some := strings.Repeat("invoice.paid,", 44)
	for _, query := range []string{
		"", "limit=1", "limit=100", "wait=0", "wait=30", "after=anything", "after=", "types=invoice.paid", "types=invoice.paid,invoice.paid&types=app.installed",
		"types=" + some + "invoice.paid",
	} {
		if _, err := parse(t, query); err != nil {
			t.Errorf("%q: %v", query, err)
		}
	}
	for query, want := range map[string]string{
		"limit=0": "limit", "limit=101": "limit", "limit=": "limit", "limit=-1": "limit", "limit=+1": "limit", "limit=01": "limit", "limit=1.0": "limit", "limit=x": "limit",
		"limit=99999999999999999999": "limit", "wait=-1": "wait", "wait=31": "wait", "wait=": "wait", "wait=1e1": "wait", "wait=%2030": "wait",
		"limit=1&limit=2": "limit", "after=a&after=b": "after", "wait=1&wait=1": "wait", "sort=id": "sort", "cursor=x": "cursor", "Limit=1": "Limit",
		"limit=0&wait=31&x=1": "x limit wait", "types=" + some + "invoice.paid,invoice.paid": "types", "types=x&limit=0": "limit",
	} {
		_, err := parse(t, query)
		f := fault.From(err)
		if f == nil || len(f.Fields) == 0 {
			t.Errorf("%q: %v", query, err)
			continue
		}
		var named []string
		for _, sentence := range f.Fields {
			member, _, _ := strings.Cut(sentence, " ")
			named = append(named, member)
		}
		if got := strings.Join(named, " "); got != want {
			t.Errorf("%q: %s, want %s", query, got, want)
		}
	}
	for _, query := range []string{"types=", "types=invoice.paid,", "types=,", "types=Invoice.paid", "types=invoice.paid%20", "types=%ff", "types=invoice.*", "types=" + strings.Repeat("ä", 500)} {
		if _, err := parse(t, query); !errors.Is(err, event.ErrUnknownType) || len(err.Error()) > 300 {
			t.Errorf("%q: %v", query, err)
		}
	}
	q, err := parse(t, "types=invoice.paid,app.installed&limit=7&wait=9&after=x")
	if err != nil || q.Limit != 7 || q.Wait != 9*time.Second || *q.After != "x" || !q.Types.Has(event.InvoicePaid) || !q.Types.Has(event.AppInstalled) || q.Types.Has(event.InvoiceSent) {
		t.Errorf("%+v, %v", q, err)
	}
}

func FuzzParseQuery(f *testing.F) {
	for _, seed := range []string{"", "after=evt_1&types=invoice.paid,payment.received&limit=100&wait=30", "types=a&types=b", "limit=0&limit=x", "%zz", "wait=31;x=1"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, query string) {
		params, err := url.ParseQuery(query)
		if err != nil {
			return
		}
		q, err := event.ParseQuery(params)
		if err != nil {
			refusal := fault.From(err)
			if refusal == nil || refusal.Kind != fault.Invalid || (refusal.Code == "") != (len(refusal.Fields) > 0) {
				t.Fatalf("%q: %v", query, err)
			}
			return
		}
		if q.Limit < 1 || q.Limit > event.MaxPage || q.Wait < 0 || q.Wait > event.MaxWait || q.Types == 0 || q.Types&^event.AllTypes != 0 {
			t.Fatalf("%q became %+v", query, q)
		}
		if (q.After != nil) != params.Has("after") || !params.Has("types") && q.Types != event.AllTypes {
			t.Fatalf("%q became %+v", query, q)
		}
		for _, e := range event.Catalog {
			named := slices.ContainsFunc(params["types"], func(v string) bool { return slices.Contains(strings.Split(v, ","), string(e.Type)) })
			if params.Has("types") && q.Types.Has(e.Type) != named {
				t.Fatalf("%q became %+v", query, q)
			}
		}
	})
}

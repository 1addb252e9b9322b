package contract_test

import (
	"net/http"
	"net/url"
	"path/filepath"
	"testing"
	"time"

	"daybook/test/harness"
)

// TestAnalyticsInTheConsole proves C.9.5 and RATE-04, with the limits of production.
func TestAnalyticsInTheConsole(t *testing.T) {
	harness.EachDatabase(t, func(t *testing.T, database string) {
		o := harness.Options{Database: database, Data: t.TempDir()}
		putWorld(t, o.Database, filepath.Join(o.Data, "daybook.key"), hookWorld)
		n := openHookNode(t, o)
		t.Run("calls", func(t *testing.T) { analyticsOfCalls(t, n) })
		t.Run("deliveries and installations", func(t *testing.T) { analyticsOfDeliveries(t, n) })
		t.Run("refusals", func(t *testing.T) { analyticsRefusals(t, n) })
		t.Run("versions", func(t *testing.T) { versionsOfApps(t, n) })
	})
}

// analytics asks for them.
func (n *apiNode) analytics(t *testing.T, app string, params url.Values) object {
	t.Helper()
	return n.console(t, "vera").get(t, theApps+"/"+n.ids[app]+"/analytics?"+params.Encode())
}

// sums are the figures of a point or of the totals.
func sums(o any) [3]float64 {
	p := o.(object)
	return [3]float64{p["calls"].(float64), p["errors"].(float64), p["rateLimited"].(float64)}
}

func analyticsOfCalls(t *testing.T, n *apiNode) {
	n.nextMinute(t)
	app, other := n.by(t, twinApp, "olivia", "shop"), n.by(t, twinApp, "olivia", "store")
	for range 290 {
		app.get(t, "/business")
	}
	for range 10 {
		refused(t, app.do(t, "GET", "/members", nil), http.StatusForbidden, "ENDPOINT_NOT_EXPOSED")
	}
	for range 7 {
		tooMany(t, app.do(t, "GET", "/business", nil), "APP_RATE_LIMITED", "300")
	}
	other.and("Daybook-Version", "2025-10-01").get(t, "/customers")
	n.Advance(t, "10s") // what was counted is written down every few seconds

	t.Run("RATE-04 a request that a limit refused is a call, an error and rate-limited", func(t *testing.T) {
		a := n.analytics(t, "twin", url.Values{"businessId": {n.ids["shop"]}})
		has(t, a, "from to granularity series totals webhooks installs")
		if got := sums(a["totals"]); got != [3]float64{307, 17, 7} || a["granularity"] != "DAY" {
			t.Errorf("%v", a)
		}
		series := objects(a["series"])
		if len(series) != 1 || sums(series[0]) != [3]float64{307, 17, 7} || series[0]["group"] != nil {
			t.Fatalf("%v", series)
		}
		has(t, series[0], "at group calls errors rateLimited p50Ms p95Ms")
		if p50, p95 := series[0]["p50Ms"].(float64), series[0]["p95Ms"].(float64); p50 <= 0 || p95 < p50 {
			t.Errorf("%v", series)
		}
	})
	t.Run("C.9.5 of all businesses, by hours", func(t *testing.T) {
		a := n.analytics(t, "twin", url.Values{"granularity": {"HOUR"}})
		if sums(a["totals"]) != [3]float64{308, 17, 7} || a["granularity"] != "HOUR" {
			t.Errorf("%v", a)
		}
		for _, p := range objects(a["series"]) {
			if at := moment(t, p["at"]); !at.Equal(at.Truncate(time.Hour)) || at.After(n.time(t)) {
				t.Errorf("%v", p)
			}
		}
	})
	for group, want := range map[string]map[string][3]float64{
		"route":   {"GET /business": {297, 7, 7}, "GET /members": {10, 10, 0}, "GET /customers": {1, 0, 0}},
		"status":  {"200": {291, 0, 0}, "403": {10, 10, 0}, "429": {7, 7, 7}},
		"version": {"2025-10-01": {1, 0, 0}},
	} {
		t.Run("C.9.5 by "+group, func(t *testing.T) {
			got := map[string][3]float64{}
			for _, p := range objects(n.analytics(t, "twin", url.Values{"groupBy": {group}})["series"]) {
				name := p["group"].(string)
				sum := sums(p)
				for i := range sum {
					sum[i] += got[name][i]
				}
				got[name] = sum
			}
			for name, sum := range want {
				if got[name] != sum {
					t.Errorf("%s is %v, want %v; all are %v", name, got[name], sum, got)
				}
			}
		})
	}
	t.Run("C.9.5 another time, and another app", func(t *testing.T) {
		from, to := n.time(t).AddDate(0, 0, -20), n.time(t).AddDate(0, 0, -10)
		if a := n.analytics(t, "twin", url.Values{"from": {from.Format(time.RFC3339)}, "to": {to.Format(time.RFC3339)}}); sums(a["totals"]) != [3]float64{} || len(objects(a["series"])) != 0 {
			t.Errorf("%v", a)
		}
		if a := n.analytics(t, "full", nil); sums(a["totals"]) != [3]float64{} {
			t.Errorf("%v", a)
		}
	})
}

func analyticsOfDeliveries(t *testing.T, n *apiNode) {
	n.nextMinute(t)
	dan, good, bad := n.console(t, "dan"), newPostbox(t), newPostbox(t)
	bad.says(http.StatusInternalServerError)
	n.hook(t, dan, "full", good.URL, "customer.created")
	n.hook(t, dan, "full", bad.URL, "customer.created")
	shop := n.by(t, fullApp, "olivia", "shop")
	n.customer(t, shop)
	n.customer(t, shop)
	n.settle(t)
	hooks := func(params url.Values) object { return n.analytics(t, "full", params)["webhooks"].(object) }
	t.Run("C.9.5 webhooks", func(t *testing.T) {
		got := hooks(nil)
		has(t, got, "delivered failed retrying medianMs")
		if got["delivered"] != 2.0 || got["failed"] != 0.0 || got["retrying"] != 2.0 || got["medianMs"] == nil {
			t.Errorf("%v", got)
		}
		if got := hooks(url.Values{"businessId": {n.ids["store"]}}); got["delivered"] != 0.0 || got["retrying"] != 0.0 || got["medianMs"] != nil {
			t.Errorf("%v", got)
		}
		n.Advance(t, "9h")
		if got := hooks(nil); got["delivered"] != 2.0 || got["failed"] != 2.0 || got["retrying"] != 0.0 {
			t.Errorf("%v", got)
		}
		if got := hooks(url.Values{"businessId": {n.ids["shop"]}}); got["delivered"] != 2.0 || got["failed"] != 2.0 {
			t.Errorf("%v", got)
		}
	})
	t.Run("C.9.5 installs", func(t *testing.T) {
		installs := func(params url.Values) object { return n.analytics(t, "full", params)["installs"].(object) }
		n.by(t, fullApp, "olivia", "store")
		has(t, installs(nil), "active installed uninstalled")
		if got := installs(nil); got["active"] != 2.0 || got["installed"] != 2.0 || got["uninstalled"] != 0.0 {
			t.Errorf("%v", got)
		}
		n.uninstall(t, n.in(t, "olivia", n.ids["store"]), fullApp)
		n.Advance(t, "1s")
		if got := installs(nil); got["active"] != 1.0 || got["installed"] != 2.0 || got["uninstalled"] != 1.0 {
			t.Errorf("%v", got)
		}
		if got := installs(url.Values{"businessId": {n.ids["store"]}}); got["active"] != 0.0 || got["installed"] != 1.0 || got["uninstalled"] != 1.0 {
			t.Errorf("%v", got)
		}
	})
}

func analyticsRefusals(t *testing.T, n *apiNode) {
	vera, path := n.console(t, "vera"), theApps+"/"+n.ids["full"]+"/analytics"
	for query, named := range map[string][]string{
		"from=x&to=y&granularity=WEEK&groupBy=day&businessId=x&x=1": {"from", "to", "granularity", "groupBy", "businessId", "x"},
		"granularity=&groupBy=":                                              {"granularity", "groupBy"},
		"from=2026-11-02T00:00:00Z&to=2026-11-01T00:00:00Z":                  {"from"},
		"from=2026-01-01T00:00:00Z&to=2026-03-01T00:00:00Z&granularity=HOUR": {"from"},
		"from=2020-01-01T00:00:00Z":                                          {"from"},
		"from=2026-11-01":                                                    {"from"},
	} {
		t.Run("SERR-02 "+query, func(t *testing.T) { offends(t, vera.do(t, "GET", path+"?"+query, nil), named...) })
	}
}

// versionsOfApps proves what C.10 has an organization told of versions that end.
func versionsOfApps(t *testing.T, n *apiNode) {
	dan, path := n.console(t, "dan"), theApps+"/"+n.ids["twin"]
	v := dan.get(t, path+"/versions")
	has(t, v, "current pinned since versions warnings")
	list := objects(v["versions"])
	if v["current"] != "2026-06-01" || v["pinned"] != nil || len(list) != 3 || list[0]["version"] != "2026-06-01" || list[2]["version"] != "2025-03-01" {
		t.Fatalf("%v", v)
	}
	has(t, list[0], "version state releasedAt sunsetAt calls routes")
	t.Run("C.10 calls by version and route", func(t *testing.T) {
		if old := list[1]; old["calls"] != 1.0 || old["state"] != "DEPRECATED" || !same(old["routes"], []any{object{"route": "GET /customers", "calls": 1.0}}) {
			t.Errorf("%v", old)
		}
		if list[0]["calls"].(float64) < 290 || list[0]["state"] != "CURRENT" || list[0]["sunsetAt"] != nil || list[2]["state"] != "SUNSET" || list[2]["calls"] != 0.0 {
			t.Errorf("%v", list)
		}
	})
	t.Run("C.10 a version in use that ends is warned of", func(t *testing.T) {
		warnings := objects(v["warnings"])
		if len(warnings) != 1 || warnings[0]["version"] != "2025-10-01" || warnings[0]["calls"] != 1.0 || warnings[0]["pinned"] != false || warnings[0]["sunsetAt"] != "2027-06-01T00:00:00.000Z" {
			t.Fatalf("%v", warnings)
		}
		has(t, warnings[0], "version level sunsetAt daysLeft pinned calls")
		if o := objects(n.console(t, "vera").get(t, theApps+"/"+n.ids["full"]+"/versions")["warnings"]); len(o) != 0 {
			t.Errorf("%v", o)
		}
		said(t, dan.do(t, "PATCH", path, object{"pinnedApiVersion": "2025-10-01"}), http.StatusOK)
		if o := objects(dan.get(t, path+"/versions")["warnings"]); len(o) != 1 || o[0]["pinned"] != true {
			t.Errorf("%v", o)
		}
		offends(t, dan.do(t, "GET", path+"/versions?x=1", nil), "x")
	})
}

package contract_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"daybook/test/harness"
)

// ceiling proves that an answer is the refusal of a plan, which names the plan and the limit.
func ceiling(t *testing.T, a harness.Answer, code, plan string, limit float64) {
	t.Helper()
	r := refused(t, a, http.StatusForbidden, code)
	if r.Params["p0"] != plan || r.Params["p1"] != limit || strings.HasPrefix(r.text, "Insufficient scope") {
		t.Errorf("want the limit of %.0f of the plan %s: %s", limit, plan, a.Body)
	}
}

// TestAPlanHasCeilings proves INVO-02 with the plans that are built in: the turnover of the free plan, and the year it is
// counted in.
func TestAPlanHasCeilings(t *testing.T) {
	eachAPI(t, func(t *testing.T, n *apiNode) {
		k := n.clerk(t, n.by(t, fullApp, "olivia", "stall"))
		owner := n.session(t, "olivia", "stall")
		one := object{"customerId": k.customer, "lines": []object{line("1")}}
		draft := n.id(k.make(t, "/invoices", one))
		spare := n.id(k.make(t, "/invoices", one))
		full := func(t *testing.T) {
			t.Helper()
			ceiling(t, k.do(t, "POST", "/invoices", one), "PLAN_TURNOVER_LIMIT_REACHED", "FREE", 5_000_000)
		}
		t.Run("INVO-02 the owner sees what the plan allows and what is used", func(t *testing.T) {
			p := owner.get(t, "/plan")
			if p["plan"] != "FREE" || p["invoiceLimit"] != 500.0 || p["turnoverLimit"] != 5_000_000.0 || p["invoices"] != 2.0 || p["turnover"] != 0.0 || p["periodEnd"] != "2026-12-31" {
				t.Error(p)
			}
		})
		var last string
		t.Run("INVO-02 up to the last cent below the ceiling, tax apart, an invoice can be made", func(t *testing.T) {
			k.invoice(t, object{"taxMode": "EXCLUSIVE"}, taxed(k.standard, "49999.99"))
			last = n.id(k.invoice(t, nil, line("0.01"))) // at 49,999.99 there is still room
		})
		t.Run("INVO-02 at the ceiling a new invoice is refused, also as a draft", full)
		t.Run("INVO-02 an import is refused in the same way", func(t *testing.T) {
			ceiling(t, k.do(t, "POST", "/invoices/bulk-import", object{"invoices": k.many("x", 1)}), "PLAN_TURNOVER_LIMIT_REACHED", "FREE", 5_000_000)
		})
		t.Run("INVO-02 everything but new invoices goes on", func(t *testing.T) {
			k.listed(t, "/invoices")
			k.act(t, "/invoices/preview", one)
			said(t, k.do(t, "PATCH", "/invoices/"+draft, object{"notes": "x"}), http.StatusOK)
			k.act(t, "/invoices/"+draft+"/issue", nil)
			k.receipt(t, 1, nil, last)
			gone(t, k.do(t, "DELETE", "/invoices/"+spare, nil))
			k.make(t, "/customers", object{"displayName": "New"})
			n.id(k.make(t, "/journal-entries", object{"date": today(n), "lines": []object{{"accountId": k.bank, "debit": 1}, {"accountId": k.account["3000"], "credit": 1}}}))
			full(t)
		})
		t.Run("INVO-02 other businesses are not concerned", func(t *testing.T) {
			other := n.clerk(t, n.by(t, fullApp, "olivia", "shop"))
			other.invoice(t, nil, line("1"))
		})
		t.Run("INVO-02 what is taken back makes room", func(t *testing.T) {
			k.act(t, "/invoices/"+draft+"/void", nil)
			full(t) // 50,000.00 again: that is the ceiling
			big := k.listed(t, "/invoices?totalFrom=5000000")[0]
			k.act(t, "/invoices/"+n.id(big)+"/void", nil)
			k.make(t, "/invoices", one)
			k.invoice(t, nil, line("49999.99"))
			full(t)
		})
		t.Run("INVO-02 the refusal is repeated for its key, whatever happens meanwhile", func(t *testing.T) {
			first := anew(t, k.once("full").do(t, "POST", "/invoices", one), http.StatusForbidden)
			again(t, first, k.once("full").do(t, "POST", "/invoices", one))
		})
		t.Run("INVO-02 in the last minute of the year, and in the next", func(t *testing.T) {
			end := time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)
			n.setClock(t, end.Add(-time.Minute))
			k.caller = n.by(t, fullApp, "olivia", "stall") // tokens live an hour
			full(t)
			n.setClock(t, end)
			k.caller = n.by(t, fullApp, "olivia", "stall")
			k.make(t, "/invoices", one)
		})
	}, "--clock", "2026-11-14T12:00:00Z")
}

// smallPlans lets a test use them up.
const smallPlans = `
plans:
  - {key: FREE, invoicesPerYear: 4, turnoverPerYear: {EUR: 1000000}}
  - {key: STARTER, invoicesPerYear: 6}
  - {key: SANDBOX, invoicesPerYear: 1}
`

// TestPlansOfTheOperator proves INVO-02 with a plans file, on a production node, through the whole way of an authorization.
func TestPlansOfTheOperator(t *testing.T) {
	harness.EachDatabase(t, func(t *testing.T, database string) {
		dir := t.TempDir()
		plans, key := filepath.Join(dir, "plans.yaml"), filepath.Join(dir, "daybook.key")
		must(t, os.WriteFile(plans, []byte(smallPlans), 0o600))
		loadWorld(t, database, key, apiWorld)
		node := harness.Serve(t, harness.ServeOptions{Dir: dir, Args: []string{"--database", database, "--key-file", key, "--plans-file", plans}})
		node.Users = []harness.User{{Email: "olivia@brandt.test", Password: "olivia-owns-it"}}
		secret := "cs_full"
		node.Apps = []harness.App{{ClientID: fullApp, ClientSecret: &secret}}
		n := &apiNode{oauthNode: &oauthNode{node, database}}
		n.ids = n.keys(t)
		n.Now = time.Now()
		browser := signedIn(t, node, "olivia")
		enter := func(business string) clerk {
			q := ask(fullApp, strings.Join(everyScope, " "))
			verifier := withPKCE(q)
			code := n.code(t, browser, q, n.ids[business])
			return n.clerk(t, n.with(tokens(t, n.redeem(t, fullApp, code, returnURI, verifier)).AccessToken))
		}
		for business, c := range map[string]struct {
			plan  string
			limit int
		}{"stall": {"FREE", 4}, "shop": {"STARTER", 6}} {
			t.Run("the plan "+c.plan, func(t *testing.T) { usedUp(t, n, enter(business), c.plan, c.limit) })
		}
	})
}

// usedUp proves what happens around the last invoice of a plan.
func usedUp(t *testing.T, n *apiNode, k clerk, plan string, limit int) {
	one := object{"customerId": k.customer, "lines": []object{line("1")}}
	full := func(t *testing.T) {
		t.Helper()
		ceiling(t, k.do(t, "POST", "/invoices", one), "PLAN_INVOICE_LIMIT_REACHED", plan, float64(limit))
	}
	draft := n.id(k.make(t, "/invoices", one))
	issued := n.id(k.invoice(t, nil, line("1")))
	t.Run("INVO-02 an import goes as far as there is room", func(t *testing.T) {
		i := importing(t, k.do(t, "POST", "/invoices/bulk-import", object{"invoices": k.many("p", limit)}))
		want := strings.Repeat("CREATED, ", limit-2) + "FAILED PLAN_INVOICE_LIMIT_REACHED, FAILED PLAN_INVOICE_LIMIT_REACHED"
		if got := i.statuses(); got != want {
			t.Errorf("%s", got)
		}
	})
	t.Run("INVO-02 the invoice after the last one is refused, drafts counted", full)
	t.Run("INVO-02 an import of which none has room is refused as a whole", func(t *testing.T) {
		ceiling(t, k.do(t, "POST", "/invoices/bulk-import", object{"invoices": k.many("q", 3)}), "PLAN_INVOICE_LIMIT_REACHED", plan, float64(limit))
	})
	t.Run("INVO-02 only new invoices are blocked", func(t *testing.T) {
		said(t, k.do(t, "PATCH", "/invoices/"+draft, object{"notes": "x"}), http.StatusOK)
		k.listed(t, "/invoices")
		k.receipt(t, 50, nil, issued)
	})
	t.Run("INVO-02 a voided invoice stays counted, a deleted draft is given back", func(t *testing.T) {
		k.act(t, "/invoices/"+draft+"/issue", nil)
		k.act(t, "/invoices/"+draft+"/void", nil)
		full(t)
		for _, name := range []string{"p-0", "p-1"} {
			gone(t, k.do(t, "DELETE", "/invoices/"+n.id(k.listed(t, "/invoices?externalId="+name)[0]), nil))
		}
	})
	t.Run("INVO-02 of many at once no more come in than there is room for", func(t *testing.T) {
		created := 0
		for _, a := range atOnce(16, func() harness.Answer { return k.do(t, "POST", "/invoices", one) }) {
			if a.Status == http.StatusCreated {
				created++
			} else {
				ceiling(t, a, "PLAN_INVOICE_LIMIT_REACHED", plan, float64(limit))
			}
		}
		if got := len(k.listed(t, "/invoices")); created != 2 || got != limit {
			t.Errorf("%d were created, there are %d of %d", created, got, limit)
		}
	})
}

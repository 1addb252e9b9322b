package contract_test

import (
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"daybook/test/harness"
)

// TestAppDataAfterUninstalling proves that values are kept for 48 hours after uninstalling, and no longer (ADAT-09, INST-01).
func TestAppDataAfterUninstalling(t *testing.T) {
	eachAPI(t, func(t *testing.T, n *apiNode) {
		n.declare(t, "full", "CUSTOMER", "note", "TEXT", nil)
		n.declare(t, "twin", "CUSTOMER", "note", "TEXT", nil)
		full, twin, elsewhere := n.by(t, fullApp, "olivia", "store"), n.by(t, twinApp, "olivia", "store"), n.by(t, fullApp, "olivia", "shop")
		customer := n.id(full.make(t, "/customers", object{"displayName": "Ada"}))
		other := n.id(elsewhere.make(t, "/customers", object{"displayName": "Ada"}))
		full.wrote(t, val("CUSTOMER", customer, "note", "full"))
		twin.wrote(t, val("CUSTOMER", customer, "note", "twin"))
		elsewhere.wrote(t, val("CUSTOMER", other, "note", "elsewhere"))

		// notices are what an app was told about erasing, as it sees them with a token of today.
		notices := func(t *testing.T) []object {
			t.Helper()
			return rowsOf(n.by(t, fullApp, "olivia", "store").get(t, "/events?types=business.redact"))
		}
		t.Run("ADAT-09 an app that is installed again within 48 hours finds its data", func(t *testing.T) {
			n.uninstall(t, n.in(t, "olivia", n.ids["store"]), fullApp)
			unauthenticated(t, full.put(t, val("CUSTOMER", customer, "note", "x")))
			n.Advance(t, "47h59m")
			back := n.by(t, fullApp, "olivia", "store")
			if got := inShort(back.values(t, "resourceId="+customer)); got != `note="full"` {
				t.Error(got)
			}
			n.Advance(t, "72h")
			if n.rows(t, customer) != 2 || len(notices(t)) != 0 {
				t.Errorf("%d values, told %v", n.rows(t, customer), notices(t))
			}
		})
		t.Run("ADAT-09 after 48 hours its values are gone, and it is told to erase its own", func(t *testing.T) {
			n.uninstall(t, n.in(t, "olivia", n.ids["store"]), fullApp)
			n.Advance(t, "47h58m")
			if n.rows(t, customer) != 2 {
				t.Error("erased too early")
			}
			n.Advance(t, "3m")
			if n.rows(t, customer) != 1 {
				t.Fatalf("%d values", n.rows(t, customer))
			}
			n.Advance(t, "1h")
			told := notices(t) // which installs it again: to see events takes a token
			if len(told) != 1 {
				t.Fatalf("told %v", told)
			}
			data := told[0]["data"].(object)
			at := time.Unix(int64(told[0]["created"].(float64)), 0)
			due, err := time.Parse("2006-01-02T15:04:05.000Z", data["dueBy"].(string))
			request, _ := data["requestId"].(string)
			if err != nil || data["reason"] != "UNINSTALLED" || !strings.HasPrefix(request, "rdr_") || len(data) != 3 || due.Truncate(time.Second).Sub(at) != 30*24*time.Hour {
				t.Errorf("%v at %v", data, at)
			}
			if got := n.by(t, fullApp, "olivia", "store").values(t, "resourceId="+customer); len(got) != 0 {
				t.Error(got)
			}
		})
		t.Run("ADAT-09 nothing of other apps and businesses is touched", func(t *testing.T) {
			if got := inShort(n.by(t, twinApp, "olivia", "store").values(t, "resourceId="+customer)); got != `note="twin"` {
				t.Error(got)
			}
			if got := inShort(n.by(t, fullApp, "olivia", "shop").values(t, "resourceId="+other)); got != `note="elsewhere"` {
				t.Error(got)
			}
		})
		t.Run("INST-01 the data of before does not come back, and new data is kept", func(t *testing.T) {
			back := n.by(t, fullApp, "olivia", "store")
			back.wrote(t, val("CUSTOMER", customer, "note", "new"))
			n.Advance(t, "100h")
			if n.rows(t, customer) != 2 || len(notices(t)) != 1 {
				t.Errorf("%d values", n.rows(t, customer))
			}
		})
		t.Run("ADAT-09 a node that was down when it was due catches up", func(t *testing.T) {
			n.uninstall(t, n.in(t, "olivia", n.ids["store"]), fullApp)
			later := n.time(t).Add(50 * time.Hour)
			n.Stop()
			o := n.options
			o.Args = append(o.Args, "--clock", later.Format(time.RFC3339))
			n.Node = harness.Dev(t, o)
			for deadline := time.Now().Add(10 * time.Second); n.rows(t, customer) != 1; time.Sleep(50 * time.Millisecond) {
				if time.Now().After(deadline) {
					t.Fatalf("%d values", n.rows(t, customer))
				}
			}
		})
	})
}

// TestPrivacyNotices proves that erasing a person is told to apps that may see such records.
func TestPrivacyNotices(t *testing.T) {
	eachAPI(t, func(t *testing.T, n *apiNode) {
		c, owner := n.by(t, fullApp, "olivia", "store"), n.session(t, "olivia", "store")
		for path, word := range map[string]string{"/customers": "customer", "/suppliers": "supplier"} {
			t.Run("HOOK-01 "+word+".redact", func(t *testing.T) {
				id := n.id(c.make(t, path, object{"displayName": "Erase Me", "email": "erase@example.test"}))
				owner.act(t, path+"/"+id+"/redact", nil)
				told := rowsOf(c.get(t, "/events?types="+word+".redact"))
				if len(told) != 1 {
					t.Fatalf("told %v", told)
				}
				data := told[0]["data"].(object)
				request, _ := data["requestId"].(string)
				if data[word+"Id"] != id || !strings.HasPrefix(request, "rdr_") || data["dueBy"] == nil || len(data) != 3 {
					t.Errorf("%v", data)
				}
				few := n.by(t, fullApp, "olivia", "store", without(word+"s:read")...)
				if got := rowsOf(few.get(t, "/events?types="+word+".redact")); len(got) != 0 {
					t.Errorf("without the scope: %v", got)
				}
				if one := c.get(t, path+"/"+id); one["status"] != "REDACTED" || one["email"] != nil || reflect.DeepEqual(one["displayName"], "Erase Me") {
					t.Errorf("%v", one)
				}
				refused(t, owner.do(t, "POST", path+"/"+id+"/redact", nil), http.StatusConflict, "INVALID_STATE")
			})
		}
	})
}

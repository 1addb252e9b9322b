package contract_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"testing"

	"daybook/internal/base/db"
	"daybook/test/harness"
)

func facts(t *testing.T, a harness.Answer) map[string]string {
	t.Helper()
	var m map[string]string
	if err := json.Unmarshal([]byte(a.Body), &m); a.Status != http.StatusOK || err != nil {
		t.Fatalf("%d %s", a.Status, a.Body)
	}
	return m
}

func TestHealth(t *testing.T) {
	harness.EachDatabase(t, func(t *testing.T, database string) {
		n := harness.Dev(t, harness.Options{Database: database})
		store := "SQLite"
		if db.IsPostgres(database) {
			store = "PostgreSQL"
		}
		for _, host := range []string{n.BaseURL, n.AuthURL} {
			if got := facts(t, harness.Get(t, plain(t), host+"/healthz")); !maps.Equal(got, map[string]string{"status": "ok"}) {
				t.Errorf("healthz says %v", got)
			}
			want := map[string]string{"status": "ready", "store": store, "limits": "in process"}
			if got := facts(t, harness.Get(t, plain(t), host+"/readyz")); !maps.Equal(got, want) {
				t.Errorf("readyz says %v, want %v", got, want)
			}
			a := harness.Send(t, plain(t), http.MethodHead, host+"/readyz", nil, "")
			if a.Status != http.StatusOK || a.Body != "" {
				t.Errorf("HEAD: %d %q", a.Status, a.Body)
			}
		}
	})
}

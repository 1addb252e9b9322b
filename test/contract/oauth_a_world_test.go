package contract_test

import (
	"context"
	"encoding/json"
	"net/http"
	"testing"

	"daybook/internal/base/clock"
	"daybook/internal/base/db"
	"daybook/internal/platform/app"
	"daybook/test/harness"
)

// installation is the id of an app's installation in the business that the browser's session works in; empty when there
// is none.
func (n *oauthNode) installation(t *testing.T, browser *http.Client, clientID string) (id string, granted []string) {
	t.Helper()
	var list struct {
		Data []struct {
			ID, ClientID  string
			GrantedScopes []string
		}
	}
	a := harness.Get(t, browser, n.BaseURL+"/installations")
	if err := json.Unmarshal([]byte(a.Body), &list); err != nil || a.Status != http.StatusOK {
		t.Fatalf("installations: %d %s", a.Status, a.Body)
	}
	for _, i := range list.Data {
		if i.ClientID == clientID {
			return i.ID, i.GrantedScopes
		}
	}
	return "", nil
}

// uninstall and revokeAccess are the two buttons of a connected app.
func (n *oauthNode) uninstall(t *testing.T, browser *http.Client, clientID string) {
	t.Helper()
	n.end(t, browser, http.MethodDelete, clientID, "")
}

func (n *oauthNode) revokeAccess(t *testing.T, browser *http.Client, clientID string) {
	t.Helper()
	n.end(t, browser, http.MethodPost, clientID, "/revoke-access")
}

func (n *oauthNode) end(t *testing.T, browser *http.Client, method, clientID, action string) {
	t.Helper()
	id, _ := n.installation(t, browser, clientID)
	if a := harness.Send(t, browser, method, n.BaseURL+"/installations/"+id+action, nil, ""); a.Status != http.StatusNoContent {
		t.Fatalf("%s of installation %q: %d %s", method, id, a.Status, a.Body)
	}
}

// stop suspends an app as the operator does, or deactivates it as its developer does, behind the node's back; the result
// undoes it.
func (n *oauthNode) stop(t *testing.T, clientID string, suspend bool) (undo func()) {
	t.Helper()
	ctx := context.Background()
	apps, id, by := &app.Service{DB: n.store(t)}, n.app(t, clientID).AppID, n.User(t, "dan").ID
	done := func(_ app.App, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	if suspend {
		done(apps.Suspend(ctx, id, "It is a test."))
		return func() { done(apps.Unsuspend(ctx, id)) }
	}
	done(apps.Deactivate(ctx, id, by, 0))
	return func() { done(apps.Reactivate(ctx, id, by, 0)) }
}

// store opens the node's database beside it.
func (n *oauthNode) store(t *testing.T) *db.DB {
	t.Helper()
	d, err := db.Open(context.Background(), db.Options{Database: n.database, Clock: clock.System{}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Close)
	return d
}

// sql changes the store behind the node's back.
func (n *oauthNode) sql(t *testing.T, statement string, args ...any) {
	t.Helper()
	ctx := context.Background()
	err := n.store(t).Write(ctx, func(tx *db.Tx) error {
		_, err := tx.Exec(ctx, statement, args...)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

package oauth

import (
	"context"
	"errors"
	"testing"

	"daybook/internal/base/db"
	"daybook/internal/platform/scope"
	"daybook/internal/tenancy/business"
)

// doorman notes what it is asked, and lets through what it likes.
type doorman struct {
	refusal error
	asked   []Embedding
	appID   string
	granted scope.Set
	access  business.Access
}

func (d *doorman) Admit(_ context.Context, _ *db.Tx, e Embedding, appID string, granted scope.Set, access business.Access) error {
	d.asked, d.appID, d.granted, d.access = append(d.asked, e), appID, granted, access
	return d.refusal
}

// EXCH-02: what a session token says about where a page is shown was agreed to before it was signed.
func TestASessionTokenSaysNothingThatIsNotShown(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		d := &doorman{}
		w.Frames = d
		w.install(t, w.mine)
		plain := Embedding{ClientID: w.mine.ClientID, BusinessID: w.shop, UserID: w.owner, SessionID: w.session, Locale: "en"}
		if _, err := w.IssueSessionToken(ctx, plain); err != nil || len(d.asked) != 0 {
			t.Errorf("asked %v, %v", d.asked, err)
		}
		framed := plain
		framed.ExtensionID, framed.Resource = "ext_1", &SessionRes{Type: "INVOICE", ID: "inv_1"}
		if _, err := w.IssueSessionToken(ctx, framed); err != nil || len(d.asked) != 1 || d.asked[0] != framed || d.appID != w.mine.ID || !d.granted.Equal(asked) || d.access.Role != business.Owner {
			t.Errorf("asked %+v, %v", d, err)
		}
		d.refusal = errors.New("not here")
		for _, e := range []Embedding{framed, {ClientID: plain.ClientID, BusinessID: w.shop, UserID: w.owner, SessionID: w.session, ExtensionID: "ext_1"}} {
			if token, err := w.IssueSessionToken(ctx, e); !errors.Is(err, d.refusal) || !token.Empty() {
				t.Errorf("%+v is signed: %v", e, err)
			}
		}
	})
}

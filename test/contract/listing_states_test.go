package contract_test

import (
	"context"
	"net/http"
	"testing"

	"daybook/internal/base/db"
)

// revisionStates tries every action on a revision in every state over REST (C.9.3). The state is put into the store: how each is come by
// is proved elsewhere.
func revisionStates(t *testing.T, n *apiNode) {
	s := n.newStand(t).tried(t).saved(t, "every-state").submitted(t)
	s.rosa.act(t, s.review("/claim"), nil)
	store, ctx := n.store(t), context.Background()
	put := func(t *testing.T, state, snapshot string) {
		t.Helper()
		var live any
		if state == "PUBLISHED" {
			live = s.revision
		}
		must(t, store.Write(ctx, func(tx *db.Tx) error {
			for _, step := range []struct {
				sql  string
				args []any
			}{
				{`DELETE FROM listing_comments WHERE revision_id IN (SELECT id FROM listing_revisions WHERE app_id = $1)`, []any{s.appID}},
				{`DELETE FROM listing_revisions WHERE app_id = $1 AND id <> $2`, []any{s.appID, s.revision}},
				{`UPDATE listing_revisions SET state = $2, reviewer_id = $3, snapshot = $4 WHERE id = $1`, []any{s.revision, state, n.ids["rosa"], snapshot}},
				{`UPDATE listings SET live_id = $2 WHERE app_id = $1`, []any{s.appID, live}},
			} {
				if _, err := tx.Exec(ctx, step.sql, step.args...); err != nil {
					return err
				}
			}
			return nil
		}))
	}
	snapshot := n.stored(t, `SELECT snapshot FROM listing_revisions WHERE id = $1`, s.revision)
	same := func(states ...string) map[string]string {
		m := map[string]string{}
		for _, state := range states {
			m[state] = state
		}
		return m
	}
	open := []string{"DRAFT", "SUBMITTED", "IN_REVIEW", "CHANGES_REQUESTED", "REJECTED"}
	for _, action := range []struct {
		name, method, path string
		who                caller
		body               any
		becomes            map[string]string // by the state it was in
	}{
		{"edit", "PATCH", s.at(""), s.dan, object{"tagline": "Other"}, map[string]string{"DRAFT": "DRAFT", "CHANGES_REQUESTED": "CHANGES_REQUESTED", "REJECTED": "DRAFT", "PUBLISHED": "PUBLISHED"}},
		{"submit", "POST", s.at("/submit"), s.dan, nil, map[string]string{"DRAFT": "SUBMITTED", "CHANGES_REQUESTED": "SUBMITTED"}},
		{"withdraw", "POST", s.at("/withdraw"), s.dan, nil, map[string]string{"SUBMITTED": "DRAFT"}},
		{"discard", "DELETE", s.at(""), s.dan, nil, map[string]string{"DRAFT": "DISCARDED", "CHANGES_REQUESTED": "DISCARDED", "REJECTED": "DISCARDED"}},
		{"comment", "POST", s.at("/comments"), s.dan, object{"text": "x"}, same(open...)},
		{"unlist", "POST", s.path + "/listing/unlist", s.dan, nil, same("PUBLISHED")},
		{"relist", "POST", s.path + "/listing/relist", s.dan, nil, same("PUBLISHED")},
		{"claim", "POST", s.review("/claim"), s.rosa, nil, map[string]string{"SUBMITTED": "IN_REVIEW"}},
		{"release", "POST", s.review("/release"), s.rosa, nil, map[string]string{"IN_REVIEW": "SUBMITTED"}},
		{"request changes", "POST", s.review("/request-changes"), s.rosa, object{"notes": "x"}, map[string]string{"IN_REVIEW": "CHANGES_REQUESTED"}},
		{"reject", "POST", s.review("/reject"), s.rosa, object{"reason": "x"}, map[string]string{"IN_REVIEW": "REJECTED"}},
		{"approve", "POST", s.review("/approve"), s.rosa, nil, map[string]string{"IN_REVIEW": "PUBLISHED"}},
		{"a reviewer's comment", "POST", s.review("/comments"), s.rosa, object{"text": "x"}, same(open...)},
	} {
		for _, state := range append(open, "PUBLISHED", "SUPERSEDED", "DISCARDED") {
			t.Run("C.9.3 "+action.name+" in "+state, func(t *testing.T) {
				put(t, state, snapshot)
				a := action.who.do(t, action.method, action.path, action.body)
				want, allowed := action.becomes[state]
				if !allowed {
					code := "REVISION_STATE_CONFLICT"
					if action.name == "edit" && (state == "SUBMITTED" || state == "IN_REVIEW") {
						code = "REVISION_NOT_EDITABLE"
					}
					if r := refused(t, a, http.StatusConflict, code); r.Params["p0"] != state {
						t.Errorf("p0 is %v", r.Params["p0"])
					}
					want = state
				} else if a.Status >= 300 {
					t.Errorf("%d %s", a.Status, a.Body)
				}
				if got := s.state(t); got != want {
					t.Errorf("it is %v, want %s", got, want)
				}
			})
		}
	}
}

package audit_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"daybook/internal/base/cursor"
	"daybook/internal/base/db"
	"daybook/internal/base/secret"
	"daybook/internal/base/trail"
	"daybook/internal/platform/audit"
	"daybook/internal/schema/dbtest"
)

var ctx = context.Background()

func each(t *testing.T, test func(t *testing.T, s *dbtest.Store, l *audit.Log)) {
	t.Helper()
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, s *dbtest.Store) { test(t, s, &audit.Log{DB: s.DB, IDs: s.IDs}) })
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// keep writes an act in a transaction of its own.
func keep(t *testing.T, ctx context.Context, l *audit.Log, a trail.Act) {
	t.Helper()
	must(t, l.DB.Write(ctx, func(tx *db.Tx) error { return trail.Leave(ctx, tx, l, a) }))
}

func act(action, object string) trail.Act {
	return trail.Act{UserID: "usr_1", Action: trail.Action(action), Object: trail.Object{Type: "app", ID: object}, OrganizationID: "org_1"}
}

// all lists everything that fits, in pages of two.
func all(t *testing.T, l *audit.Log, f audit.Filter) (rows []audit.Row) {
	t.Helper()
	for at := ""; ; {
		page, err := l.List(ctx, f, at, 2)
		must(t, err)
		if rows = append(rows, page.Rows...); page.Next == nil {
			return rows
		}
		at = *page.Next
	}
}

func TestAnActIsKeptWithWhereItCameFrom(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store, l *audit.Log) {
		from := trail.Origin{IP: "192.0.2.7", RequestID: "req_1", UserAgent: "curl\x1b[31m" + strings.Repeat("é", 500)}
		under := trail.With(ctx, from)
		a := act("app.changed", "app_1")
		a.BusinessID, a.Details = "biz_1", map[string]any{"changes": []string{"name"}, "secret": secret.Of("cs_hidden")}
		keep(t, under, l, a)
		keep(t, trail.As(under, "usr_2"), l, trail.Act{Action: "app.suspended", Object: a.Object})
		keep(t, trail.With(ctx, trail.Origin{Command: "fixture load"}), l, a)
		keep(t, ctx, l, trail.Act{Action: "x", Object: a.Object, Details: map[string]any{"much": strings.Repeat("x", 5000)}})
		rows := all(t, l, audit.Filter{})
		type short struct {
			Actor                       audit.Actor
			UserID, IP, RequestID, Text string
		}
		var got []short
		for _, r := range rows {
			got = append(got, short{r.Actor, word(r.UserID), word(r.IP), word(r.RequestID), string(r.Action) + " " + string(r.Details)})
		}
		want := []short{
			{audit.System, "", "", "", `x {"leftOut":true}`},
			{audit.Command, "usr_1", "", "", `app.changed {"changes":["name"],"secret":"***"}`},
			{audit.User, "usr_2", "192.0.2.7", "req_1", `app.suspended {}`},
			{audit.User, "usr_1", "192.0.2.7", "req_1", `app.changed {"changes":["name"],"secret":"***"}`},
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
		if agent := word(rows[3].UserAgent); len([]rune(agent)) != 201 || !strings.HasPrefix(agent, "curl[31mé") {
			t.Errorf("user agent %q", agent)
		}
		if word(rows[1].UserAgent) != "fixture load" || !rows[3].At.Equal(s.Clock.Now()) || word(rows[3].BusinessID) != "biz_1" || word(rows[3].OrganizationID) != "org_1" {
			t.Errorf("%+v", rows)
		}
	})
}

func word(p *string) string {
	if p == nil {
		return ""
	}
	return *p
}

func TestAnActOfWhatDidNotHappenIsNotKept(t *testing.T) {
	each(t, func(t *testing.T, _ *dbtest.Store, l *audit.Log) {
		failed := errors.New("no")
		err := l.DB.Write(ctx, func(tx *db.Tx) error {
			if err := trail.Leave(ctx, tx, l, act("a", "1")); err != nil {
				return err
			}
			return failed
		})
		if !errors.Is(err, failed) || len(all(t, l, audit.Filter{})) != 0 {
			t.Errorf("%v, %v", err, all(t, l, audit.Filter{}))
		}
		must(t, l.DB.Write(ctx, func(tx *db.Tx) error { return trail.Leave(ctx, tx, nil, act("a", "1")) }))
	})
}

func TestRowsAreFoundByEveryFilter(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store, l *audit.Log) {
		first := s.Clock.Now()
		for i, object := range []string{"one", "two", "three"} {
			a := act("app.changed", object)
			if i == 1 {
				a.Action, a.UserID, a.OrganizationID, a.BusinessID = "app.suspended", "usr_2", "", "biz_2"
			}
			keep(t, ctx, l, a)
			s.Clock.Advance(time.Minute)
		}
		for name, c := range map[string]struct {
			filter audit.Filter
			want   string
		}{
			"all, newest first": {audit.Filter{}, "three two one"},
			"an action":         {audit.Filter{Action: "app.changed"}, "three one"},
			"a person":          {audit.Filter{UserID: "usr_2"}, "two"},
			"an object":         {audit.Filter{ObjectID: "three"}, "three"},
			"an organization":   {audit.Filter{OrganizationID: "org_1"}, "three one"},
			"a business":        {audit.Filter{BusinessID: "biz_2"}, "two"},
			"from an instant":   {audit.Filter{From: first.Add(time.Minute)}, "three two"},
			"up to an instant":  {audit.Filter{To: first.Add(time.Minute)}, "one"},
			"several":           {audit.Filter{UserID: "usr_1", From: first.Add(time.Minute)}, "three"},
			"none":              {audit.Filter{Action: "other"}, ""},
		} {
			var got []string
			for _, r := range all(t, l, c.filter) {
				got = append(got, r.Object.ID)
			}
			if strings.Join(got, " ") != c.want {
				t.Errorf("%s: %v, want %s", name, got, c.want)
			}
		}
		page, err := l.List(ctx, audit.Filter{}, "", 1)
		must(t, err)
		if _, err := l.List(ctx, audit.Filter{Action: "other"}, *page.Next, 1); !errors.Is(err, cursor.ErrInvalid) {
			t.Errorf("a cursor of another filter: %v", err)
		}
	})
}

func TestTheDatabaseRefusesToChangeOrForget(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store, l *audit.Log) {
		keep(t, ctx, l, act("app.changed", "app_1"))
		s.Clock.Advance(392 * 24 * time.Hour)
		keep(t, ctx, l, act("app.changed", "app_2"))
		was := all(t, l, audit.Filter{})
		tries := map[string]string{
			"a change":         `UPDATE audit_log SET action = 'nothing'`,
			"the same again":   `UPDATE audit_log SET action = action`,
			"another time":     `UPDATE audit_log SET at = 0`,
			"deleting one":     `DELETE FROM audit_log WHERE object_id = 'app_1'`,
			"deleting all":     `DELETE FROM audit_log`,
			"changing in pass": `INSERT INTO audit_log SELECT * FROM audit_log WHERE true ON CONFLICT (id) DO UPDATE SET action = 'nothing'`,
		}
		if s.Dialect() == db.SQLite {
			tries["replacing"] = `INSERT OR REPLACE INTO audit_log SELECT * FROM audit_log`
			tries["updating or replacing"] = `UPDATE OR REPLACE audit_log SET id = 'aud_x'`
		} else {
			tries["emptying"] = `TRUNCATE audit_log`
		}
		for name, sql := range tries {
			err := s.Write(ctx, func(tx *db.Tx) error {
				_, err := tx.Exec(ctx, sql)
				return err
			})
			if err == nil || !strings.Contains(err.Error(), "an audit row") {
				t.Errorf("%s: %v", name, err)
			}
		}
		if diff := cmp.Diff(was, all(t, l, audit.Filter{})); diff != "" || len(was) != 2 {
			t.Error(diff)
		}
	})
}

func TestRowsGoAfterThirteenMonths(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store, l *audit.Log) {
		for range 3 {
			keep(t, ctx, l, act("old", "app_1"))
		}
		s.Clock.Advance(30 * 24 * time.Hour)
		keep(t, ctx, l, act("young", "app_1"))
		must(t, l.CleanUp(ctx))
		if got := len(all(t, l, audit.Filter{})); got != 4 {
			t.Fatalf("%d rows of the first month", got)
		}
		s.Clock.Set(dbtest.Start.AddDate(0, 13, 0))
		must(t, l.CleanUp(ctx))
		if got := len(all(t, l, audit.Filter{Action: "old"})); got != 3 {
			t.Errorf("%d of 3 rows stay for 13 months", got)
		}
		s.Clock.Advance(time.Millisecond)
		must(t, l.CleanUp(ctx))
		rows := all(t, l, audit.Filter{})
		if len(rows) != 2 || rows[0].Action != audit.Cleaned || string(rows[0].Details) != `{"rows":3}` || rows[1].Action != "young" {
			t.Errorf("%+v", rows)
		}
		must(t, l.CleanUp(ctx))
		if got := len(all(t, l, audit.Filter{})); got != 2 {
			t.Errorf("cleaning up again leaves %d", got)
		}
	})
}

func TestCleaningUpGoesThroughManyRows(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store, l *audit.Log) {
		must(t, s.Write(ctx, func(tx *db.Tx) error {
			for range 1201 {
				if err := l.Keep(ctx, tx, act("old", "app_1")); err != nil {
					return err
				}
			}
			return nil
		}))
		s.Clock.Set(dbtest.Start.AddDate(0, 13, 1))
		must(t, l.CleanUp(ctx))
		if got := len(all(t, l, audit.Filter{Action: "old"})); got != 0 {
			t.Errorf("%d are left", got)
		}
		if got := len(all(t, l, audit.Filter{Action: "audit.cleaned"})); got != 3 {
			t.Errorf("%d batches", got)
		}
	})
}

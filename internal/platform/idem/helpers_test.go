package idem_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"daybook/internal/base/db"
	"daybook/internal/base/fault"
	"daybook/internal/platform/idem"
	"daybook/internal/schema/dbtest"
)

var ctx = context.Background()

// refusal is how these tests write one down.
func refusal(err error) idem.Answer {
	return idem.Answer{Status: 400, Header: map[string]string{"X": "refused"}, Body: []byte(fault.From(err).Text())}
}

func each(t *testing.T, test func(t *testing.T, s *dbtest.Store, service *idem.Service)) {
	t.Helper()
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, s *dbtest.Store) { test(t, s, node(s)) })
}

// node is one more process on the same store.
func node(s *dbtest.Store) *idem.Service { return &idem.Service{DB: s.DB, Refusal: refusal} }

func claim(key, fingerprint string) *idem.Claim {
	return &idem.Claim{BusinessID: "biz_1", Caller: "app_1", Key: key, Fingerprint: []byte(fingerprint)}
}

// count is a step that can be seen to have happened: it raises a counter by one and tells where it stands.
func count(ctx context.Context, tx *db.Tx) (int, error) {
	return db.One(ctx, tx, db.Value[int], `INSERT INTO event_counters (business_id, last) VALUES ('counted', 1)
		ON CONFLICT (business_id) DO UPDATE SET last = event_counters.last + 1 RETURNING last`)
}

func counted(t *testing.T, s *dbtest.Store) (n int) {
	t.Helper()
	err := s.Read(ctx, func(tx *db.Tx) (err error) {
		n, err = db.One(ctx, tx, db.Value[int], `SELECT coalesce(max(last), 0) FROM event_counters WHERE business_id = 'counted'`)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func rows(t *testing.T, s *dbtest.Store) (n int) {
	t.Helper()
	err := s.Read(ctx, func(tx *db.Tx) (err error) {
		n, err = db.One(ctx, tx, db.Value[int], `SELECT count(*) FROM idempotency_keys`)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// render tells the count by as many strokes.
func render(n int) (idem.Answer, error) {
	return idem.Answer{Status: 201, Header: map[string]string{"ETag": `"1"`}, Body: []byte(strings.Repeat("I", n))}, nil
}

// refuse is a step that raises the counter and then refuses.
func refuse(err error) idem.Step[int] {
	return func(ctx context.Context, tx *db.Tx) (int, error) {
		if _, failed := count(ctx, tx); failed != nil {
			return 0, failed
		}
		return 0, err
	}
}

func code(err error) string {
	if f := fault.From(err); f != nil {
		return f.Code
	}
	if err != nil {
		return "malfunction"
	}
	return ""
}

var errDisk = errors.New("disk")

package db_test

import (
	"context"
	"runtime"
	"slices"
	"testing"
	"time"

	"daybook/internal/base/db"
	"daybook/internal/schema/dbtest"
)

func TestASignOfLifeIsSeenUntilItGoes(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *dbtest.Store) {
		ctx := context.Background()
		other, err := db.Open(ctx, db.Options{Database: s.Database, Clock: s.Clock})
		if err != nil {
			t.Fatal(err)
		}
		defer other.Close()
		gone := func(keys ...int64) []int64 {
			t.Helper()
			list, err := other.Gone(ctx, keys)
			if err != nil {
				t.Fatal(err)
			}
			return list
		}
		const key, big = 7, int64(1)<<62 + 5
		if got := gone(key, big); !slices.Equal(got, []int64{key, big}) {
			t.Fatalf("before anybody is there, %v are gone", got)
		}
		one, err := s.Present(ctx, key)
		if err != nil {
			t.Fatal(err)
		}
		two, err := s.Present(ctx, big)
		if err != nil {
			t.Fatal(err)
		}
		defer two.Close()
		if _, err := other.Present(ctx, key); err == nil {
			t.Error("two processes show the same sign")
		}
		if got := gone(key, 8, big); !slices.Equal(got, []int64{8}) {
			t.Errorf("with two there, %v are gone", got)
		}
		one.Close()
		<-one.Lost()
		// PostgreSQL takes a moment to see that the connection has ended.
		for begun := time.Now(); !slices.Equal(gone(key, big), []int64{key}); runtime.Gosched() {
			if time.Since(begun) > 20*time.Second {
				t.Fatalf("long after one has left, %v are gone", gone(key, big))
			}
		}
		if got := gone(); len(got) != 0 {
			t.Errorf("of nobody, %v are gone", got)
		}
	})
}

package db_test

import (
	"context"
	"testing"

	"daybook/internal/schema/dbtest"
)

func TestAStoreKnowsItsSize(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *dbtest.Store) {
		if n, err := s.Size(context.Background()); err != nil || n < 100_000 || n > 1<<32 {
			t.Errorf("%d bytes, %v", n, err)
		}
	})
}

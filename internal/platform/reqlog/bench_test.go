package reqlog_test

import (
	"path/filepath"
	"testing"
	"time"

	"daybook/internal/base/clock"
	"daybook/internal/base/db"
	"daybook/internal/base/id"
	"daybook/internal/platform/reqlog"
	"daybook/internal/schema"
)

func BenchmarkNote(b *testing.B) {
	var l reqlog.Log
	e := reqlog.Entry{AppID: "app_1", RequestID: id.At(id.Request, time.Unix(0, 0)), Method: "GET", Status: 200}
	b.ReportAllocs()
	for b.Loop() {
		l.Note(e)
	}
}

// BenchmarkWrite is what a call costs in all, from its note to the commit on SQLite: 16,000 calls a second of four apps.
func BenchmarkWrite(b *testing.B) {
	hand := clock.NewHand(time.Date(2026, 11, 14, 12, 0, 0, 0, time.UTC))
	store, err := db.Open(ctx, db.Options{Database: filepath.Join(b.TempDir(), "daybook.db"), Clock: hand})
	must(b, err)
	defer store.Close()
	_, err = store.Migrate(ctx, schema.Migrations())
	must(b, err)
	l, ids := &reqlog.Log{DB: store, Clock: hand}, id.NewSource(hand)
	apps, routes := many(id.App, ids, 4), []string{"/invoices", "/invoices/{id}", "/customers", "/customers/{id}", "/payments"}
	businesses, users := many(id.Business, ids, 200), many(id.User, ids, 300)
	i := 0
	b.ReportAllocs()
	for b.Loop() {
		i++
		if i%16 == 0 {
			hand.Advance(time.Millisecond)
		}
		l.Note(reqlog.Entry{
			AppID: apps[i%4], RequestID: ids.New(id.Request), Method: "GET", Route: routes[i%5], Status: 200, Version: "2026-06-01", Duration: time.Duration(i%40) * time.Millisecond,
			BusinessID: businesses[i*7%200], UserID: users[i*7%200+i%100],
		})
		if i%4000 == 0 {
			must(b, l.Flush(ctx))
		}
	}
	must(b, l.Flush(ctx))
	size, err := store.Size(ctx)
	must(b, err)
	b.ReportMetric(float64(size)/float64(i), "disk-B/op") // with what an empty store takes
}

func many(p id.Prefix, ids *id.Source, n int) (list []string) {
	for range n {
		list = append(list, ids.New(p))
	}
	return list
}

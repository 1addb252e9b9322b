package demobooks_test

import (
	"fmt"
	"testing"
	"time"

	"daybook/internal/base/db"
	"daybook/internal/boot/fixture"
	"daybook/internal/schema/dbtest"
)

func TestScratchPG(t *testing.T) {
	dbtest.EachDatabase(t, func(t *testing.T, database string) {
		h := house(t, database, dbtest.Start, nil)
		c2, n := db.Counting(ctx)
		stop := make(chan bool)
		go func() {
			last := int64(0)
			for {
				select {
				case <-stop:
					return
				case <-time.After(500 * time.Millisecond):
					now := n.Load()
					fmt.Print(now-last, " ")
					last = now
				}
			}
		}()
		begin := time.Now()
		_, err := fixture.Load(c2, h, fixture.Demo(), func(s string) {})
		must(t, err)
		close(stop)
		fmt.Println(db.IsPostgres(database), "written in", time.Since(begin), n.Load())
	})
}

package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"daybook/internal/base/script"
)

// hostileScripts are functions of strangers that use up whatever they can get.
var hostileScripts = []string{
	`export default () => { for (;;) {} }`,
	`export default () => { const a = []; for (;;) a.push(new Array(10000).fill(1)) }`,
	`export default () => { const f = () => f() + 1; for (;;) try { f() } catch {} }`,
	`export default (_, ctx) => { for (;;) ctx.log("again") }`,
}

// hostile measures how long a call takes at a calm pace: alone, and beside functions that do nothing but work for as long as they may.
func hostile(ctx context.Context, dir string) ([]figure, error) {
	s, err := openShop(ctx, dir, filepath.Join(dir, "hostile.db"))
	if err != nil {
		return nil, err
	}
	defer s.close()
	var figures []figure
	for _, one := range []struct {
		name   string
		beside func() (stop func())
	}{
		{"SQLite: a call alone", func() func() { return func() {} }},
		{"SQLite: a call beside hostile functions", func() func() { return besetBy(ctx) }},
		{"SQLite: a call alone, again", func() func() { return func() {} }},
	} {
		stop := one.beside()
		times, err := s.calmly(ctx)
		stop()
		if err != nil {
			return nil, err
		}
		slices.Sort(times)
		at := func(percent float64) float64 {
			return float64(times[int(float64(len(times)-1)*percent/100)].Microseconds()) / 1e3
		}
		figures = append(figures, figure{name: one.name, rate: float64(len(times)) / calm.Seconds(), extra: fmt.Sprintf(
			"calls at a calm pace: half of them within %.2f ms, 99 %% within %.2f ms, 99.9 %% within %.2f ms", at(50), at(99), at(99.9))})
	}
	return figures, nil
}

// calm is how long calls are made at a calm pace: each caller waits a little between two.
const (
	calm        = 10 * time.Second
	calmCallers = 8
	between     = 10 * time.Millisecond
)

func (s *shop) calmly(ctx context.Context) (all []time.Duration, err error) {
	request := "GET /business HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer " + s.token + "\r\n\r\n"
	var mu sync.Mutex
	var wait sync.WaitGroup
	end := time.Now().Add(calm)
	for range calmCallers {
		wait.Go(func() {
			times, failed := calls(request, s.address, end)
			mu.Lock()
			defer mu.Unlock()
			all = append(all, times...)
			if failed != nil {
				err = failed
			}
		})
	}
	wait.Wait()
	return all, err
}

func calls(request, address string, end time.Time) (times []time.Duration, err error) {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	in := bufio.NewReader(conn)
	for time.Now().Before(end) {
		time.Sleep(between)
		begun := time.Now()
		if _, err := io.WriteString(conn, request); err != nil {
			return nil, err
		}
		answer, err := http.ReadResponse(in, nil)
		if err != nil {
			return nil, err
		}
		text, err := io.ReadAll(answer.Body)
		if err != nil || answer.StatusCode != http.StatusOK {
			return nil, fmt.Errorf("%d: %s: %w", answer.StatusCode, text, err)
		}
		times = append(times, time.Since(begun))
	}
	return times, nil
}

// besetBy runs hostile functions in every child that there may be, one after another, until it is stopped.
func besetBy(ctx context.Context) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	pool := &script.Pool{}
	var wait sync.WaitGroup
	for i := range 2 * len(hostileScripts) {
		wait.Go(func() {
			for n := i; ctx.Err() == nil; n++ {
				_, _ = pool.Run(ctx, script.Job{Tenant: fmt.Sprint(i), Source: hostileScripts[n%len(hostileScripts)]})
			}
		})
	}
	return func() {
		cancel()
		pool.Close()
		wait.Wait()
	}
}

package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"daybook/internal/base/clock"
	"daybook/internal/base/db"
	"daybook/internal/base/outbound"
	"daybook/internal/base/script"
	"daybook/internal/boot"
	"daybook/internal/platform/event"
	"daybook/internal/platform/function"
	"daybook/internal/platform/webhook"
)

// functions measures hosted functions from the commit of an event to the run that is written down, beside webhooks that deliver the
// same events in the same run.
func functions(ctx context.Context, dir string) ([]figure, error) {
	address, stop, err := startReceiver(ctx)
	if err != nil {
		return nil, err
	}
	defer stop()
	targets, drop, err := bothStores(ctx, filepath.Join(dir, "functions.db"))
	if err != nil {
		return nil, err
	}
	defer drop()
	var figures []figure
	for _, name := range []string{"SQLite", "PostgreSQL"} {
		if targets[name] == "" {
			continue
		}
		more, err := runFunctions(ctx, filepath.Join(dir, name+"-functions.key"), targets[name], address, name)
		if err != nil {
			return nil, err
		}
		figures = append(figures, more...)
	}
	return figures, nil
}

// hosting is a service that delivers invoice.created to webhooks, invoice.paid to a function of the same apps, and invoice.voided to a
// function of one of them.
type hosting struct {
	h            *boot.House
	sender       *webhook.Sender
	businesses   []string
	done, failed atomic.Int64
}

func runFunctions(ctx context.Context, keyFile, database, address, name string) ([]figure, error) {
	h, err := boot.OpenHouse(ctx, boot.StoreConfig{Database: database, KeyFile: keyFile, Clock: clock.System{}, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		return nil, err
	}
	defer h.Close()
	s := &hosting{h: h}
	if s.businesses, err = subscribe(ctx, h, "http://"+address+"/"); err != nil {
		return nil, err
	}
	pool := &script.Pool{}
	defer pool.Close()
	h.Functions.Engine = pool
	if err := s.host(ctx); err != nil {
		return nil, err
	}
	client := outbound.New(outbound.Options{AllowLoopbackHTTP: true, IdlePerHost: webhook.MostPerHost})
	defer client.Close()
	s.sender = &webhook.Sender{
		DB: h.DB, IDs: h.IDs, Keys: h.Keys, Outbound: client, Host: h.Functions, Log: slog.New(slog.DiscardHandler), Clock: h.Clock, Machine: clock.System{},
		Observe: func(o webhook.Observation) {
			s.done.Add(1)
			if !o.Delivered {
				s.failed.Add(1)
			}
		},
	}
	if err := s.sender.Start(ctx); err != nil {
		return nil, err
	}
	h.Webhooks.Sender = s.sender
	defer s.sender.Stop(ctx)
	return s.figures(ctx, name)
}

func (s *hosting) figures(ctx context.Context, name string) ([]figure, error) {
	l := load{callers: workers, span: deliverSpan}
	hooks, one, err := l.compare(
		func(l load) (float64, error) { return s.tell(ctx, l, event.InvoiceCreated, shops) },
		func(l load) (float64, error) { return s.tell(ctx, l, event.InvoiceVoided, 1) },
	)
	if err != nil {
		return nil, err
	}
	_, many, err := l.compare(
		func(load) (float64, error) { return 1, nil },
		func(l load) (float64, error) { return s.tell(ctx, l, event.InvoicePaid, shops) },
	)
	if err != nil {
		return nil, err
	}
	words := func(p pace) string {
		return fmt.Sprintf("%.1f ms of processor each, %.1f times a webhook's delivery", 1e3*p.cost, p.cost/hooks.cost)
	}
	return []figure{
		{name: name + ": webhook deliveries", rate: hooks.rate, extra: fmt.Sprintf("%.2f ms of processor each", 1e3*hooks.cost)},
		{name: name + ": function runs, of one app", rate: one.rate, extra: words(one)},
		{name: name + ": function runs, of " + strconv.Itoa(shops) + " apps in turns", rate: many.rate, extra: words(many)},
	}, nil
}

// tell has events of a sort happen in so many of the businesses, as fast as they are dealt with.
func (s *hosting) tell(ctx context.Context, l load, kind event.Type, among int) (float64, error) {
	var appended atomic.Int64
	before, begun := s.done.Load(), time.Now()
	filler := strings.Repeat("x", bodySize-300)
	_, err := l.measure(func(worker, n int) error {
		for appended.Load()-(s.done.Load()-before) > 200 {
			time.Sleep(time.Millisecond)
		}
		appended.Add(1)
		return s.h.DB.Write(ctx, func(tx *db.Tx) error {
			return s.h.Events.Append(ctx, tx, s.businesses[(worker+n)%among], event.Actor{Type: event.System}, event.Happening{Type: kind, Data: event.Data{"id": "inv_1", "filler": filler}})
		})
	}, nil)
	if err != nil {
		return 0, err
	}
	if err := s.sender.Settle(ctx); err != nil {
		return 0, err
	}
	if s.failed.Load() > 0 || s.done.Load()-before != appended.Load() {
		return 0, fmt.Errorf("of %d events %d were dealt with and %d failed", appended.Load(), s.done.Load()-before, s.failed.Load())
	}
	return float64(s.done.Load()-before) / time.Since(begun).Seconds(), nil
}

// host gives every app a function, and the first one another.
func (s *hosting) host(ctx context.Context) error {
	organization, err := s.read(ctx, `SELECT id FROM organizations`)
	if err != nil {
		return err
	}
	owner, err := s.read(ctx, `SELECT user_id FROM organization_members WHERE organization_id = $1`, organization[0])
	if err != nil {
		return err
	}
	for i, businessID := range s.businesses {
		appID, err := s.read(ctx, `SELECT app_id FROM installations WHERE business_id = $1`, businessID)
		if err != nil {
			return err
		}
		kinds := []event.Type{event.InvoicePaid}
		if i == 0 {
			kinds = append(kinds, event.InvoiceVoided)
		}
		for _, kind := range kinds {
			source := `export async function handler({ event }, ctx) { ctx.log("heard of", event.type); return { id: event.data.id } }`
			made, _, err := s.h.Functions.Create(ctx, appID[0], owner[0], function.New{Name: "Fn", Trigger: function.Trigger{Kind: function.ByEvent, Events: []event.Type{kind}}, Source: &source})
			if err != nil {
				return err
			}
			if _, err := s.h.Functions.Activate(ctx, appID[0], owner[0], made.ID, 0, ""); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *hosting) read(ctx context.Context, query string, args ...any) (all []string, err error) {
	err = s.h.DB.Read(ctx, func(tx *db.Tx) (err error) {
		all, err = db.All(ctx, tx, db.Value[string], query, args...)
		return err
	})
	return all, err
}

// functionProcesses is how much of the processor the children that run functions have used, of those that are there.
func functionProcesses() (used time.Duration) {
	paths, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
		if len(fields) < 13 || fields[1] != strconv.Itoa(os.Getpid()) {
			continue
		}
		if command, _ := os.ReadFile(filepath.Join(filepath.Dir(path), "cmdline")); !strings.Contains(string(command), script.Command) {
			continue
		}
		for _, ticks := range fields[11:13] { // user and system time, in hundredths of a second
			n, _ := strconv.ParseInt(ticks, 10, 64)
			used += time.Duration(n) * 10 * time.Millisecond
		}
	}
	return used
}

package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"daybook/internal/base/clock"
	"daybook/internal/base/db"
	"daybook/internal/base/outbound"
	"daybook/internal/base/secret"
	"daybook/internal/boot"
	"daybook/internal/platform/app"
	"daybook/internal/platform/event"
	"daybook/internal/platform/install"
	"daybook/internal/platform/scope"
	"daybook/internal/platform/webhook"
	"daybook/internal/tenancy/business"
	"daybook/internal/tenancy/identity"
)

// receive makes this program a receiver of webhooks: in a process of its own, so that what it costs is not counted.
var receive = flag.Bool("receive", false, "only answer 204 to everything, on an address that is printed")

func receiver() error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Println(l.Addr())
	return http.Serve(l, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.WriteHeader(http.StatusNoContent)
	}))
}

func startReceiver(ctx context.Context) (address string, stop func(), err error) {
	self, err := os.Executable()
	if err != nil {
		return "", nil, err
	}
	cmd := exec.CommandContext(ctx, self, "-receive")
	out, err := cmd.StdoutPipe()
	if err != nil {
		return "", nil, err
	}
	if err := cmd.Start(); err != nil {
		return "", nil, err
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	return strings.TrimSpace(line), func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }, err
}

const (
	bodySize    = 600 // bytes, about that of an invoice.created
	shops       = 16  // businesses, each with an app of its own and one webhook
	outstanding = 500 // on their way at a time: more is no faster, and what is left at the end of a turn is waited for
	deliverSpan = 12 * time.Second
)

// writing are how many write events at once: as many as the bare sender sends, which leaves the machine idle while all of them wait for
// the disk; and as many as keep it busy. The bare sender is no faster with more.
var writing = [...]int{workers, 256}

// deliveries measures events from their commit to the receiver's answer, written down, beside a bare sender that signs and
// posts bodies of the same size.
func deliveries(ctx context.Context, dir string) ([]figure, error) {
	address, stop, err := startReceiver(ctx)
	if err != nil {
		return nil, err
	}
	defer stop()
	targets, drop, err := bothStores(ctx, filepath.Join(dir, "deliveries.db"))
	if err != nil {
		return nil, err
	}
	defer drop()
	var figures []figure
	for _, name := range []string{"SQLite", "PostgreSQL"} {
		if targets[name] == "" {
			continue
		}
		paces, err := deliver(ctx, filepath.Join(dir, name+"-deliveries.key"), targets[name], address, name)
		if err != nil {
			return nil, err
		}
		bare := paces[0]
		figures = append(figures, figure{name: "bare sender: sign and post", rate: bare.rate, extra: fmt.Sprintf("%.0f µs of processor each", 1e6*bare.cost)})
		for i, here := range paces[1:] {
			figures = append(figures, figure{name: fmt.Sprintf("%s: event committed and delivered, %d write at once", name, writing[i]), rate: here.rate, extra: fmt.Sprintf(
				"%.0f %% of the bare sender; %.0f µs of processor each, %.1f times its", 100*here.rate/bare.rate, 1e6*here.cost, here.cost/bare.cost)})
		}
	}
	return figures, nil
}

// sendBare signs and posts bodies that lie ready.
func sendBare(l load, address string) (float64, error) {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: workers}}
	defer client.CloseIdleConnections()
	body := bytes.Repeat([]byte("x"), bodySize)
	key := []byte("whsec_0123456789abcdef0123456789abcdef")
	return l.measure(func(int, int) error {
		t := strconv.FormatInt(time.Now().Unix(), 10)
		mac := hmac.New(sha256.New, key)
		mac.Write([]byte(t + "."))
		mac.Write(body)
		r, err := http.NewRequest("POST", address, bytes.NewReader(body))
		if err != nil {
			return err
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("X-Webhook-Signature", "t="+t+",v1="+hex.EncodeToString(mac.Sum(nil)))
		res, err := client.Do(r)
		if err != nil {
			return err
		}
		_, _ = io.Copy(io.Discard, res.Body)
		return res.Body.Close()
	}, nil)
}

// deliver measures the bare sender and the service in turns.
func deliver(ctx context.Context, keyFile, database, address, name string) ([]pace, error) {
	h, err := boot.OpenHouse(ctx, boot.StoreConfig{Database: database, KeyFile: keyFile, Clock: clock.System{}, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		return nil, err
	}
	defer h.Close()
	businesses, err := subscribe(ctx, h, "http://"+address+"/")
	if err != nil {
		return nil, err
	}
	d := delivering{h: h, businesses: businesses}
	client := outbound.New(outbound.Options{AllowLoopbackHTTP: true, IdlePerHost: webhook.MostPerHost})
	defer client.Close()
	d.sender = &webhook.Sender{
		DB: h.DB, IDs: h.IDs, Keys: h.Keys, Outbound: client, Log: slog.New(slog.DiscardHandler), Clock: h.Clock, Machine: clock.System{},
		Observe: func(o webhook.Observation) {
			if o.Delivered {
				d.delivered.Add(1)
			} else {
				d.failed.Add(1)
			}
		},
	}
	if err := d.sender.Start(ctx); err != nil {
		return nil, err
	}
	h.Webhooks.Sender = d.sender
	defer d.sender.Stop(ctx)
	end, err := profiling(name + "-deliveries")
	if err != nil {
		return nil, err
	}
	measures := []func(load) (float64, error){func(l load) (float64, error) { return sendBare(l.unprofiled(), "http://"+address+"/") }}
	for _, n := range writing {
		measures = append(measures, func(l load) (float64, error) { l.callers = n; return d.send(ctx, l) })
	}
	paces, err := load{callers: workers, span: deliverSpan}.inTurns(measures...)
	if err != nil {
		return nil, err
	}
	return paces, end()
}

// delivering is a service with businesses whose events webhooks hear of.
type delivering struct {
	h                           *boot.House
	sender                      *webhook.Sender
	businesses                  []string
	appended, delivered, failed atomic.Int64
}

// send appends events as fast as they are delivered.
func (d *delivering) send(ctx context.Context, l load) (float64, error) {
	filler := strings.Repeat("x", bodySize-300)
	before, begun := d.delivered.Load(), time.Now()
	_, err := l.measure(func(worker, n int) error {
		for d.appended.Load()-d.delivered.Load() > outstanding {
			time.Sleep(time.Millisecond)
		}
		err := d.h.DB.Write(ctx, func(tx *db.Tx) error {
			return d.h.Events.Append(ctx, tx, d.businesses[(worker+n)%shops], event.Actor{Type: event.System},
				event.Happening{Type: event.InvoiceCreated, Data: event.Data{"id": "inv_1", "filler": filler}})
		})
		d.appended.Add(1)
		return err
	}, nil)
	if err != nil {
		return 0, err
	}
	if err := d.sender.Settle(ctx); err != nil {
		return 0, err
	}
	if d.failed.Load() > 0 || d.delivered.Load() != d.appended.Load() {
		return 0, fmt.Errorf("of %d deliveries %d arrived and %d failed", d.appended.Load(), d.delivered.Load(), d.failed.Load())
	}
	return float64(d.delivered.Load()-before) / time.Since(begun).Seconds(), nil
}

// subscribe makes businesses, each with an app that hears of new invoices.
func subscribe(ctx context.Context, h *boot.House, url string) (businesses []string, err error) {
	owner, err := h.Identity.Create(ctx, identity.NewUser{Email: "owner@example.test", Password: secret.Of("correct horse battery"), DisplayName: "Owner"})
	if err != nil {
		return nil, err
	}
	o, err := h.Organizations.Create(ctx, "Acme", owner.ID)
	if err != nil {
		return nil, err
	}
	for i := range shops {
		b, err := h.Businesses.Create(ctx, business.New{Name: "Shop " + strconv.Itoa(i), Country: "NL", Currency: "EUR"}, owner.ID)
		if err != nil {
			return nil, err
		}
		create, err := h.Apps.Prepare(o.ID, owner.ID, app.New{
			Name: "App " + strconv.Itoa(i), ClientType: app.Public, RedirectURIs: []string{"https://app.example/"}, Scopes: scope.Of(scope.InvoicesRead),
		}, app.Given{ReviewStatus: app.Approved})
		if err != nil {
			return nil, err
		}
		made, err := db.Run(ctx, h.DB, create)
		if err != nil {
			return nil, err
		}
		if _, err := h.Installations.Approve(ctx, install.Approval{AppID: made.ID, BusinessID: b.ID, UserID: owner.ID, Scopes: scope.Of(scope.InvoicesRead)}); err != nil {
			return nil, err
		}
		if _, err := h.Webhooks.Create(ctx, made.ID, owner.ID, webhook.New{URL: url, Events: []event.Type{event.InvoiceCreated}, Enabled: true}); err != nil {
			return nil, err
		}
		businesses = append(businesses, b.ID)
	}
	return businesses, nil
}

package webhook

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"daybook/internal/base/db"
	"daybook/internal/base/outbound"
	"daybook/internal/platform/event"
	"daybook/internal/platform/scope"
	kit "daybook/pkg/webhook"
)

// life is a model of everything that decides what may be sent, kept beside the store by whoever turns the wheel. It is also
// the network: every attempt comes by, and is judged on the spot.
type life struct {
	t    *testing.T
	w    *world
	dice *rand.Rand

	mu          sync.Mutex
	hooks       map[string]*modelHook // by webhook
	suspended   bool
	deactivated bool
	registered  scope.Set
	granted     map[string]scope.Set // by business; absent: not installed
	parcels     map[string]*modelParcel
	mood        string // of the receivers
	sent, lost  int
	dying       bool
	businesses  []string
}

type modelHook struct {
	id, url string
	events  []event.Type
	enabled bool
	deleted bool
	secrets []string // the present one first
	rotated time.Time
}

// modelParcel is what the network has seen of one delivery.
type modelParcel struct {
	flying    bool
	delivered bool
	attempts  int // since it was queued
	next      time.Time
	body      string
	crashed   bool // the last attempt was not written down
}

// Do implements Courier.
func (l *life) Do(_ context.Context, r outbound.Request) (*outbound.Response, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.w.Clock.Now()
	id := r.Header.Get("X-Webhook-Id")
	var body struct {
		ID, Type, BusinessID string
		EventID              *string
	}
	if err := json.Unmarshal(r.Body, &body); err != nil || body.ID != id || body.Type != r.Header.Get("X-Webhook-Event") {
		l.t.Errorf("delivery %s: %v, body %s", id, err, r.Body)
	}
	var hook *modelHook
	for _, h := range l.hooks {
		if h.url == r.URL {
			hook = h
		}
	}
	l.judge(hook, event.Type(body.Type), body.BusinessID, body.EventID == nil, id)
	if hook != nil {
		l.believe(hook, r, now)
	}
	p := l.parcels[id]
	if p == nil {
		p = &modelParcel{body: string(r.Body), next: now}
		l.parcels[id] = p
	}
	switch {
	case p.flying:
		l.t.Errorf("%s flies twice at once", id)
	case p.delivered && !p.crashed:
		l.t.Errorf("%s is sent again after it was delivered", id)
	case p.body != string(r.Body):
		l.t.Errorf("%s has another body now", id)
	case now.Before(p.next) && !p.crashed:
		l.t.Errorf("%s is sent at %v, before %v", id, now, p.next)
	}
	if p.crashed = l.dying; l.dying {
		l.lost++
		return nil, errors.New("the process ended")
	}
	p.attempts++
	if p.attempts > 6 {
		l.t.Errorf("%s: attempt %d", id, p.attempts)
	}
	l.sent++
	status, err := l.answer()
	p.delivered = err == nil && status < 300
	if p.attempts < 6 {
		p.next = now.Add([]time.Duration{time.Minute, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 6 * time.Hour}[p.attempts-1])
	}
	if err != nil {
		return nil, err
	}
	return &outbound.Response{Status: status, Body: []byte("ok")}, nil
}

func (l *life) answer() (int, error) {
	switch l.mood {
	case "fine":
		return 204, nil
	case "broken":
		return 500, nil
	case "away":
		return 0, errors.New("connection refused")
	}
	return []int{200, 204, 302, 404, 500, 503}[l.dice.IntN(6)], nil
}

// judge fails where something is sent that must not be (HOOK-01, HOOK-02, DLIV-03).
func (l *life) judge(h *modelHook, kind event.Type, businessID string, test bool, id string) {
	entry, _ := event.Find(kind)
	switch {
	case h == nil || h.deleted || !h.enabled:
		l.t.Errorf("%s is sent to a webhook that is off or gone", id)
	case l.suspended || l.deactivated:
		l.t.Errorf("%s is sent to an app that is not active", id)
	case test || entry.Audience == event.ForApp:
	case !l.registered.Has(entry.Scope) || !l.granted[businessID].Has(entry.Scope):
		l.t.Errorf("%s tells of %s without the scope", id, kind)
	}
}

// believe fails where the signature is not made by exactly the secrets that sign now (SIGN-01…03).
func (l *life) believe(h *modelHook, r outbound.Request, now time.Time) {
	header := r.Header.Get("X-Webhook-Signature")
	secrets := h.secrets[:1]
	if len(h.secrets) > 1 && now.Before(h.rotated.Add(Overlap)) {
		secrets = h.secrets[:2]
	}
	if want := kit.Sign(now, r.Body, secrets...); header != want {
		l.t.Errorf("signed %s, want %s", header, want)
	}
}

// TestYearsOfDeliveries turns the wheel at random: events, receivers in every mood, rotations, switches, uninstalls, crashes,
// redeliveries, and the clock, by seconds and by weeks.
func TestYearsOfDeliveries(t *testing.T) {
	steps := 800
	if n, err := strconv.Atoi(os.Getenv("DAYBOOK_SIMULATION_STEPS")); err == nil {
		steps = n
	}
	seed := uint64(time.Now().UnixNano())
	if n, err := strconv.ParseUint(os.Getenv("DAYBOOK_SIMULATION_SEED"), 10, 64); err == nil {
		seed = n
	}
	each(t, func(t *testing.T, w *world) {
		l := &life{
			t: t, w: w, dice: rand.New(rand.NewPCG(seed, 0)), hooks: map[string]*modelHook{}, parcels: map[string]*modelParcel{}, mood: "mixed",
			registered: w.app.Scopes, granted: map[string]scope.Set{w.shop: w.app.Scopes}, businesses: []string{w.shop, w.newBusiness(t)},
		}
		l.begin()
		defer func() { w.stop(w.sender) }()
		born := w.Clock.Now()
		for i := 0; i < steps && !t.Failed(); i++ {
			l.turn()
			l.look()
		}
		t.Logf("seed %d: %d steps, %.1f years, %d attempts, %d not written down", seed, steps, w.Clock.Now().Sub(born).Hours()/24/365, l.sent, l.lost)
		if t.Failed() {
			t.Logf("run it again with DAYBOOK_SIMULATION_SEED=%d", seed)
		}
	})
}

// begin starts an engine whose network is the model.
func (l *life) begin() {
	s := l.w.newSender()
	s.Outbound = l
	must(l.t, s.Start(ctx))
	l.w.sender, l.w.hooks.Sender = s, s
}

var heard = []event.Type{event.InvoiceCreated, event.InvoicePaid, event.CustomerCreated, event.SupplierCreated, event.AppUninstalled, event.AppDataUpdated}

func (l *life) turn() {
	w, t := l.w, l.t
	if l.dice.IntN(8) == 0 {
		l.heal()
	}
	switch l.dice.IntN(24) {
	case 0, 1, 2, 3, 4, 5, 6:
		l.happen()
	case 7, 8, 9:
		w.settle(t, time.Duration(l.dice.Int64N(int64(10*time.Minute))))
	case 10, 11:
		w.settle(t, time.Duration(l.dice.Int64N(int64(12*time.Hour))))
	case 12:
		w.settle(t, time.Duration(l.dice.Int64N(int64(20*24*time.Hour))))
	case 13:
		l.mood = []string{"fine", "broken", "away", "mixed"}[l.dice.IntN(4)]
	case 14:
		l.newHook()
	case 15:
		l.onHook(func(h *modelHook) {
			h.deleted = true
			must(t, w.hooks.Delete(ctx, w.app.ID, w.developer, h.id, 0))
		})
	case 16:
		l.onHook(func(h *modelHook) {
			h.enabled = !h.enabled
			_, err := w.hooks.Change(ctx, w.app.ID, w.developer, h.id, 0, Patch{Enabled: &h.enabled})
			must(t, err)
		})
	case 17, 18:
		l.onHook(func(h *modelHook) {
			r, err := w.hooks.Rotate(ctx, w.app.ID, w.developer, h.id, 0)
			must(t, err)
			h.secrets, h.rotated = append([]string{r.Secret.Reveal()}, h.secrets[0]), w.Clock.Now()
		})
	case 19:
		l.switchApp()
	case 20:
		l.changeScopes()
	case 21:
		l.redeliver()
	case 22:
		must(t, w.hooks.CleanUp(ctx))
	case 23:
		l.crash()
	}
	w.settle(t, 0)
}

// happen appends events, and checks that each has exactly one delivery for each webhook that may hear of it.
func (l *life) happen() {
	businessID := l.businesses[l.dice.IntN(len(l.businesses))]
	var types []event.Type
	for range 1 + l.dice.IntN(3) {
		types = append(types, heard[l.dice.IntN(len(heard))])
	}
	want := 0
	for _, kind := range types {
		entry, _ := event.Find(kind)
		for _, h := range l.hooks {
			open := !h.deleted && h.enabled && slices.Contains(h.events, kind) && !l.suspended && !l.deactivated
			if open && (entry.Audience == event.ForApp || l.registered.Has(entry.Scope) && l.granted[businessID].Has(entry.Scope)) {
				want++
			}
		}
	}
	before := l.w.count(l.t, `SELECT count(*) FROM deliveries`)
	l.w.happen(l.t, businessID, types...)
	if got := l.w.count(l.t, `SELECT count(*) FROM deliveries`) - before; got != want {
		l.t.Errorf("%v in %s made %d deliveries, want %d", types, businessID, got, want)
	}
}

func (l *life) newHook() {
	alive := 0
	for _, h := range l.hooks {
		if !h.deleted {
			alive++
		}
	}
	if alive >= 5 {
		return
	}
	events := slices.Clone(heard)
	l.dice.Shuffle(len(events), func(i, j int) { events[i], events[j] = events[j], events[i] })
	events = events[:1+l.dice.IntN(len(events))]
	url := fmt.Sprintf("http://127.0.0.1:9/%d", len(l.hooks))
	c := l.w.hook(l.t, url, events...)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.hooks[c.ID] = &modelHook{id: c.ID, url: url, events: events, enabled: true, secrets: []string{c.Secret.Reveal()}}
}

func (l *life) onHook(do func(*modelHook)) {
	var alive []*modelHook
	for _, h := range l.hooks {
		if !h.deleted {
			alive = append(alive, h)
		}
	}
	if len(alive) > 0 {
		slices.SortFunc(alive, func(a, b *modelHook) int { return strings.Compare(a.id, b.id) })
		do(alive[l.dice.IntN(len(alive))])
	}
}

func (l *life) switchApp() {
	var err error
	switch {
	case !l.suspended && (l.deactivated || l.dice.IntN(2) == 0): // only the operator changes a suspended app
		l.deactivated = !l.deactivated
		if l.deactivated {
			_, err = l.w.apps.Deactivate(ctx, l.w.app.ID, l.w.developer, 0)
		} else {
			_, err = l.w.apps.Reactivate(ctx, l.w.app.ID, l.w.developer, 0)
		}
	default:
		l.suspended = !l.suspended
		if l.suspended {
			_, err = l.w.apps.Suspend(ctx, l.w.app.ID, "a reason")
		} else {
			_, err = l.w.apps.Unsuspend(ctx, l.w.app.ID)
		}
	}
	must(l.t, err)
}

var all = []scope.Scope{scope.InvoicesRead, scope.CustomersRead, scope.SuppliersRead}

// heal makes most things work again: nothing much happens to an app that is off.
func (l *life) heal() {
	if l.suspended || l.deactivated {
		l.switchApp()
	}
	l.registered = scope.Of(all...)
	_, err := l.w.apps.SetScopes(ctx, l.w.app.ID, l.w.developer, 0, l.registered)
	must(l.t, err)
	for _, businessID := range l.businesses {
		if _, installed := l.granted[businessID]; !installed {
			l.granted[businessID] = l.registered
			l.w.install(l.t, businessID, l.w.app.ID, all...)
		}
	}
	l.newHook()
	l.onHook(func(h *modelHook) {
		h.enabled = true
		_, err := l.w.hooks.Change(ctx, l.w.app.ID, l.w.developer, h.id, 0, Patch{Enabled: &h.enabled})
		must(l.t, err)
	})
}

func (l *life) changeScopes() {
	some := scope.Of(all[:1+l.dice.IntN(3)]...)
	businessID := l.businesses[l.dice.IntN(len(l.businesses))]
	switch _, installed := l.granted[businessID]; {
	case l.dice.IntN(3) == 0:
		l.registered = some
		_, err := l.w.apps.SetScopes(ctx, l.w.app.ID, l.w.developer, 0, some)
		must(l.t, err)
	case installed:
		delete(l.granted, businessID)
		l.w.exec(l.t, `UPDATE installations SET status = 'UNINSTALLED' WHERE business_id = $1 AND app_id = $2`, businessID, l.w.app.ID)
	default:
		l.granted[businessID] = some
		l.w.install(l.t, businessID, l.w.app.ID, some...)
	}
}

// redeliver queues every failed delivery of a webhook again, one by one or at once.
func (l *life) redeliver() {
	l.onHook(func(h *modelHook) {
		failed, err := l.w.hooks.Deliveries(ctx, l.w.app.ID, l.w.developer, h.id, Filter{Status: Failed})
		must(l.t, err)
		if len(failed) == 0 {
			return
		}
		l.mu.Lock()
		for _, d := range failed { // before they are queued: they may fly at once
			if p := l.parcels[d.ID]; p != nil {
				p.attempts, p.next, p.delivered = 0, l.w.Clock.Now(), false
			}
		}
		l.mu.Unlock()
		if l.dice.IntN(2) == 0 {
			_, err := l.w.hooks.RedeliverFailed(ctx, l.w.app.ID, l.w.developer, h.id, Span{Since: time.UnixMilli(0), Until: l.w.Clock.Now()})
			must(l.t, err)
			return
		}
		_, _ = l.w.hooks.Redeliver(ctx, l.w.app.ID, l.w.developer, h.id, failed[l.dice.IntN(len(failed))].ID)
	})
}

// crash ends the engine while attempts are under way: the receivers have them, and nobody wrote it down. What it had in hand
// stays in its hand until another engine finds that it is dead.
func (l *life) crash() {
	s := l.w.sender
	if l.dice.IntN(3) == 0 {
		l.w.hooks.Sender = nil // written by a process that does not send
	}
	l.mu.Lock()
	l.dying = true
	l.mu.Unlock()
	s.cancel()
	l.happen()
	s.mu.Lock()
	s.stopped = true
	s.mu.Unlock()
	s.flights.Wait()
	close(s.quit)
	s.loops.Wait()
	l.dying = false
	l.w.exec(l.t, `UPDATE deliveries SET owner = $1 WHERE due_at <= $2`, *s.node.id(), l.w.Clock.Now())
	s.node.presence.Close()
	s.quit = nil
	l.begin()
}

// look compares the store with what the network has seen, once everything due is done.
func (l *life) look() {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.w.Clock.Now()
	var list []Delivery
	must(l.t, l.w.Read(ctx, func(tx *db.Tx) (err error) {
		list, err = db.All(ctx, tx, scanDelivery, `SELECT `+deliveryColumns+` FROM deliveries d`)
		return err
	}))
	for _, d := range list {
		p := l.parcels[d.ID]
		switch {
		case d.Owner != nil:
			l.t.Errorf("%s is still in hand", d.ID)
		case d.DueAt != nil && !d.DueAt.After(now):
			l.t.Errorf("%s is due and was not sent: %+v", d.ID, d)
		case (d.DueAt == nil) != (d.Status == Delivered || d.Status == Failed):
			l.t.Errorf("%s has status %s and is due at %v", d.ID, d.Status, d.DueAt)
		case d.Status == Retrying && (p == nil || !d.DueAt.Equal(p.next) || d.Attempts != p.attempts):
			l.t.Errorf("%s waits for %v after %d attempts; the network saw %+v", d.ID, d.DueAt, d.Attempts, p)
		case d.Status == Delivered && (p == nil || !p.delivered):
			l.t.Errorf("%s is delivered, the network does not know", d.ID)
		case d.Status == Failed && d.LastError == nil:
			l.t.Errorf("%s failed for no reason", d.ID)
		}
	}
	if n := l.w.count(l.t, `SELECT count(*) FROM delivery_attempts a WHERE NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.id = a.delivery_id)`); n > 0 {
		l.t.Errorf("%d attempts of no delivery", n)
	}
}

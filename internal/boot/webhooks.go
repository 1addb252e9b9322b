package boot

import (
	"context"
	"log/slog"
	"time"

	"daybook/internal/base/clock"
	"daybook/internal/base/outbound"
	"daybook/internal/platform/tally"
	"daybook/internal/platform/webhook"
)

// makeWebhooks adds webhooks to a house, and what counts their deliveries. Commands of the operator write deliveries like everyone, and leave the sending to a
// running node. They may load a world of development mode, so they take its addresses; every attempt decides again.
func (h *House) makeWebhooks() {
	h.Webhooks = &webhook.Service{
		DB: h.DB, IDs: h.IDs, Keys: h.Keys, Clock: h.Clock, Outbound: outbound.New(outbound.Options{AllowLoopbackHTTP: true, Clock: h.Clock}),
	}
	h.Events.Subscribers = h.Webhooks
	h.Tally = &tally.Service{DB: h.DB}
}

// makeSender gives a node its own guarded client for webhooks, and the engine that sends.
func (n *Node) makeSender(log *slog.Logger) {
	h := n.House
	client := outbound.New(outbound.Options{
		Allow: n.settings.allow, AllowLoopbackHTTP: n.settings.Development != nil, Clock: h.Clock, UserAgent: n.settings.ServiceName + "-Webhooks",
		IdlePerHost: webhook.MostPerHost,
	})
	n.receivers = client
	h.Webhooks.Outbound = client
	n.sender = &webhook.Sender{
		DB: h.DB, IDs: h.IDs, Keys: h.Keys, Outbound: client, Host: h.Functions, Log: log, Clock: h.Clock, Machine: clock.System{}, Observe: n.metrics.delivered,
	}
}

// startSending begins to send. Until then, what the house writes waits in the store.
func (n *Node) startSending(ctx context.Context) error {
	if err := n.House.Webhooks.CleanUp(ctx); err != nil { // the first attempt finds a place for its day
		return err
	}
	if err := n.sender.Start(ctx); err != nil {
		return err
	}
	n.House.Webhooks.Sender = n.sender
	return nil
}

// runDue lets everything happen that is due by now: the jobs first, then the deliveries that they make.
func (n *Node) runDue(ctx context.Context) {
	n.loops.runDue(ctx)
	if err := n.sender.Settle(ctx); err != nil && ctx.Err() == nil {
		n.log.Error("due deliveries were not all sent", "error", err)
	}
}

// maxSteps is how many instants the clock of development mode stops at on its way. Beyond them it jumps.
const maxSteps = 2000

// pass moves the clock of development mode forward by less than a duration, stopping wherever an attempt or a schedule falls due, and tells
// how far it went. So a move of nine hours makes all six attempts of a delivery that keeps failing, each at its time.
func (n *Node) pass(ctx context.Context, by time.Duration) (passed time.Duration, err error) {
	hand := n.settings.Development.Clock
	for range maxSteps {
		due, waiting, err := n.nextDue(ctx)
		if err != nil || !waiting {
			return passed, err
		}
		wait := due.Sub(hand.Now())
		if wait <= 0 { // it is under way: how it ends decides when the next one falls due
			if err := n.settle(ctx); err != nil {
				return passed, err
			}
			continue
		}
		// A second at a time at least: retries of many deliveries fall due within one.
		step := max(wait, time.Second)
		if passed+step >= by {
			break
		}
		if _, err := hand.Advance(step); err != nil {
			return passed, err
		}
		passed += step
		if err := n.settle(ctx); err != nil {
			return passed, err
		}
	}
	return passed, nil
}

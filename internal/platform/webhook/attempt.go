package webhook

import (
	"context"
	"strconv"
	"strings"
	"time"

	"daybook/internal/base/clock"
	"daybook/internal/base/db"
	"daybook/internal/base/outbound"
	"daybook/internal/platform/event"
)

// answerTime is how long a receiver may take (DLIV-01).
const answerTime = 10 * time.Second

// keptAnswer is how much of an answer is kept, in bytes.
const keptAnswer = 2 << 10

// outcome is what came of a delivery in hand.
type outcome struct {
	delivery Delivery // as it stands now
	owner    string
	attempt  *Attempt // nil: it was not sent
	released bool     // it is put back as it was
	verdict  verdict
	loss     loss
	host     string
	keep     func(context.Context, *db.Tx) error // what else there is to write down of the attempt; nil: nothing
}

// attempt asks the gate, signs and sends. It changes nothing.
func (s *Sender) attempt(ctx context.Context, d Delivery) outcome {
	o := outcome{delivery: d, owner: *d.Owner}
	r := d.judged
	if r == nil {
		p, err := s.view(ctx, d.BusinessID, d.AppID)
		if err != nil {
			s.trouble(ctx, "a delivery was not judged", err)
			o.released = true
			return o
		}
		entry, _ := event.Find(d.Type)
		if drop := p.drop(d.AppID, d.WebhookID, entry, d.test()); drop != "" {
			o.delivery.drop(drop)
			s.observe(Observation{Dropped: true})
			return o
		}
		r = findReceiver(p.receivers[d.AppID], d.WebhookID)
	}
	if r.hosted {
		return s.runHosted(ctx, o)
	}
	signers, err := r.signers(s.Keys, s.Clock.Now())
	if err != nil {
		s.trouble(ctx, "a secret was not opened", err)
		o.delivery.drop(unreadable)
		return o
	}
	return s.send(ctx, o, r.url, signers)
}

// unreadable is the reason for a secret that the key file does not open: an operator's mistake, and no receiver's.
const unreadable Drop = "secret cannot be opened: rotate it"

func (d *Delivery) drop(why Drop) {
	text := string(why)
	d.Status, d.DueAt, d.LastError = Failed, nil, &text
}

func (s *Sender) send(ctx context.Context, o outcome, address string, signers []*signer) outcome {
	d := &o.delivery
	a := &Attempt{Number: d.Sent + 1, At: s.Clock.Now()}
	body := []byte(d.Body)
	a.Signature = sign(a.At, body, signers...)
	header := d.Header()
	header["X-Webhook-Signature"] = []string{a.Signature}
	elapsed := clock.Stopwatch()
	res, err := s.Outbound.Do(ctx, outbound.Request{
		Method: "POST", URL: address, Header: header, Body: body, Timeout: answerTime, MaxBody: keptAnswer,
	})
	a.Duration = elapsed()
	if err != nil && ctx.Err() != nil {
		o.released = true // we stopped, not the receiver
		return o
	}
	o.attempt, o.host = a, hostOf(address)
	delivered := a.note(res, err)
	o.verdict = quick
	if !delivered || a.Duration > slowAnswer || res.Truncated && a.Duration-res.Duration > slowBody {
		o.verdict = troubled
	}
	switch {
	case err != nil && outbound.Lost(err), err == nil && !delivered && res.Lost:
		o.loss = wasted
	case delivered && res.Truncated && res.Lost:
		o.loss = brokenOff
	}
	d.advance(*a, delivered, s.Clock.Now())
	s.observe(Observation{Delivered: delivered, Duration: a.Duration})
	return o
}

func (s *Sender) observe(o Observation) {
	if s.Observe != nil {
		s.Observe(o)
	}
}

// note writes down the answer, or why there is none, and reports whether the receiver has it.
func (a *Attempt) note(res *outbound.Response, err error) bool {
	if err != nil {
		text := err.Error()
		a.Error = &text
		return false
	}
	a.Status = &res.Status
	if len(res.Body) > 0 {
		text := outbound.LogText(res.Body, keptAnswer)
		a.Answer = &text
	}
	if succeeded(res.Status) {
		return true
	}
	text := "answered " + strconv.Itoa(res.Status)
	a.Error = &text
	return false
}

// advance is where a delivery stands after an attempt that ended then.
func (d *Delivery) advance(a Attempt, delivered bool, ended time.Time) {
	d.Attempts++
	d.Sent = a.Number
	d.Status, d.DueAt = next(d.Attempts, delivered, ended)
	d.ResponseCode, d.LastError = a.Status, a.Error
	if delivered {
		d.DeliveredAt = &ended
	}
}

// view is who hears of what now, at the earliest when it was asked for.
func (s *Sender) view(ctx context.Context, businessID, appID string) (picture, error) {
	revision, err := s.revisions.read(ctx, s.DB)
	if err != nil {
		return picture{}, err
	}
	if p, known := s.memory.recall(revision, businessID, appID); known {
		return p, nil
	}
	return s.learn(ctx, businessID, appID)
}

// learn looks, and remembers what it saw.
func (s *Sender) learn(ctx context.Context, businessID string, apps ...string) (picture, error) {
	var p picture
	var revision int64
	err := s.DB.Snapshot(ctx, func(tx *db.Tx) (err error) {
		if revision, err = revisionNow(ctx, tx); err != nil {
			return err
		}
		p, err = look(ctx, tx, businessID, apps...)
		return err
	})
	if err != nil {
		return picture{}, err
	}
	return s.memory.keep(revision, businessID, p), nil
}

// hostOf is the host of an address that was taken: it has a scheme, and neither a user nor a fragment.
func hostOf(address string) string {
	_, after, _ := strings.Cut(address, "://")
	if i := strings.IndexAny(after, "/?"); i >= 0 {
		return after[:i]
	}
	return after
}

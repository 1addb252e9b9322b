// Package webhook receives what Daybook sends to the webhooks of an app: it proves that a request came from Daybook a moment
// ago, and reads it. It needs nothing but the standard library, so it can be imported or copied.
//
//	secrets := func() []string { return []string{os.Getenv("DAYBOOK_WEBHOOK_SECRET")} }
//	http.Handle("/hooks", webhook.Handler(secrets, time.Now, func(ctx context.Context, e webhook.Event) error {
//		return inbox.Add(ctx, e) // store it; work on it later
//	}))
//
// # Once
//
// A delivery may come more than once: when the answer was lost on its way, when Daybook crashed between sending and noting it,
// when somebody redelivered it. Nothing here remembers what came, because only the receiver's own database can do so in one
// transaction with the work. Store each event under its EventID (a test delivery has none: take its ID), with a unique key, and
// answer nil for one that is already there.
//
// # Rotation
//
// For 24 hours after a rotation every delivery is signed with the new secret and with the one before it. A receiver that knows
// either accepts it, so the new secret can be brought out at leisure.
package webhook

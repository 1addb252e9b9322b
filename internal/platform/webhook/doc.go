// Package webhook owns the webhooks of apps and the deliveries of events to them.
//
// Tables: webhooks, deliveries, delivery_attempts, nodes. It reads, and never writes, apps and installations.
//
// Deliveries are written in the transaction of the change that they tell of (Service.Deliver, called by the event log):
// none is lost, none tells of what did not happen. Sender brings them to their receivers. It asks the gate again before
// every attempt, signs the stored bytes afresh, and writes down what came of it.
//
// Invariants: at most six attempts since a delivery was queued, each its wait after the failure before it; delivered and
// failed are left by nobody but Redeliver; an attempt is made by the one node that owns the row, and counts only while it does.
// An attempt under way when its process dies may be made again, none is left out.
package webhook

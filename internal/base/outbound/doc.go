// Package outbound is the only way out: the HTTP client for addresses that strangers choose (webhooks, client
// metadata documents).
//
// It owns three promises. It connects only to public addresses, to loopback in development mode, and to what
// the operator listed; the decision is made on the final address, in the dialer's control hook, for every
// connect. It never holds a caller longer than the attempt's limit, whatever the other side does. And it
// fails in a small closed set of plain words that can be shown to whoever chose the address.
//
// # What the words hide
//
// The owner of a URL must not learn about our network from them (no port scanner, no internal-DNS oracle):
//
//   - A denied address is never connected to, so it has one text, `address not allowed`, whatever listens there.
//   - An address that is not public but listed by the operator may be connected to. Its answers are reported as
//     any other's. Every failure without an answer (refused, timed out, reset, TLS, not HTTP) reads
//     `address not allowed` too, so the three cases look the same. The true reason is in Error.Detail, which is
//     for the operator's log only.
//   - At save time a name that does not resolve reads `address not allowed` as well: saving is free and could
//     otherwise be used to ask which internal names exist. At delivery it reads `name not found`, since an expired
//     domain is a common fault. What remains: an owner whose saved name later points into our zone can tell a
//     missing name from a denied one, and anyone can measure time.
//   - Loopback in development mode is exempt: there the reader owns the machine.
//
// # What it never does
//
// It follows no redirect (a 3xx is the answer), uses no proxy, keeps no cookie and asks for no compression. It
// repeats no request that may have reached the receiver, save a GET whose kept connection broke. It does not count
// what is in flight: how many attempts run at once is the caller's matter.
package outbound

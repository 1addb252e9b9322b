// Package limit counts: requests in fixed windows, failures towards lockouts.
//
// It owns the arithmetic of both (span.go, without I/O), the keys below `daybook:limit:` in Redis, and what
// happens when Redis is away. It knows no product limit: the numbers are rows declared by those who enforce
// them.
//
// Three counters with one behaviour, held together by one test suite:
//
//   - Local counts in the process. A single node needs nothing else.
//   - Redis counts for all nodes, in one round trip a call. It can fail, so it returns errors and is no Limiter.
//   - Resilient is Redis that cannot fail: it falls back to a Local that has followed along.
//
// A Limiter never returns an error. Nothing that decides who someone is may live here: counters may be lost,
// and losing one lets somebody through early, never keeps somebody out longer.
package limit

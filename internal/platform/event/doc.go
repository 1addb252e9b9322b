// Package event owns the log of everything that happened to a business's books and apps.
//
// Tables: event_counters, events. It reads, and never writes, apps and installations. An event is appended in the transaction of the change it tells of, with the next number
// of its business: the order of numbers is the order of commits, without a gap. The catalog names every event there is.
//
// Payloads hold ids, numbers and words, never personal data: the log needs no redaction. They are kept in the newest
// shape of the API; one table (members.go) says what each holds, and gives the samples and the schemas.
//
// Feed is the log as apps read it: each event only while token, app and installation all have its scope, for 30 days, in the
// order of numbers from any event on. Who finds nothing may wait: a commit on this node rings, those of other nodes are
// looked for every second while somebody waits.
package event

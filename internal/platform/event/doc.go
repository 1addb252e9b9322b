// Package event owns the log of everything that happened to a business's books and apps.
//
// Tables: event_counters, events. An event is appended in the transaction of the change it tells of, with the next number
// of its business: the order of numbers is the order of commits, without a gap. The catalog names every event there is.
//
// Payloads hold ids, numbers and words, never personal data: the log needs no redaction. They are kept in the newest
// shape of the API.
package event

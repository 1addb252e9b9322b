// Package idem makes a write happen once however often it is sent (CALL-07). A caller names its request by a key; the
// answer is kept in the transaction of the change itself, and the same request gets it again for 24 hours.
//
// Table: idempotency_keys.
//
// Kept are answers to what was done, and refusals that would be the same next time: the request is wrong (400), names
// nothing (404), is out of date (412), contradicts itself (422), or meets a ceiling of the plan. What may be different
// next time is not kept: who is calling, what they may do, the state of the record, limits, malfunctions.
//
// Two at once: on one node the second is told to wait; between nodes the table's key decides, and the one that comes too
// late rolls its work back and gives the first one's answer.
package idem

// Package appdata owns what apps keep on the records of a business: the fields that an app declares, and their values.
//
// Tables: app_fields, app_data. A field belongs to an app and a sort of record; it has a type that never changes and rules
// that may. A value belongs to an app, a business, a record and a field. Rules that change leave values as they are: what
// no longer fits is shown as not valid until it is written anew.
//
// Invariants: an app has at most 25 fields for a sort of record, each with a key of its own; a value stands on a record
// that exists and goes with it, and with its field; no other app sees a value, and people of the business see and edit only
// what the field's visibility opens to them, on our own pages; every write and deletion is told to the app by an event in the
// same transaction, with its origin. 48 hours after the business uninstalls the app its values there are erased.
//
// There is no scope for app data: the read scope of the record's sort decides, and the person's permission to see such
// records.
package appdata

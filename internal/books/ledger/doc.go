// Package ledger owns the chart of accounts and the journal: the one place where money is booked.
//
// Tables: books, accounts, journal_entries, journal_lines, account_months, party_balances. Of tax_rates and parties, which
// belong to packages above, it asks only whether a row exists. Events: account.*, journal_entry.*, books.locked,
// books.unlocked.
//
// Whoever writes to the books of a business opens its Book first (see Do): writes of one business follow one another, and
// the Book carries what they share: today's date, the lock date, the next numbers, the events to append.
//
// Invariants: a posted entry balances, never changes and is never deleted (the database refuses it, too); numbers of entries
// have no gap; nothing is posted on or before the lock date, nor to an archived account; an automatic posting exists once
// per source and action; account_months and party_balances are the sums of journal_lines; no sum leaves the range of an
// amount. Drafts are kept apart: their lines are JSON and count nowhere.
//
// An external id is an app's own affair: setting it raises no version and tells of nothing.
package ledger

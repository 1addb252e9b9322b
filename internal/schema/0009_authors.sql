-- Who made and who last changed a party or an account, as invoices, payments and journal entries have it. Rows from before
-- have an empty actor: it was not written down.

-- books/party
ALTER TABLE parties ADD COLUMN made_by TEXT NOT NULL DEFAULT '{}'; -- JSON: actor
ALTER TABLE parties ADD COLUMN changed_by TEXT NOT NULL DEFAULT '{}'; -- JSON: actor

-- books/ledger
ALTER TABLE accounts ADD COLUMN made_by TEXT NOT NULL DEFAULT '{}'; -- JSON: actor
ALTER TABLE accounts ADD COLUMN changed_by TEXT NOT NULL DEFAULT '{}'; -- JSON: actor

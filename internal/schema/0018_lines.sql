-- books/ledger: on SQLite the lines of the journal are kept in the order of their key, so that each is written once and not also to an index.
-- [sqlite]
DROP TRIGGER journal_entries_balance;
DROP TRIGGER journal_entries_balance_posting;
CREATE TABLE journal_lines_by_key (
	entry_id       TEXT   NOT NULL REFERENCES journal_entries (id) DEFERRABLE INITIALLY DEFERRED,
	position       BIGINT NOT NULL,
	id             TEXT   NOT NULL,
	business_id    TEXT   NOT NULL,
	account_id     TEXT   NOT NULL REFERENCES accounts (id),
	date           TEXT   NOT NULL, -- the entry's, for reports
	debit          BIGINT NOT NULL CHECK (debit >= 0),
	credit         BIGINT NOT NULL CHECK (credit >= 0),
	description    TEXT,
	customer_id    TEXT,
	supplier_id    TEXT,
	currency       TEXT,
	foreign_amount BIGINT,
	PRIMARY KEY (entry_id, position),
	CHECK ((debit = 0) <> (credit = 0))
) /*strict, by key*/;
INSERT INTO journal_lines_by_key (entry_id, position, id, business_id, account_id, date, debit, credit, description, customer_id, supplier_id, currency, foreign_amount)
	SELECT entry_id, position, id, business_id, account_id, date, debit, credit, description, customer_id, supplier_id, currency, foreign_amount
	FROM journal_lines ORDER BY entry_id, position;
DROP TABLE journal_lines;
ALTER TABLE journal_lines_by_key RENAME TO journal_lines;
CREATE INDEX journal_lines_account ON journal_lines (business_id, account_id, date, entry_id, position);
CREATE INDEX journal_lines_customer ON journal_lines (business_id, customer_id, entry_id) WHERE customer_id IS NOT NULL;
CREATE INDEX journal_lines_supplier ON journal_lines (business_id, supplier_id, entry_id) WHERE supplier_id IS NOT NULL;

CREATE TRIGGER journal_entries_balance BEFORE INSERT ON journal_entries WHEN NEW.status <> 'DRAFT'
	AND (SELECT count(*) <> NEW.line_count OR coalesce(sum(debit), 0) <> NEW.debit_total OR coalesce(sum(credit), 0) <> NEW.credit_total
		FROM journal_lines WHERE entry_id = NEW.id)
	BEGIN SELECT RAISE(ABORT, 'a journal entry does not agree with its lines'); END;
CREATE TRIGGER journal_entries_balance_posting BEFORE UPDATE ON journal_entries WHEN OLD.status = 'DRAFT' AND NEW.status <> 'DRAFT'
	AND (SELECT count(*) <> NEW.line_count OR coalesce(sum(debit), 0) <> NEW.debit_total OR coalesce(sum(credit), 0) <> NEW.credit_total
		FROM journal_lines WHERE entry_id = NEW.id)
	BEGIN SELECT RAISE(ABORT, 'a journal entry does not agree with its lines'); END;
CREATE TRIGGER journal_lines_complete BEFORE INSERT ON journal_lines
	WHEN EXISTS (SELECT 1 FROM journal_entries WHERE id = NEW.entry_id AND status <> 'DRAFT')
	BEGIN SELECT RAISE(ABORT, 'a posted journal entry gets no more lines'); END;
CREATE TRIGGER journal_lines_immutable BEFORE UPDATE ON journal_lines
	BEGIN SELECT RAISE(ABORT, 'a posted journal line does not change'); END;
CREATE TRIGGER journal_lines_lasting BEFORE DELETE ON journal_lines
	WHEN NOT EXISTS (SELECT 1 FROM books WHERE business_id = OLD.business_id AND emptying_since IS NOT NULL)
	BEGIN SELECT RAISE(ABORT, 'a posted journal line stays'); END;
-- [both]

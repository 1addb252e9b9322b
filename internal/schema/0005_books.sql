-- The books, and what is kept of every change to them. Money is minor units; dates are YYYY-MM-DD in the business's own
-- calendar; what is only read and written whole (addresses, lines of a document) is JSON.

-- platform/event: one counter per business, raised in the transaction of the change, so that the order of numbers is the
-- order of commits
CREATE TABLE event_counters (
	business_id TEXT   NOT NULL PRIMARY KEY,
	last        BIGINT NOT NULL
) /*strict*/;

CREATE TABLE events (
	id          TEXT   NOT NULL PRIMARY KEY, -- sorts by time: what is too old is found by it
	business_id TEXT   NOT NULL,
	number      BIGINT NOT NULL,
	type        TEXT   NOT NULL,
	app_id      TEXT, -- the one app that an event of audience app is for
	data        TEXT   NOT NULL, -- JSON, in the newest shape
	created_at  BIGINT NOT NULL
) /*strict*/;
CREATE UNIQUE INDEX events_number ON events (business_id, number);

-- platform/idem
CREATE TABLE idempotency_keys (
	business_id TEXT   NOT NULL,
	caller      TEXT   NOT NULL, -- the app; for session calls the user
	key         TEXT   NOT NULL,
	fingerprint BYTEA  NOT NULL,
	status      BIGINT NOT NULL,
	header      TEXT   NOT NULL, -- JSON: the headers that belong to the answer
	body        BYTEA  NOT NULL,
	created_at  BIGINT NOT NULL,
	PRIMARY KEY (business_id, caller, key)
) /*strict*/;
CREATE INDEX idempotency_keys_age ON idempotency_keys (created_at);

-- books/record: what an app calls a record, private to the app
CREATE TABLE external_ids (
	business_id TEXT NOT NULL,
	app_id      TEXT NOT NULL,
	kind        TEXT NOT NULL,
	external_id TEXT NOT NULL,
	record_id   TEXT NOT NULL,
	PRIMARY KEY (business_id, app_id, kind, external_id)
) /*strict*/;
CREATE UNIQUE INDEX external_ids_record ON external_ids (record_id, app_id);

-- books/ledger: one row per business; whoever writes to the books takes it first, so writes of one business follow
-- one another
CREATE TABLE books (
	business_id        TEXT   NOT NULL PRIMARY KEY REFERENCES businesses (id),
	lock_date          TEXT, -- nothing is posted on or before it
	tax_mode           TEXT   NOT NULL, -- for new documents
	tax_rounding       TEXT   NOT NULL,
	payment_terms_days BIGINT NOT NULL,
	last_entry         BIGINT NOT NULL, -- journal entries are numbered without a gap
	last_invoice       BIGINT NOT NULL  -- and so are invoices
) /*strict*/;

CREATE TABLE accounts (
	id                  TEXT   NOT NULL PRIMARY KEY,
	business_id         TEXT   NOT NULL REFERENCES businesses (id),
	code                TEXT   NOT NULL,
	name                TEXT   NOT NULL,
	search              TEXT   NOT NULL, -- lower-case name
	type                TEXT   NOT NULL, -- ASSET, LIABILITY, EQUITY, REVENUE, EXPENSE
	subtype             TEXT,
	currency            TEXT, -- null: the business's
	description         TEXT,
	default_tax_rate_id TEXT,
	system_role         TEXT,
	status              TEXT   NOT NULL, -- ACTIVE, ARCHIVED
	version             BIGINT NOT NULL,
	created_at          BIGINT NOT NULL,
	updated_at          BIGINT NOT NULL
) /*strict*/;
CREATE UNIQUE INDEX accounts_code ON accounts (business_id, code);
CREATE UNIQUE INDEX accounts_role ON accounts (business_id, system_role) WHERE system_role IS NOT NULL;
CREATE INDEX accounts_created ON accounts (business_id, created_at, id);
CREATE INDEX accounts_updated ON accounts (business_id, updated_at, id);

CREATE TABLE journal_entries (
	id            TEXT   NOT NULL PRIMARY KEY,
	business_id   TEXT   NOT NULL REFERENCES businesses (id),
	number        BIGINT, -- null for a draft
	date          TEXT   NOT NULL,
	memo          TEXT,
	status        TEXT   NOT NULL, -- DRAFT, POSTED, REVERSED
	source_type   TEXT   NOT NULL, -- MANUAL, INVOICE, PAYMENT, SYSTEM
	source_id     TEXT   NOT NULL,
	source_action TEXT   NOT NULL,
	reversal_of   TEXT,
	reversed_by   TEXT,
	debit_total   BIGINT NOT NULL,
	credit_total  BIGINT NOT NULL,
	line_count    BIGINT NOT NULL,
	draft_lines   TEXT, -- JSON; the lines of a posted entry are rows
	made_by       TEXT   NOT NULL, -- JSON: actor
	version       BIGINT NOT NULL,
	created_at    BIGINT NOT NULL,
	updated_at    BIGINT NOT NULL,
	CHECK (status = 'DRAFT' OR (debit_total = credit_total AND debit_total > 0 AND number IS NOT NULL AND draft_lines IS NULL))
) /*strict*/;
CREATE UNIQUE INDEX journal_entries_number ON journal_entries (business_id, number) WHERE number IS NOT NULL;
-- a job that runs twice cannot post twice
CREATE UNIQUE INDEX journal_entries_source ON journal_entries (business_id, source_type, source_id, source_action);
CREATE UNIQUE INDEX journal_entries_reversal ON journal_entries (reversal_of) WHERE reversal_of IS NOT NULL;
CREATE INDEX journal_entries_numbered ON journal_entries (business_id, coalesce(number, 0), id); -- drafts sort before the first
CREATE INDEX journal_entries_date ON journal_entries (business_id, date, id);
CREATE INDEX journal_entries_created ON journal_entries (business_id, created_at, id);
CREATE INDEX journal_entries_updated ON journal_entries (business_id, updated_at, id);

-- lines of posted entries: written before their entry, never changed
CREATE TABLE journal_lines (
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
) /*strict*/;
CREATE INDEX journal_lines_account ON journal_lines (business_id, account_id, date, entry_id, position);
CREATE INDEX journal_lines_customer ON journal_lines (business_id, customer_id, entry_id) WHERE customer_id IS NOT NULL;
CREATE INDEX journal_lines_supplier ON journal_lines (business_id, supplier_id, entry_id) WHERE supplier_id IS NOT NULL;

-- sums of journal_lines, raised with them, so that reports and balances need not read a lifetime of lines
CREATE TABLE account_months (
	business_id TEXT   NOT NULL,
	account_id  TEXT   NOT NULL,
	month       TEXT   NOT NULL, -- YYYY-MM
	debit       BIGINT NOT NULL,
	credit      BIGINT NOT NULL,
	PRIMARY KEY (business_id, account_id, month)
) /*strict*/;

CREATE TABLE party_balances (
	business_id TEXT   NOT NULL,
	party_id    TEXT   NOT NULL, -- customer or supplier
	account_id  TEXT   NOT NULL,
	balance     BIGINT NOT NULL, -- debit − credit
	PRIMARY KEY (business_id, party_id, account_id)
) /*strict*/;

-- The database itself refuses an entry that does not balance or whose lines differ from its totals, and any change to
-- what is posted.
-- [sqlite]
CREATE TRIGGER journal_entries_balance BEFORE INSERT ON journal_entries WHEN NEW.status <> 'DRAFT'
	AND (SELECT count(*) <> NEW.line_count OR coalesce(sum(debit), 0) <> NEW.debit_total OR coalesce(sum(credit), 0) <> NEW.credit_total
		FROM journal_lines WHERE entry_id = NEW.id)
	BEGIN SELECT RAISE(ABORT, 'a journal entry does not agree with its lines'); END;
CREATE TRIGGER journal_entries_balance_posting BEFORE UPDATE ON journal_entries WHEN OLD.status = 'DRAFT' AND NEW.status <> 'DRAFT'
	AND (SELECT count(*) <> NEW.line_count OR coalesce(sum(debit), 0) <> NEW.debit_total OR coalesce(sum(credit), 0) <> NEW.credit_total
		FROM journal_lines WHERE entry_id = NEW.id)
	BEGIN SELECT RAISE(ABORT, 'a journal entry does not agree with its lines'); END;
CREATE TRIGGER journal_entries_immutable BEFORE UPDATE ON journal_entries WHEN OLD.status <> 'DRAFT'
	AND (NEW.id <> OLD.id OR NEW.business_id <> OLD.business_id OR NEW.number IS NOT OLD.number OR NEW.date <> OLD.date OR NEW.memo IS NOT OLD.memo
		OR NEW.source_type <> OLD.source_type OR NEW.source_id <> OLD.source_id OR NEW.source_action <> OLD.source_action
		OR NEW.reversal_of IS NOT OLD.reversal_of OR NEW.debit_total <> OLD.debit_total OR NEW.credit_total <> OLD.credit_total
		OR NEW.line_count <> OLD.line_count OR NEW.made_by <> OLD.made_by OR NEW.created_at <> OLD.created_at
		OR (OLD.status <> NEW.status OR NEW.reversed_by IS NOT OLD.reversed_by)
			AND NOT (OLD.status = 'POSTED' AND NEW.status = 'REVERSED' AND OLD.reversed_by IS NULL AND NEW.reversed_by IS NOT NULL))
	BEGIN SELECT RAISE(ABORT, 'a posted journal entry does not change'); END;
CREATE TRIGGER journal_entries_lasting BEFORE DELETE ON journal_entries WHEN OLD.status <> 'DRAFT'
	BEGIN SELECT RAISE(ABORT, 'a posted journal entry stays'); END;
CREATE TRIGGER journal_lines_complete BEFORE INSERT ON journal_lines
	WHEN EXISTS (SELECT 1 FROM journal_entries WHERE id = NEW.entry_id AND status <> 'DRAFT')
	BEGIN SELECT RAISE(ABORT, 'a posted journal entry gets no more lines'); END;
CREATE TRIGGER journal_lines_immutable BEFORE UPDATE ON journal_lines
	BEGIN SELECT RAISE(ABORT, 'a posted journal line does not change'); END;
CREATE TRIGGER journal_lines_lasting BEFORE DELETE ON journal_lines
	BEGIN SELECT RAISE(ABORT, 'a posted journal line stays'); END;

-- [postgres]
CREATE FUNCTION journal_entry_guard() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	lines BIGINT;
	debits BIGINT;
	credits BIGINT;
BEGIN
	IF TG_OP = 'DELETE' THEN
		IF OLD.status <> 'DRAFT' THEN
			RAISE EXCEPTION 'a posted journal entry stays';
		END IF;
		RETURN OLD;
	END IF;
	IF TG_OP = 'UPDATE' AND OLD.status <> 'DRAFT' THEN
		-- all but version and time stays; POSTED may become REVERSED, once
		IF NEW.id <> OLD.id OR NEW.business_id <> OLD.business_id OR NEW.number IS DISTINCT FROM OLD.number OR NEW.date <> OLD.date OR NEW.memo IS DISTINCT FROM OLD.memo
			OR NEW.source_type <> OLD.source_type OR NEW.source_id <> OLD.source_id OR NEW.source_action <> OLD.source_action
			OR NEW.reversal_of IS DISTINCT FROM OLD.reversal_of OR NEW.debit_total <> OLD.debit_total OR NEW.credit_total <> OLD.credit_total
			OR NEW.line_count <> OLD.line_count OR NEW.made_by <> OLD.made_by OR NEW.created_at <> OLD.created_at
			OR (OLD.status <> NEW.status OR NEW.reversed_by IS DISTINCT FROM OLD.reversed_by)
				AND NOT (OLD.status = 'POSTED' AND NEW.status = 'REVERSED' AND OLD.reversed_by IS NULL AND NEW.reversed_by IS NOT NULL) THEN
			RAISE EXCEPTION 'a posted journal entry does not change';
		END IF;
		RETURN NEW;
	END IF;
	IF NEW.status <> 'DRAFT' THEN
		SELECT count(*), coalesce(sum(debit), 0), coalesce(sum(credit), 0) INTO lines, debits, credits FROM journal_lines WHERE entry_id = NEW.id;
		IF lines <> NEW.line_count OR debits <> NEW.debit_total OR credits <> NEW.credit_total THEN
			RAISE EXCEPTION 'a journal entry does not agree with its lines';
		END IF;
	END IF;
	RETURN NEW;
END $$;
CREATE TRIGGER journal_entries_guard BEFORE INSERT OR UPDATE OR DELETE ON journal_entries
	FOR EACH ROW EXECUTE FUNCTION journal_entry_guard();
CREATE FUNCTION journal_line_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP <> 'INSERT' THEN
		RAISE EXCEPTION 'a posted journal line does not change';
	END IF;
	IF EXISTS (SELECT 1 FROM journal_entries WHERE id = NEW.entry_id AND status <> 'DRAFT') THEN
		RAISE EXCEPTION 'a posted journal entry gets no more lines';
	END IF;
	RETURN NEW;
END $$;
CREATE TRIGGER journal_lines_guard BEFORE INSERT OR UPDATE OR DELETE ON journal_lines
	FOR EACH ROW EXECUTE FUNCTION journal_line_guard();
-- [both]

-- books/tax
CREATE TABLE tax_rates (
	id          TEXT   NOT NULL PRIMARY KEY,
	business_id TEXT   NOT NULL REFERENCES businesses (id),
	name        TEXT   NOT NULL,
	rate        TEXT   NOT NULL, -- percent, decimal
	kind        TEXT   NOT NULL, -- SALES, PURCHASE, BOTH
	category    TEXT   NOT NULL,
	account_id  TEXT   NOT NULL REFERENCES accounts (id),
	status      TEXT   NOT NULL, -- ACTIVE, ARCHIVED
	version     BIGINT NOT NULL,
	created_at  BIGINT NOT NULL,
	updated_at  BIGINT NOT NULL
) /*strict*/;
CREATE INDEX tax_rates_created ON tax_rates (business_id, created_at, id);

-- books/party: customers and suppliers
CREATE TABLE parties (
	id                  TEXT   NOT NULL PRIMARY KEY,
	business_id         TEXT   NOT NULL REFERENCES businesses (id),
	kind                TEXT   NOT NULL, -- CUSTOMER, SUPPLIER
	type                TEXT   NOT NULL, -- COMPANY, INDIVIDUAL
	display_name        TEXT   NOT NULL,
	search              TEXT   NOT NULL, -- lower-case display name
	legal_name          TEXT,
	first_name          TEXT,
	last_name           TEXT,
	email               TEXT,
	email_key           TEXT, -- lower case
	phone               TEXT,
	tax_number          TEXT,
	currency            TEXT   NOT NULL,
	address             TEXT, -- JSON: billing address of a customer, address of a supplier
	shipping_address    TEXT, -- JSON
	payment_terms_days  BIGINT,
	default_tax_rate_id TEXT,
	notes               TEXT,
	status              TEXT   NOT NULL, -- ACTIVE, ARCHIVED, REDACTED
	version             BIGINT NOT NULL,
	created_at          BIGINT NOT NULL,
	updated_at          BIGINT NOT NULL
) /*strict*/;
CREATE INDEX parties_created ON parties (business_id, kind, created_at, id);
CREATE INDEX parties_updated ON parties (business_id, kind, updated_at, id);
CREATE INDEX parties_name ON parties (business_id, kind, search, id);
CREATE INDEX parties_email ON parties (business_id, kind, email_key) WHERE email_key IS NOT NULL;

-- books/invoice
CREATE TABLE invoices (
	id                 TEXT   NOT NULL PRIMARY KEY,
	business_id        TEXT   NOT NULL REFERENCES businesses (id),
	number             TEXT   NOT NULL, -- empty while there is none
	status             TEXT   NOT NULL, -- DRAFT, OPEN, PARTIALLY_PAID, PAID, VOID, UNCOLLECTIBLE
	customer_id        TEXT   NOT NULL REFERENCES parties (id),
	bill_to            TEXT, -- JSON, fixed at issue
	issue_date         TEXT   NOT NULL,
	due_date           TEXT   NOT NULL,
	currency           TEXT   NOT NULL,
	exchange_rate      TEXT, -- null in the base currency
	tax_mode           TEXT   NOT NULL,
	tax_rounding       TEXT   NOT NULL,
	lines              TEXT   NOT NULL, -- JSON
	tax_summary        TEXT   NOT NULL, -- JSON
	reference          TEXT,
	notes              TEXT,
	subtotal           BIGINT NOT NULL,
	discount_total     BIGINT NOT NULL,
	tax_total          BIGINT NOT NULL,
	total              BIGINT NOT NULL CHECK (total = subtotal + tax_total AND total >= 0),
	amount_paid        BIGINT NOT NULL CHECK (amount_paid >= 0),
	amount_written_off BIGINT NOT NULL CHECK (amount_written_off >= 0),
	amount_due         BIGINT NOT NULL CHECK (amount_due >= 0),
	base_net           BIGINT NOT NULL, -- subtotal in the base currency, once issued: turnover
	base_total         BIGINT NOT NULL, -- what the receivable was raised by, in the base currency
	base_settled       BIGINT NOT NULL, -- what it was relieved by since
	issued_at          BIGINT,
	sent_at            BIGINT,
	paid_at            BIGINT,
	voided_at          BIGINT,
	void_reason        TEXT,
	journal_entry_id   TEXT,
	source_type        TEXT   NOT NULL, -- API, UI, IMPORT
	source_app_id      TEXT,
	plan_year          TEXT   NOT NULL, -- the period it counts in
	overdue_noted_at   BIGINT, -- when invoice.overdue was fired
	made_by            TEXT   NOT NULL, -- JSON: actor
	changed_by         TEXT   NOT NULL, -- JSON: actor
	version            BIGINT NOT NULL,
	created_at         BIGINT NOT NULL,
	updated_at         BIGINT NOT NULL
) /*strict*/;
CREATE UNIQUE INDEX invoices_number ON invoices (business_id, number) WHERE number <> '';
CREATE INDEX invoices_created ON invoices (business_id, created_at, id, version); -- the usual list, and all that a reader who knows the versions needs
CREATE INDEX invoices_updated ON invoices (business_id, updated_at, id);
CREATE INDEX invoices_issued ON invoices (business_id, issue_date, id);
CREATE INDEX invoices_due ON invoices (business_id, due_date, id);
CREATE INDEX invoices_total ON invoices (business_id, total, id);
CREATE INDEX invoices_customer ON invoices (business_id, customer_id, created_at, id);
CREATE INDEX invoices_status ON invoices (business_id, status, created_at, id);
CREATE INDEX invoices_overdue ON invoices (due_date) WHERE amount_due > 0 AND overdue_noted_at IS NULL AND status IN ('OPEN', 'PARTIALLY_PAID');

-- how much of its plan a business has used in a year
CREATE TABLE plan_usage (
	business_id     TEXT   NOT NULL REFERENCES businesses (id),
	year            TEXT   NOT NULL, -- the day on which the period began
	invoices        BIGINT NOT NULL,
	turnover        BIGINT NOT NULL, -- base currency
	invoices_noted  BIGINT, -- when the refusal was first made known
	turnover_noted  BIGINT,
	PRIMARY KEY (business_id, year)
) /*strict*/;

-- books/payment
CREATE TABLE payments (
	id              TEXT   NOT NULL PRIMARY KEY,
	business_id     TEXT   NOT NULL REFERENCES businesses (id),
	kind            TEXT   NOT NULL, -- RECEIPT, DISBURSEMENT, REFUND
	date            TEXT   NOT NULL,
	amount          BIGINT NOT NULL CHECK (amount > 0),
	currency        TEXT   NOT NULL,
	exchange_rate   TEXT,
	method          TEXT   NOT NULL,
	bank_account_id TEXT   NOT NULL REFERENCES accounts (id),
	customer_id     TEXT REFERENCES parties (id),
	supplier_id     TEXT REFERENCES parties (id),
	reference       TEXT,
	memo            TEXT,
	allocated       BIGINT NOT NULL CHECK (allocated >= 0),
	refunded        BIGINT NOT NULL CHECK (refunded >= 0),
	unallocated     BIGINT NOT NULL CHECK (unallocated >= 0),
	refund_of       TEXT REFERENCES payments (id),
	base_amount     BIGINT NOT NULL, -- in the base currency
	base_credit     BIGINT NOT NULL, -- what customer credit still carries of it
	entries         BIGINT NOT NULL, -- how many postings it has made: they are numbered by it
	made_by         TEXT   NOT NULL, -- JSON: actor
	changed_by      TEXT   NOT NULL, -- JSON: actor
	version         BIGINT NOT NULL,
	created_at      BIGINT NOT NULL,
	updated_at      BIGINT NOT NULL,
	CHECK (kind <> 'RECEIPT' OR amount = allocated + unallocated + refunded)
) /*strict*/;
CREATE INDEX payments_created ON payments (business_id, created_at, id);
CREATE INDEX payments_updated ON payments (business_id, updated_at, id);
CREATE INDEX payments_date ON payments (business_id, date, id);
CREATE INDEX payments_amount ON payments (business_id, amount, id);
CREATE INDEX payments_customer ON payments (business_id, customer_id, created_at, id) WHERE customer_id IS NOT NULL;
CREATE INDEX payments_supplier ON payments (business_id, supplier_id, created_at, id) WHERE supplier_id IS NOT NULL;
CREATE INDEX payments_refund ON payments (refund_of) WHERE refund_of IS NOT NULL;

CREATE TABLE payment_allocations (
	id          TEXT   NOT NULL PRIMARY KEY,
	business_id TEXT   NOT NULL,
	payment_id  TEXT   NOT NULL REFERENCES payments (id),
	invoice_id  TEXT   NOT NULL REFERENCES invoices (id),
	amount      BIGINT NOT NULL CHECK (amount > 0),
	relief      BIGINT NOT NULL, -- by how much the receivable was relieved, base currency
	credit      BIGINT NOT NULL, -- how much of the payment's value was used, base currency
	date        TEXT   NOT NULL,
	created_at  BIGINT NOT NULL
) /*strict*/;
CREATE INDEX payment_allocations_payment ON payment_allocations (payment_id, created_at, id);
CREATE INDEX payment_allocations_invoice ON payment_allocations (business_id, invoice_id, created_at, id);

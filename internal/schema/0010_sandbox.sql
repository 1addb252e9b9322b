-- Sandbox businesses: what a business that an organization tries things out in has besides what every business has.

-- tenancy/business
CREATE TABLE sandboxes (
	business_id     TEXT   NOT NULL PRIMARY KEY REFERENCES businesses (id),
	organization_id TEXT   NOT NULL REFERENCES organizations (id),
	slot            BIGINT, -- which of its organization's places it has; null while it is being deleted
	seed            TEXT   NOT NULL, -- EMPTY, DEMO: what its books begin with
	state           TEXT   NOT NULL, -- READY, RESETTING, CLOSING
	since           BIGINT NOT NULL -- when that state began
) /*strict*/;
-- of any number that are made at the same time, one gets a place
CREATE UNIQUE INDEX sandboxes_slot ON sandboxes (organization_id, slot);
CREATE INDEX sandboxes_busy ON sandboxes (since) WHERE state <> 'READY';
INSERT INTO sandboxes (business_id, organization_id, slot, seed, state, since)
	SELECT id, sandbox_of, row_number() OVER (PARTITION BY sandbox_of ORDER BY created_at, id), 'EMPTY', 'READY', created_at
	FROM businesses WHERE sandbox_of IS NOT NULL;

-- people who exist only to try a role in a sandbox; they go with the last one they belong to
CREATE TABLE test_users (
	user_id         TEXT   NOT NULL PRIMARY KEY REFERENCES users (id),
	organization_id TEXT   NOT NULL REFERENCES organizations (id),
	created_at      BIGINT NOT NULL
) /*strict*/;

-- all installations of a business, also those that have ended
CREATE INDEX installations_business ON installations (business_id, id);
-- what an invoice that is removed was paid by
CREATE INDEX payment_allocations_settled ON payment_allocations (invoice_id);

-- books/ledger: set while a sandbox's books are being emptied. Nobody opens them meanwhile, and what is posted may go: then
-- only, and only in a sandbox.
ALTER TABLE books ADD COLUMN emptying_since BIGINT;

-- [sqlite]
CREATE TRIGGER books_emptying BEFORE UPDATE OF emptying_since ON books WHEN NEW.emptying_since IS NOT NULL
	AND NOT EXISTS (SELECT 1 FROM businesses WHERE id = NEW.business_id AND sandbox_of IS NOT NULL)
	BEGIN SELECT RAISE(ABORT, 'only the books of a sandbox can be emptied'); END;
DROP TRIGGER journal_entries_lasting;
CREATE TRIGGER journal_entries_lasting BEFORE DELETE ON journal_entries WHEN OLD.status <> 'DRAFT'
	AND NOT EXISTS (SELECT 1 FROM books WHERE business_id = OLD.business_id AND emptying_since IS NOT NULL)
	BEGIN SELECT RAISE(ABORT, 'a posted journal entry stays'); END;
DROP TRIGGER journal_lines_lasting;
CREATE TRIGGER journal_lines_lasting BEFORE DELETE ON journal_lines
	WHEN NOT EXISTS (SELECT 1 FROM books WHERE business_id = OLD.business_id AND emptying_since IS NOT NULL)
	BEGIN SELECT RAISE(ABORT, 'a posted journal line stays'); END;

-- [postgres]
CREATE FUNCTION books_emptying() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF NEW.emptying_since IS NOT NULL AND NOT EXISTS (SELECT 1 FROM businesses WHERE id = NEW.business_id AND sandbox_of IS NOT NULL) THEN
		RAISE EXCEPTION 'only the books of a sandbox can be emptied';
	END IF;
	RETURN NEW;
END $$;
CREATE TRIGGER books_emptying BEFORE UPDATE OF emptying_since ON books
	FOR EACH ROW EXECUTE FUNCTION books_emptying();
CREATE OR REPLACE FUNCTION journal_entry_guard() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	lines BIGINT;
	debits BIGINT;
	credits BIGINT;
BEGIN
	IF TG_OP = 'DELETE' THEN
		IF OLD.status <> 'DRAFT' AND NOT EXISTS (SELECT 1 FROM books WHERE business_id = OLD.business_id AND emptying_since IS NOT NULL) THEN
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
CREATE OR REPLACE FUNCTION journal_line_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'DELETE' AND EXISTS (SELECT 1 FROM books WHERE business_id = OLD.business_id AND emptying_since IS NOT NULL) THEN
		RETURN OLD;
	END IF;
	IF TG_OP <> 'INSERT' THEN
		RAISE EXCEPTION 'a posted journal line does not change';
	END IF;
	IF EXISTS (SELECT 1 FROM journal_entries WHERE id = NEW.entry_id AND status <> 'DRAFT') THEN
		RAISE EXCEPTION 'a posted journal entry gets no more lines';
	END IF;
	RETURN NEW;
END $$;
-- [both]

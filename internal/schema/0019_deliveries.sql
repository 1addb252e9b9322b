-- platform/webhook: on SQLite deliveries lie beside an index of their ids. In the order of their key, rows of this size left room for four to
-- a page of the tree, so that it became deeper the more there were. The body comes last: what decides is read without it.
-- [sqlite]
CREATE TABLE deliveries_beside (
	id            TEXT   NOT NULL PRIMARY KEY, -- sorts by time: what is too old is found by it
	webhook_id    TEXT   NOT NULL,
	app_id        TEXT   NOT NULL,
	business_id   TEXT   NOT NULL, -- test: of a test delivery
	event_id      TEXT, -- null: a test delivery
	type          TEXT   NOT NULL,
	status        TEXT   NOT NULL, -- queued, retrying, delivered, failed
	attempts      BIGINT NOT NULL, -- since it was queued
	sent          BIGINT NOT NULL, -- in all: the number of the latest attempt
	due_at        BIGINT, -- of the next attempt; null: there is none
	owner         TEXT, -- the node that has it in hand; null once there is no next attempt
	response_code BIGINT, -- of the latest attempt
	last_error    TEXT,
	created_at    BIGINT NOT NULL,
	delivered_at  BIGINT,
	body          TEXT   NOT NULL -- the bytes that are signed and sent, at every attempt
) /*strict*/;
INSERT INTO deliveries_beside (id, webhook_id, app_id, business_id, event_id, type, status, attempts, sent, due_at, owner, response_code, last_error, created_at, delivered_at, body)
	SELECT id, webhook_id, app_id, business_id, event_id, type, status, attempts, sent, due_at, owner, response_code, last_error, created_at, delivered_at, body
	FROM deliveries ORDER BY id;
DROP TABLE deliveries;
ALTER TABLE deliveries_beside RENAME TO deliveries;
CREATE INDEX deliveries_webhook ON deliveries (webhook_id, id);
CREATE INDEX deliveries_failed ON deliveries (webhook_id, id) WHERE status = 'failed';
CREATE INDEX deliveries_waiting ON deliveries (webhook_id, due_at, id) WHERE due_at IS NOT NULL AND owner IS NULL;
CREATE INDEX deliveries_owned ON deliveries (owner, id) WHERE owner IS NOT NULL;
CREATE INDEX deliveries_retrying ON deliveries (webhook_id, id) WHERE status = 'retrying';
CREATE INDEX deliveries_privacy ON deliveries (webhook_id, type, id) WHERE type IN ('business.redact', 'customer.redact', 'supplier.redact');
CREATE INDEX deliveries_tests ON deliveries (webhook_id, id) WHERE business_id = 'test';
CREATE INDEX deliveries_failed_business ON deliveries (webhook_id, business_id, id) WHERE status = 'failed';
-- [both]

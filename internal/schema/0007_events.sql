-- Webhooks and their deliveries, the data that apps keep on records, and the nodes that send.

-- platform/webhook
CREATE TABLE webhooks (
	id              TEXT   NOT NULL PRIMARY KEY,
	app_id          TEXT   NOT NULL REFERENCES apps (id),
	url             TEXT   NOT NULL,
	description     TEXT,
	events          TEXT   NOT NULL, -- names, space separated, in the order in which they were chosen
	enabled         BIGINT NOT NULL CHECK (enabled IN (0, 1)),
	secret          BYTEA  NOT NULL, -- sealed: it must sign
	previous_secret BYTEA, -- signs as well until then
	previous_until  BIGINT,
	version         BIGINT NOT NULL,
	created_at      BIGINT NOT NULL,
	updated_at      BIGINT NOT NULL,
	deleted_at      BIGINT -- stays for as long as its deliveries do
) /*strict*/;
CREATE INDEX webhooks_app ON webhooks (app_id, id);

-- One row is job, line of the log and target of redelivery. Who inserts it made sure that the webhook exists; no foreign
-- key asks again for every event.
CREATE TABLE deliveries (
	id            TEXT   NOT NULL PRIMARY KEY, -- sorts by time: what is too old is found by it
	webhook_id    TEXT   NOT NULL,
	app_id        TEXT   NOT NULL,
	business_id   TEXT   NOT NULL, -- test: of a test delivery
	event_id      TEXT, -- null: a test delivery
	type          TEXT   NOT NULL,
	body          TEXT   NOT NULL, -- the bytes that are signed and sent, at every attempt
	status        TEXT   NOT NULL, -- queued, retrying, delivered, failed
	attempts      BIGINT NOT NULL, -- since it was queued
	sent          BIGINT NOT NULL, -- in all: the number of the latest attempt
	due_at        BIGINT, -- of the next attempt; null: there is none
	owner         TEXT, -- the node that has it in hand; null once there is no next attempt
	response_code BIGINT, -- of the latest attempt
	last_error    TEXT,
	created_at    BIGINT NOT NULL,
	delivered_at  BIGINT
) /*strict, by key*/;
CREATE INDEX deliveries_webhook ON deliveries (webhook_id, id);
CREATE INDEX deliveries_failed ON deliveries (webhook_id, id) WHERE status = 'failed';
-- What nobody has in hand, by webhook: a claim takes the first few of one webhook, however many there are. What a node has in
-- hand, by node: it is found again when the node has died.
CREATE INDEX deliveries_waiting ON deliveries (webhook_id, due_at, id) WHERE due_at IS NOT NULL AND owner IS NULL;
CREATE INDEX deliveries_owned ON deliveries (owner, id) WHERE owner IS NOT NULL;

-- [sqlite]
CREATE TABLE delivery_attempts (
	delivery_id TEXT   NOT NULL,
	number      BIGINT NOT NULL,
	at          BIGINT NOT NULL,
	duration    BIGINT NOT NULL, -- milliseconds
	signature   TEXT   NOT NULL, -- the header as it was sent
	status      BIGINT, -- of the answer; null: there was none
	answer      TEXT, -- its beginning
	error       TEXT,
	PRIMARY KEY (delivery_id, number)
) STRICT, WITHOUT ROWID;

-- [postgres]
-- Ids sort by time, so a day of them is a range: retention drops whole days.
CREATE TABLE delivery_attempts (
	delivery_id TEXT   NOT NULL,
	number      BIGINT NOT NULL,
	at          BIGINT NOT NULL,
	duration    BIGINT NOT NULL,
	signature   TEXT   NOT NULL,
	status      BIGINT,
	answer      TEXT,
	error       TEXT,
	PRIMARY KEY (delivery_id, number)
) PARTITION BY RANGE (delivery_id);
CREATE TABLE delivery_attempts_rest PARTITION OF delivery_attempts DEFAULT;

-- [both]
-- The nodes that send. Each holds a lock of the store while it lives; the store lets go of it when the process ends.
CREATE TABLE nodes (
	id         TEXT   NOT NULL PRIMARY KEY,
	presence   BIGINT NOT NULL, -- the key of its lock
	beat       BIGINT NOT NULL, -- counts up while it works
	started_at BIGINT NOT NULL
) /*strict*/;

-- platform/appdata
CREATE TABLE app_fields (
	id            TEXT   NOT NULL PRIMARY KEY,
	app_id        TEXT   NOT NULL REFERENCES apps (id),
	resource_type TEXT   NOT NULL,
	key           TEXT   NOT NULL,
	label         TEXT   NOT NULL,
	description   TEXT,
	type          TEXT   NOT NULL,
	rules         TEXT   NOT NULL, -- JSON
	visibility    TEXT   NOT NULL, -- HIDDEN, READ, EDIT
	version       BIGINT NOT NULL,
	created_at    BIGINT NOT NULL,
	updated_at    BIGINT NOT NULL
) /*strict*/;
CREATE UNIQUE INDEX app_fields_key ON app_fields (app_id, resource_type, key);

CREATE TABLE app_data (
	id            TEXT   NOT NULL PRIMARY KEY,
	business_id   TEXT   NOT NULL,
	app_id        TEXT   NOT NULL,
	field_id      TEXT   NOT NULL,
	resource_type TEXT   NOT NULL,
	resource_id   TEXT   NOT NULL,
	value         TEXT   NOT NULL, -- JSON
	origin        TEXT   NOT NULL, -- APP, USER
	created_at    BIGINT NOT NULL,
	updated_at    BIGINT NOT NULL
) /*strict*/;
CREATE UNIQUE INDEX app_data_place ON app_data (business_id, resource_id, app_id, field_id);
CREATE INDEX app_data_app ON app_data (business_id, app_id);
CREATE INDEX app_data_field ON app_data (field_id);

-- Counts what access_revision does not: new installations, which nobody loses access by, and webhooks. Who remembers which
-- webhooks hear of a business compares the sum of both: each only grows, so the sum is the same only if both are.
CREATE TABLE webhook_revision (
	id       BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
	revision BIGINT NOT NULL
) /*strict*/;
INSERT INTO webhook_revision (id, revision) VALUES (1, 1);

-- [sqlite]
CREATE TRIGGER installations_added AFTER INSERT ON installations
	BEGIN UPDATE webhook_revision SET revision = revision + 1; END;
CREATE TRIGGER webhooks_added AFTER INSERT ON webhooks
	BEGIN UPDATE webhook_revision SET revision = revision + 1; END;
CREATE TRIGGER webhooks_changed AFTER UPDATE ON webhooks
	BEGIN UPDATE webhook_revision SET revision = revision + 1; END;
CREATE TRIGGER webhooks_gone AFTER DELETE ON webhooks
	BEGIN UPDATE webhook_revision SET revision = revision + 1; END;

-- [postgres]
CREATE FUNCTION webhooks_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	UPDATE webhook_revision SET revision = revision + 1;
	RETURN NULL;
END $$;
CREATE TRIGGER installations_added AFTER INSERT ON installations
	FOR EACH STATEMENT EXECUTE FUNCTION webhooks_changed();
CREATE TRIGGER webhooks_changed AFTER INSERT OR UPDATE OR DELETE ON webhooks
	FOR EACH STATEMENT EXECUTE FUNCTION webhooks_changed();

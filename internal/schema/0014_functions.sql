-- Hosted functions: what apps have us run for them. All tables here belong to platform/function.

CREATE TABLE functions (
	id             TEXT   NOT NULL PRIMARY KEY, -- and of its row in webhooks
	app_id         TEXT   NOT NULL REFERENCES apps (id),
	name           TEXT   NOT NULL,
	description    TEXT,
	kind           TEXT   NOT NULL, -- what has it run: EVENT, SCHEDULE, MANUAL
	events         TEXT   NOT NULL, -- of EVENT: names, space separated, in the order in which they were chosen
	every          TEXT, -- of SCHEDULE: HOURLY, DAILY
	state          TEXT   NOT NULL, -- DRAFT, ACTIVE, DISABLED
	disabled_why   TEXT, -- of DISABLED: DEVELOPER, FAILURES
	active_version TEXT, -- what runs, or ran last
	failures       BIGINT NOT NULL, -- in a row
	next_at        BIGINT, -- of an ACTIVE one by SCHEDULE
	version        BIGINT NOT NULL,
	created_at     BIGINT NOT NULL,
	updated_at     BIGINT NOT NULL,
	deleted_at     BIGINT -- stays for as long as its deliveries do
) /*strict*/;
CREATE INDEX functions_app ON functions (app_id, id);
CREATE INDEX functions_next ON functions (next_at) WHERE next_at IS NOT NULL;

-- never changed; the oldest go
CREATE TABLE function_versions (
	id          TEXT   NOT NULL PRIMARY KEY,
	function_id TEXT   NOT NULL REFERENCES functions (id) ON DELETE CASCADE,
	number      BIGINT NOT NULL,
	source      TEXT   NOT NULL,
	created_by  TEXT   NOT NULL,
	created_at  BIGINT NOT NULL
) /*strict*/;
CREATE UNIQUE INDEX function_versions_number ON function_versions (function_id, number);

-- what all functions of an app find as ctx.config
CREATE TABLE function_config (
	app_id     TEXT   NOT NULL REFERENCES apps (id),
	key        TEXT   NOT NULL,
	value      TEXT, -- null: it is a secret
	sealed     BYTEA, -- null: it is none
	updated_at BIGINT NOT NULL,
	PRIMARY KEY (app_id, key)
) /*strict*/;

CREATE TABLE function_runs (
	id          TEXT   NOT NULL PRIMARY KEY, -- sorts by time: what is too old is found by it
	function_id TEXT   NOT NULL,
	version_id  TEXT   NOT NULL,
	app_id      TEXT   NOT NULL,
	business_id TEXT   NOT NULL,
	kind        TEXT   NOT NULL, -- what had it run
	type        TEXT   NOT NULL, -- the event, or schedule.hourly, schedule.daily
	delivery_id TEXT, -- null: by hand
	attempt     BIGINT NOT NULL,
	started_at  BIGINT NOT NULL,
	duration    BIGINT NOT NULL, -- milliseconds
	outcome     TEXT   NOT NULL, -- OK, FAILED, TIMEOUT, MEMORY, CRASHED
	error       TEXT,
	log         TEXT   NOT NULL,
	log_cut     BIGINT NOT NULL CHECK (log_cut IN (0, 1)),
	calls       BIGINT NOT NULL, -- of ctx.api
	result      TEXT -- JSON; null: none
) /*strict*/;
CREATE INDEX function_runs_function ON function_runs (function_id, id);
CREATE INDEX function_runs_failed ON function_runs (function_id, id) WHERE outcome <> 'OK';
CREATE INDEX function_runs_business ON function_runs (business_id, app_id, id);

-- platform/webhook: a hosted function hears of events by a row of its own, which no developer sees. Its id is the function's.
ALTER TABLE webhooks ADD COLUMN function_id TEXT;

-- platform/reqlog: what apps called, for 7 days, in blocks instead of rows: a twentieth of the room and of the work.

-- Calls from before are not copied: they would be gone in 7 days anyway, and nothing refers to them.
DROP TABLE request_log;

-- A block is calls of one app and one day (UTC), in a form of our own (reqlog/form.go). Those of an app overlap. The key alone tells
-- where one lies, so that a search walks along it without touching the rest.
-- [sqlite]
CREATE TABLE request_blocks (
	app_id   TEXT   NOT NULL,
	last_id  TEXT   NOT NULL, -- of its last call
	first_id TEXT   NOT NULL, -- of its first call
	calls    BIGINT NOT NULL,
	marks    BYTEA  NOT NULL, -- which values its calls may have
	entries  BYTEA  NOT NULL,
	PRIMARY KEY (app_id, last_id, first_id, calls)
) /*strict*/;

-- [postgres]
-- By the day, so that retention drops whole days. What is mostly random is not worth compressing.
CREATE TABLE request_blocks (
	app_id   TEXT   NOT NULL,
	last_id  TEXT   NOT NULL,
	first_id TEXT   NOT NULL,
	calls    BIGINT NOT NULL,
	marks    BYTEA  NOT NULL,
	entries  BYTEA  NOT NULL,
	PRIMARY KEY (app_id, last_id, first_id, calls)
) PARTITION BY RANGE (last_id);
ALTER TABLE request_blocks ALTER COLUMN marks SET STORAGE EXTERNAL, ALTER COLUMN entries SET STORAGE EXTERNAL;
CREATE TABLE request_blocks_rest PARTITION OF request_blocks DEFAULT;

-- [both]
-- Those that are merged into larger ones.
CREATE INDEX request_blocks_small ON request_blocks (app_id, last_id, first_id, calls) WHERE calls < 1024;

-- platform/event: on SQLite events are kept in the order of their key, as lines of the journal are, so that each is written once and not also
-- to an index. None is larger than a quarter of a page.
-- [sqlite]
CREATE TABLE events_by_key (
	id          TEXT   NOT NULL PRIMARY KEY, -- sorts by time: what is too old is found by it
	business_id TEXT   NOT NULL,
	number      BIGINT NOT NULL,
	type        TEXT   NOT NULL,
	app_id      TEXT, -- the one app that an event of audience app is for
	user_id     TEXT,
	data        TEXT   NOT NULL, -- JSON, in the newest shape
	created_at  BIGINT NOT NULL
) /*strict, by key*/;
INSERT INTO events_by_key (id, business_id, number, type, app_id, user_id, data, created_at)
	SELECT id, business_id, number, type, app_id, user_id, data, created_at FROM events ORDER BY id;
DROP TABLE events;
ALTER TABLE events_by_key RENAME TO events;
CREATE UNIQUE INDEX events_number ON events (business_id, number);
-- [both]

-- What apps called, and what people did that others may want to look up later.

-- platform/reqlog: every call of an app, for 7 days. The id of a request begins with the instant of its arrival, so there is no
-- column for that: newest first is the order of ids, and a span of time is a range of them. Nothing refers to other tables.
-- [sqlite]
CREATE TABLE request_log (
	app_id      TEXT   NOT NULL,
	request_id  TEXT   NOT NULL,
	method      TEXT   NOT NULL,
	route       TEXT, -- the pattern, never the path; null: not in the table of routes
	status      BIGINT NOT NULL,
	code        TEXT, -- of the refusal
	version     TEXT, -- of the API; null: refused before it was settled
	duration    BIGINT NOT NULL, -- milliseconds
	business_id TEXT,
	user_id     TEXT,
	PRIMARY KEY (app_id, request_id)
) STRICT, WITHOUT ROWID;

-- [postgres]
-- By the day, so that retention drops whole days.
CREATE TABLE request_log (
	app_id      TEXT   NOT NULL,
	request_id  TEXT   NOT NULL,
	method      TEXT   NOT NULL,
	route       TEXT,
	status      BIGINT NOT NULL,
	code        TEXT,
	version     TEXT,
	duration    BIGINT NOT NULL,
	business_id TEXT,
	user_id     TEXT,
	PRIMARY KEY (app_id, request_id)
) PARTITION BY RANGE (request_id);
CREATE TABLE request_log_rest PARTITION OF request_log DEFAULT;

-- [both]
-- One for each filter, in the order of the list.
CREATE INDEX request_log_status ON request_log (app_id, status, request_id);
CREATE INDEX request_log_route ON request_log (app_id, route, request_id);
CREATE INDEX request_log_business ON request_log (app_id, business_id, request_id);
CREATE INDEX request_log_code ON request_log (app_id, code, request_id) WHERE code IS NOT NULL; -- most calls are not refused

-- platform/audit: who did what, when and from where. Rows are written in the transaction of the action itself, and never change.
CREATE TABLE audit_log (
	id              TEXT   NOT NULL PRIMARY KEY, -- sorts by time
	at              BIGINT NOT NULL,
	actor           TEXT   NOT NULL, -- USER, COMMAND (the command line), SYSTEM
	user_id         TEXT, -- of a USER
	action          TEXT   NOT NULL,
	object_type     TEXT   NOT NULL,
	object_id       TEXT   NOT NULL,
	organization_id TEXT,
	business_id     TEXT,
	ip              TEXT,
	request_id      TEXT,
	user_agent      TEXT, -- its beginning; of a COMMAND, the command
	details         TEXT   NOT NULL -- JSON
) /*strict*/;
CREATE INDEX audit_log_age ON audit_log (at);
CREATE INDEX audit_log_action ON audit_log (action, id);
CREATE INDEX audit_log_object ON audit_log (object_id, id);
CREATE INDEX audit_log_user ON audit_log (user_id, id) WHERE user_id IS NOT NULL;
CREATE INDEX audit_log_organization ON audit_log (organization_id, id) WHERE organization_id IS NOT NULL;
CREATE INDEX audit_log_business ON audit_log (business_id, id) WHERE business_id IS NOT NULL;

-- The database itself keeps rows from changing and from going. One may go when there is another that is 13 months younger (393
-- days, when February is among them): no clock is needed to tell that it is old, and the table is never emptied.
-- [sqlite]
CREATE TRIGGER audit_log_immutable BEFORE UPDATE ON audit_log
	BEGIN SELECT RAISE(ABORT, 'an audit row does not change'); END;
CREATE TRIGGER audit_log_lasting BEFORE DELETE ON audit_log WHEN OLD.at > (SELECT max(at) FROM audit_log) - 33955200000
	BEGIN SELECT RAISE(ABORT, 'an audit row stays for 13 months'); END;
-- INSERT OR REPLACE would delete without asking the trigger above.
CREATE TRIGGER audit_log_once BEFORE INSERT ON audit_log WHEN EXISTS (SELECT 1 FROM audit_log WHERE id = NEW.id)
	BEGIN SELECT RAISE(ABORT, 'an audit row does not change'); END;

-- [postgres]
CREATE FUNCTION audit_log_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'UPDATE' THEN
		RAISE EXCEPTION 'an audit row does not change';
	END IF;
	IF TG_OP = 'TRUNCATE' THEN
		RAISE EXCEPTION 'an audit row stays for 13 months';
	END IF;
	IF OLD.at > (SELECT max(at) FROM audit_log) - 33955200000 THEN
		RAISE EXCEPTION 'an audit row stays for 13 months';
	END IF;
	RETURN OLD;
END $$;
CREATE TRIGGER audit_log_guard BEFORE UPDATE OR DELETE ON audit_log
	FOR EACH ROW EXECUTE FUNCTION audit_log_guard();
CREATE TRIGGER audit_log_whole BEFORE TRUNCATE ON audit_log
	FOR EACH STATEMENT EXECUTE FUNCTION audit_log_guard();

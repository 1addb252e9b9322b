-- platform/usage: calls of the API, added up. A call stands in one row: that of its minute until the hour has ended, then of its
-- hour, and after 30 days of its day (UTC). Nothing refers to other tables: what was counted stays true when an app or a
-- business goes.
CREATE TABLE usage_counts (
	app_id       TEXT   NOT NULL,
	begins_at    BIGINT NOT NULL,
	span         BIGINT NOT NULL, -- milliseconds: a minute, an hour or a day
	business_id  TEXT   NOT NULL,
	method       TEXT   NOT NULL,
	route        TEXT   NOT NULL,
	status       BIGINT NOT NULL,
	version      TEXT   NOT NULL,
	calls        BIGINT NOT NULL,
	rate_limited BIGINT NOT NULL, -- how many of them a limit refused
	-- how many of them took up to 0.5 ms, up to 1 ms, up to 2 ms … up to 8.192 s, and longer: columns, so that SQL can add them
	b0           BIGINT NOT NULL,
	b1           BIGINT NOT NULL,
	b2           BIGINT NOT NULL,
	b3           BIGINT NOT NULL,
	b4           BIGINT NOT NULL,
	b5           BIGINT NOT NULL,
	b6           BIGINT NOT NULL,
	b7           BIGINT NOT NULL,
	b8           BIGINT NOT NULL,
	b9           BIGINT NOT NULL,
	b10          BIGINT NOT NULL,
	b11          BIGINT NOT NULL,
	b12          BIGINT NOT NULL,
	b13          BIGINT NOT NULL,
	b14          BIGINT NOT NULL,
	b15          BIGINT NOT NULL,
	PRIMARY KEY (app_id, begins_at, span, business_id, method, route, status, version)
) /*strict*/;
CREATE INDEX usage_counts_age ON usage_counts (span, begins_at, app_id);

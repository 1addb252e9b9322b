-- What pages tell besides.

-- tenancy/identity: those few people whom something holds, for operators.
CREATE INDEX users_suspended ON users (id) WHERE suspended_at IS NOT NULL;
CREATE INDEX users_restricted ON users (id) WHERE restricted_at IS NOT NULL;

-- platform/event, platform/appdata: who did it, or in whose name an app did, for the business's own people. Apps are not told.
ALTER TABLE events ADD COLUMN user_id TEXT;
ALTER TABLE app_data ADD COLUMN user_id TEXT;

-- platform/usage: the calls of an app in all businesses together, so that its developers' pages need not add up thousands of them. The
-- same columns as usage_counts, whose minutes are added here when they become part of an hour.
CREATE TABLE usage_totals (
	app_id       TEXT   NOT NULL,
	begins_at    BIGINT NOT NULL,
	span         BIGINT NOT NULL, -- milliseconds: an hour or a day
	business_id  TEXT   NOT NULL, -- empty
	method       TEXT   NOT NULL,
	route        TEXT   NOT NULL,
	status       BIGINT NOT NULL,
	version      TEXT   NOT NULL,
	calls        BIGINT NOT NULL,
	rate_limited BIGINT NOT NULL,
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
INSERT INTO usage_totals (app_id, begins_at, span, business_id, method, route, status, version, calls, rate_limited, b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15)
	SELECT app_id, begins_at, span, '', method, route, status, version, CAST(sum(calls) AS BIGINT), CAST(sum(rate_limited) AS BIGINT),
		CAST(sum(b0) AS BIGINT), CAST(sum(b1) AS BIGINT), CAST(sum(b2) AS BIGINT), CAST(sum(b3) AS BIGINT), CAST(sum(b4) AS BIGINT), CAST(sum(b5) AS BIGINT), CAST(sum(b6) AS BIGINT), CAST(sum(b7) AS BIGINT),
		CAST(sum(b8) AS BIGINT), CAST(sum(b9) AS BIGINT), CAST(sum(b10) AS BIGINT), CAST(sum(b11) AS BIGINT), CAST(sum(b12) AS BIGINT), CAST(sum(b13) AS BIGINT), CAST(sum(b14) AS BIGINT), CAST(sum(b15) AS BIGINT)
	FROM usage_counts WHERE span > 60000 GROUP BY app_id, begins_at, span, method, route, status, version;
CREATE INDEX usage_totals_age ON usage_totals (span, begins_at, app_id);
CREATE INDEX usage_counts_minutes ON usage_counts (app_id, begins_at) WHERE span = 60000; -- not yet in the totals
CREATE INDEX usage_counts_business ON usage_counts (app_id, business_id, begins_at);

-- platform/webhook: whether a test has arrived is asked at every look at an app, however much was delivered since.
CREATE INDEX deliveries_tests ON deliveries (webhook_id, id) WHERE business_id = 'test';
